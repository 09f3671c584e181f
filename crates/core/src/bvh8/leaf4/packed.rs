//! What a leaf keeps of triangles, in plain arrays.

use super::Leaf4;

/// What a leaf keeps of triangles beside their first corners; one or four at a time, lane by lane
/// and without branches, so that four take little longer than one.
pub(super) struct Packed<const LANES: usize> {
    pub(super) edge1: [[f32; LANES]; 3],
    pub(super) edge2: [[f32; LANES]; 3],
    pub(super) minus_error_reach: [f32; LANES],
    pub(super) minus_error_area: [f32; LANES],
}

impl<const LANES: usize> Packed<LANES> {
    /// By corner, axis and lane; `far` says whether any coordinate is huge.
    #[inline(always)]
    pub(super) fn of(corners: &[[[f32; LANES]; 3]; 3], far: bool) -> Self {
        let [v0, v1, v2] = corners;
        // Loops: `map` over arrays of arrays becomes calls, without the SIMD level.
        let (mut edge1, mut edge2) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for axis in 0..3 {
            edge1[axis] = each(|lane| v0[axis][lane] - v1[axis][lane]);
            edge2[axis] = each(|lane| v2[axis][lane] - v0[axis][lane]);
        }
        let (mut minus_error_reach, mut minus_error_area) = minus_errors(&edge1, &edge2);
        if far {
            for lane in 0..LANES {
                let mut numbers = corners.as_flattened().iter().map(|numbers| numbers[lane].abs());
                if numbers.any(|x| x >= Leaf4::HUGE) {
                    minus_error_reach[lane] = f32::NEG_INFINITY;
                    minus_error_area[lane] = f32::NEG_INFINITY;
                }
            }
        }
        Self { edge1, edge2, minus_error_reach, minus_error_area }
    }
}

/// Nine roundings and a little, as [`minus_errors`] counts them.
pub(super) const ROUNDINGS: f64 = 9.1 / (1 << 24) as f64;
/// More than underflow can do.
pub(super) const FLOOR: f64 = 1.0 / (1_u128 << 100) as f64;

/// Minus the error constants of each lane.
///
/// With u = 2⁻²⁴ and at most nine roundings on any way to a result, an error is below 9.1·u times
/// the sum of the magnitudes that were added up. Those sums are at most twice (|edge1|₁ + |edge2|₁)
/// for each unit of reach and direction, and the sum of the magnitudes in the cross product; the
/// latter is doubled, because the sign of the determinant may be wrong as well. The floors cover
/// underflow: a product that vanishes is off by 2⁻¹⁵⁰ at most, and an edge may multiply that.
#[inline(always)]
fn minus_errors<const LANES: usize>(
    edge1: &[[f32; LANES]; 3],
    edge2: &[[f32; LANES]; 3],
) -> ([f32; LANES], [f32; LANES]) {
    let (mut e1, mut e2) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    for axis in 0..3 {
        e1[axis] = each(|lane| f64::from(edge1[axis][lane].abs()));
        e2[axis] = each(|lane| f64::from(edge2[axis][lane].abs()));
    }
    let mut sum = e1[0];
    for edge in [&e1[1], &e1[2], &e2[0], &e2[1], &e2[2]] {
        sum = each(|lane| sum[lane] + edge[lane]);
    }
    let mut cross = [0.0; LANES];
    for (j, k) in [(1, 2), (2, 0), (0, 1)] {
        let component: [f64; LANES] =
            each(|lane| e1[j][lane] * e2[k][lane] + e1[k][lane] * e2[j][lane]);
        cross = each(|lane| cross[lane] + component[lane]);
    }
    let reach = each(|lane| -above(greater(ROUNDINGS * 2.0 * sum[lane], FLOOR)));
    let area = each(|lane| {
        let floor = FLOOR * greater(sum[lane], 1.0);
        -above(greater(ROUNDINGS * 2.0 * cross[lane], floor))
    });
    (reach, area)
}

/// The same for each lane.
#[inline(always)]
pub(super) fn each<T: Copy + Default, const LANES: usize>(of: impl Fn(usize) -> T) -> [T; LANES] {
    let mut lanes = [T::default(); LANES];
    for (lane, place) in lanes.iter_mut().enumerate() {
        *place = of(lane);
    }
    lanes
}

/// A little more than a positive number.
#[inline(always)]
fn above(x: f64) -> f32 {
    // `next_up` asks what kind of number it is; here it is positive, and finite where it is used.
    f32::from_bits((x as f32).to_bits() + 1)
}

#[inline(always)]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
