//! A node with up to eight children whose boxes are kept in steps of eight bits.
//!
//! Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
//! BVHs", 2017, section 3.2; but steps of any length, and the node's own box kept exactly.

use crate::Aabb;
use crate::memory::Line;

use super::node8::lowered_box;
use super::{ChildRef, NodeCopy, lowered};

/// A node with up to eight children whose planes are places from 0 to 255 between the corners of
/// the node's own box.
///
/// # No box shrinks
///
/// Along an axis from `low` to `high`, a place p stands for the plane
///
/// ```text
/// plane(p) = p · step + low, and for high sides no more than high
/// ```
///
/// computed in f32 by a product and a sum, each rounded on its own; low planes along x are then
/// [lowered](super::lowered), as those of a [`Node8`](super::Node8), so that boxes stay as they are
/// from one layout to the other. *Everyone computes the same
/// number:* neither operation is fused, and both are correctly rounded at every SIMD level, so
/// what [`CompactNode8::of`] compares is what a walk gets. *It never lies inside of the true
/// plane:* the place of a low side is taken down until `plane(p)` does not exceed the true plane,
/// which ends at 0 at the latest, since `0 · step + low = low` and what is lowered stays so; the place of a high side is taken
/// up until `plane(p)` is no less, which ends at 255 at the latest, since `step` was made large
/// enough that `255 · step + low ≥ high`. Nothing here depends on how good the first guess at a
/// place is, so neither tiny coordinates, where quotients vanish, nor huge ones, where they
/// overflow, can break it. *No plane leaves the node's box:* rounding is monotone, so
/// `plane(p) ≥ plane(0) = low`; a true low plane is no greater than `high`, and high sides are cut
/// off there. So boxes lie within each other as they do in a tree of [`Node8`](super::Node8), and no coordinate
/// exceeds the tree's [reach](super::Bvh8::reach).
///
/// An infinite product, where the box is nearly as large as f32 can tell, is cut off as well. A
/// step is a normal number or zero, so that no product is one that a CPU may flush to zero.
///
/// An empty lane has its low sides at 255 and its high sides at 0, and leads to a leaf without
/// triangles.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct CompactNode8 {
    /// Where each child is.
    pub children: [ChildRef; 8],
    /// How many children there are; they come first.
    pub child_count: u32,
    /// The lowest corner of the box around all children.
    pub low: [f32; 3],
    /// The highest corner.
    pub high: [f32; 3],
    unused: u32,
    /// By axis, then low side and high side, then child.
    pub places: [[[u8; 8]; 2]; 3],
    /// By axis: from one place to the next.
    pub step: [f32; 3],
    unused_end: u32,
}

const _: () = assert!(size_of::<CompactNode8>() == CompactNode8::LINES * size_of::<Line>());

/// The places of an empty lane, by side.
const NOWHERE: [u8; 2] = [255, 0];

impl CompactNode8 {
    /// How many cache lines a node takes.
    pub const LINES: usize = 2;

    /// The same children with boxes no smaller.
    #[must_use]
    pub fn of(node: &NodeCopy) -> Self {
        let bounds = lowered_box(node.bounds());
        let bounds = if bounds.is_empty() {
            Aabb { min: glam::Vec3::ZERO, max: glam::Vec3::ZERO }
        } else {
            bounds
        };
        let (low, high) = (bounds.min.to_array(), bounds.max.to_array());
        let mut compact = Self {
            children: node.children,
            child_count: node.child_count,
            low,
            high,
            unused: 0,
            places: [NOWHERE.map(|place| [place; 8]); 3],
            step: [0, 1, 2].map(|axis| step(low[axis], high[axis])),
            unused_end: 0,
        };
        for lane in 0..(node.child_count as usize).min(8) {
            let child = node.child_bounds(lane);
            if child.is_empty() {
                continue;
            }
            for axis in 0..3 {
                let axis_of = compact.axis(axis);
                compact.places[axis][0][lane] = axis_of.low_place(child.min[axis]);
                compact.places[axis][1][lane] = axis_of.high_place(child.max[axis]);
            }
        }
        compact
    }

    /// The node with its boxes as a walk takes them. Empty lanes are as those of
    /// [`NodeCopy::EMPTY`].
    #[must_use]
    pub fn decoded(&self) -> NodeCopy {
        let (children, child_count) = (self.children, self.child_count);
        let mut node = NodeCopy { children, child_count, ..NodeCopy::EMPTY };
        for lane in 0..(self.child_count as usize).min(8) {
            node.set_child_bounds(lane, self.child_bounds(lane));
        }
        node
    }

    /// The box of a child as a walk takes it.
    #[must_use]
    pub fn child_bounds(&self, lane: usize) -> Aabb {
        if [0, 1, 2].map(|axis| self.places[axis].map(|side| side[lane])) == [NOWHERE; 3] {
            return Aabb::EMPTY;
        }
        let axes = [0, 1, 2].map(|axis| self.axis(axis));
        let min = [0, 1, 2].map(|axis| axes[axis].low_plane(self.places[axis][0][lane]));
        let max = [0, 1, 2].map(|axis| axes[axis].high_plane(self.places[axis][1][lane]));
        Aabb { min: min.into(), max: max.into() }
    }

    fn axis(&self, axis: usize) -> Axis {
        let (low, high, step) = (self.low[axis], self.high[axis], self.step[axis]);
        Axis { low, high, step, lowers: axis == 0 }
    }

    /// The box around all children, exactly; a point if nothing is in them.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        Aabb { min: self.low.into(), max: self.high.into() }
    }
}

/// The least step that leads from `low` to `high` in 255; zero if they are equal.
fn step(low: f32, high: f32) -> f32 {
    if low >= high {
        return 0.0;
    }
    let step = ((f64::from(high) - f64::from(low)) / 255.0) as f32;
    let mut axis = Axis { low, high, step: step.max(f32::MIN_POSITIVE), lowers: false };
    while axis.plane(255) < high {
        axis.step = f32::from_bits(axis.step.to_bits() + 1);
    }
    axis.step
}

/// An axis of a node's box.
#[derive(Clone, Copy)]
struct Axis {
    low: f32,
    high: f32,
    step: f32,
    /// Whether low planes are lowered.
    lowers: bool,
}

impl Axis {
    fn plane(self, place: u8) -> f32 {
        f32::from(place) * self.step + self.low
    }

    fn low_plane(self, place: u8) -> f32 {
        let plane = self.plane(place);
        if self.lowers { lowered(plane) } else { plane }
    }

    fn high_plane(self, place: u8) -> f32 {
        self.plane(place).min(self.high)
    }

    /// A guess; whatever it is (a quotient may be NaN, and its difference infinite), the cast makes
    /// a place of it.
    fn low_place(self, plane: f32) -> u8 {
        let mut place = ((plane - self.low) / self.step) as u8;
        // The guess may have been rounded down; what was decoded once is encoded as it was.
        if place < 255 && self.low_plane(place + 1) <= plane {
            place += 1;
        }
        while place > 0 && self.low_plane(place) > plane {
            place -= 1;
        }
        place
    }

    fn high_place(self, plane: f32) -> u8 {
        let mut place = ((plane - self.low) / self.step).ceil() as u8;
        if place > 0 && self.high_plane(place - 1) >= plane {
            place -= 1;
        }
        while place < 255 && self.high_plane(place) < plane {
            place += 1;
        }
        place
    }
}
