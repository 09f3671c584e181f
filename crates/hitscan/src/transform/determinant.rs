//! The determinant of a 3×3 matrix of f32 numbers, exact up to one last rounding.
//!
//! Each of its six products is held exactly in two f64 numbers, and the twelve are summed without
//! loss as an expansion. J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
//! Robust Geometric Predicates", 1997.

/// The determinant; zero only if it is zero as a real number. Every entry must be an f32.
pub(super) fn exact(m: &[[f64; 3]; 3]) -> f64 {
    // Components grow in size and do not overlap; there is room for two a product.
    let mut expansion = [0.0; 12];
    let mut len = 0;
    for column in 0..3 {
        let (next, last) = ((column + 1) % 3, (column + 2) % 3);
        for (second, third, sign) in [(next, last, 1.0), (last, next, -1.0)] {
            // A product of two f32 has at most 48 bits: exact.
            let pair = m[0][column] * m[1][second];
            let factor = sign * m[2][third];
            let high = pair * factor;
            let low = pair.mul_add(factor, -high);
            for term in [low, high] {
                grow(&mut expansion[..=len], term);
                len += 1;
            }
        }
    }
    expansion.iter().sum()
}

/// The cofactor of an entry, rounded once.
pub(super) fn cofactor(m: &[[f64; 3]; 3], row: usize, column: usize) -> f64 {
    let (r1, r2) = ((row + 1) % 3, (row + 2) % 3);
    let (c1, c2) = ((column + 1) % 3, (column + 2) % 3);
    m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
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
