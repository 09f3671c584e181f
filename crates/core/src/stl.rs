//! The STL reader, for text and binary files.
//!
//! STL is a soup: each triangle brings its own corners. Corners at the same position become one
//! vertex, so that the triangles share their edges again. Stored normals are not used, because
//! half of all programs leave them zero or let them contradict the winding.

mod ascii;
mod binary;
mod weld;

use crate::file::ReadError;
use crate::file::fault::Source;
use crate::mesh::{MeshReport, TriangleMesh};
use crate::text;

/// Whether the length of a file is what its header says, as in binary STL.
pub(crate) fn has_binary_length(bytes: &[u8]) -> bool {
    binary::has_right_length(bytes)
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>) -> Result<(TriangleMesh, MeshReport), ReadError> {
    // Many programs begin the header of binary files with `solid` too.
    if !binary::has_right_length(source.bytes) && is_text(source.bytes) {
        ascii::read(source)
    } else {
        binary::read(source)
    }
}

/// Whether the file is text that begins with `solid`.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let text = bytes[text::start(bytes)..].trim_ascii_start();
    let solid = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    solid
        && text.get(5).is_none_or(|byte| byte.is_ascii_whitespace())
        && memchr::memchr(0, bytes).is_none()
}
