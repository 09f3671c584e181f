//! Editing a mesh: wrong edits change nothing.

use hitscan_core::mesh::EditError;
use hitscan_testkit::meshes;

#[test]
fn wrong_edits_change_nothing_and_name_the_place() {
    let mesh = meshes::tetrahedron();
    let mut edited = mesh.clone();
    let bad = [[0.0; 3], [1.0, f32::NAN, 0.0]];
    let error = edited.move_vertices(2, &bad).expect_err("a NaN");
    assert!(matches!(error, EditError::NotFinite { vertex: 3, .. }), "{error}");
    assert_eq!(error.to_string(), "vertex 3 cannot be moved to [1.0, NaN, 0.0]: not finite");
    for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
        let error = edited.move_vertices(0, &[[infinity, 0.0, 0.0]]).expect_err("an infinity");
        assert!(matches!(error, EditError::NotFinite { vertex: 0, .. }), "{error}");
    }
    for (first, count) in [(0, 5), (3, 2), (5, 0), (usize::MAX, 1)] {
        let error = edited.move_vertices(first, &vec![[0.0; 3]; count]).expect_err("too many");
        assert_eq!(error, EditError::VertexRange { first, count, vertices: 4 });
    }
    let error = edited.add_triangles(&[[2.0; 3]], &[[0, 1, 4], [0, 5, 1]]).expect_err("no vertex");
    assert_eq!(error, EditError::IndexOutOfRange { triangle: 1, index: 5, vertices: 5 });
    let error = edited.add_triangles(&[[f32::NAN; 3]], &[]).expect_err("a NaN");
    assert!(matches!(error, EditError::NotFinite { vertex: 4, .. }), "{error}");
    let error = edited.remove_triangles(&[0, 4]).expect_err("no triangle");
    assert_eq!(error, EditError::NoSuchTriangle { prim: 4, triangles: 4 });
    assert_eq!(edited, mesh);
    // The greatest numbers are finite, however many there are of them.
    edited.move_vertices(0, &[[f32::MAX; 3], [f32::MIN; 3], [f32::MAX; 3]]).expect("finite");
}

#[test]
fn added_triangles_have_no_names() {
    use hitscan_core::file::{ReadOptions, read_bytes};
    let text = b"o box\nv 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n";
    let (mut mesh, _) = read_bytes(text, "box.obj", &ReadOptions::default()).expect("a square");
    assert_eq!(mesh.add_triangles(&[[1.0; 3]], &[[0, 1, 4], [1, 2, 4]]), Ok(2..4));
    assert_eq!(mesh.add_triangles(&[], &[[2, 3, 4]]), Ok(4..5));
    let names: Vec<_> = (0..5).map(|prim| mesh.parts().names_of(prim).object).collect();
    assert_eq!(names, [Some("box"), Some("box"), None, None, None]);
    let polygons: Vec<_> = (0..5).map(|prim| mesh.parts().polygon_of(prim)).collect();
    assert_eq!(polygons, [0, 0, 1, 2, 3]);
    mesh.remove_triangles(&[1]).expect("it is there");
    assert!(mesh.is_collapsed(1) && !mesh.is_collapsed(0));
    assert_eq!(mesh.uncollapsed_count(), 4);
}
