//! A node with up to eight children.

use crate::Aabb;
use crate::memory::Line;

/// A node with up to eight children; empty lanes have inverted boxes and lead to a leaf without
/// triangles, so that following one is harmless.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Node8 {
    /// By axis, then low side and high side, then child.
    pub planes: [[[f32; 8]; 2]; 3],
    /// Where each child is.
    pub children: [ChildRef; 8],
    /// How many children there are; they come first.
    pub child_count: u32,
    /// Not used; the block is a whole number of lines.
    pub unused: [u32; 7],
}

const _: () = assert!(size_of::<Node8>() == Node8::LINES * size_of::<Line>());

/// Where a child is: a line of the tree's array, and whether a node or a leaf begins there.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ChildRef(u32);

impl ChildRef {
    const LEAF: u32 = 1 << 31;

    /// A node that begins at a line.
    ///
    /// # Panics
    /// If the line's number does not fit 31 bits.
    #[must_use]
    pub fn node(line: usize) -> Self {
        assert!(line < Self::LEAF as usize, "the tree is too large");
        Self(line as u32)
    }

    /// A leaf that begins at a line.
    ///
    /// # Panics
    /// If the line's number does not fit 31 bits.
    #[must_use]
    pub fn leaf(line: usize) -> Self {
        Self(Self::node(line).0 | Self::LEAF)
    }

    /// Whether a leaf begins there.
    #[inline(always)]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    /// The line.
    #[inline(always)]
    #[must_use]
    pub const fn line(self) -> usize {
        (self.0 & !Self::LEAF) as usize
    }
}

impl Node8 {
    /// How many cache lines a node takes.
    pub const LINES: usize = 4;

    /// A node without children; `nowhere` is what empty lanes lead to.
    #[must_use]
    pub fn empty(nowhere: ChildRef) -> Self {
        let inverted = [[f32::MAX; 8], [f32::MIN; 8]];
        Self { planes: [inverted; 3], children: [nowhere; 8], child_count: 0, unused: [0; 7] }
    }

    /// Adds a child in the next lane.
    ///
    /// # Panics
    /// If there are eight already.
    pub fn push(&mut self, bounds: Aabb, child: ChildRef) {
        let lane = self.child_count as usize;
        for axis in 0..3 {
            self.planes[axis][0][lane] = bounds.min[axis];
            self.planes[axis][1][lane] = bounds.max[axis];
        }
        self.children[lane] = child;
        self.child_count += 1;
    }

    /// The box of a child.
    #[must_use]
    pub fn child_bounds(&self, lane: usize) -> Aabb {
        let side = |side: usize| [0, 1, 2].map(|axis| self.planes[axis][side][lane]).into();
        Aabb { min: side(0), max: side(1) }
    }
}
