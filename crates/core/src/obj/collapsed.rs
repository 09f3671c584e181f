//! Triangles whose corners the file tells apart and f32 does not.

use rayon::prelude::*;

use super::piece::Context;
use super::{PIECE_LENGTH, scan};
use crate::mesh::TriangleMesh;
use crate::text;

/// The triangles of a mesh with corners that differ in the file that it was read from, but not in
/// the mesh: what is left of them in f32 is a line or a point.
///
/// `bytes` is that file. Vertices that are not finite do not count; bytes that are no such OBJ
/// file give none.
///
/// ```
/// use hitscan_core::obj::{ObjOptions, collapsed_triangles, read_bytes};
/// let far = b"v 0 0 0\nv 16777216 0 0\nv 16777216.5 0 9\nv 16777216.25 0 0\nf 1 2 3\nf 1 2 4\n";
/// let (mesh, _) = read_bytes(far, "far.obj", ObjOptions::default())?;
/// assert_eq!(collapsed_triangles(far, &mesh), [1]);
/// # Ok::<(), hitscan_core::file::ReadError>(())
/// ```
#[must_use]
pub fn collapsed_triangles(bytes: &[u8], mesh: &TriangleMesh) -> Vec<u32> {
    let context = Context { strict: false, vertices: None };
    let ranges = text::pieces(bytes, PIECE_LENGTH);
    let positions = |range: &std::ops::Range<usize>| {
        scan::scan(bytes, range.clone(), context).map(|piece| piece.positions)
    };
    let Ok(pieces) = ranges.par_iter().map(positions).collect::<Result<Vec<_>, _>>() else {
        return Vec::new();
    };
    let in_file: Vec<[f64; 3]> = pieces.concat();
    if in_file.len() != mesh.positions().len() {
        return Vec::new();
    }
    let collapses = |&[a, b, c]: &[u32; 3]| {
        [(a, b), (b, c), (c, a)].into_iter().any(|(p, q)| {
            let [p, q] = [p, q].map(|index| index as usize);
            let one_in_mesh = mesh.positions()[p] == mesh.positions()[q];
            one_in_mesh && in_file[p] != in_file[q] && in_file[p].iter().all(|x| x.is_finite())
        })
    };
    let triangles = mesh.indices().par_iter().enumerate();
    triangles.filter(|it| collapses(it.1)).map(|(prim, _)| prim as u32).collect()
}
