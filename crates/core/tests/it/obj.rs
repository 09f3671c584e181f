//! The OBJ reader.

mod far;
mod faults;
mod files;
mod forms;
mod large_polygons;
mod lines;
mod pieces;
mod polygons;
mod report;
mod soup;
mod tobj;

use hitscan_core::TriangleMesh;
use hitscan_core::file::ReadError;
use hitscan_core::mesh::MeshReport;
use hitscan_core::obj::{ObjOptions, read_bytes};

/// Reads text that must be right.
fn read(text: impl AsRef<[u8]>) -> (TriangleMesh, MeshReport) {
    read_bytes(text.as_ref(), "test.obj", ObjOptions::default()).expect("the text is OBJ")
}

/// The line, column and words of the error that text must give.
fn error(text: impl AsRef<[u8]>) -> (usize, usize, String) {
    place(read_bytes(text.as_ref(), "test.obj", ObjOptions::default()))
}

/// The same in strict mode.
fn strict_error(text: impl AsRef<[u8]>) -> (usize, usize, String) {
    place(read_bytes(text.as_ref(), "test.obj", ObjOptions { strict: true }))
}

fn place(result: Result<(TriangleMesh, MeshReport), ReadError>) -> (usize, usize, String) {
    match result.expect_err("the text is wrong") {
        ReadError::Syntax { file, line, column, message } => {
            assert_eq!(file, "test.obj");
            (line, column, message)
        }
        other => panic!("expected a place, found: {other}"),
    }
}

/// Three vertices that faces can use.
const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

/// `CORNERS` as positions.
const POSITIONS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// Text must read as the one triangle over `CORNERS`.
fn assert_is_the_triangle(text: impl AsRef<[u8]>) {
    let (mesh, report) = read(text);
    assert_eq!(mesh.positions()[..3], POSITIONS);
    assert_eq!(mesh.indices(), [[0, 1, 2]]);
    assert_eq!((report.triangles, report.polygons), (1, 1));
}
