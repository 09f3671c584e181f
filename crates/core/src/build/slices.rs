//! Splits of space in two, by planes that cut triangles into parts.

use std::ops::Range;

use fearless_simd::Simd;
use glam::Vec4;
use rayon::prelude::*;

use super::bins::{Bin, ROUNDER, Weigh, costs};
use super::extent::PARALLEL_PASS_FROM;
use super::fragment::{Fragment, Growing};
use crate::Aabb;
use crate::mesh::TriangleMesh;

/// Slices of equal width along each axis of a box.
#[derive(Clone, Copy)]
pub(super) struct Slicing<const SLICES: usize> {
    origin: Vec4,
    width: Vec4,
    /// Slices a unit; zero along an axis that is not sliced.
    scale: Vec4,
}

/// A plane between two slices, and what is expected on its sides.
#[derive(Clone, Copy)]
pub(super) struct SpaceSplit {
    axis: usize,
    /// The first slice on the right.
    slice: f32,
    origin: f32,
    scale: f32,
    plane: f32,
    /// In the unit that was asked for.
    pub(super) cost: f32,
    pub(super) left: Bin,
    pub(super) right: Bin,
}

impl SpaceSplit {
    /// The same roundings as in [`Slicing::slices_of`], so that a box is where it was counted.
    #[inline(always)]
    fn is_before(&self, x: f32) -> bool {
        (x - self.origin) * self.scale < self.slice
    }

    /// Whether nothing of a fragment lies right of the plane.
    #[inline(always)]
    pub(super) fn is_left(&self, fragment: &Fragment) -> bool {
        self.is_before(fragment.corners().1[self.axis])
    }

    /// Whether something of a fragment lies left of the plane.
    #[inline(always)]
    pub(super) fn begins_left(&self, fragment: &Fragment) -> bool {
        self.is_before(fragment.corners().0[self.axis])
    }

    /// A box's two sides; they touch at the plane, or at the box's end if rounding put it beyond.
    pub(super) fn sides(&self, bounds: Aabb) -> [Aabb; 2] {
        let axis = self.axis;
        let mut sides = [bounds; 2];
        sides[0].max[axis] = self.plane.clamp(bounds.min[axis], bounds.max[axis]);
        sides[1].min[axis] = sides[0].max[axis];
        sides
    }
}

/// What lies, begins and ends in each slice of each axis.
struct Slices<const SLICES: usize> {
    boxes: [[Growing; SLICES]; 3],
    /// By slice, then axis; the fourth stays zero.
    begin: [[u32; 4]; SLICES],
    end: [[u32; 4]; SLICES],
}

impl<const SLICES: usize> Slices<SLICES> {
    const EMPTY: Self = Self {
        boxes: [[Growing::EMPTY; SLICES]; 3],
        begin: [[0; 4]; SLICES],
        end: [[0; 4]; SLICES],
    };

    fn union(mut self, simd: impl Simd, other: &Self) -> Self {
        let boxes = self.boxes.as_flattened_mut().iter_mut();
        for (into, from) in boxes.zip(other.boxes.as_flattened()) {
            *into = into.union(simd, *from);
        }
        let counts = |counts: &mut [[u32; 4]; SLICES], others: &[[u32; 4]; SLICES]| {
            let counts = counts.as_flattened_mut().iter_mut();
            counts.zip(others.as_flattened()).for_each(|(into, from)| *into += from);
        };
        counts(&mut self.begin, &other.begin);
        counts(&mut self.end, &other.end);
        self
    }
}

impl<const SLICES: usize> Slicing<SLICES> {
    pub(super) fn new(bounds: Aabb) -> Self {
        const { assert!(SLICES.is_power_of_two(), "an index is masked") };
        let extent = bounds.max - bounds.min;
        let scale = extent.to_array().map(|extent| {
            let scale = SLICES as f32 / extent;
            if extent > 0.0 && extent.is_finite() && scale.is_finite() { scale } else { 0.0 }
        });
        let [x, y, z] = scale;
        let width = (extent / SLICES as f32).extend(0.0);
        Self { origin: bounds.min.extend(0.0), width, scale: Vec4::new(x, y, z, 0.0) }
    }

    /// The slice of a point along each axis.
    #[inline(always)]
    fn slices_of(&self, point: Vec4) -> [usize; 3] {
        let place = (point - self.origin) * self.scale;
        // In this order a NaN, from an axis that is not sliced, becomes 0.
        let place = place.max(Vec4::ZERO).min(Vec4::splat((SLICES - 1) as f32));
        // Rounded, and down if that was up.
        let rounded = place + Vec4::splat(ROUNDER);
        let is_up = (rounded - Vec4::splat(ROUNDER)).cmpgt(place);
        let [x, y, z, _] = (rounded - Vec4::select(is_up, Vec4::ONE, Vec4::ZERO)).to_array();
        [x, y, z].map(|place| place.to_bits() as usize & (SLICES - 1))
    }

    #[inline(always)]
    fn plane(&self, axis: usize, slice: usize) -> f32 {
        self.origin[axis] + self.width[axis] * slice as f32
    }

    #[inline(always)]
    fn fill(&self, simd: impl Simd, fragments: &[Fragment], mesh: &TriangleMesh) -> Slices<SLICES> {
        let mut slices = Slices::EMPTY;
        for fragment in fragments {
            let (min, max) = fragment.corners();
            let (firsts, lasts) = (self.slices_of(min), self.slices_of(max));
            for axis in 0..3 {
                slices.begin[firsts[axis]][axis] += 1;
                slices.end[lasts[axis]][axis] += 1;
            }
            if firsts == lasts {
                for (boxes, first) in slices.boxes.iter_mut().zip(firsts) {
                    boxes[first].add(simd, fragment);
                }
                continue;
            }
            let corners = mesh.corners(fragment.prim()).map(|corner| corner.extend(0.0));
            let [x, y, z] = &mut slices.boxes;
            self.add_parts::<0>(simd, fragment, corners, firsts[0]..lasts[0], x);
            self.add_parts::<1>(simd, fragment, corners, firsts[1]..lasts[1], y);
            self.add_parts::<2>(simd, fragment, corners, firsts[2]..lasts[2], z);
        }
        slices
    }

    /// Grows each slice, up to and with the end of the range, by its part of a triangle. Only costs
    /// follow from the boxes, so they may be off by what f32 rounds.
    #[inline(always)]
    fn add_parts<const AXIS: usize>(
        &self,
        simd: impl Simd,
        fragment: &Fragment,
        corners: [Vec4; 3],
        slices: Range<usize>,
        boxes: &mut [Growing; SLICES],
    ) {
        if slices.is_empty() {
            boxes[slices.start].add(simd, fragment);
            return;
        }
        let (min, max) = fragment.corners();
        let sections = Sections::<AXIS>::of(corners);
        let (mut from, to) = (sections.begin().max(min[AXIS]), sections.end().min(max[AXIS]));
        let mut before = sections.at(from);
        for slice in slices.start..=slices.end {
            let until = if slice == slices.end { to } else { self.plane(AXIS, slice + 1) };
            let after = sections.at(until);
            let (low, high) = sections.between(from..until, before, after);
            let part = Growing::of_corners(low.max(min), high.min(max));
            let bounds = &mut boxes[slice & (SLICES - 1)];
            *bounds = bounds.union(simd, part);
            (from, before) = (until, after);
        }
    }

    fn fill_parallel(
        &self,
        simd: impl Simd,
        fragments: &[Fragment],
        mesh: &TriangleMesh,
    ) -> Slices<SLICES> {
        let fill = |fragments: &[Fragment]| {
            simd.vectorize(
                #[inline(always)]
                || self.fill(simd, fragments, mesh),
            )
        };
        if fragments.len() < PARALLEL_PASS_FROM {
            return fill(fragments);
        }
        let chunks = fragments.par_chunks(PARALLEL_PASS_FROM / 4).map(fill);
        chunks.reduce(|| Slices::EMPTY, |all, some| all.union(simd, &some))
    }

    /// The cheapest split that leaves fewer fragments on either side than there are now and adds
    /// no more than `room`, if there is one. `unit` as in [`super::bins::Binning::cheapest_plane`].
    #[inline(always)]
    pub(super) fn cheapest_split(
        self,
        simd: impl Simd,
        fragments: &[Fragment],
        mesh: &TriangleMesh,
        unit: f32,
        room: usize,
        weigh: Weigh,
    ) -> Option<SpaceSplit> {
        let slices = self.fill_parallel(simd, fragments, mesh);
        let (count, most) = (fragments.len() as u32, (fragments.len() + room) as u32);
        // All three axes in lanes.
        let unit = Vec4::splat(unit);
        let mut rights = [(Vec4::INFINITY, [0; 4]); SLICES];
        let mut sides = [Growing::EMPTY; 3];
        let mut right = [0; 4];
        for slice in (1..SLICES).rev() {
            for axis in 0..3 {
                sides[axis] = sides[axis].union(simd, slices.boxes[axis][slice]);
                right[axis] += slices.end[slice][axis];
            }
            rights[slice] = (costs(&sides, right, unit, weigh), right);
        }
        let mut sides = [Growing::EMPTY; 3];
        let mut left = [0; 4];
        let (mut least, mut at) = (Vec4::INFINITY, Vec4::ZERO);
        for slice in 1..SLICES {
            for axis in 0..3 {
                sides[axis] = sides[axis].union(simd, slices.boxes[axis][slice - 1]);
                left[axis] += slices.begin[slice - 1][axis];
            }
            let (right_cost, right) = rights[slice];
            let mut fits = [0.0; 4];
            for axis in 0..3 {
                let (left, right) = (left[axis], right[axis]);
                let is_split = (left < count) & (right < count) & (left + right <= most);
                fits[axis] = if is_split { 0.0 } else { f32::INFINITY };
            }
            let cost = costs(&sides, left, unit, weigh) + right_cost + Vec4::from_array(fits);
            let cheaper = cost.cmplt(least);
            least = Vec4::select(cheaper, cost, least);
            at = Vec4::select(cheaper, Vec4::splat(slice as f32), at);
        }
        let (least, at) = (least.to_array(), at.to_array());
        let axis = (1..3).fold(0, |best, axis| if least[axis] < least[best] { axis } else { best });
        if least[axis] == f32::INFINITY {
            return None;
        }
        let slice = at[axis] as usize;
        let side = |range: Range<usize>, counts: &[[u32; 4]; SLICES]| {
            let bin = |slice: usize| Bin {
                bounds: slices.boxes[axis][slice],
                count: counts[slice][axis],
            };
            range.map(bin).fold(Bin::EMPTY, |a, b| a.union(simd, b))
        };
        Some(SpaceSplit {
            axis,
            slice: at[axis],
            origin: self.origin[axis],
            scale: self.scale[axis],
            plane: self.plane(axis, slice),
            cost: least[axis],
            left: side(0..slice, &slices.begin),
            right: side(slice..SLICES, &slices.end),
        })
    }
}

/// What planes across an axis have in common with a triangle.
struct Sections<const AXIS: usize> {
    /// The corners in the order of that axis.
    low: Vec4,
    middle: Vec4,
    high: Vec4,
    /// By how much the edges move for each unit along the axis: the one from the low to the high
    /// corner, and those by way of the middle.
    across: Vec4,
    below: Vec4,
    above: Vec4,
}

impl<const AXIS: usize> Sections<AXIS> {
    #[inline(always)]
    fn of([a, b, c]: [Vec4; 3]) -> Self {
        // Without branches: corners come in any order.
        let sorted = |a: Vec4, b: Vec4| {
            let swap = Vec4::splat(b[AXIS]).cmplt(Vec4::splat(a[AXIS]));
            (Vec4::select(swap, b, a), Vec4::select(swap, a, b))
        };
        let (a, b) = sorted(a, b);
        let (b, high) = sorted(b, c);
        let (low, middle) = sorted(a, b);
        let (across, below, above) = (high - low, middle - low, high - middle);
        let lengths = Vec4::new(across[AXIS], below[AXIS], above[AXIS], 1.0);
        // An edge along the plane is at its first corner.
        let zero = lengths.cmpeq(Vec4::ZERO);
        let [x, y, z, _] = Vec4::select(zero, Vec4::ZERO, lengths.recip()).to_array();
        Self { low, middle, high, across: across * x, below: below * y, above: above * z }
    }

    #[inline(always)]
    fn begin(&self) -> f32 {
        self.low[AXIS]
    }

    #[inline(always)]
    fn end(&self) -> f32 {
        self.high[AXIS]
    }

    /// The box around the section of a plane.
    #[inline(always)]
    fn at(&self, x: f32) -> (Vec4, Vec4) {
        let x = Vec4::splat(x);
        let (from_low, from_middle) = (x - self.low[AXIS], x - self.middle[AXIS]);
        let a = self.low + self.across * from_low;
        let below = self.low + self.below * from_low;
        let above = self.middle + self.above * from_middle;
        let b = Vec4::select(from_middle.cmplt(Vec4::ZERO), below, above);
        (a.min(b), a.max(b))
    }

    /// The box around what lies between two planes, whose sections are known.
    #[inline(always)]
    fn between(
        &self,
        Range { start, end }: Range<f32>,
        first: (Vec4, Vec4),
        last: (Vec4, Vec4),
    ) -> (Vec4, Vec4) {
        let (low, high) = (first.0.min(last.0), first.1.max(last.1));
        let at = Vec4::splat(self.middle[AXIS]);
        let inside = at.cmpge(Vec4::splat(start)) & at.cmple(Vec4::splat(end));
        let middle =
            (Vec4::select(inside, self.middle, low), Vec4::select(inside, self.middle, high));
        (low.min(middle.0), high.max(middle.1))
    }
}
