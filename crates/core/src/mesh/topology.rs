//! How triangles hang together: edges that are open, shared by too many, or run the wrong way.
//!
//! Every triangle gives its three edges, each with the direction in which the triangle runs along
//! it. Sorted by their two vertices, the same edges of all triangles stand side by side.

mod boundary;
mod weld;
mod winding;

use rayon::prelude::*;

use super::TriangleMesh;
pub use weld::Weld;
pub(super) use weld::vertex_ids;
use winding::Windings;

/// How the triangles of a mesh hang together.
///
/// Triangles with a corner that is not finite, or with two corners that are the same vertex, have
/// no part in it: where they leave a hole, the edges around it are open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// How many different edges there are.
    pub edges: usize,
    /// Edges of one triangle only: the mesh ends there. In order of their triangles.
    pub open: Vec<Edge>,
    /// Pieces that the open edges make, by their vertices: mostly the number of holes and rims.
    pub boundaries: usize,
    /// Edges of three triangles and more, each named once, by the first of its triangles.
    pub non_manifold: Vec<Edge>,
    /// Edges of two triangles that run along them in the same direction, so that one shows its
    /// front where the other shows its back. Each is named once, by the first of its triangles.
    pub inconsistent: Vec<Edge>,
    /// The fewest triangles whose turning would mend the inconsistent edges: in each piece of the
    /// surface the smaller part of those that disagree. In order.
    pub flipped: Vec<u32>,
    /// Pieces of the surface that hang together by edges of two triangles.
    pub pieces: usize,
    /// Pieces that no turning of triangles makes consistent, as a Möbius strip.
    pub one_sided: usize,
    /// How many edges belong to an odd number of triangles.
    odd: usize,
}

/// An edge of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The triangle.
    pub prim: u32,
    /// Which of its edges: from corner 0 to 1, from 1 to 2, or from 2 to 0.
    pub side: u8,
}

impl Edge {
    /// The edge's ends, in the direction in which the triangle runs along it.
    ///
    /// # Panics
    /// If the mesh has no such triangle, or a triangle no such edge.
    #[must_use]
    pub fn ends(self, mesh: &TriangleMesh) -> [[f32; 3]; 2] {
        let corners = mesh.triangle(self.prim);
        [corners[self.side as usize], corners[(self.side as usize + 1) % 3]]
    }
}

/// An edge as one triangle has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    /// The lower vertex, then the higher one.
    vertices: u64,
    edge: Edge,
    /// Whether the triangle runs from the lower vertex to the higher one.
    upward: bool,
}

impl Topology {
    /// Looks at every edge of a mesh, in parallel on the rayon pool that the caller is in.
    ///
    /// ```
    /// use hitscan_core::TriangleMesh;
    /// use hitscan_core::mesh::{Topology, Weld};
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let square = TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]])?;
    /// let topology = Topology::of(&square, Weld::Positions);
    /// assert_eq!((topology.edges, topology.open.len()), (5, 4));
    /// assert!(!topology.is_closed());
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    #[must_use]
    pub fn of(mesh: &TriangleMesh, weld: Weld) -> Self {
        let vertices = vertex_ids(mesh, weld);
        Self::of_vertices(&vertices, mesh)
    }

    /// [`Self::of`], where vertices that are one have been given one number.
    pub(super) fn of_vertices(ids: &[u32], mesh: &TriangleMesh) -> Self {
        let half_edges = half_edges(ids, mesh);
        let mut topology = Self::default();
        let mut windings = Windings::new(mesh.triangle_count());
        for same in half_edges.chunk_by(|a, b| a.vertices == b.vertices) {
            topology.edges += 1;
            topology.odd += same.len() % 2;
            match same {
                [only] => {
                    windings.add(only.edge.prim);
                    topology.open.push(only.edge);
                }
                [first, second] => {
                    let agree = first.upward != second.upward;
                    windings.join(first.edge.prim, second.edge.prim, agree);
                    if !agree {
                        topology.inconsistent.push(first.edge);
                    }
                }
                [first, ..] => {
                    same.iter().for_each(|half_edge| windings.add(half_edge.edge.prim));
                    topology.non_manifold.push(first.edge);
                }
                [] => {}
            }
        }
        for edges in [&mut topology.open, &mut topology.non_manifold, &mut topology.inconsistent] {
            edges.sort_unstable();
        }
        topology.boundaries = boundary::pieces(&topology.open, ids, mesh);
        let surface = windings.finish();
        Self {
            flipped: surface.flipped,
            pieces: surface.pieces,
            one_sided: surface.one_sided,
            ..topology
        }
    }

    /// Whether every edge belongs to an even number of triangles, so that a ray from outside
    /// crosses the surface an even number of times. An empty mesh is closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.odd == 0
    }
}

/// The edges of all triangles, the same ones side by side, in order of their triangles.
fn half_edges(ids: &[u32], mesh: &TriangleMesh) -> Vec<HalfEdge> {
    let of_triangle = |(prim, corners): (usize, &[u32; 3])| {
        let finite = corners
            .iter()
            .all(|&index| mesh.positions()[index as usize].iter().all(|x| x.is_finite()));
        let [a, b, c] = corners.map(|index| ids[index as usize]);
        let whole = finite && a != b && b != c && c != a;
        let edges = [(a, b), (b, c), (c, a)].into_iter().zip(0..);
        edges.filter(move |_| whole).map(move |((from, to), side)| HalfEdge {
            vertices: u64::from(from.min(to)) << 32 | u64::from(from.max(to)),
            edge: Edge { prim: prim as u32, side },
            upward: from < to,
        })
    };
    let mut edges: Vec<HalfEdge> =
        mesh.indices().par_iter().enumerate().flat_map_iter(of_triangle).collect();
    edges.par_sort_unstable();
    edges
}
