//! The sign of d·(p × q) in whole numbers, where the vectors are short enough for it.
//!
//! Scaled by a power of two, a vector whose components lie close together has whole components.
//! With 41 bits each the value has 126, and `i128` holds it. That is most vectors of most meshes,
//! at a tenth of the time of an [`super::expansion`].

use glam::DVec3;

/// The power of two that the largest component is scaled to.
const BITS: u64 = 40;

/// The sign, if the vectors are short enough.
pub(super) fn triple_sign(d: DVec3, p: DVec3, q: DVec3) -> Option<i32> {
    let [d, p, q] = [scaled(d)?, scaled(p)?, scaled(q)?];
    let wide = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let part =
        |i: usize, j: usize, k: usize| (wide(p[j], q[k]) - wide(p[k], q[j])) * i128::from(d[i]);
    Some((part(0, 1, 2) + part(1, 2, 0) + part(2, 0, 1)).signum() as i32)
}

/// `p − o`, if no bit of it is lost.
pub(super) fn difference(p: DVec3, o: DVec3) -> Option<DVec3> {
    let difference = p - o;
    // The rounding errors, themselves without error (Knuth's two-sum).
    let back = difference - p;
    let lost = (p - (difference - back)) - (o + back);
    (lost == DVec3::ZERO).then_some(difference)
}

/// The vector times a power of two that makes it whole and keeps it below 2⁴¹. Its components come
/// from f32 numbers, so the power is in range; a vector of zeros stays one.
fn scaled(v: DVec3) -> Option<[i64; 3]> {
    const BIAS: u64 = f64::MAX_EXP as u64 - 1;
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let exponent = v.abs().max_element().to_bits() >> FRACTION_BITS;
    let scale = f64::from_bits((2 * BIAS + BITS - exponent) << FRACTION_BITS);
    let exact = v * scale;
    let whole = exact.as_i64vec3();
    (whole.as_dvec3() == exact).then_some(whole.to_array())
}
