//! Eight rays of a packet, a lane each.

use fearless_simd::{Simd, f32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::Node8;

use super::{Bundle, open_t_max};
use crate::leaf::{Rays, finite_t_min};
use crate::prepared::Prepared;
use crate::query::Query;
use crate::slab::{SlabRay, widened};

/// How many rays a group holds.
pub(crate) const LANES: usize = 8;

/// Eight rays, a lane each, as the slab test and the triangle test need them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    reciprocal: [[f32; LANES]; 3],
    near_offset: [[f32; LANES]; 3],
    far_offset: [[f32; LANES]; 3],
    slab_t_min: [f32; LANES],
    /// Widened; below everything where a lane is empty or its query is done.
    slab_t_max: [f32; LANES],
    origin: [[f32; LANES]; 3],
    direction: [[f32; LANES]; 3],
    direction_bound: [f32; LANES],
    ray_t_min: [f32; LANES],
    ray_t_max: [f32; LANES],
    /// The rays agree in which planes are the near ones.
    near_planes: [u32; 4],
    far_planes: [u32; 4],
    /// The greatest of the widened `t_max`.
    pub(super) t_max: f32,
    pub(super) bundle: Bundle,
}

impl Group {
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
        ray_t_max: [f32::NEG_INFINITY; LANES],
        near_planes: [0; 4],
        far_planes: [0; 4],
        t_max: f32::NEG_INFINITY,
        bundle: Bundle::UNSET,
    };

    /// Takes at most eight rays; empty lanes hold `filler` and are never active. Gives nothing if
    /// the rays cannot be cast together.
    pub(super) fn set<S: Simd>(
        &mut self,
        simd: S,
        rays: &[Ray],
        filler: &Ray,
        reach: &[f32; 4],
    ) -> Option<()> {
        let group = self;
        group.t_max = f32::NEG_INFINITY;
        let mut prepared = Prepared::UNSET;
        for lane in 0..LANES {
            let ray = rays.get(lane).unwrap_or(filler);
            if !prepared.set(simd, ray, reach) {
                return None;
            }
            let slab = &prepared.slab;
            if lane == 0 {
                (group.near_planes, group.far_planes) = (slab.near_planes, slab.far_planes);
            } else if group.near_planes != slab.near_planes {
                return None;
            }
            for axis in 0..3 {
                group.reciprocal[axis][lane] = slab.reciprocal[axis];
                group.near_offset[axis][lane] = slab.near_offset[axis];
                group.far_offset[axis][lane] = slab.far_offset[axis];
                group.origin[axis][lane] = ray.origin[axis];
                group.direction[axis][lane] = ray.direction[axis];
            }
            group.direction_bound[lane] = prepared.direction_bound;
            group.slab_t_min[lane] = slab.t_min;
            group.ray_t_min[lane] = finite_t_min(ray);
            group.ray_t_max[lane] = f32::NEG_INFINITY;
            group.slab_t_max[lane] = f32::NEG_INFINITY;
            if lane < rays.len() {
                group.ray_t_max[lane] = ray.t_max.min(f32::MAX);
                group.slab_t_max[lane] = widened(group.ray_t_max[lane]);
                group.t_max = group.t_max.max(group.slab_t_max[lane]);
            }
        }
        group.bundle = Bundle::new(
            group.near_planes,
            &group.reciprocal,
            &group.near_offset,
            &group.far_offset,
            &group.origin,
            &group.slab_t_min,
            reach,
        )?;
        Some(())
    }

    /// A bit for each ray that still looks for something.
    #[inline(always)]
    pub(super) fn active(&self) -> u32 {
        let mut active = 0;
        for lane in 0..LANES {
            active |= u32::from(self.slab_t_max[lane] > f32::NEG_INFINITY) << lane;
        }
        active
    }

    /// A bit for each ray that meets a child's box.
    #[inline(always)]
    pub(super) fn meets<S: Simd>(&self, simd: S, node: &Node8, child: usize) -> u32 {
        let mut enter = f32x8::load_array_ref(simd, &self.slab_t_min);
        let mut leave = f32x8::load_array_ref(simd, &self.slab_t_max);
        for axis in 0..3 {
            let near = f32x8::splat(simd, node.planes_at(self.near_planes[axis])[child & 7]);
            let far = f32x8::splat(simd, node.planes_at(self.far_planes[axis])[child & 7]);
            let reciprocal = f32x8::load_array_ref(simd, &self.reciprocal[axis]);
            let near_offset = f32x8::load_array_ref(simd, &self.near_offset[axis]);
            let far_offset = f32x8::load_array_ref(simd, &self.far_offset[axis]);
            enter = near.mul_add(reciprocal, near_offset).max(enter);
            leave = far.mul_add(reciprocal, far_offset).min(leave);
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
            t_max: f32x8::load_array_ref(simd, &self.ray_t_max),
        }
    }

    /// What was computed for one of the rays.
    #[inline(always)]
    pub(super) fn prepared(&self, lane: usize) -> Prepared {
        let of = |values: &[[f32; LANES]; 3]| [0, 1, 2, 2].map(|axis| values[axis][lane & 7]);
        Prepared {
            slab: SlabRay {
                reciprocal: of(&self.reciprocal),
                near_offset: of(&self.near_offset),
                far_offset: of(&self.far_offset),
                near_planes: self.near_planes,
                far_planes: self.far_planes,
                t_min: self.slab_t_min[lane & 7],
            },
            direction_bound: self.direction_bound(lane),
        }
    }

    #[inline(always)]
    pub(super) fn direction_bound(&self, lane: usize) -> f32 {
        self.direction_bound[lane & 7]
    }

    /// Takes over how far a ray's query still looks.
    #[inline(always)]
    pub(super) fn set_t_max<Q: Query>(&mut self, lane: usize, query: &Q) {
        self.ray_t_max[lane & 7] = query.t_max();
        self.slab_t_max[lane & 7] = open_t_max(query);
        self.t_max = self.slab_t_max.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    }
}

#[inline(always)]
fn load3<S: Simd>(simd: S, v: &[[f32; LANES]; 3]) -> [f32x8<S>; 3] {
    [
        f32x8::load_array_ref(simd, &v[0]),
        f32x8::load_array_ref(simd, &v[1]),
        f32x8::load_array_ref(simd, &v[2]),
    ]
}
