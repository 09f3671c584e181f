//! A leaf packed in registers, four triangles at a time: in a build, and after they have moved.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f64x4, mask32x4, u32x4, u32x8};

use super::Leaf4;
use super::packed::{FLOOR, ROUNDINGS};
use crate::mesh::CornerRows;

/// A box, by side: four numbers, of which the last says nothing.
pub(in crate::bvh8) type Sides<S> = [f32x4<S>; 2];

/// The corners of a leaf's triangles, in registers. Lanes without a triangle have the first one,
/// so that the box is right.
pub(in crate::bvh8) struct LeafCorners<S: Simd> {
    /// By corner and axis.
    corners: [[f32x4<S>; 3]; 3],
    /// The box around all.
    pub(in crate::bvh8) sides: Sides<S>,
}

impl<S: Simd> LeafCorners<S> {
    /// Those that a leaf names, without marks. `None` if that is not for this code: there is no
    /// triangle, one has the mesh's last vertex, or some number may be huge.
    #[inline(always)]
    pub(in crate::bvh8) fn of(simd: S, leaf: &Leaf4, mesh: &CornerRows<'_>) -> Option<Self> {
        let &[first, ..] = leaf.marked_prims();
        if first == Leaf4::NO_PRIM {
            return None;
        }
        let mut vertices = [mesh.vertices(first)?; 4];
        for lane in 1..4 {
            let prim = leaf.marked_prims()[lane];
            vertices[lane] = mesh.vertices(if prim == Leaf4::NO_PRIM { first } else { prim })?;
        }
        let mut rows = [[f32x4::splat(simd, 0.0); 4]; 3];
        for corner in 0..3 {
            for lane in 0..4 {
                rows[corner][lane] = f32x4::from_slice(simd, mesh.row(vertices[lane][corner])?);
            }
        }
        let corners = Self::of_rows(rows);
        let [min, max] = corners.sides;
        let reach = max.max(-min);
        let is_near = reach.simd_lt(f32x4::splat(simd, Leaf4::HUGE)).to_bitmask() & 7 == 7;
        is_near.then_some(corners)
    }

    /// By corner and lane: three coordinates each, and a number that says nothing.
    #[inline(always)]
    pub(in crate::bvh8) fn of_rows(rows: [[f32x4<S>; 4]; 3]) -> Self {
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
    /// Becomes the leaf of the triangles that it names, without marks, where their corners are now;
    /// bit for bit as [`Self::pack`] makes it.
    #[inline(always)]
    pub(in crate::bvh8) fn repack<S: Simd>(&mut self, simd: S, corners: &LeafCorners<S>) {
        let is_there: mask32x4<S> =
            !u32x4::from_slice(simd, &self.marked_prim).simd_eq(u32x4::splat(simd, Self::NO_PRIM));
        let zero = f32x4::splat(simd, 0.0);
        let [v0, v1, v2] = corners.corners;
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
