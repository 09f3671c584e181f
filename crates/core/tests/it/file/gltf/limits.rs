//! Small files that ask for much: no more is made than the caller allows.

use hitscan_core::file::{ReadOptions, read_bytes};
use hitscan_core::gltf;

use super::{TRIANGLE_DATA, document, error, error_with, triangle_with_nodes};

#[test]
fn a_mesh_repeated_by_nodes() {
    let nodes = vec![r#"{"mesh":0}"#; 1000].join(",");
    let bytes = triangle_with_nodes(&nodes);
    let options = |most_triangles| ReadOptions { most_triangles, ..ReadOptions::default() };
    let (mesh, _) = read_bytes(&bytes, "test", &options(3000)).expect("few enough");
    assert_eq!(mesh.triangle_count(), 1000);
    for (most, told) in [(999, "1000 triangles"), (2999, "3000 vertices")] {
        let error = read_bytes(&bytes, "test", &options(most)).unwrap_err().to_string();
        assert_eq!(error, format!("test: scene: it makes {told}, more than the {most} allowed"));
    }
    // A scene holds the mesh once, however often it is placed.
    let (scene, report) = gltf::read_bytes(&bytes, "test", &options(3)).expect("few enough");
    assert_eq!((scene.placements.len(), report.triangles), (1000, 1));
}

#[test]
fn data_repeated_by_primitives() {
    let primitives = vec![r#"{"attributes":{"POSITION":0}}"#; 1000].join(",");
    let bytes = document(&format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitives}]}}],{TRIANGLE_DATA}"#
    ));
    let options = ReadOptions { most_triangles: 100, ..ReadOptions::default() };
    let told = error_with(&bytes, &options);
    assert_eq!(told, "test: meshes: it holds 303 corners, more than the 300 allowed");
    // The vertices are read once.
    let (mesh, _) = read_bytes(&bytes, "test", &ReadOptions::default()).expect("a mesh");
    assert_eq!((mesh.positions().len(), mesh.triangle_count()), (3, 1000));
}

#[test]
fn zeros_that_take_no_bytes() {
    let bytes = document(
        r#""nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"componentType":5126,"type":"VEC3","count":200000000,"sparse":{"count":1,
        "indices":{"bufferView":0,"componentType":5121},"values":{"bufferView":0}}}]"#,
    );
    assert_eq!(
        error(&bytes),
        "test: accessors[0]: 200000000 elements are more than the file has bytes"
    );
}

#[test]
fn primitives_that_make_nothing() {
    // A corner alone makes no triangle, but each of its repetitions would be a warning.
    let (nodes, primitives) = (r#"{"mesh":0}"#, r#"{"attributes":{"POSITION":0}}"#);
    let fields = format!(
        r#""nodes":[{}],"meshes":[{{"primitives":[{}]}}],{}"#,
        vec![nodes; 100].join(","),
        vec![primitives; 100].join(","),
        TRIANGLE_DATA.replace(r#""count":3"#, r#""count":1"#)
    );
    let options = ReadOptions { most_triangles: 9_999, ..ReadOptions::default() };
    let error = read_bytes(&document(&fields), "test", &options).unwrap_err().to_string();
    assert_eq!(error, "test: scene: it makes 10000 primitives, more than the 9999 allowed");
    let (_, report) =
        read_bytes(&document(&fields), "test", &ReadOptions::default()).expect("nothing");
    assert_eq!((report.skipped, report.warning_count), (10_000, 10_001));
    // None at all are passed over.
    let fields = fields.replace(r#""count":1"#, r#""count":0"#);
    let (_, report) = read_bytes(&document(&fields), "test", &options).expect("nothing");
    assert_eq!(report.warning_count, 1);
}
