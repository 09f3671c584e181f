//! The triangles that are in no leaf: a refit asks which of them can be hit by now.

use crate::bvh8::{Bvh8, Leaf4, TreeLayout};
use crate::memory::prefetch;
use crate::mesh::TriangleMesh;

/// The triangles that are in no leaf of a tree: looking for them takes as long as a refit.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    /// How many triangles the mesh had; later ones are in no leaf, either.
    triangles: usize,
    /// Those in no leaf, in order.
    prims: Vec<u32>,
}

impl Outside {
    /// After triangles have left the tree.
    pub(super) fn add(&mut self, prims: &[u32]) {
        if !prims.is_empty() {
            self.prims.extend(prims);
            self.prims.sort_unstable();
        }
    }

    /// After triangles were taken into the tree.
    pub(super) fn remove(&mut self, prims: &[u32], mesh: &TriangleMesh) {
        let mut taken = prims.to_vec();
        taken.sort_unstable();
        self.prims.extend(self.triangles as u32..mesh.triangle_count() as u32);
        self.triangles = mesh.triangle_count();
        self.prims.retain(|prim| taken.binary_search(prim).is_err());
    }

    /// Looks through a tree.
    pub(super) fn of(tree: &Bvh8, mesh: &TriangleMesh) -> Self {
        let triangles = mesh.triangle_count();
        let mut is_there = vec![0_u64; triangles.div_ceil(64)];
        let mut open = vec![tree.root];
        while let Some(place) = open.pop() {
            if place.is_leaf() {
                for prim in tree.prims(place) {
                    // A file may have named one that is not there, and nobody has looked yet.
                    if let Some(word) = is_there.get_mut(prim as usize / 64) {
                        *word |= 1 << (prim % 64);
                    }
                }
                continue;
            }
            let node = tree.node_copy(place);
            for &child in node.children() {
                // The line with the indices.
                let last = if tree.layout == TreeLayout::Fast { Leaf4::LINES - 1 } else { 0 };
                prefetch::<1>(&tree.lines, tree.layout.line(child) + last);
                open.push(child);
            }
        }
        let mut prims = Vec::new();
        for (word, &there) in is_there.iter().enumerate() {
            let mut others = !there;
            while others != 0 {
                prims.push((64 * word) as u32 + others.trailing_zeros());
                others &= others - 1;
            }
        }
        while prims.last().is_some_and(|&prim| prim as usize >= triangles) {
            prims.pop();
        }
        Self { triangles, prims }
    }

    /// Those that can be hit.
    pub(super) fn hittable(&self, mesh: &TriangleMesh) -> Vec<u32> {
        let new = self.triangles as u32..mesh.triangle_count() as u32;
        let all = self.prims.iter().copied().chain(new);
        all.filter(|&prim| !mesh.is_collapsed(prim) && mesh.can_be_hit(prim)).collect()
    }
}

impl Bvh8 {
    /// The triangles that can be hit and are in no leaf.
    #[must_use]
    pub fn absent(&self, mesh: &TriangleMesh) -> Vec<u32> {
        if self.statistics.triangles == mesh.triangle_count() {
            return Vec::new();
        }
        Outside::of(self, mesh).hittable(mesh)
    }
}
