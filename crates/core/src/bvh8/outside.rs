//! The triangles that are in no leaf: a refit asks which of them can be hit by now.

use super::{Bvh8, Leaf4, TreeLayout};
use crate::memory::prefetch;
use crate::mesh::TriangleMesh;

/// The triangles that are in no leaf, once somebody has asked: looking through the whole tree takes
/// as long as a refit.
#[derive(Clone, Debug, Default)]
pub(super) struct Outside {
    known: Option<Known>,
}

/// What is known of a tree makes it no other tree.
impl PartialEq for Outside {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, Debug)]
struct Known {
    /// How many triangles the mesh had; later ones are in no leaf, either.
    triangles: usize,
    /// Those in no leaf, in order.
    prims: Vec<u32>,
}

impl Outside {
    /// After triangles have left the tree.
    pub(super) fn add(&mut self, prims: &[u32]) {
        if let Some(known) = self.known.as_mut().filter(|_| !prims.is_empty()) {
            known.prims.extend(prims);
            known.prims.sort_unstable();
        }
    }

    /// After triangles were taken into the tree.
    pub(super) fn remove(&mut self, prims: &[u32], mesh: &TriangleMesh) {
        if let Some(known) = &mut self.known {
            let mut taken = prims.to_vec();
            taken.sort_unstable();
            known.prims.extend(known.triangles as u32..mesh.triangle_count() as u32);
            known.triangles = mesh.triangle_count();
            known.prims.retain(|prim| taken.binary_search(prim).is_err());
        }
    }
}

impl Known {
    fn of(tree: &Bvh8, mesh: &TriangleMesh) -> Self {
        let triangles = mesh.triangle_count();
        let mut is_there = vec![0_u64; triangles.div_ceil(64)];
        let mut open = vec![tree.root];
        while let Some(place) = open.pop() {
            if place.is_leaf() {
                for prim in tree.prims(place) {
                    is_there[prim as usize / 64] |= 1 << (prim % 64);
                }
                continue;
            }
            let node = tree.node_copy(place);
            for &child in &node.children[..node.child_count as usize] {
                // The line with the indices.
                let last = if tree.layout == TreeLayout::Fast { Leaf4::LINES - 1 } else { 0 };
                prefetch::<1>(&tree.lines, child.line() + last);
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

    fn hittable(&self, mesh: &TriangleMesh) -> Vec<u32> {
        let new = self.triangles as u32..mesh.triangle_count() as u32;
        let all = self.prims.iter().copied().chain(new);
        all.filter(|&prim| !mesh.is_collapsed(prim) && mesh.can_be_hit(prim)).collect()
    }
}

impl Bvh8 {
    /// The triangles that can be hit and are in no leaf.
    #[must_use]
    pub fn absent(&self, mesh: &TriangleMesh) -> Vec<u32> {
        match &self.outside.known {
            _ if self.statistics.triangles == mesh.triangle_count() => Vec::new(),
            Some(known) if known.triangles <= mesh.triangle_count() => known.hittable(mesh),
            _ => Known::of(self, mesh).hittable(mesh),
        }
    }

    /// As [`Self::absent`], faster from the second time on.
    pub(super) fn find_absent(&mut self, mesh: &TriangleMesh) -> Vec<u32> {
        let triangles = mesh.triangle_count();
        let known = self.outside.known.as_ref().is_some_and(|known| known.triangles <= triangles);
        if !known && self.statistics.triangles != triangles {
            self.outside.known = Some(Known::of(self, mesh));
        }
        self.absent(mesh)
    }
}
