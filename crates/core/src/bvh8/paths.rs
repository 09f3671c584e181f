//! The ways from vertices to leaves and from leaves to the root, for changes of a few triangles.

use std::ops::Range;

use super::refit::Marks;
use super::{Bvh8, ChangeError, Refitter, Structure};
use crate::mesh::TriangleMesh;

/// Stands for no line.
const NOWHERE: u32 = u32::MAX;

/// The ways from vertices to leaves and from leaves to the root of one tree.
///
/// They hold as long as its [`Structure`] is kept and no triangle was added. They take some 25
/// bytes a triangle: [`Paths::bytes`].
#[derive(Clone, Debug)]
pub struct Paths {
    /// For the first line of each block that of the node above it.
    parents: Vec<u32>,
    /// For each triangle the first line of its leaf.
    leaves: Vec<u32>,
    /// Where in `fans` the triangles of each vertex begin, and at the end the number of all.
    starts: Vec<usize>,
    /// The triangles, vertex by vertex.
    fans: Vec<u32>,
}

impl Paths {
    /// Finds the ways. Each triangle must be whole: see [`Bvh8::refit`].
    ///
    /// # Panics
    /// If the tree has triangles in parts.
    #[must_use]
    pub fn new(tree: &Bvh8, mesh: &TriangleMesh) -> Self {
        assert_eq!(tree.statistics.references, tree.statistics.triangles, "refit the tree first");
        let mut parents = vec![NOWHERE; tree.lines.len()];
        let mut leaves = vec![NOWHERE; mesh.triangle_count()];
        for visit in tree.visits() {
            let line = tree.layout.line(visit.place);
            if visit.place != tree.root {
                parents[line] = tree.layout.line(visit.parent) as u32;
            }
            if visit.place.is_leaf() {
                for prim in tree.prims(visit.place) {
                    // A file may have named one that is not there, and nobody has looked yet.
                    if let Some(leaf) = leaves.get_mut(prim as usize) {
                        *leaf = line as u32;
                    }
                }
            }
        }
        let (starts, fans) = fans(mesh);
        Self { parents, leaves, starts, fans }
    }

    /// The triangles at some vertices; some of them more than once.
    ///
    /// # Panics
    /// If the mesh does not have these vertices.
    #[must_use]
    pub fn triangles_at(&self, vertices: Range<usize>) -> &[u32] {
        &self.fans[self.starts[vertices.start]..self.starts[vertices.end]]
    }

    /// What must be made anew for some triangles.
    ///
    /// # Panics
    /// If the paths are not those of this tree, or the mesh does not have a triangle.
    pub(super) fn touched(&self, tree: &Bvh8, mesh: &TriangleMesh, prims: &[u32]) -> Touched {
        let mut marks = Marks::new(tree.lines.len());
        let mut absent = Vec::new();
        let mut leaves = 0;
        for &prim in prims {
            let leaf = self.leaves[prim as usize];
            if leaf == NOWHERE {
                if mesh.can_be_hit(prim) {
                    absent.push(prim);
                }
                continue;
            }
            let mut line = leaf;
            while line != NOWHERE && marks.add(line as usize) {
                leaves += usize::from(line == leaf);
                line = self.parents[line as usize];
            }
        }
        absent.sort_unstable();
        absent.dedup();
        Touched { marks, leaves, absent }
    }

    /// Memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.parents.len() + self.leaves.len() + self.fans.len();
        numbers * size_of::<u32>() + self.starts.len() * size_of::<usize>()
    }
}

/// What must be made anew for some triangles.
pub(super) struct Touched {
    /// Their leaves, and the nodes above these.
    pub(super) marks: Marks,
    /// How many leaves that are.
    pub(super) leaves: usize,
    /// Those that can be hit and are in no leaf.
    pub(super) absent: Vec<u32>,
}

/// The triangles of each vertex, by counting: where those of each begin, and all.
fn fans(mesh: &TriangleMesh) -> (Vec<usize>, Vec<u32>) {
    let corners = mesh.indices().as_flattened();
    let mut starts = vec![0; mesh.positions().len() + 2];
    for &vertex in corners {
        starts[vertex as usize + 2] += 1;
    }
    for vertex in 2..starts.len() {
        starts[vertex] += starts[vertex - 1];
    }
    let mut fans = vec![0; corners.len()];
    for (i, &vertex) in corners.iter().enumerate() {
        let place = &mut starts[vertex as usize + 1];
        fans[*place] = (i / 3) as u32;
        *place += 1;
    }
    starts.pop();
    (starts, fans)
}

impl Bvh8 {
    /// Makes the leaves of some triangles anew that have moved or collapsed, and the boxes above
    /// them; takes triangles in as [`Bvh8::refit`] does. The time it takes grows with the number
    /// of these triangles, not with that of all; from a quarter of the leaves on, everything is
    /// made anew in parallel. So it is in [`TreeLayout::Compact`](crate::TreeLayout::Compact),
    /// whatever the number, and the first time in a tree that came from bytes.
    ///
    /// # Errors
    /// As [`Bvh8::refit`].
    ///
    /// # Panics
    /// If the paths are not those of this tree, or the mesh does not have a triangle.
    pub fn refit_triangles(
        &mut self,
        mesh: &TriangleMesh,
        paths: &Paths,
        prims: &[u32],
    ) -> Result<Structure, ChangeError> {
        Refitter::default().refit_triangles(self, mesh, paths, prims)
    }
}
