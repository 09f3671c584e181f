//! A node with up to eight children, as walks take it.

use fearless_simd::Simd;
use glam::{Mat4, Vec4};

use super::children::{lowered, without_bits};
use super::{Bvh8, Children, NodeCopy};
use crate::Aabb;
use crate::memory::Line;

/// The planes of eight boxes: by axis, then low side and high side, then box.
pub type Planes = [[[f32; 8]; 2]; 3];

/// The sides of a child's box in which no triangle is.
pub(super) const NO_BOX: [f32; 2] = [f32::MAX, f32::MIN];

/// The sides of a lane without a child: no ray meets such a box, whatever it makes of the planes.
pub(super) const NO_CHILD: [f32; 2] = [f32::INFINITY, f32::NEG_INFINITY];

/// A node with up to eight children: their boxes, and in the lowest bits of some planes where the
/// children are ([`Children`]).
///
/// Three cache lines, where references of their own would take a fourth one: on meshes that do not
/// fit the caches, lines are what a ray's time goes into: docs/decisions/0009.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Node8 {
    planes: Planes,
}

const _: () = assert!(size_of::<Node8>() == Node8::LINES * size_of::<Line>());

impl Node8 {
    /// How many cache lines a node takes.
    pub const LINES: usize = 3;

    /// From the low planes of an axis to the high ones, in numbers.
    pub const SIDE: u32 = 8;

    /// The planes of a node without children.
    pub const NO_CHILDREN: Planes = [[[NO_CHILD[0]; 8], [NO_CHILD[1]; 8]]; 3];

    /// A node without children, to be given some.
    pub(super) const NONE: Self = Self { planes: Self::NO_CHILDREN };

    /// A node with these children, and boxes that are no smaller.
    ///
    /// # Panics
    /// If the children do not lie one behind the other, nodes first, or there are none.
    #[must_use]
    pub fn of(node: &NodeCopy) -> Self {
        let first = node.children().first().expect("a node has children").place();
        let children = Children::new(first, node.child_nodes());
        let mut lanes = node.children().iter().enumerate();
        assert!(lanes.all(|(lane, &child)| children.child(lane) == child), "children lie apart");
        let mut planes = node.planes;
        lower(&mut planes);
        Self::of_lowered(planes, children)
    }

    /// Planes that are no node yet, to be looked at as those of one.
    #[inline(always)]
    #[must_use]
    pub const fn of_planes(planes: Planes) -> Self {
        Self { planes }
    }

    /// The planes, the low ones along x [lowered].
    #[inline(always)]
    #[must_use]
    pub fn lowered_planes(&self) -> Planes {
        let mut planes = self.planes;
        planes[0][0] = planes[0][0].map(without_bits);
        planes
    }

    /// The planes as they are, to be changed.
    #[inline(always)]
    pub fn planes_mut(&mut self) -> &mut Planes {
        &mut self.planes
    }

    /// Where the children are.
    #[inline(always)]
    #[must_use]
    pub fn children(&self, simd: impl Simd) -> Children {
        Children::kept_in(simd, &self.planes[0][0])
    }

    /// Says where the children are, instead of what was said before.
    #[inline(always)]
    pub(crate) fn set_children(&mut self, children: Children) {
        self.planes[0][0] = self.planes[0][0].map(without_bits);
        children.keep_in(&mut self.planes[0][0]);
    }

    /// A node of planes that are lowered.
    #[inline(always)]
    pub(super) fn of_lowered(mut planes: Planes, children: Children) -> Self {
        children.keep_in(&mut planes[0][0]);
        Self { planes }
    }

    /// How many children there are, whatever is in them; they come first.
    #[inline(always)]
    #[must_use]
    pub fn child_count(&self) -> usize {
        self.planes[0][1].iter().map(|&plane| usize::from(plane != NO_CHILD[1])).sum()
    }

    /// Whether the lanes behind so many children have boxes that no ray meets.
    pub(crate) fn is_empty_behind(&self, child_count: usize) -> bool {
        let [[_, x_high], y, z] = &self.planes;
        // Of the low planes along x, bits are those of the children.
        let lows = [&y[0], &z[0]];
        let highs = [x_high, &y[1], &z[1]];
        lows.iter().all(|low| low[child_count..].iter().all(|&plane| plane == NO_CHILD[0]))
            && highs
                .iter()
                .all(|high| high[child_count..].iter().all(|&plane| plane == NO_CHILD[1]))
    }

    /// The node as whoever does not cast rays looks at it.
    #[must_use]
    pub fn copy(&self) -> NodeCopy {
        let children = self.children(fearless_simd::Fallback::new());
        let child_count = self.child_count();
        let mut copy = NodeCopy { planes: self.lowered_planes(), ..NodeCopy::EMPTY };
        for lane in 0..child_count {
            copy.children[lane] = children.child(lane);
        }
        for lane in child_count..8 {
            copy.planes[0][0][lane] = NO_CHILD[0];
            copy.children[lane] = Bvh8::NO_CHILD;
        }
        NodeCopy { child_count: child_count as u32, ..copy }
    }

    /// The eight planes of an axis and a side: 0 for the low one, [`Self::SIDE`] for the high one.
    #[inline(always)]
    #[must_use]
    pub fn planes_at(&self, axis: usize, side: u32) -> &[f32; 8] {
        let planes = self.planes[axis].as_flattened();
        let Some(planes) = planes[(side & Self::SIDE) as usize..].first_chunk() else {
            unreachable!("8 + 8 numbers are there")
        };
        planes
    }
}

/// Lowers those planes whose lowest bits keep where children are.
#[inline(always)]
pub(super) fn lower(planes: &mut Planes) {
    for plane in &mut planes[0][0] {
        *plane = lowered(*plane);
    }
}

/// A box as a node has it.
pub(super) fn lowered_box(bounds: Aabb) -> Aabb {
    let mut min = bounds.min;
    min.x = lowered(min.x);
    Aabb { min, ..bounds }
}

/// Planes of boxes that are given by their lowest and highest corners.
#[inline(always)]
pub(super) fn fill_planes(planes: &mut Planes, corners: &[[Vec4; 8]; 2]) {
    for side in 0..2 {
        let [a, b, c, d, e, f, g, h] = corners[side];
        for (first, rows) in [(0, [a, b, c, d]), (4, [e, f, g, h])] {
            let [x, y, z, _] =
                Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose().to_cols_array_2d();
            for (axis, numbers) in [x, y, z].into_iter().enumerate() {
                planes[axis][side][first..first + 4].copy_from_slice(&numbers);
            }
        }
    }
}
