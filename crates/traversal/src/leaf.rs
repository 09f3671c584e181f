//! The ray–triangle test of a leaf: Möller–Trumbore on four lanes as a filter with a proven error
//! bound.
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

use fearless_simd::{Simd, f32x4, mask32x4, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

/// How far D and T must lie above their bounds for `t` to be good: then the relative error of `t`
/// is below 1.01·10⁻⁴, within the slack of the slab test.
const GOOD_T: f32 = 8192.0;

/// Directions are taken to be at least this long in the bound, so that it does not vanish.
const MIN_DIRECTION: f32 = 1.0 / (1_u64 << 40) as f32;

/// What the triangle test needs of a ray.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafRay {
    origin: [f32; 3],
    direction: [f32; 3],
    /// The greatest magnitude in the direction; infinite if the ray is too large for the filter.
    direction_bound: f32,
    pub(crate) t_min: f32,
}

/// What the filter says of the four triangles of a leaf.
#[derive(Clone, Copy)]
pub(crate) struct Lanes<S: Simd> {
    /// A bit for each lane that is hit for certain, with a good `t` in range.
    pub(crate) sure: u32,
    /// A bit for each lane that must be decided exactly.
    pub(crate) unsure: u32,
    /// A bit for each lane whose T / D is as good as `t`, whether the lane is sure or not.
    pub(crate) good: u32,
    /// T / D.
    pub(crate) t: f32x4<S>,
    /// U, its sign made that of a hit.
    pub(crate) u: f32x4<S>,
    /// V, likewise.
    pub(crate) v: f32x4<S>,
    /// |D|.
    pub(crate) det: f32x4<S>,
    /// Minus the bound on the errors of U, V and W.
    pub(crate) minus_bound: f32x4<S>,
    /// A bit for each lane whose front the ray meets, if it is a sure hit.
    pub(crate) fronts: u32,
}

/// A `t` that overflows to −infinity is no hit, whatever the ray says.
#[inline(always)]
pub(crate) fn finite_t_min(ray: &Ray) -> f32 {
    ray.t_min.max(f32::MIN)
}

impl LeafRay {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        let longest = |v: &[f32; 3]| v[0].abs().max(v[1].abs()).max(v[2].abs());
        let (origin, direction) = (longest(&ray.origin), longest(&ray.direction));
        let small = origin < Leaf4::HUGE && direction < Leaf4::HUGE;
        Self {
            origin: ray.origin,
            direction: ray.direction,
            direction_bound: if small { direction.max(MIN_DIRECTION) } else { f32::INFINITY },
            t_min: finite_t_min(ray),
        }
    }

    /// Tests the four triangles for `t_min ≤ t ≤ t_max`.
    ///
    /// No fused multiply-add and no approximate reciprocal here: the bits of `t`, U, V and D, and
    /// which lanes are sure, must be the same at every SIMD level.
    #[inline(always)]
    pub(crate) fn test<S: Simd>(&self, simd: S, leaf: &Leaf4, t_max: f32) -> Lanes<S> {
        let o = splat3(simd, &self.origin);
        let d = splat3(simd, &self.direction);
        let v0 = load3(simd, &leaf.v0);
        let e1 = load3(simd, &leaf.edge1);
        let e2 = load3(simd, &leaf.edge2);
        let c = [v0[0] - o[0], v0[1] - o[1], v0[2] - o[2]];
        let minus_area = f32x4::load_array_ref(simd, &leaf.minus_error_area);
        let minus_reach = f32x4::load_array_ref(simd, &leaf.minus_error_reach);

        let r = cross(c, d);
        let n = cross(e2, e1);
        let signed_det = dot(n, d);
        let det = signed_det.abs();
        let flip = Flip::of(signed_det);
        let u = flip.apply(dot(r, e2));
        let v = flip.apply(dot(r, e1));
        let w = (det - u) - v;
        let t_num = flip.apply(dot(c, n));

        let reach = c[0].abs().max(c[1].abs()).max(c[2].abs());
        let direction_bound = f32x4::splat(simd, self.direction_bound);
        let minus_bound = (reach * minus_reach + minus_area) * direction_bound;
        let least = u.min(v).min(w);
        // Written so that NaN, which only numbers beyond the filter's range give, is a candidate.
        let candidate = !least.simd_lt(minus_bound);
        let inside = (-least).simd_lt(minus_bound);
        let tiny = f32x4::splat(simd, f32::MIN_POSITIVE);
        let minus_t_bound = reach * minus_area;
        // A certain hit of the line, certainly behind the origin.
        let behind = inside & t_num.simd_lt(minus_t_bound - tiny);
        let mut open = candidate;
        if self.t_min >= 0.0 {
            open &= !behind;
        }
        let none =
            Lanes { sure: 0, unsure: 0, good: 0, t: t_num, u, v, det, minus_bound, fronts: 0 };
        if !open.any_true() {
            return none;
        }
        let t = t_num / det;
        let far = f32x4::splat(simd, -GOOD_T);
        let good = det.simd_gt(far * minus_area * direction_bound)
            & t_num.abs().simd_gt((far * minus_t_bound).max(tiny + tiny));
        let in_range =
            f32x4::splat(simd, self.t_min).simd_le(t) & t.simd_le(f32x4::splat(simd, t_max));
        let open: mask32x4<S> = open & (!good | in_range);
        let sure = open & good & inside;
        Lanes {
            sure: sure.to_bitmask() as u32,
            unsure: (open & !sure).to_bitmask() as u32,
            good: good.to_bitmask() as u32,
            t,
            fronts: signed_det.simd_lt(f32x4::splat(simd, 0.0)).to_bitmask() as u32,
            ..none
        }
    }
}

/// Gives numbers the sign that a determinant's sign makes theirs.
#[derive(Clone, Copy)]
struct Flip<S: Simd>(fearless_simd::u32x4<S>);

impl<S: Simd> Flip<S> {
    #[inline(always)]
    fn of(x: f32x4<S>) -> Self {
        let bits: fearless_simd::u32x4<S> = x.bitcast();
        Self(bits & 0x8000_0000)
    }

    #[inline(always)]
    fn apply(self, x: f32x4<S>) -> f32x4<S> {
        let bits: fearless_simd::u32x4<S> = x.bitcast();
        (bits ^ self.0).bitcast()
    }
}

type Vec3x4<S> = [f32x4<S>; 3];

// Functions, not closures: a closure is not inlined across the boundary of a target feature.
#[inline(always)]
fn splat3<S: Simd>(simd: S, v: &[f32; 3]) -> Vec3x4<S> {
    [f32x4::splat(simd, v[0]), f32x4::splat(simd, v[1]), f32x4::splat(simd, v[2])]
}

#[inline(always)]
fn load3<S: Simd>(simd: S, v: &[[f32; 4]; 3]) -> Vec3x4<S> {
    let [x, y, z] = v;
    [f32x4::load_array_ref(simd, x), f32x4::load_array_ref(simd, y), f32x4::load_array_ref(simd, z)]
}

#[inline(always)]
fn cross<S: Simd>(a: Vec3x4<S>, b: Vec3x4<S>) -> Vec3x4<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot<S: Simd>(a: Vec3x4<S>, b: Vec3x4<S>) -> f32x4<S> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
