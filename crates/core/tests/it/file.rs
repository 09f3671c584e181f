//! The readers of all formats but OBJ, and the choice among them.

mod gltf;
mod hostile;
mod kinds;
mod off;
mod others;
mod ply;
mod round_trips;
mod stl;

use hitscan_core::TriangleMesh;
use hitscan_core::file::{MeshFormat, ReadError, ReadOptions, read_bytes};
use hitscan_core::mesh::MeshReport;

/// Reads bytes that must be right, and whose kind must show.
fn read(bytes: impl AsRef<[u8]>) -> (TriangleMesh, MeshReport) {
    read_bytes(bytes.as_ref(), "test", &ReadOptions::default()).expect("a mesh file")
}

/// Reads bytes of a format.
fn read_as(
    format: MeshFormat,
    bytes: impl AsRef<[u8]>,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    read_bytes(bytes.as_ref(), "test", &options)
}

/// The error of wrong bytes, in words.
fn error(format: MeshFormat, bytes: impl AsRef<[u8]>) -> String {
    read_as(format, bytes).expect_err("the bytes are wrong").to_string()
}

/// The error in strict mode, in words.
fn strict_error(format: MeshFormat, bytes: impl AsRef<[u8]>) -> String {
    let options = ReadOptions { format: Some(format), strict: true, ..ReadOptions::default() };
    let result = read_bytes(bytes.as_ref(), "test", &options);
    result.expect_err("strict mode takes nothing odd").to_string()
}

/// The corners of all triangles.
fn corners(mesh: &TriangleMesh) -> Vec<[[f32; 3]; 3]> {
    (0..mesh.triangle_count() as u32).map(|prim| mesh.triangle(prim)).collect()
}

/// The warnings, each with its line before it.
fn warnings(report: &MeshReport) -> Vec<String> {
    report.warnings.iter().map(|warning| format!("{}: {}", warning.line, warning.message)).collect()
}
