//! The filter's values once more, in f64.
//!
//! What the filter leaves open it has mostly rounded away itself. A leaf's own numbers, of which
//! the edges alone were rounded, settle nearly all of it: without a way to the mesh, whose corners
//! lie far apart in memory.
//!
//! ```text
//! C = v0 − o;  R = C × d;  N = edge2 × edge1;  D = N·d
//! U = R·edge2;  V = R·edge1;  W = D − U − V;  T = C·N
//! ```

use glam::DVec3;
use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

use crate::exact::{Side, abs_cross, clamp_weights};

/// What an edge was rounded by at most, relative to itself, and a thousandth more for what f64
/// rounds of terms that are bounded by it.
const EDGE: f64 = 1.001 * (f32::EPSILON / 2.0) as f64;

/// Ten roundings in f64 of anything, generously: there are seven on any way to a term.
const ROUNDED: f64 = 8.0 * f64::EPSILON;

/// D and T this many times their errors give a `t` whose relative error is below 2⁻¹⁴, within the
/// slack of the slab test.
const GOOD_T: f64 = 32768.0;

/// D this many times the errors of U, V and W gives weights that are off by less than 1/4096.
const GOOD_WEIGHT: f64 = 4096.0;

/// A value and how far it may be from that of the original corners.
#[derive(Clone, Copy, Debug)]
struct Near {
    value: f64,
    error: f64,
}

impl Near {
    /// The sign, if it is certain; 0 if not, or if a number beyond f32 took part.
    #[inline(always)]
    fn sign(self) -> i32 {
        i32::from(self.value > self.error) - i32::from(self.value < -self.error)
    }

    /// Whether it lies so many times above its error.
    #[inline(always)]
    fn is_good(self, times: f64) -> bool {
        self.value.abs() > times * self.error
    }
}

/// A ray and one triangle of a leaf: the filter's values in f64, without the sign of D taken out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refined {
    u: Near,
    v: Near,
    w: Near,
    det: Near,
    t_numerator: Near,
}

impl Refined {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray, leaf: &Leaf4, lane: usize) -> Self {
        let lane = lane % Leaf4::LANES;
        let of =
            |v: &[[f32; 4]; 3]| DVec3::from([v[0][lane], v[1][lane], v[2][lane]].map(f64::from));
        let (v0, edge1, edge2) = (of(&leaf.v0), of(&leaf.edge1), of(&leaf.edge2));
        let d = DVec3::from(ray.direction.map(f64::from));
        let c = v0 - DVec3::from(ray.origin.map(f64::from));
        let r = c.cross(d);
        let n = edge2.cross(edge1);
        // The errors: of a rounded edge that is multiplied by what is known to f64, or of two that
        // are multiplied by each other; and what f64 itself does to terms that cancel.
        let r_terms = abs_cross(c, d);
        let n_terms = abs_cross(edge2, edge1);
        let edge_value = |edge: DVec3| Near {
            value: r.dot(edge),
            error: EDGE * r.abs().dot(edge.abs()) + ROUNDED * r_terms.dot(edge.abs()),
        };
        let (u, v) = (edge_value(edge2), edge_value(edge1));
        let det = Near { value: n.dot(d), error: 2.0 * EDGE * n_terms.dot(d.abs()) };
        let w = Near { value: det.value - u.value - v.value, error: det.error + u.error + v.error };
        let t_numerator = Near { value: c.dot(n), error: 2.0 * EDGE * n_terms.dot(c.abs()) };
        Self { u, v, w, det, t_numerator }
    }

    /// The side on which the ray's whole line hits the triangle, or `None` if it misses, if that is
    /// certain: then no edge is touched, and every rule agrees.
    #[inline(always)]
    pub(crate) fn hit_side(&self) -> Option<Option<Side>> {
        let signs = [self.u.sign(), self.v.sign(), self.w.sign()];
        let (has_plus, has_minus) = (signs.contains(&1), signs.contains(&-1));
        if has_plus && has_minus {
            return Some(None);
        }
        // U + V + W = D, and a front faces the ray: D < 0.
        let side = if has_minus { Side::Front } else { Side::Back };
        (!signs.contains(&0)).then_some(Some(side))
    }

    /// T / D, rounded once more to f32, if it is good; then its sign is right.
    #[inline(always)]
    pub(crate) fn t(&self) -> Option<f32> {
        let good = self.det.is_good(GOOD_T) && self.t_numerator.is_good(GOOD_T);
        let t = (self.t_numerator.value / self.det.value) as f32;
        (good && t.abs() >= f32::MIN_POSITIVE).then_some(t)
    }

    /// The weights of the second and third corner where the line hits, in [0, 1] and with a sum of
    /// at most 1, if they are good. To be asked for hits only.
    #[inline(always)]
    pub(crate) fn weights(&self) -> Option<(f32, f32)> {
        let det = self.det.value;
        let good = det.abs() > GOOD_WEIGHT * self.w.error;
        good.then(|| clamp_weights((self.u.value / det) as f32, (self.v.value / det) as f32))
    }
}
