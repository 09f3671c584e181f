//! The Wavefront OBJ reader.
//!
//! It reads what the format's specification says and what programs write in its name: LF, CR LF
//! and CR line ends, a byte order mark, names that are not UTF-8, comments behind data, statements
//! continued by a backslash, vertices with weights or colours, relative indices and indices of
//! vertices that come later. It takes no number for what it is not: what cannot be read is an
//! error with its line and column, and what can be read but looks wrong is in the report.
//!
//! The text is cut into pieces at line ends, the pieces are scanned in parallel, and what they
//! hold is put together in file order, so that the result is the same for any number of threads.

mod assemble;
mod collapsed;
mod cursor;
mod digits;
mod lines;
mod names;
mod origin;
mod piece;
mod scan;
mod tobj;

use std::path::Path;

pub use self::collapsed::collapsed_triangles;
pub use self::lines::lines_of_polygons;
pub use self::tobj::from_tobj;
use crate::file::{ReadError, read_whole};
use crate::mesh::{MeshReport, TriangleMesh};

/// How to read an OBJ file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjOptions {
    /// Whether anything that would be a warning is an error instead; `false` by default.
    ///
    /// What the text itself says comes first: a triangle without area is only reported once all
    /// lines are known to be right.
    pub strict: bool,
}

/// How long the pieces are that a file is scanned in: small enough to share a file of a few
/// megabytes among many threads, large enough that a piece's vectors cost nothing.
const PIECE_LENGTH: usize = 1 << 20;

/// Reads a file.
///
/// Faces of more than three corners are cut into triangles that cover them, wound as they are: a
/// polygon of n corners makes n − 2 triangles. Polygons are counted from 0 over the faces that
/// make triangles ([`crate::mesh::Parts::polygon_of`]). A face of fewer than three corners makes
/// none and is counted as skipped. A vertex may be NaN or infinite, which is a warning.
///
/// A mesh so far from zero that f32 would lose detail gets a local origin
/// ([`TriangleMesh::origin`]): if a coordinate in use is not exactly an f32 and the greatest is
/// more than 16 times the mesh's extent. Else each coordinate is rounded once to f32.
///
/// # Errors
/// [`ReadError::Io`] if the file cannot be read, [`ReadError::Syntax`] at the first place where it
/// is not OBJ (or, if [`ObjOptions::strict`], where anything looks wrong), [`ReadError::Mesh`] if
/// it holds more than 2³²−2 vertices or 2³¹−1 triangles.
pub fn read_file(
    path: impl AsRef<Path>,
    options: ObjOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let path = path.as_ref();
    read_bytes(&read_whole(path)?, &path.display().to_string(), options)
}

/// Reads a file's bytes; `name` is what errors call it. See [`read_file`].
///
/// # Errors
/// [`ReadError::Syntax`] at the first place where the text is not OBJ, [`ReadError::Mesh`] if it
/// holds more than 2³²−2 vertices or 2³¹−1 triangles.
///
/// ```
/// use hitscan_core::obj::{ObjOptions, read_bytes};
/// let square = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
/// let (mesh, report) = read_bytes(square, "square.obj", ObjOptions::default())?;
/// assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
/// assert_eq!(report.polygons, 1);
///
/// let error = read_bytes(b"v 0,5 0 0\n", "comma.obj", ObjOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "comma.obj:1:3: expected a number, found `0,5`");
/// # Ok::<(), hitscan_core::file::ReadError>(())
/// ```
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    options: ObjOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    read_bytes_in_pieces(bytes, name, options, PIECE_LENGTH)
}

/// [`read_bytes`] in pieces of about `piece_length` bytes, so that tests can cut small files.
#[doc(hidden)]
pub fn read_bytes_in_pieces(
    bytes: &[u8],
    name: &str,
    options: ObjOptions,
    piece_length: usize,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    assemble::Source { bytes, name, options }.read(piece_length)
}
