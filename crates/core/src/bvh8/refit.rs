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
mod marks;
mod parallel;
mod pass;

use super::{Bvh8, TooDeep, TreeLayout};
use crate::Aabb;
use crate::mesh::{CornerRows, TriangleMesh};

use boxes::bounds_of;
pub(super) use marks::Marks;
use marks::{All, Which};
pub(super) use pass::block_mut;
use pass::{Change, Pass, Room, block};

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
        self.lose(&change.dropped);
        self.set_bounds(bounds_of(change.bounds), change.areas);
        let absent = self.find_absent(mesh);
        let structure = self.graft(mesh, &absent)?;
        debug_assert_eq!(self.validate(mesh), Ok(()));
        Ok(structure)
    }

    /// Remakes what is marked; the rest of the tree must fit the mesh already.
    pub(super) fn refit_marked(&mut self, mesh: &TriangleMesh, marks: &Marks) {
        let areas = self.areas() - self.bounds.half_area();
        let change = self.pass(mesh, marks);
        self.lose(&change.dropped);
        self.set_bounds(bounds_of(change.bounds), areas + change.areas);
    }

    fn pass<W: Which>(&mut self, mesh: &TriangleMesh, which: &W) -> Change {
        let root = self.root;
        let pass = Pass { mesh, corners: CornerRows::new(mesh), which };
        let lines = self.lines_mut();
        let change = if root.is_leaf() {
            let mut change = Change::NONE;
            block_mut(lines, root.line()).map(|leaf| {
                change.bounds = pass.pack(leaf, &mut change.dropped);
                change
            })
        } else if W::IN_PART || lines.len() < PARALLEL_FROM {
            block(lines, root.line()).copied().and_then(|mut node| {
                let change = pass.below(&mut node, lines, 0, &mut Room::default());
                *block_mut(lines, root.line())? = node;
                change
            })
        } else {
            pass.in_parallel(lines, root)
        };
        change.expect("every reference leads to a block")
    }

    /// After some triangles have left the tree.
    fn lose(&mut self, prims: &[u32]) {
        let triangles = self.statistics.triangles.saturating_sub(prims.len());
        self.statistics.triangles = triangles;
        self.statistics.references = triangles;
        self.outside.add(prims);
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
