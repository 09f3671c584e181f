//! The slab test of a whole bundle of rays against eight boxes at once.
//!
//! With `c` a point amid the origins, a ray's distance to a plane is `(plane − c) · reciprocal`
//! and an offset. Over a bundle the reciprocals and the offsets fill intervals, and the least and
//! greatest distances follow from their ends.

use fearless_simd::{Simd, f32x8, prelude::*};
use hitscan_core::bvh8::Node8;

/// What the bundle's own roundings can do, relative to the coordinates involved: some ten of them,
/// taken as sixteen.
const BUNDLE_SLACK: f32 = 1.0 / (1 << 20) as f32;

/// What the slab test needs of a bundle of rays whose directions have the same signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    /// By axis: which planes of a node are the near ones, and which the far ones.
    near_planes: [u32; 4],
    far_planes: [u32; 4],
    center: [f32; 3],
    /// By axis: the least and the greatest reciprocal.
    reciprocal: [[f32; 2]; 3],
    /// By axis: the least offset of near planes, and the greatest of far ones.
    near_offset: [f32; 3],
    far_offset: [f32; 3],
    /// By axis: the greatest magnitude of an origin.
    origin_reach: [f32; 3],
    t_min: f32,
}

impl Bundle {
    /// A bundle that no ray is in.
    pub(super) const UNSET: Self = Self {
        near_planes: [0; 4],
        far_planes: [0; 4],
        center: [0.0; 3],
        reciprocal: [[0.0; 2]; 3],
        near_offset: [0.0; 3],
        far_offset: [0.0; 3],
        origin_reach: [0.0; 3],
        t_min: 0.0,
    };

    /// The bundle of a few rays, given lane by lane, or nothing if it cannot be bounded.
    pub(super) fn new<const LANES: usize>(
        near_planes: [u32; 4],
        reciprocal: &[[f32; LANES]; 3],
        near_offset: &[[f32; LANES]; 3],
        far_offset: &[[f32; LANES]; 3],
        origin: &[[f32; LANES]; 3],
        t_min: &[f32; LANES],
        reach: &[f32; 4],
    ) -> Option<Self> {
        let far_planes = near_planes.map(|place| place ^ Node8::SIDE);
        let mut bundle = Self { near_planes, far_planes, ..Self::UNSET };
        bundle.t_min = t_min.iter().copied().fold(f32::INFINITY, f32::min);
        for axis in 0..3 {
            let (least, greatest) = range(&origin[axis]);
            let center = least * 0.5 + greatest * 0.5;
            let (slow, fast) = range(&reciprocal[axis]);
            let mut near = f32::INFINITY;
            let mut far = f32::NEG_INFINITY;
            for lane in 0..LANES {
                let at_center = center * reciprocal[axis][lane];
                near = near.min(near_offset[axis][lane] + at_center);
                far = far.max(far_offset[axis][lane] + at_center);
            }
            let origin_reach = least.abs().max(greatest.abs());
            bundle.set_axis(axis, center, [slow, fast], [near, far], origin_reach, reach[axis]);
        }
        bundle.is_bounded().then_some(bundle)
    }

    /// The bundle of several bundles, or nothing if their signs disagree or it cannot be bounded.
    pub(super) fn of<'a>(
        bundles: &(impl Iterator<Item = &'a Self> + Clone),
        reach: &[f32; 4],
    ) -> Option<Self> {
        let mut all = *bundles.clone().next()?;
        let mut ends = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
        for bundle in bundles.clone() {
            if bundle.near_planes != all.near_planes {
                return None;
            }
            all.t_min = all.t_min.min(bundle.t_min);
            for axis in 0..3 {
                ends[axis][0] = ends[axis][0].min(bundle.center[axis]);
                ends[axis][1] = ends[axis][1].max(bundle.center[axis]);
            }
        }
        for axis in 0..3 {
            let center = ends[axis][0] * 0.5 + ends[axis][1] * 0.5;
            let mut near = f32::INFINITY;
            let mut far = f32::NEG_INFINITY;
            let [mut slow, mut fast] = all.reciprocal[axis];
            let mut origin_reach = 0.0_f32;
            for bundle in bundles.clone() {
                // (plane − c) = (plane − c') + (c' − c): the second part moves the offset.
                let shift = bundle.center[axis] - center;
                let [least, greatest] = bundle.reciprocal[axis];
                let (a, b) = (shift * least, shift * greatest);
                near = near.min(bundle.near_offset[axis] - a.max(b));
                far = far.max(bundle.far_offset[axis] - a.min(b));
                slow = slow.min(least);
                fast = fast.max(greatest);
                origin_reach = origin_reach.max(bundle.origin_reach[axis]);
            }
            all.set_axis(axis, center, [slow, fast], [near, far], origin_reach, reach[axis]);
        }
        all.is_bounded().then_some(all)
    }

    /// Sets an axis from the ends of its intervals, widened by what rounding can do.
    fn set_axis(
        &mut self,
        axis: usize,
        center: f32,
        [slow, fast]: [f32; 2],
        [near, far]: [f32; 2],
        origin_reach: f32,
        reach: f32,
    ) {
        let slack = (reach + origin_reach) * slow.abs().max(fast.abs()) * BUNDLE_SLACK;
        self.center[axis] = center;
        self.reciprocal[axis] = [slow, fast];
        self.near_offset[axis] = near - slack;
        self.far_offset[axis] = far + slack;
        self.origin_reach[axis] = origin_reach;
    }

    fn is_bounded(&self) -> bool {
        let offsets = self.near_offset.iter().chain(&self.far_offset);
        offsets.chain(self.reciprocal.as_flattened()).all(|x| x.is_finite())
    }

    /// The least `t` at which a ray of the bundle may enter each child's box, and a bit for each
    /// box that one may meet with `t` up to `t_max`.
    #[inline(always)]
    pub(super) fn test<S: Simd>(&self, simd: S, node: &Node8, t_max: f32) -> (f32x8<S>, u32) {
        let mut enter = f32x8::splat(simd, self.t_min);
        let mut leave = f32x8::splat(simd, t_max);
        for axis in 0..3 {
            let center = f32x8::splat(simd, self.center[axis]);
            let near = f32x8::load_array_ref(simd, node.planes_at(self.near_planes[axis])) - center;
            let far = f32x8::load_array_ref(simd, node.planes_at(self.far_planes[axis])) - center;
            let slow = f32x8::splat(simd, self.reciprocal[axis][0]);
            let fast = f32x8::splat(simd, self.reciprocal[axis][1]);
            let near_offset = f32x8::splat(simd, self.near_offset[axis]);
            let far_offset = f32x8::splat(simd, self.far_offset[axis]);
            enter = ((near * slow).min(near * fast) + near_offset).max(enter);
            leave = ((far * slow).max(far * fast) + far_offset).min(leave);
        }
        (enter, enter.simd_le(leave).to_bitmask() as u32)
    }
}

#[inline(always)]
fn range(values: &[f32]) -> (f32, f32) {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    (least, greatest)
}
