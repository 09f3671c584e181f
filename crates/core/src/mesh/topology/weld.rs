//! Which vertices of a mesh are one and the same.

use rayon::prelude::*;

use crate::mesh::TriangleMesh;

/// Which vertices of a mesh are taken to be one and the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weld {
    /// Those at exactly the same position, as rays see it: right for meshes whose triangles share
    /// no vertices, and where seams of a texture double them.
    #[default]
    Positions,
    /// Only those with the same index.
    Indices,
}

/// For each vertex the number of the vertex that it is: the lowest of those that are the same.
pub(in crate::mesh) fn vertex_ids(mesh: &TriangleMesh, weld: Weld) -> Vec<u32> {
    let positions = mesh.positions();
    let count = positions.len() as u32;
    let mut ids: Vec<u32> = (0..count).collect();
    if weld == Weld::Indices {
        return ids;
    }
    // Zeros of both signs are one place.
    let place = |index: u32| positions[index as usize].map(|x| (x + 0.0).to_bits());
    let mut order: Vec<([u32; 3], u32)> =
        (0..count).into_par_iter().map(|index| (place(index), index)).collect();
    order.par_sort_unstable();
    for same in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, index) in same {
            ids[index as usize] = same[0].1;
        }
    }
    ids
}
