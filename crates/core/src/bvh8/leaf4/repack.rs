//! The leaf of the same triangles after they have moved, four lanes at a time.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f64x4, mask32x4, u32x4, u32x8};

use super::Leaf4;
use super::packed::{FLOOR, ROUNDINGS};

/// A box, by side: four numbers, of which the last says nothing.
pub(in crate::bvh8) type Sides<S> = [f32x4<S>; 2];

/// The corners of a leaf's triangles, in registers. Lanes without a triangle have the first one,
/// so that the box is right.
pub(in crate::bvh8) struct Moved<S: Simd> {
    /// By corner and axis.
    corners: [[f32x4<S>; 3]; 3],
    /// The box around all.
    pub(in crate::bvh8) sides: Sides<S>,
}

impl<S: Simd> Moved<S> {
    /// By corner and lane: three coordinates each, and a number that says nothing.
    #[inline(always)]
    pub(in crate::bvh8) fn of(rows: [[f32x4<S>; 4]; 3]) -> Self {
        let [mut min, mut max] = [rows[0][0]; 2];
        let mut corners = [[min; 3]; 3];
        for corner in 0..3 {
            for row in rows[corner] {
                (min, max) = (min.min(row), max.max(row));
            }
            corners[corner] = by_axis(rows[corner]);
        }
        Self { corners, sides: [min, max] }
    }

    /// Whether some number may be huge.
    #[inline(always)]
    pub(in crate::bvh8) fn reach_far(&self, simd: S) -> bool {
        let [min, max] = self.sides;
        let reach = max.max(-min);
        reach.simd_lt(f32x4::splat(simd, Leaf4::HUGE)).to_bitmask() & 7 != 7
    }

    /// Whether a triangle has two corners in one place.
    #[inline(always)]
    pub(in crate::bvh8) fn some_coincide(&self) -> bool {
        let [v0, v1, v2] = self.corners;
        (same(v0, v1) | same(v1, v2) | same(v2, v0)).any_true()
    }
}

#[inline(always)]
fn same<S: Simd>(a: [f32x4<S>; 3], b: [f32x4<S>; 3]) -> mask32x4<S> {
    a[0].simd_eq(b[0]) & a[1].simd_eq(b[1]) & a[2].simd_eq(b[2])
}

impl Leaf4 {
    /// Becomes the leaf of the same triangles where they are now, of which there are some, without
    /// marks and with no number that is huge; bit for bit as [`Self::pack`] makes it.
    #[inline(always)]
    pub(in crate::bvh8) fn repack<S: Simd>(&mut self, simd: S, moved: &Moved<S>) {
        let is_there: mask32x4<S> =
            !u32x4::from_slice(simd, &self.marked_prim).simd_eq(u32x4::splat(simd, Self::NO_PRIM));
        let zero = f32x4::splat(simd, 0.0);
        let [v0, v1, v2] = moved.corners;
        let edge1 = [v0[0] - v1[0], v0[1] - v1[1], v0[2] - v1[2]];
        let edge2 = [v2[0] - v0[0], v2[1] - v0[1], v2[2] - v0[2]];
        let (reach, area) = minus_errors(simd, edge1, edge2);
        for axis in 0..3 {
            is_there.select(v0[axis], zero).store_slice(&mut self.v0[axis]);
            is_there.select(edge1[axis], zero).store_slice(&mut self.edge1[axis]);
            is_there.select(edge2[axis], zero).store_slice(&mut self.edge2[axis]);
        }
        let infinity = f32x4::splat(simd, f32::INFINITY);
        is_there.select(reach, zero).store_slice(&mut self.minus_error_reach);
        is_there.select(area, infinity).store_slice(&mut self.minus_error_area);
    }
}

/// Rows of coordinates, each with a number that says nothing, by axis.
#[inline(always)]
pub(in crate::bvh8) fn by_axis<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    [ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d))]
}

/// As [`super::packed::Packed::of`] has them.
#[inline(always)]
fn minus_errors<S: Simd>(
    simd: S,
    edge1: [f32x4<S>; 3],
    edge2: [f32x4<S>; 3],
) -> (f32x4<S>, f32x4<S>) {
    let (x1, y1) = edge1[0].abs().combine(edge1[1].abs()).widen();
    let (z1, x2) = edge1[2].abs().combine(edge2[0].abs()).widen();
    let (y2, z2) = edge2[1].abs().combine(edge2[2].abs()).widen();
    let sum = x1 + y1 + z1 + x2 + y2 + z2;
    let cross = (y1 * z2 + z1 * y2) + (z1 * x2 + x1 * z2) + (x1 * y2 + y1 * x2);
    let (twice, floor) = (f64x4::splat(simd, ROUNDINGS * 2.0), f64x4::splat(simd, FLOOR));
    let reach = (twice * sum).max(floor);
    let area = (twice * cross).max(floor * sum.max(f64x4::splat(simd, 1.0)));
    // The next greater number, and its sign turned.
    let errors = reach.relaxed_narrow(area).bitcast::<u32x8<S>>() + 0x8000_0001_u32;
    errors.bitcast::<f32x8<S>>().split()
}
