//! The boxes of a node's children, all eight at once.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f64x4};

use crate::Aabb;
use crate::bvh8::children::lowered;
use crate::bvh8::leaf4::by_axis;
use crate::bvh8::node8::{self, Node8, Planes, lower};

/// A box, by side; the fourth numbers say nothing.
pub(super) type Rows = [[f32; 4]; 2];

/// The box of a child without triangles.
pub(super) const NO_BOX: Rows = [[node8::NO_BOX[0]; 4], [node8::NO_BOX[1]; 4]];

/// The box of a lane without a child.
const NO_CHILD: Rows = [[node8::NO_CHILD[0]; 4], [node8::NO_CHILD[1]; 4]];

/// A box in rows.
pub(super) fn rows_of(bounds: Aabb) -> Rows {
    if bounds.is_empty() {
        return NO_BOX;
    }
    [bounds.min, bounds.max].map(|side| side.extend(0.0).to_array())
}

/// The box of a node's child, of its lowered planes.
pub(super) fn rows_at(planes: &Planes, lane: usize) -> Rows {
    [0, 1].map(|side| {
        let [x, y, z] = [0, 1, 2].map(|axis| planes[axis][side][lane]);
        [x, y, z, 0.0]
    })
}

/// A box from its rows; [`NO_BOX`] is empty.
pub(super) fn bounds_of(rows: Rows) -> Aabb {
    let [min, max] = rows.map(|[x, y, z, _]| glam::Vec3::new(x, y, z));
    Aabb { min, max }
}

/// Gives a node the boxes of its children; gives the box around them, and half the surface areas
/// of all, as [`areas`] does.
#[inline(always)]
pub(super) fn set_boxes<S: Simd>(simd: S, node: &mut Node8, boxes: &[Rows; 8]) -> (Rows, f64x4<S>) {
    let children = node.children(simd);
    let child_count = node.child_count();
    let mut sides = [[f32x4::splat(simd, 0.0); 8]; 2];
    for lane in 0..8 {
        let rows = if lane < child_count { &boxes[lane] } else { &NO_CHILD };
        for side in 0..2 {
            sides[side][lane] = f32x4::from_slice(simd, &rows[side]);
        }
    }
    let [mut min, mut max] = [sides[0][0], sides[1][0]];
    for lane in 1..8 {
        (min, max) = (min.min(sides[0][lane]), max.max(sides[1][lane]));
    }
    let mut planes = [[f32x8::splat(simd, 0.0); 2]; 3];
    for side in 0..2 {
        let [a, b, c, d, e, f, g, h] = sides[side];
        let (low, high) = (by_axis([a, b, c, d]), by_axis([e, f, g, h]));
        for axis in 0..3 {
            planes[axis][side] = low[axis].combine(high[axis]);
            planes[axis][side].store_slice(&mut node.planes_mut()[axis][side]);
        }
    }
    lower(node.planes_mut());
    planes[0][0] = f32x8::from_slice(simd, &node.planes_mut()[0][0]);
    children.keep_in(&mut node.planes_mut()[0][0]);
    let mut bounds = NO_BOX;
    min.store_slice(&mut bounds[0]);
    max.store_slice(&mut bounds[1]);
    bounds[0][0] = lowered(bounds[0][0]);
    (bounds, areas_between(simd, planes))
}

/// Half the surface areas of the boxes of a node's children, added up four by four; in f64, as
/// [`Aabb::half_area`].
#[inline(always)]
pub(super) fn areas<S: Simd>(simd: S, node: &Node8) -> f64x4<S> {
    let planes_of = node.lowered_planes();
    let mut planes = [[f32x8::splat(simd, 0.0); 2]; 3];
    for axis in 0..3 {
        for side in 0..2 {
            planes[axis][side] = f32x8::from_slice(simd, &planes_of[axis][side]);
        }
    }
    areas_between(simd, planes)
}

#[inline(always)]
fn areas_between<S: Simd>(simd: S, planes: [[f32x8<S>; 2]; 3]) -> f64x4<S> {
    let zero = f64x4::splat(simd, 0.0);
    let mut sum = zero;
    let mut extents = [[zero; 2]; 3];
    for axis in 0..3 {
        let [min, max] = planes[axis];
        let (low_min, high_min) = min.widen();
        let (low_max, high_max) = max.widen();
        // A lane without a child has no extent.
        extents[axis] = [(low_max - low_min).max(zero), (high_max - high_min).max(zero)];
    }
    let [x, y, z] = extents;
    for half in 0..2 {
        sum += x[half] * y[half] + y[half] * z[half] + z[half] * x[half];
    }
    sum
}
