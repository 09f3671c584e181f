//! The ray–triangle test: Möller–Trumbore, lane by lane, as a filter with a proven error bound.
//!
//! Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997; the bound and
//! what follows from it are in docs/decisions/0001.
//!
//! ```text
//! C = v0 − o;  R = C × d;  N = edge2 × edge1;  D = N·d, its sign taken out of all that follows
//! U = R·edge2;  V = R·edge1;  W = D − U − V;  T = C·N
//! a lane is a sure miss if min(U, V, W) < −bound, a sure hit if it is > bound
//! t = T / D is good if both D and T are far above their own bounds
//! what is neither sure nor good is decided exactly
//! ```

use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

use crate::query::Candidate;

/// How far D and T must lie above their bounds for `t` to be good: then the relative error of `t`
/// is below 1.01·10⁻⁴, within the slack of the slab test.
const GOOD_T: f32 = 8192.0;

/// With a determinant this many times above the bound on the edge values' errors, the filter's own
/// values give the weights: off by less than 1/128; the tests, which aim at edges, see less than
/// 2·10⁻³. The point they name is then off by a few roundings of its distance from the origin, as
/// the ray's own point is.
const GOOD_WEIGHT: f32 = 128.0;

/// Directions are taken to be at least this long in the bound, so that it does not vanish.
pub(crate) const MIN_DIRECTION: f32 = 1.0 / (1_u64 << 40) as f32;

/// What the triangle test needs of a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafRay {
    pub(crate) origin: [f32; 3],
    pub(crate) direction: [f32; 3],
    /// The greatest magnitude in the direction; infinite if the ray is too large for the filter.
    pub(crate) direction_bound: f32,
    pub(crate) t_min: f32,
}

/// A `t` that overflows to −infinity is no hit, whatever the ray says.
#[inline(always)]
pub(crate) fn finite_t_min(ray: &Ray) -> f32 {
    greater(ray.t_min, f32::MIN)
}

/// What the filter says of a few pairs of ray and triangle, one a lane.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<V> {
    /// A bit for each lane that is hit for certain, with a good `t` in range.
    pub(crate) sure: u32,
    /// A bit for each lane that must be decided exactly.
    pub(crate) unsure: u32,
    /// A bit for each lane whose T / D is as good as `t`, whether the lane is sure or not.
    good: u32,
    /// A bit for each lane whose front the ray meets, if it is a sure hit.
    pub(crate) fronts: u32,
    /// T / D.
    pub(crate) t: V,
    /// U, its sign made that of a hit.
    pub(crate) u: V,
    /// V, likewise.
    pub(crate) v: V,
    /// |D|.
    pub(crate) det: V,
    /// Minus the bound on the errors of U, V and W.
    minus_bound: V,
}

impl<V> Lanes<V> {
    /// T / D of a lane, where it is good.
    #[inline(always)]
    pub(crate) fn good_t<S: Simd>(&self, lane: usize) -> Option<f32>
    where
        V: SimdFloat<S, Element = f32>,
    {
        (self.good >> lane & 1 != 0).then(|| self.t[lane])
    }

    /// A bit for each lane whose U, V and D are good enough for weights, if it is a sure hit.
    #[inline(always)]
    pub(crate) fn good_weights<S: Simd>(&self) -> u32
    where
        V: SimdFloat<S, Element = f32>,
    {
        let good = self.det.simd_gt(self.minus_bound * -GOOD_WEIGHT);
        good.to_bitmask() as u32
    }

    /// Gives a lane other weights.
    #[inline(always)]
    pub(crate) fn set_weights<S: Simd>(&mut self, lane: usize, (u, v): (f32, f32))
    where
        V: SimdFloat<S, Element = f32>,
    {
        (self.u[lane], self.v[lane], self.det[lane]) = (u, v, 1.0);
    }

    /// The hit of a sure lane.
    #[inline(always)]
    pub(crate) fn candidate<S: Simd>(&self, lane: usize, marked_prim: u32) -> Candidate
    where
        V: SimdFloat<S, Element = f32>,
    {
        let (prim, is_split) = Leaf4::unmarked(marked_prim);
        Candidate {
            t: self.t[lane],
            prim,
            is_split,
            front: self.fronts >> lane & 1 != 0,
            u: self.u[lane],
            v: self.v[lane],
            det: self.det[lane],
        }
    }
}

/// The greatest magnitude in a direction, of the magnitudes by axis, as the bound on errors takes it.
#[inline(always)]
pub(crate) fn direction_bound([x, y, z]: [f32; 3]) -> f32 {
    greater(greater(x, y), greater(z, MIN_DIRECTION))
}

/// The greater of two numbers that are not NaN, in one instruction.
#[inline(always)]
fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl LeafRay {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray, direction_bound: f32) -> Self {
        let (origin, direction) = (ray.origin, ray.direction);
        Self { origin, direction, direction_bound, t_min: finite_t_min(ray) }
    }

    /// Tests the four triangles of a leaf for `t_min ≤ t ≤ t_max`.
    #[inline(always)]
    pub(crate) fn test<S: Simd>(
        &self,
        simd: S,
        leaf: &Leaf4,
        t_max: f32,
    ) -> Option<Lanes<f32x4<S>>> {
        let rays = Rays {
            origin: splat3(simd, &self.origin),
            direction: splat3(simd, &self.direction),
            direction_bound: f32x4::splat(simd, self.direction_bound),
            t_min: f32x4::splat(simd, self.t_min),
            t_max: f32x4::splat(simd, t_max),
        };
        let triangles = Triangles {
            v0: load3(simd, &leaf.v0),
            edge1: load3(simd, &leaf.edge1),
            edge2: load3(simd, &leaf.edge2),
            minus_error_reach: f32x4::load_array_ref(simd, &leaf.minus_error_reach),
            minus_error_area: f32x4::load_array_ref(simd, &leaf.minus_error_area),
        };
        filter::<_, _, false>(simd, &rays, &triangles)
    }
}

/// A ray a lane.
#[derive(Clone, Copy)]
pub(crate) struct Rays<V> {
    pub(crate) origin: [V; 3],
    pub(crate) direction: [V; 3],
    pub(crate) direction_bound: V,
    pub(crate) t_min: V,
    pub(crate) t_max: V,
}

/// A triangle a lane, as [`Leaf4`] keeps it.
#[derive(Clone, Copy)]
pub(crate) struct Triangles<V> {
    pub(crate) v0: [V; 3],
    pub(crate) edge1: [V; 3],
    pub(crate) edge2: [V; 3],
    pub(crate) minus_error_reach: V,
    pub(crate) minus_error_area: V,
}

impl<S: Simd> Triangles<f32x8<S>> {
    /// The same triangle of a leaf in all eight lanes.
    #[inline(always)]
    pub(crate) fn splat(simd: S, leaf: &Leaf4, lane: usize) -> Self {
        let lane = lane & 3;
        Self {
            v0: splat_lane(simd, &leaf.v0, lane),
            edge1: splat_lane(simd, &leaf.edge1, lane),
            edge2: splat_lane(simd, &leaf.edge2, lane),
            minus_error_reach: f32x8::splat(simd, leaf.minus_error_reach[lane]),
            minus_error_area: f32x8::splat(simd, leaf.minus_error_area[lane]),
        }
    }
}

/// The filter, lane by lane, whatever the lanes are: one ray and many triangles, or one triangle
/// and many rays. `None` where all lanes are sure misses; `EARLY` ends at once where U, V and W say
/// so, which pays where that is common.
///
/// No fused multiply-add and no approximate reciprocal here: the bits of `t`, U, V and D, and
/// which lanes are sure, must be the same at every SIMD level.
#[inline(always)]
pub(crate) fn filter<S: Simd, V: SimdFloat<S, Element = f32>, const EARLY: bool>(
    simd: S,
    rays: &Rays<V>,
    triangles: &Triangles<V>,
) -> Option<Lanes<V>> {
    let Triangles { v0, edge1, edge2, minus_error_reach, minus_error_area } = *triangles;
    let (o, d) = (rays.origin, rays.direction);
    let c = [v0[0] - o[0], v0[1] - o[1], v0[2] - o[2]];
    let r = cross(c, d);
    let n = cross(edge2, edge1);
    let signed_det = dot(n, d);
    let det = signed_det.abs();
    let u = flip_as(dot(r, edge2), signed_det);
    let v = flip_as(dot(r, edge1), signed_det);
    let w = (det - u) - v;
    let reach = c[0].abs().max(c[1].abs()).max(c[2].abs());
    let minus_bound = (reach * minus_error_reach + minus_error_area) * rays.direction_bound;
    let least = u.min(v).min(w);
    // Written so that NaN, which only numbers beyond the filter's range give, is a candidate.
    let candidate = !least.simd_lt(minus_bound);
    if EARLY && !candidate.any_true() {
        return None;
    }
    let t_numerator = flip_as(dot(c, n), signed_det);
    let inside = (-least).simd_lt(minus_bound);
    let tiny = V::simd_from(simd, f32::MIN_POSITIVE);
    let zero = V::simd_from(simd, 0.0);
    let minus_t_bound = reach * minus_error_area;
    // A certain hit of the line, certainly behind an origin that nothing behind it is asked of.
    let behind = inside & t_numerator.simd_lt(minus_t_bound - tiny) & rays.t_min.simd_ge(zero);
    let open = candidate & !behind;
    if !open.any_true() {
        return None;
    }
    let t = t_numerator / det;
    let far = V::simd_from(simd, -GOOD_T);
    // A `t` that vanishes in f32 is found exactly, so that it keeps its side of the origin.
    let good = det.simd_gt(far * minus_error_area * rays.direction_bound)
        & t_numerator.abs().simd_gt((far * minus_t_bound).max(tiny + tiny))
        & t.abs().simd_ge(tiny);
    let in_range = rays.t_min.simd_le(t) & t.simd_le(rays.t_max);
    let open = open & (!good | in_range);
    let sure = open & good & inside;
    let [sure, unsure] = [sure.to_bitmask() as u32, (open & !sure).to_bitmask() as u32];
    if sure | unsure == 0 {
        return None;
    }
    let good = good.to_bitmask() as u32;
    let fronts = signed_det.simd_lt(zero).to_bitmask() as u32;
    Some(Lanes { sure, unsure, good, fronts, t, u, v, det, minus_bound })
}

// Functions, not closures: a closure is not inlined across the boundary of a target feature.

/// A number with its sign flipped where the other one is negative.
#[inline(always)]
fn flip_as<S: Simd, V: SimdFloat<S, Element = f32>>(x: V, sign: V) -> V {
    V::from_bits(x.to_bits() ^ (sign.to_bits() & 0x8000_0000))
}

#[inline(always)]
fn splat3<S: Simd>(simd: S, v: &[f32; 3]) -> [f32x4<S>; 3] {
    [f32x4::splat(simd, v[0]), f32x4::splat(simd, v[1]), f32x4::splat(simd, v[2])]
}

#[inline(always)]
fn splat_lane<S: Simd>(simd: S, v: &[[f32; 4]; 3], lane: usize) -> [f32x8<S>; 3] {
    [f32x8::splat(simd, v[0][lane]), f32x8::splat(simd, v[1][lane]), f32x8::splat(simd, v[2][lane])]
}

#[inline(always)]
fn load3<S: Simd>(simd: S, v: &[[f32; 4]; 3]) -> [f32x4<S>; 3] {
    [
        f32x4::load_array_ref(simd, &v[0]),
        f32x4::load_array_ref(simd, &v[1]),
        f32x4::load_array_ref(simd, &v[2]),
    ]
}

#[inline(always)]
fn cross<S: Simd, V: SimdFloat<S, Element = f32>>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot<S: Simd, V: SimdFloat<S, Element = f32>>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
