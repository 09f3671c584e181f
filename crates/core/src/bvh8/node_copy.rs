//! A node as whoever does not cast rays looks at it.

use super::node8::{NO_BOX, Node8, Planes};
use super::{Bvh8, ChildRef};
use crate::Aabb;

/// A node of whatever layout: its children and their boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeCopy {
    /// As [`Planes`] says; the low ones along x [lowered](super::lowered) in the fast layout.
    pub planes: Planes,
    /// Where each child is. Those that are nodes come first, and all lie one behind the other; empty
    /// lanes lead to [`Bvh8::NO_CHILD`].
    pub children: [ChildRef; 8],
    /// How many children there are; they come first.
    pub child_count: u32,
}

impl NodeCopy {
    /// A node without children.
    pub const EMPTY: Self =
        Self { planes: Node8::NO_CHILDREN, children: [Bvh8::NO_CHILD; 8], child_count: 0 };

    /// Adds a child in the next lane.
    ///
    /// # Panics
    /// If there are eight already.
    pub fn push(&mut self, bounds: Aabb, child: ChildRef) {
        let lane = self.child_count as usize;
        self.set_child_bounds(lane, bounds);
        self.children[lane] = child;
        self.child_count += 1;
    }

    /// Changes the box of a child.
    pub(super) fn set_child_bounds(&mut self, lane: usize, bounds: Aabb) {
        let [min, max] = if bounds.is_empty() {
            NO_BOX.map(|number| [number; 3])
        } else {
            [bounds.min, bounds.max].map(Into::into)
        };
        for axis in 0..3 {
            self.planes[axis][0][lane] = min[axis];
            self.planes[axis][1][lane] = max[axis];
        }
    }

    /// The children that there are.
    #[must_use]
    pub fn children(&self) -> &[ChildRef] {
        &self.children[..self.child_count as usize]
    }

    /// How many of the children are nodes.
    pub(crate) fn child_nodes(&self) -> usize {
        self.children().iter().filter(|child| !child.is_leaf()).count()
    }

    /// The box around the boxes of all children.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        // Boxes without a point have their sides the wrong way round, and add nothing.
        let least = |axis: usize| self.planes[axis][0].into_iter().fold(f32::MAX, f32::min);
        let greatest = |axis: usize| self.planes[axis][1].into_iter().fold(f32::MIN, f32::max);
        Aabb { min: [0, 1, 2].map(least).into(), max: [0, 1, 2].map(greatest).into() }
    }

    /// The box of a child.
    #[must_use]
    pub fn child_bounds(&self, lane: usize) -> Aabb {
        let side = |side: usize| [0, 1, 2].map(|axis| self.planes[axis][side][lane]).into();
        Aabb { min: side(0), max: side(1) }
    }
}
