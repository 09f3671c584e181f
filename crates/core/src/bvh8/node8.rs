//! A node with up to eight children.

use glam::{Mat4, Vec4};

use crate::Aabb;
use crate::memory::Line;

/// A node with up to eight children; empty lanes have inverted boxes and lead to a leaf without
/// triangles, so that following one is harmless.
///
/// Those children that are nodes come first, and lie one behind the other: a walk need not wait for
/// a reference to know where one is ([`super::BlockView::node_beside`]).
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

/// Where a child is: a line of the tree's array, and what begins there.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct ChildRef(u32);

impl ChildRef {
    const KIND_SHIFT: u32 = 30;
    const LEAF_BIT: u32 = 1 << 31;
    const LINE: u32 = (1 << Self::KIND_SHIFT) - 1;

    /// The kind of a reference to a node.
    pub const NODE: usize = 0;

    /// The kind of a reference to a leaf.
    pub const LEAF: usize = 2;

    /// The kind of [`Self::NOWHERE`].
    pub const NOTHING: usize = 3;

    /// Every kind is less than this.
    pub const KINDS: usize = 4;

    /// A leaf that begins at the first line.
    pub(super) const FIRST_LEAF: Self = Self(Self::LEAF_BIT);

    /// The greatest number of lines that a tree has.
    pub const MAX_LINES: usize = Self::LINE as usize;

    /// Leads to nothing: where a walk ends.
    pub const NOWHERE: Self = Self(u32::MAX);

    /// A node that begins at a line.
    ///
    /// # Panics
    /// If the line's number does not fit 30 bits.
    #[must_use]
    pub fn node(line: usize) -> Self {
        assert!(line < Self::LINE as usize, "the tree is too large");
        Self(line as u32)
    }

    /// A leaf that begins at a line.
    ///
    /// # Panics
    /// If the line's number does not fit 30 bits.
    #[must_use]
    pub fn leaf(line: usize) -> Self {
        Self(Self::node(line).0 | Self::LEAF_BIT)
    }

    /// Whether a leaf begins there; not to be asked of [`ChildRef::NOWHERE`].
    #[inline(always)]
    #[must_use]
    pub const fn is_leaf(self) -> bool {
        self.0 & Self::LEAF_BIT != 0
    }

    /// What begins there: [`Self::NODE`], [`Self::LEAF`] or, for nothing, [`Self::NOTHING`].
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> usize {
        (self.0 >> Self::KIND_SHIFT) as usize
    }

    /// The line of a node; of anything else, no line of any tree.
    // The bits of the kind, which are zero, stay: an instruction less between a node and the next.
    #[inline(always)]
    #[must_use]
    pub const fn node_line(self) -> usize {
        self.0 as usize
    }

    /// The line.
    #[inline(always)]
    #[must_use]
    pub const fn line(self) -> usize {
        (self.0 & Self::LINE) as usize
    }
}

impl Node8 {
    /// How many cache lines a node takes.
    pub const LINES: usize = 4;

    /// From an axis' planes to those of the next, in numbers.
    pub const AXIS: u32 = 16;

    /// From the low planes of an axis to the high ones, in numbers.
    pub const SIDE: u32 = 8;

    /// A node without children, whose lanes lead to [`super::Bvh8::NO_CHILD`].
    pub const NONE: Self = Self {
        planes: [[[f32::MAX; 8], [f32::MIN; 8]]; 3],
        children: [ChildRef::FIRST_LEAF; 8],
        child_count: 0,
        unused: [0; 7],
    };

    /// A node without children; `nowhere` is what empty lanes lead to.
    #[inline(always)]
    #[must_use]
    pub fn empty(nowhere: ChildRef) -> Self {
        Self { children: [nowhere; 8], ..Self::NONE }
    }

    /// Gives a node without children some, by the lowest and highest corners of their boxes, whose
    /// fourth numbers say nothing. Empty lanes are to have inverted boxes.
    #[inline(always)]
    pub(super) fn set_children(
        &mut self,
        corners: &[[Vec4; 8]; 2],
        children: [ChildRef; 8],
        child_count: usize,
    ) {
        (self.children, self.child_count) = (children, child_count as u32);
        for side in 0..2 {
            let [a, b, c, d, e, f, g, h] = corners[side];
            for (first, rows) in [(0, [a, b, c, d]), (4, [e, f, g, h])] {
                let [x, y, z, _] = Mat4::from_cols(rows[0], rows[1], rows[2], rows[3])
                    .transpose()
                    .to_cols_array_2d();
                for (axis, numbers) in [x, y, z].into_iter().enumerate() {
                    self.planes[axis][side][first..first + 4].copy_from_slice(&numbers);
                }
            }
        }
    }

    /// Adds a child in the next lane.
    ///
    /// # Panics
    /// If there are eight already.
    #[inline(always)]
    pub fn push(&mut self, bounds: Aabb, child: ChildRef) {
        let lane = self.child_count as usize;
        self.set_child_bounds(lane, bounds);
        self.children[lane] = child;
        self.child_count += 1;
    }

    /// Changes the box of a child. That of one in which nothing is left becomes that of an empty
    /// lane.
    pub(super) fn set_child_bounds(&mut self, lane: usize, bounds: Aabb) {
        let [min, max] = if bounds.is_empty() {
            [[f32::MAX; 3], [f32::MIN; 3]]
        } else {
            [bounds.min, bounds.max].map(Into::into)
        };
        for axis in 0..3 {
            self.planes[axis][0][lane] = min[axis];
            self.planes[axis][1][lane] = max[axis];
        }
    }

    /// The lanes of the children, the last one first: what is below it comes first in memory.
    #[inline(always)]
    pub(super) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.child_count as usize).rev()
    }

    /// The eight planes of an axis and a side, by the sum of their places: axis × [`Self::AXIS`],
    /// and [`Self::SIDE`] for the high side. Any other place gives some numbers of the node.
    #[inline(always)]
    #[must_use]
    pub fn planes_at(&self, place: u32) -> &[f32; 8] {
        let numbers: &[f32; 64] = bytemuck::cast_ref(self);
        let Some(planes) = numbers[place as usize & 56..].first_chunk() else {
            unreachable!("56 + 8 numbers are there")
        };
        planes
    }

    /// The box around the boxes of all children.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        // Empty lanes have inverted boxes, which add nothing.
        let [min, max] = [0, 1].map(|side| {
            [0, 1, 2].map(|axis| {
                let planes = &self.planes[axis][side];
                let [low, high] = [0, 4].map(|i| Vec4::from_slice(&planes[i..i + 4]));
                if side == 0 { low.min(high).min_element() } else { low.max(high).max_element() }
            })
        });
        Aabb { min: min.into(), max: max.into() }
    }

    /// The box of a child.
    #[must_use]
    pub fn child_bounds(&self, lane: usize) -> Aabb {
        let side = |side: usize| [0, 1, 2].map(|axis| self.planes[axis][side][lane]).into();
        Aabb { min: side(0), max: side(1) }
    }
}
