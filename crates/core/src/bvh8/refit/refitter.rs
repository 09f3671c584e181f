//! Refits of one tree again and again.

use super::Plan;
use super::outside::Outside;
use crate::bvh2::InvalidTree;
use crate::bvh8::{Bvh8, ChangeError, Paths, Structure, TreeLayout};
use crate::mesh::TriangleMesh;

/// Changes one tree again and again, and keeps what makes that fast: which vertices each leaf has,
/// from the second refit on, in about ten bytes a triangle, and which triangles are in no leaf.
///
/// It belongs to one tree and its mesh, which may move. Whoever changes either in another way than
/// by the methods here, or takes others, begins with a new one; but triangles may be added to the
/// mesh, and removed before [`Self::refit_triangles`] is told of them.
#[derive(Debug, Default)]
pub struct Refitter {
    /// What is known only if somebody has looked.
    outside: Option<Outside>,
    plan: Plan,
    /// Who has refitted once may never do so again; who did it twice will.
    is_again: bool,
    /// Whether the leaves of the tree were checked.
    is_checked: bool,
}

/// A clone has to find for itself what makes refits fast.
impl Clone for Refitter {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Refitter {
    /// As [`Bvh8::check_leaves`], which is then left out of the first refit.
    ///
    /// # Errors
    /// As [`Bvh8::check_leaves`].
    pub fn check_leaves(&mut self, tree: &Bvh8, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        if !self.is_checked {
            tree.check_leaves(mesh)?;
            self.is_checked = true;
        }
        Ok(())
    }

    /// Makes all leaves and boxes anew after vertices of the mesh have moved, on the rayon pool
    /// that the caller is in. The tree is the same whatever the number of threads.
    ///
    /// A triangle that is there in parts becomes whole: it stays in one leaf, where that costs
    /// least. Collapsed triangles leave the tree, and those that could not be hit before and now
    /// can are taken in by [`Bvh8::graft`]. The corners of all triangles in the tree must be finite.
    ///
    /// A tree in [`TreeLayout::Compact`] is unfolded into the other layout for the time of it.
    ///
    /// # Errors
    /// As [`Bvh8::refit`].
    pub fn refit(
        &mut self,
        tree: &mut Bvh8,
        mesh: &TriangleMesh,
    ) -> Result<Structure, ChangeError> {
        self.check_leaves(tree, mesh)?;
        if tree.layout == TreeLayout::Compact {
            // It is to be small, and unfolding it takes longer than what is gained here.
            self.is_again = false;
            return tree.change_as_fast(mesh, |tree| self.refit(tree, mesh));
        }
        tree.make_whole(mesh);
        let plan = self.is_again.then_some(&mut self.plan);
        let dropped = tree.refit_all(mesh, plan);
        self.is_again = true;
        self.lose(&dropped);
        let absent = self.absent(tree, mesh);
        let structure = self.graft(tree, mesh, &absent)?;
        debug_assert_eq!(tree.validate(mesh), Ok(()));
        Ok(structure)
    }

    /// As [`Bvh8::refit_triangles`].
    ///
    /// # Errors
    /// As [`Bvh8::refit`].
    ///
    /// # Panics
    /// If the paths are not those of this tree, or the mesh does not have a triangle.
    pub fn refit_triangles(
        &mut self,
        tree: &mut Bvh8,
        mesh: &TriangleMesh,
        paths: &Paths,
        prims: &[u32],
    ) -> Result<Structure, ChangeError> {
        if tree.layout == TreeLayout::Compact || !tree.is_known {
            return self.refit(tree, mesh);
        }
        let touched = paths.touched(tree, mesh, prims);
        if touched.leaves > tree.statistics.leaves / 4 {
            if prims.iter().any(|&prim| mesh.is_collapsed(prim)) {
                // Removed triangles have other vertices than before.
                self.plan = Plan::default();
            }
            return self.refit(tree, mesh);
        }
        if touched.leaves > 0 {
            let dropped = tree.refit_marked(mesh, &touched.marks);
            self.lose(&dropped);
        }
        let structure = self.graft(tree, mesh, &touched.absent)?;
        debug_assert_eq!(tree.validate(mesh), Ok(()));
        Ok(structure)
    }

    /// As [`Bvh8::graft`].
    ///
    /// # Errors
    /// As [`Bvh8::graft`].
    pub fn graft(
        &mut self,
        tree: &mut Bvh8,
        mesh: &TriangleMesh,
        prims: &[u32],
    ) -> Result<Structure, ChangeError> {
        if !prims.is_empty() && !tree.is_known {
            return self.refit(tree, mesh);
        }
        let structure = tree.graft(mesh, prims)?;
        if structure == Structure::Changed {
            self.plan = Plan::default();
            if let Some(outside) = &mut self.outside {
                outside.remove(prims, mesh);
            }
        }
        Ok(structure)
    }

    /// After triangles have left the tree.
    fn lose(&mut self, prims: &[u32]) {
        if prims.is_empty() {
            return;
        }
        self.plan = Plan::default();
        if let Some(outside) = &mut self.outside {
            outside.add(prims);
        }
    }

    /// The triangles that can be hit and are in no leaf.
    fn absent(&mut self, tree: &Bvh8, mesh: &TriangleMesh) -> Vec<u32> {
        if tree.statistics.triangles == mesh.triangle_count() {
            return Vec::new();
        }
        self.outside.get_or_insert_with(|| Outside::of(tree, mesh)).hittable(mesh)
    }
}
