//! The slab test of a whole bundle of rays against eight boxes at once.
//!
//! With `c` a point amid the origins, a ray's distance to a plane is `(plane − c) · reciprocal`
//! and an offset. Over a bundle the reciprocals and the offsets fill intervals, and the least and
//! greatest distances follow from their ends.

use fearless_simd::{Simd, f32x8, prelude::*};
use hitscan_core::bvh8::Node8;

use super::group::{Group, Signs};
use crate::query::Eight;

/// What the bundle's own roundings can do, relative to the coordinates involved: some ten of them,
/// taken as sixteen.
const BUNDLE_SLACK: f32 = 1.0 / (1 << 20) as f32;

/// By axis: which side of a box is the near one and which the far one, as [`Node8::planes_at`] takes
/// it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    pub(super) near: [u32; 4],
    pub(super) far: [u32; 4],
}

impl Sides {
    fn new(signs: Signs) -> Self {
        let near = [0, 1, 2, 2].map(|axis: usize| u32::from(signs[axis]) * Node8::SIDE);
        Self { near, far: near.map(|side| side ^ Node8::SIDE) }
    }
}

/// What the slab test needs of a bundle of rays whose directions have the same signs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    pub(super) sides: Sides,
    center: [f32; 3],
    /// By axis: the least and the greatest reciprocal.
    reciprocal: [[f32; 2]; 3],
    /// By axis: the least offset of near planes, and the greatest of far ones.
    near_offset: [f32; 3],
    far_offset: [f32; 3],
    /// The greatest offset of near planes, and the least of far ones.
    late_near_offset: [f32; 3],
    early_far_offset: [f32; 3],
    t_min: f32,
}

impl Bundle {
    /// A bundle that no ray is in.
    pub(super) const UNSET: Self = Self {
        sides: Sides { near: [0; 4], far: [0; 4] },
        center: [0.0; 3],
        reciprocal: [[0.0; 2]; 3],
        near_offset: [0.0; 3],
        far_offset: [0.0; 3],
        late_near_offset: [0.0; 3],
        early_far_offset: [0.0; 3],
        t_min: 0.0,
    };

    /// Takes the rays of a few groups, or nothing if they cannot be bounded.
    #[inline(always)]
    pub(super) fn set<S: Simd, E: Eight>(
        &mut self,
        simd: S,
        groups: &[Group<E>],
        signs: Signs,
        reach: &[f32; 4],
    ) -> Option<()> {
        self.sides = Sides::new(signs);
        let mut t_min = f32x8::splat(simd, f32::INFINITY);
        for group in groups {
            t_min = t_min.min(f32x8::load_array_ref(simd, &group.slab_t_min));
        }
        self.t_min = t_min.reduce_min();
        for axis in 0..3 {
            let mut low = f32x8::splat(simd, f32::INFINITY);
            let mut high = f32x8::splat(simd, f32::NEG_INFINITY);
            let (mut slow, mut fast) = (low, high);
            for group in groups {
                let origin = f32x8::load_array_ref(simd, &group.origin[axis]);
                let reciprocal = f32x8::load_array_ref(simd, &group.reciprocal[axis]);
                (low, high) = (low.min(origin), high.max(origin));
                (slow, fast) = (slow.min(reciprocal), fast.max(reciprocal));
            }
            let (low, high) = (low.reduce_min(), high.reduce_max());
            let center = low * 0.5 + high * 0.5;
            let mut near = f32x8::splat(simd, f32::INFINITY);
            let mut far = f32x8::splat(simd, f32::NEG_INFINITY);
            let (mut late, mut early) = (far, near);
            let centers = f32x8::splat(simd, center);
            for group in groups {
                let reciprocal = f32x8::load_array_ref(simd, &group.reciprocal[axis]);
                let near_offset = f32x8::load_array_ref(simd, &group.near_offset[axis]);
                let far_offset = f32x8::load_array_ref(simd, &group.far_offset[axis]);
                let near_offset = centers.mul_add(reciprocal, near_offset);
                let far_offset = centers.mul_add(reciprocal, far_offset);
                near = near.min(near_offset);
                far = far.max(far_offset);
                late = late.max(near_offset);
                early = early.min(far_offset);
            }
            let reciprocal = [slow.reduce_min(), fast.reduce_max()];
            let offset = [near.reduce_min(), far.reduce_max()];
            self.late_near_offset[axis] = late.reduce_max();
            self.early_far_offset[axis] = early.reduce_min();
            let span = reach[axis] + low.abs().max(high.abs());
            self.set_axis(axis, center, reciprocal, offset, span);
        }
        self.is_bounded().then_some(())
    }

    /// Sets an axis from the ends of its intervals, widened by what rounding can do.
    #[inline(always)]
    fn set_axis(
        &mut self,
        axis: usize,
        center: f32,
        reciprocal: [f32; 2],
        [near, far]: [f32; 2],
        span: f32,
    ) {
        let slack = span * reciprocal[0].abs().max(reciprocal[1].abs()) * BUNDLE_SLACK;
        self.center[axis] = center;
        self.reciprocal[axis] = reciprocal;
        self.near_offset[axis] = near - slack;
        self.far_offset[axis] = far + slack;
    }

    fn is_bounded(&self) -> bool {
        let offsets = self.near_offset.iter().chain(&self.far_offset);
        offsets.chain(self.reciprocal.as_flattened()).all(|x| x.abs() < f32::MAX)
    }

    /// The least `t` at which a ray of the bundle may enter each child's box, and a bit for each
    /// box that one may meet with `t` up to `t_max`.
    #[inline(always)]
    pub(super) fn test<S: Simd>(&self, simd: S, node: &Node8, t_max: f32) -> (f32x8<S>, u32) {
        let mut enter = f32x8::splat(simd, self.t_min);
        let mut leave = f32x8::splat(simd, t_max);
        for axis in 0..3 {
            let [[a, b], [c, d]] = self.products(simd, node, axis);
            let near_offset = f32x8::splat(simd, self.near_offset[axis]);
            let far_offset = f32x8::splat(simd, self.far_offset[axis]);
            enter = (a.min(b) + near_offset).max(enter);
            leave = (c.max(d) + far_offset).min(leave);
        }
        (enter, enter.simd_le(leave).to_bitmask() as u32)
    }

    /// By when all rays have entered each child's box, if none has left it before; else NaN. Rounding
    /// can make this untrue of some ray.
    #[inline(always)]
    pub(super) fn all_entered<S: Simd>(&self, simd: S, node: &Node8) -> f32x8<S> {
        let mut enter = f32x8::splat(simd, self.t_min);
        let mut leave = f32x8::splat(simd, f32::INFINITY);
        for axis in 0..3 {
            let [[a, b], [c, d]] = self.products(simd, node, axis);
            let near_offset = f32x8::splat(simd, self.late_near_offset[axis]);
            let far_offset = f32x8::splat(simd, self.early_far_offset[axis]);
            enter = (a.max(b) + near_offset).max(enter);
            leave = (c.min(d) + far_offset).min(leave);
        }
        enter.simd_le(leave).select(enter, f32x8::splat(simd, f32::NAN))
    }

    /// The near planes of the boxes along an axis, from the center, by the least and the greatest
    /// reciprocal, and the far ones.
    #[inline(always)]
    fn products<S: Simd>(&self, simd: S, node: &Node8, axis: usize) -> [[f32x8<S>; 2]; 2] {
        let center = f32x8::splat(simd, self.center[axis]);
        let near =
            f32x8::load_array_ref(simd, node.planes_at(axis, self.sides.near[axis])) - center;
        let far = f32x8::load_array_ref(simd, node.planes_at(axis, self.sides.far[axis])) - center;
        let least = f32x8::splat(simd, self.reciprocal[axis][0]);
        let greatest = f32x8::splat(simd, self.reciprocal[axis][1]);
        [[near * least, near * greatest], [far * least, far * greatest]]
    }
}
