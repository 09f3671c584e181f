//! The determinant of a 3×3 matrix of f64 numbers, exact up to one last rounding.
//!
//! Each of its six products is held exactly in four f64 numbers, and all are summed without loss
//! as an expansion. J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
//! Geometric Predicates", 1997.

/// Entries are zero or from here to 4 in size, so that no product loses its last bits to
/// underflow. Below this lies no number that, in f32, shares a row with one of size 1 to 2.
pub(super) const LEAST: f64 = f64::from_bits((1023 - 290) << 52);

/// The determinant; zero only if it is zero as a real number.
pub(super) fn exact(m: &[[f64; 3]; 3]) -> f64 {
    // Components grow in size and do not overlap; there is room for four a product.
    let mut expansion = [0.0; 24];
    let mut len = 0;
    for [a, b, c] in products(m) {
        let (high, low) = product(a, b);
        let ((low_high, low_low), (high_high, high_low)) = (product(low, c), product(high, c));
        for term in [low_low, low_high, high_low, high_high] {
            grow(&mut expansion[..=len], term);
            len += 1;
        }
    }
    expansion.iter().sum()
}

/// What the determinant would be if none of its products had another's opposite sign.
pub(super) fn largest_possible(m: &[[f64; 3]; 3]) -> f64 {
    products(m).map(|[a, b, c]| (a * b * c).abs()).sum()
}

/// The cofactor of an entry, good to one and a half of its last digits.
///
/// W. Kahan's difference of products; C.-P. Jeannerod, N. Louvet, J.-M. Muller, "Further Analysis
/// of Kahan's Algorithm for the Accurate Computation of 2×2 Determinants", 2013.
pub(super) fn cofactor(m: &[[f64; 3]; 3], row: usize, column: usize) -> f64 {
    let (r1, r2) = ((row + 1) % 3, (row + 2) % 3);
    let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
    let (subtrahend, rest) = product(m[r1][c2], m[r2][c1]);
    m[r1][c1].mul_add(m[r2][c2], -subtrahend) - rest
}

/// The factors of the determinant's six products, the sign in the last.
fn products(m: &[[f64; 3]; 3]) -> impl Iterator<Item = [f64; 3]> {
    (0..3).flat_map(move |column| {
        let (next, last) = ((column + 1) % 3, (column + 2) % 3);
        [[m[0][column], m[1][next], m[2][last]], [m[0][column], m[1][last], -m[2][next]]]
    })
}

/// A product, and what its rounding took away.
fn product(a: f64, b: f64) -> (f64, f64) {
    let high = a * b;
    (high, a.mul_add(b, -high))
}

/// Adds `term` to an expansion whose last component is free.
fn grow(expansion: &mut [f64], term: f64) {
    let mut carry = term;
    for component in expansion.iter_mut() {
        let sum = carry + *component;
        let virtual_component = sum - carry;
        let error = (carry - (sum - virtual_component)) + (*component - virtual_component);
        *component = error;
        carry = sum;
    }
    if let Some(last) = expansion.last_mut() {
        *last = carry;
    }
}
