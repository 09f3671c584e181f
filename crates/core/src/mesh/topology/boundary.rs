//! How many pieces the open edges of a mesh make.

use std::collections::HashMap;

use super::Edge;
use crate::mesh::TriangleMesh;

/// Counts the pieces that open edges make, by the vertices that they share.
pub(super) fn pieces(open: &[Edge], ids: &[u32], mesh: &TriangleMesh) -> usize {
    let mut parents: HashMap<u32, u32> = HashMap::new();
    let mut pieces = 0;
    for edge in open {
        let corners = mesh.indices()[edge.prim as usize];
        let ends = [edge.side as usize, (edge.side as usize + 1) % 3];
        let [a, b] = ends.map(|corner| {
            let vertex = ids[corners[corner] as usize];
            pieces += usize::from(!parents.contains_key(&vertex));
            root(&mut parents, vertex)
        });
        if a != b {
            pieces -= 1;
            parents.insert(a, b);
        }
    }
    pieces
}

/// The root above a vertex, with every step on the way cut in half.
fn root(parents: &mut HashMap<u32, u32>, mut vertex: u32) -> u32 {
    loop {
        let parent = *parents.entry(vertex).or_insert(vertex);
        if parent == vertex {
            return vertex;
        }
        let above = parents.get(&parent).copied().unwrap_or(parent);
        parents.insert(vertex, above);
        vertex = above;
    }
}
