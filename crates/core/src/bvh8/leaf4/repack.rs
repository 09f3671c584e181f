//! The leaf of the same triangles after they have moved, four lanes at a time.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f64x4, mask32x4, u32x4, u32x8};

use super::Leaf4;
use super::packed::{FLOOR, ROUNDINGS};
use crate::mesh::CornerRows;

/// A box, by side: four numbers, of which the last says nothing.
pub(in crate::bvh8) type Sides<S> = [f32x4<S>; 2];

impl Leaf4 {
    /// Makes the leaf of the same triangles anew, which have no marks, bit for bit as
    /// [`Self::pack`] does; gives the box around them. `None` if that is not for this code: there
    /// are no triangles, some numbers are huge, or two corners of a triangle are the same.
    #[inline(always)]
    pub(in crate::bvh8) fn repack<S: Simd>(
        &mut self,
        simd: S,
        mesh: &CornerRows<'_>,
    ) -> Option<Sides<S>> {
        let first = self.marked_prim[0];
        if first == Self::NO_PRIM {
            return None;
        }
        // Lanes without a triangle take the first one, so that the box is right, and lose it below.
        let mut vertices = [mesh.vertices(first)?; 4];
        for lane in 1..4 {
            let prim = self.marked_prim[lane];
            vertices[lane] = mesh.vertices(if prim == Self::NO_PRIM { first } else { prim })?;
        }
        let (mut min, mut max) = (f32x4::splat(simd, f32::MAX), f32x4::splat(simd, f32::MIN));
        let mut corners = [[min; 3]; 3];
        for corner in 0..3 {
            let mut rows = [min; 4];
            for lane in 0..4 {
                rows[lane] = f32x4::from_slice(simd, mesh.row(vertices[lane][corner])?);
                (min, max) = (min.min(rows[lane]), max.max(rows[lane]));
            }
            corners[corner] = by_axis(rows);
        }
        let [v0, v1, v2] = corners;
        let reach = max.max(-min);
        let is_near = reach.simd_lt(f32x4::splat(simd, Self::HUGE)).to_bitmask() & 7 == 7;
        let is_there: mask32x4<S> =
            !u32x4::from_slice(simd, &self.marked_prim).simd_eq(u32x4::splat(simd, Self::NO_PRIM));
        let zero = f32x4::splat(simd, 0.0);
        let edge1 = [v0[0] - v1[0], v0[1] - v1[1], v0[2] - v1[2]];
        let edge2 = [v2[0] - v0[0], v2[1] - v0[1], v2[2] - v0[2]];
        let (reach, area, has_no_area) = minus_errors(simd, edge1, edge2);
        let same12 = v1[0].simd_eq(v2[0]) & v1[1].simd_eq(v2[1]) & v1[2].simd_eq(v2[2]);
        if !is_near || same12.any_true() || has_no_area {
            return None;
        }
        for axis in 0..3 {
            is_there.select(v0[axis], zero).store_slice(&mut self.v0[axis]);
            is_there.select(edge1[axis], zero).store_slice(&mut self.edge1[axis]);
            is_there.select(edge2[axis], zero).store_slice(&mut self.edge2[axis]);
        }
        let infinity = f32x4::splat(simd, f32::INFINITY);
        is_there.select(reach, zero).store_slice(&mut self.minus_error_reach);
        is_there.select(area, infinity).store_slice(&mut self.minus_error_area);
        Some([min, max])
    }
}

/// Rows of coordinates, each with a number that says nothing, by axis.
#[inline(always)]
pub(in crate::bvh8) fn by_axis<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 3] {
    let (ac, bd) = (a.zip_low(c), b.zip_low(d));
    [ac.zip_low(bd), ac.zip_high(bd), a.zip_high(c).zip_low(b.zip_high(d))]
}

/// As [`super::packed::Packed::of`] has them; and whether a lane has no area that could be off, as
/// where two corners of an edge are the same.
#[inline(always)]
fn minus_errors<S: Simd>(
    simd: S,
    edge1: [f32x4<S>; 3],
    edge2: [f32x4<S>; 3],
) -> (f32x4<S>, f32x4<S>, bool) {
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
    let (reach, area) = errors.bitcast::<f32x8<S>>().split();
    (reach, area, cross.simd_eq(f64x4::splat(simd, 0.0)).any_true())
}
