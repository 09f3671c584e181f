//! The reader beside `tobj`: they must agree wherever `tobj` is right.

use hitscan_core::MeshError;
use hitscan_core::obj::from_tobj;
use tobj::{LoadOptions, Mesh, Model};

use super::read;

fn load(text: &str) -> Vec<Model> {
    let options = LoadOptions::default();
    let loaded = tobj::load_obj_buf(&mut text.as_bytes(), &options, |_| Ok(Default::default()));
    loaded.expect("tobj reads it").0
}

/// A plain file: a grid of bumps in several objects, quads and triangles, all forms of corners.
fn plain() -> String {
    let size = 40;
    let mut text = String::new();
    for i in 0..size * size {
        let (x, y) = (f64::from(i % size), f64::from(i / size));
        let z = (x * 0.7).sin() * (y * 0.45).cos();
        text += &format!("v {:.4} {:.6} {z:.9e}\nvt {x} {y}\nvn 0 0 1\n", x * 0.1, y * 1e-3);
    }
    for row in 0..size - 1 {
        text += &format!("o row{row}\n");
        for column in 0..size - 1 {
            let a = row * size + column + 1;
            let (b, c, d) = (a + 1, a + 1 + size, a + size);
            text += &match (row + column) % 4 {
                0 => format!("f {a} {b} {c} {d}\n"),
                1 => format!("f {a}/{a} {b}/{b} {c}/{c}\nf {a}/{a} {c}/{c} {d}/{d}\n"),
                2 => format!("f {a}//{a} {b}//{b} {c}//{c} {d}//{d}\n"),
                _ => format!("f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c} {d}/{d}/{d}\n"),
            };
        }
    }
    text
}

#[test]
fn both_readers_give_the_same_triangles() {
    let text = plain();
    let (ours, report) = read(&text);
    let theirs = from_tobj(&load(&text)).expect("a mesh");
    assert_eq!(report.warning_count, 0);
    assert_eq!(ours.triangle_count(), 39 * 39 * 2);
    assert_eq!(ours.triangle_count(), theirs.triangle_count());
    for prim in 0..ours.triangle_count() as u32 {
        assert_eq!(ours.triangle(prim), theirs.triangle(prim));
        assert_eq!(ours.parts().polygon_of(prim), theirs.parts().polygon_of(prim));
        let names = |mesh: &hitscan_core::TriangleMesh| {
            mesh.parts().names_of(prim).object.map(str::to_owned)
        };
        assert_eq!(names(&ours), names(&theirs));
    }
}

#[test]
fn tobj_meshes_with_polygons_lines_and_points() {
    let mesh = Mesh {
        positions: vec![0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 4.0, 0.0],
        indices: vec![1, 2, 0, 1, 2, 3, 0],
        face_arities: vec![1, 2, 4],
        ..Mesh::default()
    };
    let models = [Model::new(mesh.clone(), "first".into()), Model::new(mesh, String::new())];
    let mesh = from_tobj(&models).expect("a mesh");
    assert_eq!(mesh.triangle_count(), 4);
    assert_eq!(mesh.positions().len(), 8);
    // The concave corner 2 is where the quad must be cut.
    assert!(mesh.indices().iter().all(|corners| corners.contains(&2) || corners.contains(&6)));
    assert_eq!(mesh.parts().names_of(1).object, Some("first"));
    assert_eq!(mesh.parts().names_of(2).object, None);
    assert_eq!([1, 2].map(|prim| mesh.parts().polygon_of(prim)), [0, 1]);
}

#[test]
fn tobj_meshes_that_are_wrong() {
    let mesh = Mesh { positions: vec![0.0; 9], indices: vec![0, 1, 3], ..Mesh::default() };
    let error = from_tobj(&[Model::new(mesh, String::new())]).expect_err("vertex 3 is none");
    assert_eq!(error, MeshError::IndexOutOfRange { triangle: 0, index: 3, vertices: 3 });
    assert_eq!(from_tobj(&[]).expect("an empty mesh").triangle_count(), 0);
}
