//! Refitting: the same tree after vertices have moved.
//!
//! ```text
//! below(node): for each child that may have changed
//!     leaf: pack its triangles anew; its box is the box around them
//!     node: below(it); its box is the box around its children's boxes
//! ```
//!
//! Leaves are packed by [`super::Leaf4::of`], as a build packs them, so that the same mesh gives the same
//! bits. Where the tree has a triangle in parts, [`super::whole`] has made it whole before.

mod marks;
mod parallel;
mod pass;

use super::{Bvh8, TooDeep, TreeLayout};
use crate::Aabb;
use crate::mesh::TriangleMesh;

pub(super) use marks::Marks;
use marks::{All, Which};
pub(super) use pass::block_mut;
use pass::{Change, Pass};

/// From this many lines on, a tree is refitted in parallel.
const PARALLEL_FROM: usize = 16_384;

/// Whether a tree has still the same blocks in the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// Only boxes and triangles have moved.
    Kept,
    /// Triangles were taken in: what was known of places is no longer true.
    Changed,
}

impl Bvh8 {
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
    /// [`TooDeep`] if triangles must be taken in and cannot: the tree is to be built anew.
    pub fn refit(&mut self, mesh: &TriangleMesh) -> Result<Structure, TooDeep> {
        if self.layout == TreeLayout::Compact {
            return self.change_as_fast(mesh, |tree| tree.refit(mesh));
        }
        self.make_whole(mesh);
        let change = self.pass(mesh, &All);
        self.statistics.triangles = change.triangles as usize;
        self.statistics.references = change.triangles as usize;
        self.set_bounds(change.bounds, change.areas);
        let absent = self.absent(mesh);
        let structure = self.graft(mesh, &absent)?;
        debug_assert_eq!(self.validate(mesh), Ok(()));
        Ok(structure)
    }

    /// Remakes what is marked; the rest of the tree must fit the mesh already.
    pub(super) fn refit_marked(&mut self, mesh: &TriangleMesh, marks: &Marks) {
        let areas = self.areas() - self.bounds.half_area();
        let change = self.pass(mesh, marks);
        let triangles = self.statistics.triangles as isize + change.triangles;
        self.statistics.triangles = triangles as usize;
        self.statistics.references = triangles as usize;
        self.set_bounds(change.bounds, areas + change.areas);
    }

    fn pass<W: Which>(&mut self, mesh: &TriangleMesh, which: &W) -> Change {
        let root = self.root;
        let pass = Pass { mesh, which };
        let lines = self.lines_mut();
        let change = if root.is_leaf() {
            pass.leaf(lines, root.line())
        } else if W::IN_PART || lines.len() < PARALLEL_FROM {
            pass.node(lines, root.line(), 0)
        } else {
            pass.in_parallel(lines, root)
        };
        change.expect("every reference leads to a block")
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
