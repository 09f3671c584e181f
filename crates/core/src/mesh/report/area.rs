//! Whether a triangle's area is exactly zero (by Shewchuk's expansions where doubles do not say).

/// The relative error of a component of the cross product, of the sum of its products'
/// magnitudes: two differences and one rounding a product, one for their difference, and some to
/// spare.
const ERROR: f64 = 8.0 * f64::EPSILON;

/// Whether the corners, finite, lie on one line.
pub(super) fn is_zero(corners: [[f32; 3]; 3]) -> bool {
    let corners = corners.map(|corner| corner.map(f64::from));
    component_is_zero(corners, 0, 1)
        && component_is_zero(corners, 1, 2)
        && component_is_zero(corners, 2, 0)
}

#[inline(always)]
fn component_is_zero([a, b, c]: [[f64; 3]; 3], x: usize, y: usize) -> bool {
    let left = (b[x] - a[x]) * (c[y] - a[y]);
    let right = (b[y] - a[y]) * (c[x] - a[x]);
    let magnitude = left.abs() + right.abs();
    // Differences of f32 are never lost in f64, nor are their products: a zero is a zero.
    magnitude == 0.0
        || (left - right).abs() <= ERROR * magnitude && is_zero_exactly([a, b, c], x, y)
}

/// One component by exact arithmetic: no product of f32 differences overflows or underflows in
/// f64, nor does its rounding error.
#[cold]
fn is_zero_exactly([a, b, c]: [[f64; 3]; 3], x: usize, y: usize) -> bool {
    let left = product(difference(b[x], a[x]), difference(c[y], a[y]));
    let right = product(difference(b[y], a[y]), difference(c[x], a[x]));
    let mut sum = [0.0; 16];
    for (used, term) in left.into_iter().chain(right.map(|term| -term)).enumerate() {
        let mut carry = term;
        for part in &mut sum[..used] {
            (carry, *part) = two_sum(carry, *part);
        }
        sum[used] = carry;
    }
    sum.iter().all(|&part| part == 0.0)
}

/// The difference and its rounding error.
fn difference(a: f64, b: f64) -> [f64; 2] {
    let (rounded, error) = two_sum(a, -b);
    [rounded, error]
}

/// The product of two sums as a sum of doubles.
fn product(a: [f64; 2], b: [f64; 2]) -> [f64; 8] {
    let mut terms = [0.0; 8];
    for (i, term) in terms.iter_mut().enumerate() {
        let (a, b) = (a[i / 4], b[i / 2 % 2]);
        let rounded = a * b;
        *term = if i % 2 == 0 { rounded } else { a.mul_add(b, -rounded) };
    }
    terms
}

/// The sum of two doubles and its rounding error (Knuth).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}
