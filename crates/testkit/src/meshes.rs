//! Procedural meshes: the same triangles for the same arguments.
//!
//! Closed ones say so, face outward, and share their vertices.

mod awkward;
mod scattered;
mod surfaces;
mod terrain;

use std::collections::HashMap;

use hitscan_core::TriangleMesh;

pub use awkward::{
    copies, exponential, fan, needle_ball, nested, slivers, tetrahedron, with_broken_triangles,
};
pub use scattered::{beams, city, forest, soup, stack};
pub use surfaces::{cuboid, icosphere, plate, torus, torus_knot, uv_sphere};
pub use terrain::{terrain, terrain_of};

use crate::vector::{add, narrow, scale, wide};

/// The same mesh, scaled about zero and then moved, rounded once.
#[must_use]
pub fn transformed(mesh: &TriangleMesh, factor: f64, offset: [f64; 3]) -> TriangleMesh {
    with_each_position(mesh, |p| narrow(add(scale(wide(p), factor), offset)))
}

/// The same mesh with every coordinate rounded to a multiple of `step`. With a power of two, whole
/// and half multiples of it make rays that pass through vertices and edges exactly.
#[must_use]
pub fn snapped(mesh: &TriangleMesh, step: f32) -> TriangleMesh {
    with_each_position(mesh, |p| p.map(|x| (x / step).round() * step))
}

/// The same triangles as a soup: no two share a vertex.
#[must_use]
pub fn unshared(mesh: &TriangleMesh) -> TriangleMesh {
    let prims = 0..mesh.triangle_count() as u32;
    let corners: Vec<_> = prims.flat_map(|prim| mesh.triangle(prim)).collect();
    let indices = (0..mesh.triangle_count() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    made(corners, indices.collect())
}

/// All triangles of several meshes, in order.
#[must_use]
pub fn joined(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = positions.len() as u32;
        positions.extend_from_slice(mesh.positions());
        indices.extend(mesh.indices().iter().map(|corners| corners.map(|index| index + first)));
    }
    made(positions, indices)
}

/// Whether every edge belongs to as many triangles in one direction as in the other, by position.
#[must_use]
pub fn is_closed(mesh: &TriangleMesh) -> bool {
    let mut balance: HashMap<[[u32; 3]; 2], i64> = HashMap::new();
    for prim in 0..mesh.triangle_count() as u32 {
        let corners = mesh.triangle(prim).map(|p| p.map(|x| (x + 0.0).to_bits()));
        for i in 0..3 {
            let (from, to) = (corners[i], corners[(i + 1) % 3]);
            let (edge, step) = if from <= to { ([from, to], 1) } else { ([to, from], -1) };
            *balance.entry(edge).or_default() += if from == to { 0 } else { step };
        }
    }
    balance.values().all(|&sum| sum == 0)
}

fn with_each_position(mesh: &TriangleMesh, place: impl Fn([f32; 3]) -> [f32; 3]) -> TriangleMesh {
    let positions = mesh.positions().iter().map(|&p| place(p)).collect();
    mesh.clone().with_positions(positions).expect("as many positions as before")
}

/// A mesh whose indices are right by construction.
fn made(positions: Vec<[f32; 3]>, indices: Vec<[u32; 3]>) -> TriangleMesh {
    TriangleMesh::new(positions, indices).expect("a procedural mesh uses only its own vertices")
}
