//! What is wrong with the triangles of a mesh, and where.

use hitscan_core::TriangleMesh;
use hitscan_core::mesh::{Defects, Duplicate, Weld};
use hitscan_core::obj::{ObjOptions, read_bytes};
use hitscan_testkit::meshes;

#[test]
fn a_sound_mesh_has_none() {
    for mesh in [meshes::icosphere(1.0, [3.0, 4.0, 5.0], 3), TriangleMesh::default()] {
        let defects = Defects::of(&mesh, Weld::Positions);
        let expected = Defects { topology: defects.topology.clone(), ..Defects::default() };
        assert_eq!(defects, expected);
    }
}

#[test]
fn each_triangle_is_listed_where_it_belongs() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 1);
    let first = sphere.triangle_count() as u32;
    // Seven broken triangles: three without area, four that are not finite.
    let defects = Defects::of(&meshes::with_broken_triangles(&sphere), Weld::Positions);
    assert_eq!(defects.degenerate, [first, first + 1, first + 2]);
    assert_eq!(defects.non_finite, [first + 3, first + 4, first + 5, first + 6]);
    assert_eq!(defects.non_finite_vertices.len(), 3);
    assert_eq!(defects.duplicate, []);
}

#[test]
fn duplicates_are_told_with_what_they_repeat() {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, -0.0]];
    let triangles = vec![[0, 1, 2], [0, 0, 1], [1, 2, 3], [0, 0, 1], [2, 1, 0]];
    let mesh = TriangleMesh::new(corners, triangles).expect("indices in range");
    let duplicate = |prim, reversed| Duplicate { prim, of: 0, reversed };
    let defects = Defects::of(&mesh, Weld::Indices);
    assert_eq!(defects.duplicate, [duplicate(2, false), duplicate(4, true)]);
    assert_eq!(defects.degenerate, [1, 3], "these repeat, but count as degenerate alone");
}

#[test]
fn counts_are_those_of_the_report() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv nan 0 0\nv inf 0 0\n\
                f 1 2 3\nf 1 2 4\nf 3 1 2\nf 1 2 5\nf 2 1 3\nf 1 1 2\n";
    let (mesh, report) = read_bytes(text.as_bytes(), "odd.obj", ObjOptions::default())
        .expect("odd, but it can be read");
    let defects = Defects::of(&mesh, Weld::Positions);
    assert_eq!(defects.degenerate.len(), report.degenerate);
    assert_eq!(defects.duplicate.len(), report.duplicate);
    assert_eq!(defects.non_finite.len(), report.non_finite);
    assert_eq!((report.degenerate, report.duplicate, report.non_finite), (2, 2, 1));
    assert_eq!(defects.non_finite_vertices, [4, 5], "used or not");
}

#[test]
fn triangles_of_a_few_steps_of_f32_are_coarse() {
    // At 2²⁰ the step of f32 is 1/8: the span of 2 is 16 of them.
    let at = |span: f32| {
        let x = 1_048_576.0;
        let corners = [[x, 0.0, 0.0], [x + span, 0.0, 0.0], [x, span, 0.0]];
        TriangleMesh::from_soup(&[corners]).expect("one triangle")
    };
    for (span, coarse) in [(2.5, false), (2.0, false), (1.875, true), (0.125, true)] {
        let defects = Defects::of(&at(span), Weld::Positions);
        assert_eq!(defects.coarse.len(), usize::from(coarse), "{span}");
    }
}
