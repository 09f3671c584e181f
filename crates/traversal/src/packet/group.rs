//! Eight rays of a packet, a lane each.

use fearless_simd::{Simd, f32x4, f32x8, mask32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::Node8;

use super::bundle::Sides;
use crate::leaf::{MIN_DIRECTION, Rays};
use crate::prepared::Prepared;
use crate::query::{Eight, LANES};
use crate::slab::{SlabRay, Slopes, T_SLACK};

/// A bit for each lane.
const ALL: u64 = (1 << LANES) - 1;

/// By axis: whether directions are negative.
pub(super) type Signs = [bool; 3];

/// A child's box in all lanes: by axis the near plane and the far one.
pub(super) struct ChildBox<V> {
    near: [V; 3],
    far: [V; 3],
}

impl<S: Simd> ChildBox<f32x8<S>> {
    #[inline(always)]
    pub(super) fn splat(simd: S, node: &Node8, child: usize, sides: &Sides) -> Self {
        let mut splat =
            Self { near: [f32x8::splat(simd, 0.0); 3], far: [f32x8::splat(simd, 0.0); 3] };
        for axis in 0..3 {
            let near = node.planes_at(axis, sides.near[axis])[child & 7];
            let far = node.planes_at(axis, sides.far[axis])[child & 7];
            splat.near[axis] = f32x8::splat(simd, near);
            splat.far[axis] = f32x8::splat(simd, far);
        }
        splat
    }
}

/// Eight rays, a lane each, as the slab test and the triangle test need them.
// Aligned, so that no load of eight lanes spans two cache lines.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct Group<E> {
    pub(super) reciprocal: [[f32; LANES]; 3],
    pub(super) near_offset: [[f32; LANES]; 3],
    pub(super) far_offset: [[f32; LANES]; 3],
    pub(super) slab_t_min: [f32; LANES],
    /// Widened; −∞ where a lane is empty or its query is done.
    slab_t_max: [f32; LANES],
    pub(super) origin: [[f32; LANES]; 3],
    direction: [[f32; LANES]; 3],
    direction_bound: [f32; LANES],
    ray_t_min: [f32; LANES],
    pub(super) queries: E,
}

impl<E: Eight> Group<E> {
    /// A group that no ray is in.
    pub(super) const UNSET: Self = Self {
        reciprocal: [[0.0; LANES]; 3],
        near_offset: [[0.0; LANES]; 3],
        far_offset: [[0.0; LANES]; 3],
        slab_t_min: [0.0; LANES],
        slab_t_max: [f32::NEG_INFINITY; LANES],
        origin: [[0.0; LANES]; 3],
        direction: [[0.0; LANES]; 3],
        direction_bound: [0.0; LANES],
        ray_t_min: [0.0; LANES],
        queries: E::UNSET,
    };

    /// Takes at most eight rays; empty lanes hold `filler` and are never active. Gives nothing if
    /// the directions disagree in sign or a ray is out of the ordinary.
    #[inline(always)]
    pub(super) fn set<S: Simd>(
        &mut self,
        simd: S,
        rays: &[Ray],
        filler: &Ray,
        reach: &[f32; 4],
    ) -> Option<Signs> {
        let [x, y, z, t_min, dx, dy, dz, t_max] = match rays.first_chunk() {
            Some(rays) => transposed(simd, rays),
            None => {
                let mut filled = [*filler; LANES];
                filled[..rays.len()].copy_from_slice(rays);
                transposed(simd, &filled)
            }
        };
        let mut bound = f32x8::splat(simd, MIN_DIRECTION);
        // An infinite beginning, made a little less, would be NaN.
        let mut ordinary = t_min.simd_le(t_max) & t_min.simd_le(f32x8::splat(simd, f32::MAX));
        let mut signs = Signs::default();
        for axis in 0..3 {
            let (origin, direction) = ([x, y, z][axis], [dx, dy, dz][axis]);
            origin.store_array(&mut self.origin[axis]);
            direction.store_array(&mut self.direction[axis]);
            let slopes = Slopes::new(simd, origin, direction, f32x8::splat(simd, reach[axis]));
            slopes.reciprocal.store_array(&mut self.reciprocal[axis]);
            slopes.near_offset.store_array(&mut self.near_offset[axis]);
            slopes.far_offset.store_array(&mut self.far_offset[axis]);
            bound = bound.max(slopes.length);
            ordinary &= slopes.ordinary;
            let negative = direction.simd_lt(f32x8::splat(simd, 0.0)).to_bitmask();
            signs[axis] = negative != 0;
            if signs[axis] && negative != ALL {
                return None;
            }
        }
        bound.store_array(&mut self.direction_bound);
        let slack = f32x8::splat(simd, T_SLACK);
        (t_min - t_min.abs() * slack).store_array(&mut self.slab_t_min);
        let t_min = t_min.max(f32x8::splat(simd, f32::MIN));
        t_min.store_array(&mut self.ray_t_min);
        let is_ray = mask32x8::from_bitmask(simd, (1 << rays.len()) - 1);
        let t_max = t_max.min(f32x8::splat(simd, f32::MAX));
        self.queries.start(is_ray.select(t_max, f32x8::splat(simd, f32::NEG_INFINITY)));
        (ordinary.to_bitmask() == ALL).then_some(signs)
    }

    /// A bit for each ray that meets a child's box.
    #[inline(always)]
    pub(super) fn meets<S: Simd>(&self, simd: S, child: &ChildBox<f32x8<S>>) -> u32 {
        let mut enter = f32x8::load_array_ref(simd, &self.slab_t_min);
        let mut leave = f32x8::load_array_ref(simd, &self.slab_t_max);
        for axis in 0..3 {
            let reciprocal = f32x8::load_array_ref(simd, &self.reciprocal[axis]);
            let near_offset = f32x8::load_array_ref(simd, &self.near_offset[axis]);
            let far_offset = f32x8::load_array_ref(simd, &self.far_offset[axis]);
            enter = child.near[axis].mul_add(reciprocal, near_offset).max(enter);
            leave = child.far[axis].mul_add(reciprocal, far_offset).min(leave);
        }
        enter.simd_le(leave).to_bitmask() as u32
    }

    /// The rays as the triangle test takes them.
    #[inline(always)]
    pub(super) fn rays<S: Simd>(&self, simd: S) -> Rays<f32x8<S>> {
        Rays {
            origin: load3(simd, &self.origin),
            direction: load3(simd, &self.direction),
            direction_bound: f32x8::load_array_ref(simd, &self.direction_bound),
            t_min: f32x8::load_array_ref(simd, &self.ray_t_min),
            t_max: f32x8::load_array_ref(simd, self.queries.t_max()),
        }
    }

    /// What was computed for one of the rays.
    #[inline(always)]
    pub(super) fn prepared(&self, lane: usize, sides: &Sides) -> Prepared {
        let of = |values: &[[f32; LANES]; 3]| [0, 1, 2, 2].map(|axis| values[axis][lane & 7]);
        Prepared {
            slab: SlabRay {
                reciprocal: of(&self.reciprocal),
                near_offset: of(&self.near_offset),
                far_offset: of(&self.far_offset),
                near_sides: sides.near,
                t_min: self.slab_t_min[lane & 7],
            },
            direction_bound: self.direction_bound(lane),
        }
    }

    #[inline(always)]
    pub(super) fn direction_bound(&self, lane: usize) -> f32 {
        self.direction_bound[lane & 7]
    }

    /// Takes over how far the rays' queries still look.
    #[inline(always)]
    pub(super) fn renew_t_max<S: Simd>(&mut self, simd: S) -> Reach {
        let t_max = f32x8::load_array_ref(simd, self.queries.t_max());
        // As `widened` has it; −∞ stays what it is.
        let wider = t_max * f32x8::splat(simd, 1.0 + T_SLACK);
        let t_max = wider.max(t_max * f32x8::splat(simd, 1.0 - T_SLACK));
        t_max.store_array(&mut self.slab_t_max);
        let active = t_max.simd_gt(f32x8::splat(simd, f32::NEG_INFINITY));
        Reach {
            active: active.to_bitmask() as u32,
            greatest: t_max.reduce_max(),
            least: active.select(t_max, f32x8::splat(simd, f32::INFINITY)).reduce_min(),
        }
    }
}

/// Which rays of a group still look for something, and how far.
pub(super) struct Reach {
    /// A bit for each.
    pub(super) active: u32,
    /// The greatest and the least of their `t_max`, widened.
    pub(super) greatest: f32,
    pub(super) least: f32,
}

#[inline(always)]
fn load3<S: Simd>(simd: S, v: &[[f32; LANES]; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::load_array_ref(simd, &v[0]),
        f32x8::load_array_ref(simd, &v[1]),
        f32x8::load_array_ref(simd, &v[2]),
    ]
}

/// The eight numbers of eight rays, a ray a lane.
#[inline(always)]
fn transposed<S: Simd>(simd: S, rays: &[Ray; LANES]) -> [f32x8<S>; 8] {
    let halves: &[[f32; 4]; 2 * LANES] = bytemuck::cast_ref(rays);
    let [x, y, z, t_min] = transposed_halves(simd, halves, 0);
    let [dx, dy, dz, t_max] = transposed_halves(simd, halves, 1);
    [x, y, z, t_min, dx, dy, dz, t_max]
}

/// The first halves of eight rays, or the second.
#[inline(always)]
fn transposed_halves<S: Simd>(
    simd: S,
    halves: &[[f32; 4]; 2 * LANES],
    which: usize,
) -> [f32x8<S>; 4] {
    let low = transposed4(simd, [0, 2, 4, 6].map(|ray| halves[ray + which]));
    let high = transposed4(simd, [8, 10, 12, 14].map(|ray| halves[ray + which]));
    [
        low[0].combine(high[0]),
        low[1].combine(high[1]),
        low[2].combine(high[2]),
        low[3].combine(high[3]),
    ]
}

#[inline(always)]
fn transposed4<S: Simd>(simd: S, rows: [[f32; 4]; 4]) -> [f32x4<S>; 4] {
    let [a, b, c, d] = [
        f32x4::load_array(simd, rows[0]),
        f32x4::load_array(simd, rows[1]),
        f32x4::load_array(simd, rows[2]),
        f32x4::load_array(simd, rows[3]),
    ];
    let (even_low, even_high) = (a.zip_low(c), a.zip_high(c));
    let (odd_low, odd_high) = (b.zip_low(d), b.zip_high(d));
    [
        even_low.zip_low(odd_low),
        even_low.zip_high(odd_low),
        even_high.zip_low(odd_high),
        even_high.zip_high(odd_high),
    ]
}
