//! The local origin of the mesh that a file's pieces hold together.

use super::piece::Piece;
use crate::origin;

/// The local origin; zero where the mesh needs none. The pieces' indices must be absolute, and
/// `first_vertex` say where each piece's vertices begin.
pub(super) fn local_origin(pieces: &[Piece], first_vertex: &[usize]) -> [f64; 3] {
    let reach = pieces.iter().fold(0.0, |reach: f64, piece| reach.max(piece.reach));
    let indices =
        pieces.iter().flat_map(|piece| [piece.triangles.as_flattened(), &piece.corners[..]]);
    let mut last = 0;
    origin::local_origin(reach, indices, |index| {
        let index = index as usize;
        let inside = |piece: usize| {
            index.checked_sub(first_vertex[piece]).filter(|&i| i < pieces[piece].positions.len())
        };
        let local = inside(last).unwrap_or_else(|| {
            last = first_vertex.partition_point(|&first| first <= index) - 1;
            index - first_vertex[last]
        });
        pieces[last].positions[local]
    })
}
