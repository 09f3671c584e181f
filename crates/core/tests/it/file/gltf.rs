//! glTF and GLB.

mod faults;
mod limits;
mod placements;
mod primitives;

use hitscan_core::TriangleMesh;
use hitscan_core::file::{ReadError, ReadOptions, read_bytes};
use hitscan_core::gltf::{self, GltfScene};
use hitscan_core::mesh::MeshReport;
use hitscan_testkit::files;

/// A document of one triangle in the container's data: the fields after the asset, of which
/// `nodes` is given.
fn triangle_with_nodes(nodes: &str) -> Vec<u8> {
    document(&format!(
        r#""nodes":[{nodes}],"meshes":[{{"name":"leaf","primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        {TRIANGLE_DATA}"#
    ))
}

/// The accessor of three positions at the start of the data.
const TRIANGLE_DATA: &str = r#""buffers":[{"byteLength":36}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}]"#;

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A container of a document, with the triangle's positions as its data.
fn document(fields: &str) -> Vec<u8> {
    let data: Vec<u8> = TRIANGLE.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
    document_over(fields, &data)
}

fn document_over(fields: &str, data: &[u8]) -> Vec<u8> {
    files::glb_of(&format!(r#"{{"asset":{{"version":"2.0"}},{fields}}}"#), data)
}

/// Reads a file as a scene; it must be right.
fn scene(bytes: &[u8]) -> (GltfScene, MeshReport) {
    gltf::read_bytes(bytes, "test", &ReadOptions::default()).expect("a glTF file")
}

/// Reads a file as one mesh; it must be right.
fn baked(bytes: &[u8]) -> (TriangleMesh, MeshReport) {
    read_bytes(bytes, "test", &ReadOptions::default()).expect("a glTF file")
}

/// The error of a wrong file, the same for both ways to read it.
fn error(bytes: &[u8]) -> String {
    error_with(bytes, &ReadOptions::default())
}

fn error_with(bytes: &[u8], options: &ReadOptions) -> String {
    let told = |error: ReadError| error.to_string();
    let of_mesh = read_bytes(bytes, "test", options).map_err(told).expect_err("a wrong file");
    let of_scene = gltf::read_bytes(bytes, "test", options).map_err(told);
    assert_eq!(of_scene.map(|_| ()), Err(of_mesh.clone()));
    of_mesh
}
