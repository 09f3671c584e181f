//! The slab test of a ray against eight boxes at once, never a false miss.
//!
//! Kay and Kajiya, "Ray Tracing Complex Scenes", 1986.
//!
//! ```text
//! enter = max over axes of (near plane − origin) / direction
//! leave = min over axes of (far plane − origin) / direction
//! the box is met if enter ≤ leave
//! ```
//!
//! Computed as `plane · (1 / direction) − origin / direction`, with both constants moved apart by
//! more than rounding can do: docs/decisions/0006 has the proof.

use fearless_simd::{Simd, f32x8, prelude::*};
use glam::Vec3;
use hitscan_core::Ray;
use hitscan_core::bvh8::Node8;

/// A triangle's `t` may be off by this much, relative to itself; bounds on `t` are taken wider.
const T_SLACK: f32 = 1.0 / (1 << 13) as f32;

/// How far a box is taken to reach beyond its planes, relative to the coordinates involved: eight
/// units of rounding, twice what the four roundings of a plane's distance can do.
const SPAN_SLACK: f32 = 1.0 / (1 << 21) as f32;

/// The greatest magnitude of a plane's distance, so that nothing overflows.
const MAX_DISTANCE: f32 = (1_u128 << 120) as f32;

/// The greatest magnitude of a direction whose reciprocal is a normal number, and the greatest
/// reciprocal.
const MAX_RECIPROCAL: f32 = (1_u128 << 126) as f32;

/// What the slab test needs of a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlabRay {
    /// By axis: one over the direction.
    pub(crate) reciprocal: [f32; 3],
    /// By axis: origin over direction, and a little more, to be taken off near planes.
    pub(crate) near_offset: [f32; 3],
    /// By axis: origin over direction, and a little less, to be taken off far planes.
    pub(crate) far_offset: [f32; 3],
    /// By axis: 0 if the low side of a box is the near one, else 1.
    pub(crate) near_side: [usize; 3],
    /// Below every `t` that counts.
    pub(crate) t_min: f32,
}

/// A bound on `t` that no triangle's `t` up to `t_max` exceeds before rounding.
#[inline(always)]
pub(crate) fn widened(t_max: f32) -> f32 {
    t_max + t_max.abs() * T_SLACK
}

impl SlabRay {
    // Set up in four lanes at once: 5 to 8 % slower on Zen 3 than axis by axis.
    /// The ray as seen by boxes whose coordinates do not exceed `reach` in magnitude.
    #[inline(always)]
    pub(crate) fn new(ray: &Ray, reach: Vec3) -> Self {
        let mut slab = Self {
            reciprocal: [0.0; 3],
            near_offset: [0.0; 3],
            far_offset: [0.0; 3],
            near_side: [0; 3],
            t_min: ray.t_min - ray.t_min.abs() * T_SLACK,
        };
        let mut regular = true;
        for axis in 0..3 {
            let span = reach[axis] + ray.origin[axis].abs();
            regular &= is_regular(ray.direction[axis], span);
            slab.set_axis(axis, ray.origin[axis], 1.0 / ray.direction[axis], span);
        }
        if !regular {
            slab.mend_axes(ray, reach);
        }
        slab
    }

    #[inline(always)]
    fn set_axis(&mut self, axis: usize, origin: f32, reciprocal: f32, span: f32) {
        let offset = origin * reciprocal;
        // The second term covers what underflow does.
        let slack = span * reciprocal.abs() * SPAN_SLACK + 2.0 * f32::MIN_POSITIVE;
        self.reciprocal[axis] = reciprocal;
        self.near_offset[axis] = offset + slack;
        self.far_offset[axis] = offset - slack;
        self.near_side[axis] = usize::from(reciprocal.is_sign_negative());
    }

    /// Axes along which the ray hardly moves, or whose numbers are huge.
    #[cold]
    #[inline(never)]
    fn mend_axes(&mut self, ray: &Ray, reach: Vec3) {
        let spans = [0, 1, 2].map(|axis| reach[axis] + ray.origin[axis].abs());
        let longest = ray.direction.iter().fold(0.0_f32, |longest, d| longest.max(d.abs()));
        // No point of the mesh has a `t` of greater magnitude.
        let t_reach = spans.into_iter().fold(0.0_f32, f32::max) / longest;
        for (axis, span) in spans.into_iter().enumerate() {
            let direction = ray.direction[axis];
            if is_regular(direction, span) {
                continue;
            }
            // If the ray stays where it is along this axis, up to an eighth of the slack, then it
            // meets a slab from beginning to end or never, and any steep enough slope says so.
            let steep = (MAX_DISTANCE / span).min(MAX_RECIPROCAL);
            let slack = span * steep * SPAN_SLACK;
            let stays = direction.abs() * t_reach <= span * (SPAN_SLACK / 8.0);
            if stays && t_reach <= slack / 4.0 {
                self.set_axis(axis, ray.origin[axis], steep.copysign(direction), span);
            } else {
                self.leave_unbounded(axis);
            }
        }
    }

    /// Makes an axis one along which every box is met from −∞ to ∞.
    fn leave_unbounded(&mut self, axis: usize) {
        self.reciprocal[axis] = 0.0;
        self.near_offset[axis] = f32::INFINITY;
        self.far_offset[axis] = f32::NEG_INFINITY;
        self.near_side[axis] = 0;
    }

    /// Where the ray enters each child's box, and a bit for each box that it meets with `t` up to
    /// `t_max`, which is to be [`widened`].
    #[inline(always)]
    pub(crate) fn test<S: Simd>(&self, simd: S, node: &Node8, t_max: f32) -> (f32x8<S>, u32) {
        let mut enter = f32x8::splat(simd, self.t_min);
        let mut leave = f32x8::splat(simd, t_max);
        for axis in 0..3 {
            let side = self.near_side[axis] & 1;
            let near = f32x8::load_array_ref(simd, &node.planes[axis][side]);
            let far = f32x8::load_array_ref(simd, &node.planes[axis][side ^ 1]);
            let reciprocal = f32x8::splat(simd, self.reciprocal[axis]);
            let near_offset = f32x8::splat(simd, self.near_offset[axis]);
            let far_offset = f32x8::splat(simd, self.far_offset[axis]);
            enter = near.mul_sub(reciprocal, near_offset).max(enter);
            leave = far.mul_sub(reciprocal, far_offset).min(leave);
        }
        (enter, enter.simd_le(leave).to_bitmask() as u32)
    }
}

/// Whether neither a plane's distance nor the reciprocal leaves the range of normal numbers.
#[inline(always)]
fn is_regular(direction: f32, span: f32) -> bool {
    let magnitude = direction.abs();
    magnitude * MAX_DISTANCE >= span && (f32::MIN_POSITIVE..=MAX_RECIPROCAL).contains(&magnitude)
}
