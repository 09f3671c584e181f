//! What is wrong with a mesh around a few of its triangles.

use std::collections::HashMap;

use hitscan_core::TriangleMesh;
use hitscan_core::mesh::{Duplicate, Edge};

/// Something that is wrong with the mesh near where a ray hits or just misses: at a triangle or at
/// one that shares a corner with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearbyDefect {
    /// An edge that belongs to one triangle only: a ray may pass beside it into the mesh.
    OpenEdge(Edge),
    /// An edge that belongs to three triangles or more.
    NonManifoldEdge {
        /// The edge, as the first of them has it.
        edge: Edge,
        /// How many there are.
        triangles: u32,
    },
    /// An edge along which two triangles run the same way, so that one shows its front where the
    /// other shows its back.
    InconsistentEdge {
        /// The edge, as the first triangle has it.
        edge: Edge,
        /// The other triangle.
        other: u32,
    },
    /// A triangle whose corners lie where those of an earlier one do.
    Duplicate(Duplicate),
    /// A triangle without area; it is never hit.
    NoArea(u32),
    /// A triangle with a corner that is NaN or infinite; it is never hit.
    NotFinite(u32),
}

/// Looks around some triangles, by position.
pub(super) fn defects(mesh: &TriangleMesh, around: &[u32]) -> Vec<NearbyDefect> {
    // Zeros of both signs are one place.
    let place = |p: [f32; 3]| p.map(|x| (x + 0.0).to_bits());
    let places = |prim: u32| mesh.triangle(prim).map(place);
    let finite = |prim: u32| mesh.triangle(prim).as_flattened().iter().all(|x| x.is_finite());
    let corners: Vec<[u32; 3]> =
        around.iter().filter(|&&prim| finite(prim)).flat_map(|&prim| places(prim)).collect();
    let near: Vec<u32> = (0..mesh.triangle_count() as u32)
        .filter(|&prim| places(prim).iter().any(|p| corners.contains(p)))
        .collect();

    let mut defects = Vec::new();
    let mut edges: HashMap<[[u32; 3]; 2], Vec<(Edge, bool)>> = HashMap::new();
    let mut seen: HashMap<[[u32; 3]; 3], u32> = HashMap::new();
    for &prim in &near {
        if !finite(prim) {
            defects.push(NearbyDefect::NotFinite(prim));
            continue;
        }
        let [a, b, c] = places(prim);
        if mesh.can_be_hit(prim) {
            let mut key = [a, b, c];
            key.sort_unstable();
            let of = *seen.entry(key).or_insert(prim);
            if of != prim {
                let turns = [[a, b, c], [b, c, a], [c, a, b]];
                let reversed = !turns.contains(&places(of));
                defects.push(NearbyDefect::Duplicate(Duplicate { prim, of, reversed }));
            }
        } else {
            defects.push(NearbyDefect::NoArea(prim));
        }
        if a == b || b == c || c == a {
            continue;
        }
        for ((from, to), side) in [(a, b), (b, c), (c, a)].into_iter().zip(0..) {
            // All triangles at such a corner are known, so all at this edge.
            if corners.contains(&from) || corners.contains(&to) {
                let edge = (Edge { prim, side }, from < to);
                edges.entry([from.min(to), from.max(to)]).or_default().push(edge);
            }
        }
    }
    let mut of_edges: Vec<(Edge, NearbyDefect)> = Vec::new();
    for same in edges.values() {
        let edge = same[0].0;
        let defect = match same[..] {
            [_] => NearbyDefect::OpenEdge(edge),
            [first, second] if first.1 == second.1 => {
                NearbyDefect::InconsistentEdge { edge, other: second.0.prim }
            }
            [_, _] => continue,
            _ => NearbyDefect::NonManifoldEdge { edge, triangles: same.len() as u32 },
        };
        of_edges.push((edge, defect));
    }
    of_edges.sort_unstable_by_key(|&(edge, _)| edge);
    defects.extend(of_edges.into_iter().map(|(_, defect)| defect));
    defects
}
