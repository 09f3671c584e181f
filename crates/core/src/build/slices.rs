//! Splits of space in two, by planes that cut triangles into parts.

use fearless_simd::Simd;
use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::bins::{Bin, Weigh};
use super::extent::PARALLEL_PASS_FROM;
use super::fragment::{Fragment, Growing};
use crate::Aabb;
use crate::mesh::TriangleMesh;

/// Into how many slices space is cut along each axis.
const SLICES: usize = 16;

/// Slices of equal width along each axis of a box.
#[derive(Clone, Copy)]
pub(super) struct Slicing {
    origin: Vec4,
    width: Vec4,
    /// Slices a unit; zero along an axis that is not sliced.
    scale: Vec4,
}

/// A plane between two slices, and what is expected on its sides.
#[derive(Clone, Copy)]
pub(super) struct SpaceSplit {
    slicing: Slicing,
    pub(super) axis: usize,
    /// The first slice on the right.
    slice: usize,
    pub(super) cost: f64,
    pub(super) left: Bin,
    pub(super) right: Bin,
}

impl SpaceSplit {
    /// Whether nothing of a fragment lies right of the plane.
    pub(super) fn is_left(&self, bounds: Aabb) -> bool {
        self.slicing.slice_of(self.axis, bounds.max[self.axis]) < self.slice
    }

    /// Whether nothing of a fragment lies left of the plane.
    pub(super) fn is_right(&self, bounds: Aabb) -> bool {
        self.slicing.slice_of(self.axis, bounds.min[self.axis]) >= self.slice
    }

    /// A box's two sides; they touch at the plane, or at the box's end if rounding put it beyond.
    pub(super) fn sides(&self, bounds: Aabb) -> [Aabb; 2] {
        let axis = self.axis;
        let plane = self.slicing.plane(axis, self.slice);
        let mut sides = [bounds; 2];
        sides[0].max[axis] = plane.clamp(bounds.min[axis], bounds.max[axis]);
        sides[1].min[axis] = sides[0].max[axis];
        sides
    }
}

/// What begins, ends and lies in a slice.
#[derive(Clone, Copy)]
struct Slice {
    bounds: Growing,
    begin: u32,
    end: u32,
}

impl Slice {
    const EMPTY: Self = Self { bounds: Growing::EMPTY, begin: 0, end: 0 };

    fn union(self, simd: impl Simd, other: Self) -> Self {
        Self {
            bounds: self.bounds.union(simd, other.bounds),
            begin: self.begin + other.begin,
            end: self.end + other.end,
        }
    }
}

type Slices = [[Slice; SLICES]; 3];

impl Slicing {
    pub(super) fn new(bounds: Aabb) -> Self {
        let extent = bounds.max - bounds.min;
        let scale = extent.to_array().map(|extent| {
            let scale = SLICES as f32 / extent;
            if extent > 0.0 && extent.is_finite() && scale.is_finite() { scale } else { 0.0 }
        });
        let width = (extent / SLICES as f32).extend(0.0);
        Self { origin: bounds.min.extend(0.0), width, scale: Vec3::from(scale).extend(0.0) }
    }

    /// The slice of a point along each axis.
    #[inline]
    fn slices_of(&self, point: Vec4) -> [usize; 3] {
        let place = (point - self.origin) * self.scale;
        [place.x, place.y, place.z].map(|place| (place as usize).min(SLICES - 1))
    }

    #[inline]
    fn slice_of(&self, axis: usize, x: f32) -> usize {
        (((x - self.origin[axis]) * self.scale[axis]) as usize).min(SLICES - 1)
    }

    #[inline]
    fn plane(&self, axis: usize, slice: usize) -> f32 {
        self.origin[axis] + self.width[axis] * slice as f32
    }

    fn fill(&self, simd: impl Simd, fragments: &[Fragment], mesh: &TriangleMesh) -> Slices {
        let mut slices = [[Slice::EMPTY; SLICES]; 3];
        for &fragment in fragments {
            let (min, max) = fragment.corners();
            let [firsts, lasts] = [self.slices_of(min), self.slices_of(max)];
            for (axis, slices) in slices.iter_mut().enumerate() {
                let (first, last) = (firsts[axis], lasts[axis]);
                slices[first].begin += 1;
                slices[last].end += 1;
                if first == last {
                    slices[first].bounds.add(simd, &fragment);
                } else {
                    self.add_parts(axis, fragment, mesh, slices);
                }
            }
        }
        slices
    }

    /// Grows each slice by its part of a triangle. Only costs follow from the boxes, so they may be
    /// off by what f32 rounds.
    fn add_parts(
        &self,
        axis: usize,
        fragment: Fragment,
        mesh: &TriangleMesh,
        slices: &mut [Slice; SLICES],
    ) {
        let (min, max) = fragment.corners();
        let corners = mesh.triangle(fragment.prim()).map(|corner| Vec3::from(corner).extend(0.0));
        let mut add = |slice: usize, point: Vec4| {
            slices[slice].bounds.add_point(point.max(min).min(max));
        };
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let (mut a, mut b) = (corners[i], corners[j]);
            if a[axis] > b[axis] {
                (a, b) = (b, a);
            }
            let (from, to) = (a[axis].max(min[axis]), b[axis].min(max[axis]));
            if from > to {
                continue;
            }
            let along = (b - a) / (b[axis] - a[axis]);
            let at = |x: f32| a + along * (x - a[axis]);
            let (first, last) = (self.slice_of(axis, from), self.slice_of(axis, to));
            add(first, if from == a[axis] { a } else { at(from) });
            for slice in first + 1..=last {
                let crossing = at(self.plane(axis, slice));
                add(slice - 1, crossing);
                add(slice, crossing);
            }
            add(last, if to == b[axis] { b } else { at(to) });
        }
    }

    fn fill_parallel(
        &self,
        simd: impl Simd,
        fragments: &[Fragment],
        mesh: &TriangleMesh,
    ) -> Slices {
        if fragments.len() < PARALLEL_PASS_FROM {
            return self.fill(simd, fragments, mesh);
        }
        fragments
            .par_chunks(PARALLEL_PASS_FROM / 4)
            .map(|chunk| self.fill(simd, chunk, mesh))
            .reduce(
                || [[Slice::EMPTY; SLICES]; 3],
                |mut into, from| {
                    for (into, from) in into.as_flattened_mut().iter_mut().zip(from.as_flattened())
                    {
                        *into = into.union(simd, *from);
                    }
                    into
                },
            )
    }

    /// The cheapest split that leaves fewer fragments on either side than there are now and adds
    /// no more than `room`, if there is one.
    pub(super) fn cheapest_split(
        self,
        simd: impl Simd,
        fragments: &[Fragment],
        mesh: &TriangleMesh,
        room: usize,
        weigh: Weigh,
    ) -> Option<SpaceSplit> {
        let count = fragments.len();
        let mut cheapest: Option<SpaceSplit> = None;
        for (axis, slices) in self.fill_parallel(simd, fragments, mesh).iter().enumerate() {
            let mut rights = [Bin::EMPTY; SLICES];
            let mut right = Bin::EMPTY;
            for slice in (1..SLICES).rev() {
                let Slice { bounds, end, .. } = slices[slice];
                right = right.union(simd, Bin { bounds, count: end });
                rights[slice] = right;
            }
            let mut left = Bin::EMPTY;
            for slice in 1..SLICES {
                let Slice { bounds, begin, .. } = slices[slice - 1];
                left = left.union(simd, Bin { bounds, count: begin });
                let right = rights[slice];
                let sides = [left.count as usize, right.count as usize];
                let parts = sides.iter().all(|side| (1..count).contains(side));
                if !parts || sides[0] + sides[1] - count > room {
                    continue;
                }
                let cost = left.cost(weigh) + right.cost(weigh);
                if cheapest.is_none_or(|cheapest| cost < cheapest.cost) {
                    let slicing = self;
                    cheapest = Some(SpaceSplit { slicing, axis, slice, cost, left, right });
                }
            }
        }
        cheapest
    }
}
