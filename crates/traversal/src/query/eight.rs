//! Eight queries side by side, a lane each.

use fearless_simd::{Simd, f32x8, mask32x8, prelude::*, u32x8};
use hitscan_core::bvh8::Leaf4;
use hitscan_core::{Hit, TriangleMesh};

use super::batched::{Batched, Packed};
use super::{Any, Candidate, Closest};
use crate::leaf::Lanes;

/// How many queries stand side by side.
pub(crate) const LANES: usize = 8;

/// Eight queries, a lane each.
pub(crate) trait Eight: Copy {
    type One: Packed<Eight = Self>;

    /// Queries of no rays.
    const UNSET: Self;

    /// Begins anew, with the greatest `t` of each lane's ray: −∞ where there is none.
    fn start<S: Simd>(&mut self, t_max: f32x8<S>);

    /// By lane: the greatest `t` that is still of interest, −∞ where nothing is.
    fn t_max(&self) -> &[f32; LANES];

    /// One of the queries.
    fn one(&self, lane: usize) -> Self::One;

    /// Puts a query back.
    fn set(&mut self, lane: usize, one: &Self::One);

    /// Takes the sure hits of one triangle in some lanes.
    fn add<S: Simd>(&mut self, simd: S, found: &Lanes<f32x8<S>>, lanes: u32, marked_prim: u32);

    /// Gives what was found, for as many lanes as there are rays.
    fn answer<S: Simd>(
        &self,
        simd: S,
        mesh: &TriangleMesh,
        answers: &mut [<Self::One as Batched>::Answer],
    );
}

/// The nearest hits of eight rays.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct ClosestEight {
    t_max: [f32; LANES],
    t: [f32; LANES],
    prim: [u32; LANES],
    u: [f32; LANES],
    v: [f32; LANES],
    det: [f32; LANES],
    /// A bit for each lane that met the front.
    fronts: u32,
}

impl Eight for ClosestEight {
    type One = Closest;

    const UNSET: Self = Self {
        t_max: [f32::NEG_INFINITY; LANES],
        t: [Candidate::NONE.t; LANES],
        prim: [Candidate::NONE.prim; LANES],
        u: [Candidate::NONE.u; LANES],
        v: [Candidate::NONE.v; LANES],
        det: [Candidate::NONE.det; LANES],
        fronts: 0,
    };

    #[inline(always)]
    fn start<S: Simd>(&mut self, t_max: f32x8<S>) {
        // The rest is overwritten by the first hit, and not looked at without one.
        t_max.store_array(&mut self.t_max);
        self.t = Self::UNSET.t;
        self.prim = Self::UNSET.prim;
    }

    #[inline(always)]
    fn t_max(&self) -> &[f32; LANES] {
        &self.t_max
    }

    #[inline(always)]
    fn one(&self, lane: usize) -> Closest {
        let lane = lane % LANES;
        let best = Candidate {
            t: self.t[lane],
            prim: self.prim[lane],
            is_split: false,
            front: self.fronts >> lane & 1 != 0,
            u: self.u[lane],
            v: self.v[lane],
            det: self.det[lane],
        };
        Closest { t_max: self.t_max[lane], best }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, one: &Closest) {
        let lane = lane % LANES;
        let Closest { t_max, best } = one;
        self.t_max[lane] = *t_max;
        self.t[lane] = best.t;
        self.prim[lane] = best.prim;
        self.u[lane] = best.u;
        self.v[lane] = best.v;
        self.det[lane] = best.det;
        self.fronts = self.fronts & !(1 << lane) | u32::from(best.front) << lane;
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, found: &Lanes<f32x8<S>>, lanes: u32, marked_prim: u32) {
        let (prim, _) = Leaf4::unmarked(marked_prim);
        let prim = u32x8::splat(simd, prim);
        let t = f32x8::load_array_ref(simd, &self.t);
        let least_prim = u32x8::load_array_ref(simd, &self.prim);
        let ties = found.t.simd_eq(t) & prim.simd_lt(least_prim);
        let nearer = (found.t.simd_lt(t) | ties).to_bitmask() as u32 & lanes;
        let is_new = mask32x8::from_bitmask(simd, nearer.into());
        is_new.select(found.t, t).store_array(&mut self.t);
        is_new.select(prim, least_prim).store_array(&mut self.prim);
        blend(simd, is_new, found.t, &mut self.t_max);
        blend(simd, is_new, found.u, &mut self.u);
        blend(simd, is_new, found.v, &mut self.v);
        blend(simd, is_new, found.det, &mut self.det);
        self.fronts = self.fronts & !nearer | found.fronts & nearer;
    }

    #[inline(always)]
    fn answer<S: Simd>(&self, simd: S, mesh: &TriangleMesh, answers: &mut [Option<Hit>]) {
        // As `Candidate::hit` has it, in eight lanes.
        let det = f32x8::load_array_ref(simd, &self.det);
        let zero = f32x8::splat(simd, 0.0);
        let one = f32x8::splat(simd, 1.0);
        let u = between(f32x8::load_array_ref(simd, &self.u) / det, zero, one);
        let v = between(f32x8::load_array_ref(simd, &self.v) / det, zero, one - u);
        let (u, v) = (u.to_array(), v.to_array());
        for (lane, answer) in answers.iter_mut().enumerate().take(LANES) {
            let (t, u, v, prim) = (self.t[lane], u[lane], v[lane], self.prim[lane]);
            let front = self.fronts >> lane & 1 != 0;
            let hit = Hit { t, u, v, prim, geometry: 0, instance: 0, front };
            // A triangle that there is: see `Candidate::is_of`.
            *answer = if (prim as usize) < mesh.triangle_count() { Some(hit) } else { None };
        }
    }
}

/// Whether eight rays hit anything.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct AnyEight {
    t_max: [f32; LANES],
    /// A bit for each lane that hit something.
    found: u32,
}

impl Eight for AnyEight {
    type One = Any;

    const UNSET: Self = Self { t_max: [f32::NEG_INFINITY; LANES], found: 0 };

    #[inline(always)]
    fn start<S: Simd>(&mut self, t_max: f32x8<S>) {
        t_max.store_array(&mut self.t_max);
        self.found = 0;
    }

    #[inline(always)]
    fn t_max(&self) -> &[f32; LANES] {
        &self.t_max
    }

    #[inline(always)]
    fn one(&self, lane: usize) -> Any {
        Any { t_max: self.t_max[lane % LANES], found: self.found >> (lane % LANES) & 1 != 0 }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, one: &Any) {
        if one.found {
            self.found |= 1 << (lane % LANES);
            self.t_max[lane % LANES] = f32::NEG_INFINITY;
        }
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, simd: S, _: &Lanes<f32x8<S>>, lanes: u32, _: u32) {
        self.found |= lanes;
        let is_new = mask32x8::from_bitmask(simd, lanes.into());
        blend(simd, is_new, f32x8::splat(simd, f32::NEG_INFINITY), &mut self.t_max);
    }

    #[inline(always)]
    fn answer<S: Simd>(&self, _: S, _: &TriangleMesh, answers: &mut [bool]) {
        for (lane, answer) in answers.iter_mut().enumerate().take(LANES) {
            *answer = self.found >> lane & 1 != 0;
        }
    }
}

/// Overwrites the lanes of a mask.
#[inline(always)]
fn blend<S: Simd>(simd: S, mask: mask32x8<S>, new: f32x8<S>, old: &mut [f32; LANES]) {
    mask.select(new, f32x8::load_array_ref(simd, old)).store_array(old);
}

/// As `clamp_weights` has it: NaN becomes 0.
#[inline(always)]
fn between<S: Simd>(x: f32x8<S>, zero: f32x8<S>, most: f32x8<S>) -> f32x8<S> {
    let x = x.simd_gt(zero).select(x, zero);
    x.simd_lt(most).select(x, most)
}
