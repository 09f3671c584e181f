//! Refitting: the same tree after vertices have moved.
//!
//! ```text
//! for each leaf that may have changed: pack its triangles anew; its box is the box around them
//! for each node above one, from below: its box is the box around its children's boxes
//! ```
//!
//! Leaves are packed by [`super::Leaf4::repack`], which gives the bits that [`super::Leaf4::of`] gives in
//! a build. Where the tree has a triangle in parts, [`super::whole`] has made it whole before.

mod boxes;
mod gathered;
mod leaves;
mod marks;
mod outside;
mod pass;
mod plan;
mod refitter;

use super::{Bvh8, ChangeError, TreeLayout};
use crate::Aabb;
use crate::mesh::{CornerRows, TriangleMesh};

use boxes::bounds_of;
pub(super) use marks::Marks;
use marks::{All, Which};
pub(super) use pass::block_mut;
use pass::{Change, Pass};
use plan::Plan;
pub use refitter::Refitter;

/// Whether a tree has still the same blocks in the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// Only boxes and triangles have moved.
    Kept,
    /// Triangles were taken in: what was known of places is no longer true.
    Changed,
}

impl Bvh8 {
    /// Makes all leaves and boxes anew after vertices of the mesh have moved: see
    /// [`Refitter::refit`], which is faster from the third time on.
    ///
    /// # Errors
    /// [`ChangeError::TooDeep`] if triangles must be taken in and cannot,
    /// [`ChangeError::InvalidTree`] if the tree came from bytes and fails [`Bvh8::check_leaves`].
    pub fn refit(&mut self, mesh: &TriangleMesh) -> Result<Structure, ChangeError> {
        Refitter::default().refit(self, mesh)
    }

    /// Makes all leaves and boxes anew; gives the triangles that have left the tree. The plan is
    /// to be kept for the next time, if there is one. The leaves must be such as
    /// [`Self::check_leaves`] lets through; then all of the tree is as after a build.
    fn refit_all(&mut self, mesh: &TriangleMesh, plan: Option<&mut Plan>) -> Vec<u32> {
        let change = self.pass(mesh, &All, plan);
        self.set_bounds(bounds_of(change.bounds), change.areas);
        self.is_known = true;
        change.dropped
    }

    /// Remakes what is marked; the rest of the tree must fit the mesh already. Gives the triangles
    /// that have left the tree.
    fn refit_marked(&mut self, mesh: &TriangleMesh, marks: &Marks) -> Vec<u32> {
        let areas = self.areas() - self.bounds.half_area();
        let change = self.pass(mesh, marks, None);
        self.set_bounds(bounds_of(change.bounds), areas + change.areas);
        change.dropped
    }

    fn pass<W: Which>(
        &mut self,
        mesh: &TriangleMesh,
        which: &W,
        plan: Option<&mut Plan>,
    ) -> Change {
        let root = self.root;
        let pass = Pass { mesh, corners: CornerRows::new(mesh), which, keeps: plan.is_some() };
        let lines = self.lines_mut();
        let change = if root.is_leaf() {
            let mut change = Change::NONE;
            block_mut(lines, TreeLayout::Fast.line(root)).map(|leaf| {
                change.bounds = pass.pack(leaf, &mut change.dropped);
                change
            })
        } else {
            pass.in_tasks(lines, root, plan.unwrap_or(&mut Plan::default()))
        };
        let change = change.expect("every reference leads to a block");
        let triangles = self.statistics.triangles.saturating_sub(change.dropped.len());
        self.statistics.triangles = triangles;
        self.statistics.references = triangles;
        change
    }

    /// The areas of all boxes together, the root's included.
    pub(super) fn areas(&self) -> f64 {
        self.statistics.sah_cost * self.bounds.half_area()
    }

    /// Takes the box around everything and the areas of all boxes within it together.
    pub(super) fn set_bounds(&mut self, bounds: Aabb, areas_below: f64) {
        self.bounds = if bounds.is_empty() { Aabb::EMPTY } else { bounds };
        self.reach = super::reach(self.bounds);
        let area = self.bounds.half_area();
        // Without an area, a tree costs what its root does.
        self.statistics.sah_cost = if area > 0.0 { 1.0 + areas_below / area } else { 1.0 };
    }
}
