//! Whether a ray hits a triangle, and where, decided without error.
//!
//! Everything here is about real numbers: the f32 coordinates as they stand, no rounding. With
//! a, b, c the corners relative to the ray's origin, the ray's line passes the three edges on the
//! sides told by the signs of
//!
//! ```text
//! U = d·(a × c)   V = d·(b × a)   W = d·(c × b)   U + V + W = −d·n, n = (b − a) × (c − a)
//! ```
//!
//! and hits the triangle if they do not disagree. f64 with an error bound settles nearly all; what
//! it leaves open, [`whole`] settles where numbers are short, else [`expansion`].

mod expansion;
mod whole;

use expansion::Expansion;
use glam::DVec3;
use hitscan_core::Ray;

use crate::options::EdgeRule;

/// Which side of a triangle a ray meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Front,
    Back,
}

/// A ray's line and a triangle's corners, in f64 without loss.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    origin: DVec3,
    direction: DVec3,
    corners: [DVec3; 3],
}

/// Half a unit in the last place of an f64.
const U64: f64 = f64::EPSILON / 2.0;

impl Exact {
    pub(crate) fn new(ray: &Ray, corners: [[f32; 3]; 3]) -> Self {
        let vector = |v: [f32; 3]| DVec3::from(v.map(f64::from));
        Self {
            origin: vector(ray.origin),
            direction: vector(ray.direction),
            corners: corners.map(vector),
        }
    }

    /// The side on which the ray's whole line hits the triangle, if it does; the caller looks
    /// whether [`Self::t`] counts.
    pub(crate) fn hit_side(&self, rule: EdgeRule) -> Option<Side> {
        let signs = self.edge_signs(rule);
        let [least, greatest] = [signs.iter().min(), signs.iter().max()].map(|s| *s.unwrap_or(&0));
        let hit = match rule {
            EdgeRule::Closed => least >= 0 && greatest > 0 || greatest <= 0 && least < 0,
            EdgeRule::Once => least == greatest && least != 0,
        };
        // U + V + W = −d·n, and a front faces the ray: d·n < 0.
        hit.then_some(if greatest > 0 { Side::Front } else { Side::Back })
    }

    /// The signs of U, V and W; a zero is replaced as the rule wants it.
    pub(crate) fn edge_signs(&self, rule: EdgeRule) -> [i32; 3] {
        let [a, b, c] = self.corners.map(|v| v - self.origin);
        let signs = [self.edge_sign(a, c), self.edge_sign(b, a), self.edge_sign(c, b)];
        if signs.iter().all(|sign| sign.is_some_and(|sign| sign != 0)) {
            return signs.map(Option::unwrap_or_default);
        }
        self.edge_signs_exactly(signs, rule)
    }

    /// The signs of U, V and W, of which some are known.
    #[cold]
    fn edge_signs_exactly(&self, signs: [Option<i32>; 3], rule: EdgeRule) -> [i32; 3] {
        let [v0, v1, v2] = self.corners;
        let mut edges = [(v0, v2), (v1, v0), (v2, v1)].into_iter();
        signs.map(|sign| {
            let (p, q) = edges.next().unwrap_or_default();
            match sign.unwrap_or_else(|| self.edge_sign_exactly(p, q)) {
                0 if rule == EdgeRule::Once => self.moved_edge_sign(p, q),
                sign => sign,
            }
        })
    }

    /// U + V + W: above 0 if the line runs against the front, below if against the back, 0 only if
    /// it is parallel to the triangle.
    pub(crate) fn edge_sum(&self) -> f64 {
        -self.denominator_exactly().estimate()
    }

    /// Whether the origin lies in the triangle's plane.
    pub(crate) fn starts_in_plane(&self) -> bool {
        self.numerator_exactly().sign() == 0
    }

    /// The sign of d·(p × q) for corners relative to the origin, if f64 tells it.
    #[inline(always)]
    fn edge_sign(&self, p: DVec3, q: DVec3) -> Option<i32> {
        let value = self.direction.dot(p.cross(q));
        let magnitude = self.direction.abs().dot(abs_cross(p, q));
        // Seven roundings on any way to a term: two differences, three for the cross product and
        // the factor d, two for the sum.
        (value.abs() > 8.5 * U64 * magnitude || magnitude == 0.0).then(|| sign(value))
    }

    /// The sign of d·((p − o) × (q − o)).
    fn edge_sign_exactly(&self, p: DVec3, q: DVec3) -> i32 {
        let relative = |p: DVec3| whole::difference(p, self.origin);
        let short = relative(p).zip(relative(q));
        let sign = short.and_then(|(p, q)| whole::triple_sign(self.direction, p, q));
        sign.unwrap_or_else(|| self.edge_expansion(p, q).sign())
    }

    #[cold]
    fn edge_expansion(&self, p: DVec3, q: DVec3) -> Expansion<36> {
        let o = self.origin;
        let mut sum = Expansion::ZERO;
        for (i, j, k) in CYCLIC {
            let d = self.direction[i];
            // (p − o) × (q − o) multiplied out; o × o is gone.
            for product in
                [p[j] * q[k], -p[k] * q[j], -p[j] * o[k], p[k] * o[j], -o[j] * q[k], o[k] * q[j]]
            {
                sum.add_product(product, d);
            }
        }
        sum
    }

    /// The sign that an edge's value takes when the origin moves sideways by an infinitely small
    /// step, ε along one axis and ε² along another, neither of them the one the ray mostly runs
    /// along: that of (d × (q − p)) along the first, or else along the second. Zero only if the
    /// edge is parallel to the ray; then the ray is parallel to the triangle.
    fn moved_edge_sign(&self, p: DVec3, q: DVec3) -> i32 {
        let d = self.direction;
        let size = d.abs();
        let dominant = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        CYCLIC
            .into_iter()
            .filter(|&(k, ..)| k != dominant)
            .map(|(_, i, j)| {
                let edge = q - p;
                let [first, second] = [d[i] * edge[j], -d[j] * edge[i]];
                // Three roundings on any way to a term.
                if (first + second).abs() > 4.0 * U64 * (first.abs() + second.abs()) {
                    return sign(first + second);
                }
                let mut sum = Expansion::<4>::ZERO;
                for product in [d[i] * q[j], -d[i] * p[j], -d[j] * q[i], d[j] * p[i]] {
                    sum.add(product);
                }
                sum.sign()
            })
            .find(|&sign| sign != 0)
            .unwrap_or(0)
    }

    /// t = a·n / d·n, rounded once to f32; its sign is right, and it is exactly 0 where it should
    /// be.
    pub(crate) fn t(&self) -> f32 {
        let [a, b, c] = self.corners.map(|v| v - self.origin);
        let [v0, v1, v2] = self.corners;
        let (e1, e2) = (v1 - v0, v2 - v0);
        let numerator = a.dot(b.cross(c));
        let denominator = self.direction.dot(e1.cross(e2));
        // A relative error of 2⁻³⁰ is far below what f32 shows.
        const GOOD: f64 = 9.0 * U64 * (1_u64 << 30) as f64;
        let numerator_good = numerator.abs() > GOOD * a.abs().dot(abs_cross(b, c));
        let denominator_good =
            denominator.abs() > GOOD * self.direction.abs().dot(abs_cross(e1, e2));
        let numerator =
            if numerator_good { numerator } else { self.numerator_exactly().estimate() };
        let denominator =
            if denominator_good { denominator } else { self.denominator_exactly().estimate() };
        let exact = numerator / denominator;
        let t = exact as f32;
        // What f32 cannot tell from 0 keeps its sign: it lies before or behind the origin.
        let underflows = t == 0.0 && exact != 0.0;
        // The sum turns −0 into 0.
        if underflows { f32::from_bits(1).copysign(t) } else { t + 0.0 }
    }

    /// a·(b × c), corners relative to the origin.
    #[cold]
    fn numerator_exactly(&self) -> Expansion<48> {
        let [v0, v1, v2] = self.corners;
        let mut sum = Expansion::ZERO;
        for (i, j, k) in CYCLIC {
            sum.add_product(v1[j] * v2[k], v0[i]);
            sum.add_product(-v1[k] * v2[j], v0[i]);
            for (p, q) in [(v1, v2), (v2, v0), (v0, v1)] {
                sum.add_product(-p[j] * q[k], self.origin[i]);
                sum.add_product(p[k] * q[j], self.origin[i]);
            }
        }
        sum
    }

    /// d·n.
    #[cold]
    fn denominator_exactly(&self) -> Expansion<36> {
        let [v0, v1, v2] = self.corners;
        let mut sum = Expansion::ZERO;
        for (i, j, k) in CYCLIC {
            for (p, q) in [(v1, v2), (v2, v0), (v0, v1)] {
                sum.add_product(p[j] * q[k], self.direction[i]);
                sum.add_product(-p[k] * q[j], self.direction[i]);
            }
        }
        sum
    }

    /// The weights of the second and third corner where the line hits, in [0, 1] and with a sum
    /// of at most 1. To be asked for hits only.
    pub(crate) fn weights(&self) -> (f32, f32) {
        let [u, v, w] = self.edge_values();
        let sum = u + v + w;
        clamp_weights((u / sum) as f32, (v / sum) as f32)
    }

    /// U, V and W, with a relative error that f32 does not show.
    pub(crate) fn edge_values(&self) -> [f64; 3] {
        let [a, b, c] = self.corners.map(|v| v - self.origin);
        let d = self.direction;
        let edge = |p: DVec3, q: DVec3| {
            let value = d.dot(p.cross(q));
            let good = value.abs() > 1e-9 * d.abs().dot(abs_cross(p, q));
            (value, good)
        };
        let values = [edge(a, c), edge(b, a), edge(c, b)];
        if values.iter().all(|value| value.1) {
            values.map(|value| value.0)
        } else {
            self.edge_values_exactly()
        }
    }

    #[cold]
    fn edge_values_exactly(&self) -> [f64; 3] {
        let [v0, v1, v2] = self.corners;
        [(v0, v2), (v1, v0), (v2, v1)].map(|(p, q)| self.edge_expansion(p, q).estimate())
    }
}

/// Weights as they are given to users. NaN, which only a miss gives, becomes 0.
#[inline(always)]
pub(crate) fn clamp_weights(u: f32, v: f32) -> (f32, f32) {
    let between = |x: f32, most: f32| {
        let x = if x > 0.0 { x } else { 0.0 };
        if x < most { x } else { most }
    };
    let u = between(u, 1.0);
    (u, between(v, 1.0 - u))
}

const CYCLIC: [(usize, usize, usize); 3] = [(0, 1, 2), (1, 2, 0), (2, 0, 1)];

pub(crate) fn abs_cross(p: DVec3, q: DVec3) -> DVec3 {
    let (p, q) = (p.abs(), q.abs());
    DVec3::new(p.y * q.z + p.z * q.y, p.z * q.x + p.x * q.z, p.x * q.y + p.y * q.x)
}

fn sign(x: f64) -> i32 {
    i32::from(x > 0.0) - i32::from(x < 0.0)
}
