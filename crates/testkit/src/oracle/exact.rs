//! Exact signs and quotients of the products that decide whether a ray meets a triangle.
//!
//! Each is first computed in f64 beside the sum of its terms' magnitudes. An expression of
//! differences of f32, with at most 8 roundings on the way to each term, is off by less than
//! 8·2⁻⁵³·1.01 times that sum; `BOUND` is that with room to spare. Products of three f32 neither
//! overflow nor underflow in f64. What the bound cannot settle is computed in whole numbers.

use crate::integer::Integer;
use crate::vector::{Vector, cross, dot, sub, wide};

/// Relative to the sum of magnitudes: 12·2⁻⁵³.
const BOUND: f64 = 12.0 * f64::EPSILON / 2.0;

/// A value in f64 and the greatest error it can have.
#[derive(Clone, Copy)]
pub(super) struct Bounded {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Bounded {
    /// `d · (p × q)`, where the arguments are differences of f32.
    pub(super) fn triple(d: Vector, p: Vector, q: Vector) -> Self {
        let value = dot(d, cross(p, q));
        let [d, p, q] = [d, p, q].map(|x| x.map(f64::abs));
        let magnitude = d[0] * (p[1] * q[2] + p[2] * q[1])
            + d[1] * (p[2] * q[0] + p[0] * q[2])
            + d[2] * (p[0] * q[1] + p[1] * q[0]);
        Self { value, error: magnitude * BOUND }
    }

    /// The sign if it is certain.
    pub(super) fn sign(self) -> Option<i32> {
        match self {
            Self { error: 0.0, .. } => Some(0),
            Self { value, error } if value > error => Some(1),
            Self { value, error } if value < -error => Some(-1),
            _ => None,
        }
    }

    fn relative_error(self) -> f64 {
        self.error / self.value.abs()
    }
}

type Exact = [Integer; 3];

fn exact(p: [f32; 3]) -> Exact {
    p.map(Integer::of_f32)
}

fn exact_sub(p: &Exact, q: &Exact) -> Exact {
    std::array::from_fn(|axis| &p[axis] - &q[axis])
}

fn exact_cross(p: &Exact, q: &Exact) -> Exact {
    let minor = |j: usize, k: usize| &(&p[j] * &q[k]) - &(&p[k] * &q[j]);
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

fn exact_dot(p: &Exact, q: &Exact) -> Integer {
    &(&(&p[0] * &q[0]) + &(&p[1] * &q[1])) + &(&p[2] * &q[2])
}

/// The sign of `d · ((p − o) × (q − o))`.
pub(super) fn edge_sign(d: [f32; 3], o: [f32; 3], p: [f32; 3], q: [f32; 3]) -> i32 {
    let (from, to) = (sub(wide(p), wide(o)), sub(wide(q), wide(o)));
    Bounded::triple(wide(d), from, to).sign().unwrap_or_else(|| {
        let o = exact(o);
        let (from, to) = (exact_sub(&exact(p), &o), exact_sub(&exact(q), &o));
        exact_dot(&exact(d), &exact_cross(&from, &to)).sign()
    })
}

/// The weights of the second and third corners where the line meets the triangle, given the
/// `products` of its three edges.
pub(super) fn weights(
    ray: &hitscan_core::Ray,
    corners: [[f32; 3]; 3],
    products: [Bounded; 3],
) -> [f64; 2] {
    let sum: f64 = products.iter().map(|product| product.value).sum();
    if products.iter().all(|product| product.error < 1e-9 * sum.abs()) {
        return [products[0].value / sum, products[1].value / sum];
    }
    // From far off, the products cancel.
    let (o, d) = (exact(ray.origin), exact(ray.direction));
    let [a, b, c] = corners.map(|corner| exact_sub(&exact(corner), &o));
    let [u, v, w] = [(&a, &c), (&b, &a), (&c, &b)].map(|(p, q)| exact_dot(&d, &exact_cross(p, q)));
    let sum = &(&u + &v) + &w;
    [u.ratio(&sum), v.ratio(&sum)]
}

/// The sign of component `axis` of `d × (q − p)`.
pub(super) fn tilt_sign(d: [f32; 3], p: [f32; 3], q: [f32; 3], axis: usize) -> i32 {
    let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
    let (direction, edge) = (wide(d), sub(wide(q), wide(p)));
    let terms = [direction[j] * edge[k], -direction[k] * edge[j]];
    let error = (terms[0].abs() + terms[1].abs()) * BOUND;
    Bounded { value: terms[0] + terms[1], error }
        .sign()
        .unwrap_or_else(|| exact_cross(&exact(d), &exact_sub(&exact(q), &exact(p)))[axis].sign())
}

/// Where the ray's line meets the triangle's plane: `t = numerator / denominator`, kept so that
/// `t` can be compared with a bound exactly.
pub(super) struct Distance {
    t: f64,
    relative_error: f64,
    exact: Option<(Integer, Integer)>,
}

impl Distance {
    /// The distance to the plane of `corners`, which the ray is known not to be parallel to.
    pub(super) fn new(d: [f32; 3], o: [f32; 3], corners: [[f32; 3]; 3]) -> Self {
        let [v0, v1, v2] = corners.map(wide);
        let (e1, e2) = (sub(v1, v0), sub(v2, v0));
        let numerator = Bounded::triple(sub(v0, wide(o)), e1, e2);
        let denominator = Bounded::triple(wide(d), e1, e2);
        let relative_error = numerator.relative_error() + denominator.relative_error();
        if numerator.error == 0.0 {
            return Self { t: 0.0, relative_error: 0.0, exact: None };
        }
        if relative_error < 1e-12 {
            let t = numerator.value / denominator.value;
            return Self { t, relative_error: 2.0 * relative_error, exact: None };
        }
        let (numerator, denominator) = exact_distance(d, o, corners);
        let t = numerator.ratio(&denominator);
        Self { t, relative_error: 1e-15, exact: Some((numerator, denominator)) }
    }

    pub(super) fn t(&self) -> f64 {
        self.t
    }

    /// Whether `t_min ≤ t ≤ t_max`, decided exactly.
    pub(super) fn within(&self, ray: &hitscan_core::Ray, corners: [[f32; 3]; 3]) -> bool {
        self.compare(ray.t_min, ray, corners) >= 0 && self.compare(ray.t_max, ray, corners) <= 0
    }

    /// The sign of `t − bound`.
    fn compare(&self, bound: f32, ray: &hitscan_core::Ray, corners: [[f32; 3]; 3]) -> i32 {
        let difference = self.t - f64::from(bound);
        if difference.abs() > 2.0 * self.relative_error * self.t.abs() || bound.is_infinite() {
            return if difference > 0.0 { 1 } else { -1 };
        }
        let computed;
        let (numerator, denominator) = if let Some(exact) = &self.exact {
            exact
        } else {
            computed = exact_distance(ray.direction, ray.origin, corners);
            &computed
        };
        // numerator / denominator − bound, times the denominator: all in units of 2^-149.
        let scaled = &numerator.shifted(149) - &(denominator * &Integer::of_f32(bound));
        scaled.sign() * denominator.sign()
    }
}

/// `(v0 − o) · n` and `d · n`, `n = (v1 − v0) × (v2 − v0)`, in the same unit.
fn exact_distance(d: [f32; 3], o: [f32; 3], corners: [[f32; 3]; 3]) -> (Integer, Integer) {
    let [v0, v1, v2] = corners.map(exact);
    let normal = exact_cross(&exact_sub(&v1, &v0), &exact_sub(&v2, &v0));
    (exact_dot(&exact_sub(&v0, &exact(o)), &normal), exact_dot(&exact(d), &normal))
}
