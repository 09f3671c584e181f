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

use fearless_simd::{Simd, f32x4, f32x8, mask32x4, mask32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::{Leaf4, Node8};

/// A triangle's `t` may be off by this much, relative to itself; bounds on `t` are taken wider.
pub(crate) const T_SLACK: f32 = 1.0 / (1 << 13) as f32;

/// How far a box is taken to reach beyond its planes, relative to the coordinates involved: eight
/// units of rounding, twice what the four roundings of a plane's distance can do.
const SPAN_SLACK: f32 = 1.0 / (1 << 21) as f32;

/// The same for rays that are not ordinary: the mesh may reach to where planes cannot be lowered to
/// keep references in their lowest bits, and so lie inside of the box by sixteen units of rounding.
const UNUSUAL_SLACK: f32 = 1.0 / (1 << 18) as f32;

/// Spans below this one are taken for it, so that none vanishes with the slack.
const LEAST_SPAN: f32 = 1.0 / (1_u128 << 100) as f32;

/// What underflow can do to a plane's distance, and more.
const UNDERFLOW_SLACK: f32 = 2.0 * f32::MIN_POSITIVE;

/// The greatest magnitude of a plane's distance, so that nothing overflows.
const MAX_DISTANCE: f32 = (1_u128 << 120) as f32;

/// The greatest magnitude of a direction whose reciprocal is a normal number, and the greatest
/// reciprocal.
const MAX_RECIPROCAL: f32 = (1_u128 << 126) as f32;

/// Numbers of a ray below this one need no second look, nor do those of a direction above
/// [`SHORT`]: no distance to a plane overflows, no reciprocal vanishes, and the triangle test needs
/// no more ([`Leaf4::HUGE`]).
const LONG: f32 = Leaf4::HUGE;
const SHORT: f32 = 1.0 / (1_u128 << 66) as f32;

/// What the slab test needs along an axis, for a few axes of a ray or a few rays along an axis.
pub(crate) struct Slopes<S: Simd, V: SimdFloat<S, Element = f32>> {
    pub(crate) reciprocal: V,
    /// Minus origin over direction, and a little less, to be added to near planes.
    pub(crate) near_offset: V,
    /// Minus origin over direction, and a little more, to be added to far planes.
    pub(crate) far_offset: V,
    /// The direction's magnitude.
    pub(crate) length: V,
    /// The lanes that are [ordinary](LONG).
    pub(crate) ordinary: V::Mask,
}

impl<S: Simd, V: SimdFloat<S, Element = f32>> Slopes<S, V> {
    #[inline(always)]
    pub(crate) fn new(simd: S, origin: V, direction: V, reach: V) -> Self {
        let span = origin.abs() + reach;
        let reciprocal = V::simd_from(simd, 1.0) / direction;
        // Little is left to be done when the reciprocal is there: the walk begins with waiting.
        let offset = (V::simd_from(simd, 0.0) - origin) * reciprocal;
        let padding = span.max(V::simd_from(simd, LEAST_SPAN)) * V::simd_from(simd, SPAN_SLACK);
        let slack = padding.mul_add(reciprocal.abs(), V::simd_from(simd, UNDERFLOW_SLACK));
        let length = direction.abs();
        let long = V::simd_from(simd, LONG);
        let short = V::simd_from(simd, SHORT);
        let ordinary = span.simd_lt(long) & length.simd_lt(long) & length.simd_gt(short);
        let (near_offset, far_offset) = (offset - slack, offset + slack);
        Self { reciprocal, near_offset, far_offset, length, ordinary }
    }
}

/// What the slab test needs of a ray; a fourth entry is there for the width of registers only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlabRay {
    /// By axis: one over the direction.
    pub(crate) reciprocal: [f32; 4],
    /// By axis: minus origin over direction, and a little less, to be added to near planes.
    pub(crate) near_offset: [f32; 4],
    /// By axis: minus origin over direction, and a little more, to be added to far planes.
    pub(crate) far_offset: [f32; 4],
    /// By axis: which side of a box is the near one, as [`Node8::planes_at`] takes it.
    pub(crate) near_sides: [u32; 4],
    /// Below every `t` that counts.
    pub(crate) t_min: f32,
}

/// A bound on `t` that no triangle's `t` up to `t_max` exceeds before rounding.
#[inline(always)]
pub(crate) fn widened(t_max: f32) -> f32 {
    t_max + t_max.abs() * T_SLACK
}

impl SlabRay {
    /// No ray.
    pub(crate) const UNSET: Self = Self {
        reciprocal: [0.0; 4],
        near_offset: [0.0; 4],
        far_offset: [0.0; 4],
        near_sides: [0; 4],
        t_min: 0.0,
    };

    // Written in place: handed over by value it was copied in pieces of another size, and waiting
    // for those took a fifth of a short walk.
    /// Takes a ray as seen by boxes whose coordinates do not exceed `reach` in magnitude, and gives
    /// by axis the magnitude of its direction. If it is not [ordinary](LONG), nothing here can be
    /// relied on.
    #[inline(always)]
    pub(crate) fn set_ordinary<S: Simd>(
        &mut self,
        simd: S,
        ray: &Ray,
        reach: &[f32; 4],
    ) -> Option<[f32; 3]> {
        let [origin, direction] = bytemuck::cast_ref::<Ray, [[f32; 4]; 2]>(ray);
        let origin = f32x4::load_array_ref(simd, origin);
        let direction = f32x4::load_array_ref(simd, direction);
        let slopes = Slopes::new(simd, origin, direction, f32x4::load_array_ref(simd, reach));
        slopes.reciprocal.store_array(&mut self.reciprocal);
        slopes.near_offset.store_array(&mut self.near_offset);
        slopes.far_offset.store_array(&mut self.far_offset);
        let sides = (direction.to_bits() >> 31) * Node8::SIDE;
        sides.store_array(&mut self.near_sides);
        self.t_min = ray.t_min - ray.t_min.abs() * T_SLACK;
        // The fourth lanes are the ends of the interval.
        let ends = mask32x4::from_bitmask(simd, 0b1000);
        let is_fit = ends.select(origin.simd_le(direction), slopes.ordinary);
        let [x, y, z, _] = slopes.length.to_array();
        is_fit.all_true().then_some([x, y, z])
    }

    /// Takes a valid ray of any size: axes along which it hardly moves, huge and tiny numbers.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_unusual(&mut self, ray: &Ray, reach: &[f32; 4]) {
        self.t_min = ray.t_min - ray.t_min.abs() * T_SLACK;
        let spans = [0, 1, 2].map(|axis| reach[axis] + ray.origin[axis].abs());
        let longest = ray.direction.iter().fold(0.0_f32, |longest, d| longest.max(d.abs()));
        // No point of the mesh has a `t` of greater magnitude.
        let t_reach = spans.into_iter().fold(0.0_f32, f32::max) / longest;
        for (axis, span) in spans.into_iter().enumerate() {
            let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
            if is_regular(direction, span) {
                self.set_axis(axis, origin, 1.0 / direction, span);
                continue;
            }
            // If the ray stays where it is along this axis, up to an eighth of the slack, then it
            // meets a slab from beginning to end or never, and any steep enough slope says so.
            let steep = (MAX_DISTANCE / span).min(MAX_RECIPROCAL);
            let stays = direction.abs() * t_reach <= span * (SPAN_SLACK / 8.0);
            if stays && t_reach <= span * steep * SPAN_SLACK / 4.0 {
                self.set_axis(axis, origin, steep.copysign(direction), span);
            } else {
                self.leave_unbounded(axis, direction);
            }
        }
    }

    fn set_axis(&mut self, axis: usize, origin: f32, reciprocal: f32, span: f32) {
        let offset = -(origin * reciprocal);
        let slack = span * reciprocal.abs() * UNUSUAL_SLACK + UNDERFLOW_SLACK;
        self.reciprocal[axis] = reciprocal;
        self.near_offset[axis] = offset - slack;
        self.far_offset[axis] = offset + slack;
        self.set_sides(axis, reciprocal.is_sign_negative());
    }

    fn set_sides(&mut self, axis: usize, high_is_near: bool) {
        self.near_sides[axis] = u32::from(high_is_near) * Node8::SIDE;
    }

    /// Makes an axis one along which every box is met at all finite `t`, but for lanes without a
    /// child, whose planes are infinite.
    fn leave_unbounded(&mut self, axis: usize, direction: f32) {
        // No finite plane times this number can be told from zero beside the offsets.
        self.reciprocal[axis] = f32::MIN_POSITIVE.copysign(direction);
        self.near_offset[axis] = f32::MIN;
        self.far_offset[axis] = f32::MAX;
        self.set_sides(axis, direction.is_sign_negative());
    }

    /// Where the ray enters each child's box, and the lanes whose boxes it meets with `t` up to
    /// `t_max`, which is to be [`widened`].
    #[inline(always)]
    pub(crate) fn test<S: Simd>(
        &self,
        simd: S,
        node: &Node8,
        t_max: f32,
    ) -> (f32x8<S>, mask32x8<S>) {
        let mut enter = f32x8::splat(simd, self.t_min);
        let mut leave = f32x8::splat(simd, t_max);
        for axis in 0..3 {
            let near_side = self.near_sides[axis];
            let near = f32x8::load_array_ref(simd, node.planes_at(axis, near_side));
            let far = f32x8::load_array_ref(simd, node.planes_at(axis, near_side ^ Node8::SIDE));
            let reciprocal = f32x8::splat(simd, self.reciprocal[axis]);
            let near_offset = f32x8::splat(simd, self.near_offset[axis]);
            let far_offset = f32x8::splat(simd, self.far_offset[axis]);
            enter = near.mul_add(reciprocal, near_offset).max(enter);
            leave = far.mul_add(reciprocal, far_offset).min(leave);
        }
        (enter, enter.simd_le(leave))
    }
}

/// Whether neither a plane's distance nor the reciprocal leaves the range of normal numbers.
#[inline(always)]
fn is_regular(direction: f32, span: f32) -> bool {
    let magnitude = direction.abs();
    magnitude * MAX_DISTANCE >= span && (f32::MIN_POSITIVE..=MAX_RECIPROCAL).contains(&magnitude)
}
