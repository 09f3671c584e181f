//! The lines on which polygons stand, found by reading the text once more.

use rayon::prelude::*;

use super::piece::{Context, Piece};
use super::{PIECE_LENGTH, scan};
use crate::text;

/// The line, counted from 1, on which each of some polygons begins; `None` where the text has no
/// such polygon or is not OBJ.
///
/// Polygons are counted as in [`crate::mesh::Parts::polygon_of`]. This takes about as long as
/// reading the text: ask for all at once.
///
/// ```
/// use hitscan_core::obj::lines_of_polygons;
/// let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# a comment\nf 3 2 1\n";
/// assert_eq!(lines_of_polygons(text, &[1, 0, 2]), [Some(6), Some(4), None]);
/// ```
#[must_use]
pub fn lines_of_polygons(bytes: &[u8], polygons: &[u32]) -> Vec<Option<usize>> {
    let ranges = text::pieces(bytes, PIECE_LENGTH);
    let context = Context { strict: false, vertices: None };
    let faces = |range: &std::ops::Range<usize>| {
        scan::scan(bytes, range.clone(), context).map(|piece: Piece| piece.face_count())
    };
    let Ok(counts) = ranges.par_iter().map(faces).collect::<Result<Vec<usize>, _>>() else {
        return vec![None; polygons.len()];
    };
    // In the order of the file, which is how places are counted.
    let mut order: Vec<usize> = (0..polygons.len()).collect();
    order.sort_unstable_by_key(|&i| polygons[i]);
    let mut lines = vec![None; polygons.len()];
    let mut places = text::Places::new(bytes);
    let (mut piece, mut before) = (0, 0);
    for i in order {
        let polygon = polygons[i] as usize;
        while piece < counts.len() && before + counts[piece] <= polygon {
            before += counts[piece];
            piece += 1;
        }
        let Some(range) = ranges.get(piece) else { break };
        let offset = scan::face_offset(bytes, range.clone(), polygon - before);
        lines[i] = offset.map(|offset| places.of(offset).0);
    }
    lines
}
