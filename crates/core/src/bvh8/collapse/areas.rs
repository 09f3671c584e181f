//! Areas over that of the root.

use glam::Vec4;

use crate::Aabb;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::bvh8::Planes;

/// Areas over that of the root.
#[derive(Clone, Copy)]
pub(super) struct Areas {
    /// The unit of length.
    unit: f32,
    /// One over the area of the root, in that unit.
    scale: f32,
}

impl Areas {
    pub(super) fn new(bvh2: &Bvh2) -> Self {
        let root = bvh2.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds);
        let unit = root.area_unit();
        Self { unit, scale: root.half_area_in(unit).recip().min(f32::MAX) }
    }

    #[inline(always)]
    pub(super) fn of(self, bounds: Aabb) -> f32 {
        bounds.half_area_in(self.unit) * self.scale
    }

    /// Those of a node's children; nothing of use for empty lanes.
    #[inline(always)]
    pub(super) fn of_children(self, planes: &Planes) -> [f32; 8] {
        let mut areas = [0.0; 8];
        for first in [0, 4] {
            let mut extents = [Vec4::ZERO; 3];
            for axis in 0..3 {
                let [low, high] = &planes[axis];
                let (low, high) =
                    (Vec4::from_slice(&low[first..]), Vec4::from_slice(&high[first..]));
                extents[axis] = (high * self.unit - low * self.unit).max(Vec4::ZERO);
            }
            let [x, y, z] = extents;
            let in_lanes = (x * y + y * z + z * x) * self.scale;
            areas[first..first + 4].copy_from_slice(&in_lanes.to_array());
        }
        areas
    }

    /// That of the average leaf, or about that if there are many.
    pub(super) fn average_leaf(self, bvh2: &Bvh2) -> f32 {
        const SAMPLE: usize = 4096;
        // An odd number, as trees are more often regular in twos than in threes.
        let step = |count: usize| (count / SAMPLE) | 1;
        let is_leaf = |node: &&Node2| matches!(node.kind, Kind2::Leaf { .. });
        let nodes = bvh2.nodes.iter().step_by(step(bvh2.nodes.len())).filter(is_leaf);
        let leaves = bvh2.leaves.iter().step_by(step(bvh2.leaves.len()));
        let boxes = nodes.map(|node| node.bounds).chain(leaves.map(|leaf| leaf.bounds));
        let (sum, count) = boxes.fold((0.0, 0_u32), |(sum, count), bounds| {
            (sum + f64::from(self.of(bounds)), count + 1)
        });
        (sum / f64::from(count.max(1))) as f32
    }
}
