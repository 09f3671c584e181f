//! What a builder sees of a triangle: its box and its index.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use fearless_simd::{Simd, SimdBase, SimdFrom, f32x8};
use glam::{Mat4, Vec3A, Vec4};

use super::{BuildStage, Meter};
use crate::Aabb;
use crate::bvh2::Bvh2;
use crate::cancel::Cancelled;
use crate::memory;
use crate::mesh::TriangleMesh;

/// A triangle's box as an AVX register: the lowest corner, the triangle's index, and the highest
/// corner, negated, so that a box grows by one minimum. Some triangles together are one fragment as
/// well: see [`Fragment::of_run`].
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub(super) struct Fragment([f32; 8]);

impl Fragment {
    pub(super) fn new(bounds: Aabb, prim: u32) -> Self {
        // A minimum works lane by lane, so the index disturbs nothing.
        let (min, max) = (bounds.min, bounds.max);
        Self([min.x, min.y, min.z, as_lane(prim), -max.x, -max.y, -max.z, 0.0])
    }

    /// The box of a triangle.
    #[inline(always)]
    pub(super) fn of_triangle([a, b, c]: [Vec3A; 3], prim: u32) -> Self {
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        Self(join(min.extend(as_lane(prim)), (-max).extend(0.0)))
    }

    /// The box around some triangles that follow each other in an order, by the first one's place
    /// there and their number.
    #[inline(always)]
    pub(super) fn of_run(bounds: Growing, first: u32, count: u32) -> Self {
        let mut numbers = bounds.0;
        (numbers[3], numbers[7]) = (as_lane(first), count as f32);
        Self(numbers)
    }

    #[inline]
    pub(super) fn prim(self) -> u32 {
        of_lane(self.0[3])
    }

    /// Of some triangles: the first one's place, and how many there are.
    #[inline]
    pub(super) fn run(self) -> (u32, u32) {
        (of_lane(self.0[3]), self.0[7] as u32)
    }

    /// Some triangles, in an order that has so many more before them.
    #[inline]
    pub(super) fn moved_by(mut self, more: u32) -> Self {
        self.0[3] = as_lane(of_lane(self.0[3]) + more);
        self
    }

    /// The box's lowest and highest corner; the fourth lanes mean nothing.
    #[inline(always)]
    pub(super) fn corners(&self) -> (Vec4, Vec4) {
        let (min, minus_max) = halves(&self.0);
        (min, -minus_max)
    }

    /// The box's centre, halved before the sum so that it does not overflow.
    #[inline(always)]
    pub(super) fn center(&self) -> Vec4 {
        let (min, minus_max) = halves(&self.0);
        min * 0.5 - minus_max * 0.5
    }

    /// The same number as in [`Self::center`].
    #[inline(always)]
    pub(super) fn center_along(&self, axis: usize) -> f32 {
        self.0[axis] * 0.5 - self.0[4 + axis] * 0.5
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        let (min, max) = self.corners();
        Aabb { min: min.truncate(), max: max.truncate() }
    }
}

/// An index in a lane of a register whose other lanes are calculated with. Its bits alone would be
/// a subnormal number, and with those a CPU may take a hundred times as long to multiply.
#[inline(always)]
fn as_lane(index: u32) -> f32 {
    f32::from_bits(index.wrapping_add(FAR_FROM_ZERO))
}

#[inline(always)]
fn of_lane(lane: f32) -> u32 {
    lane.to_bits().wrapping_sub(FAR_FROM_ZERO)
}

/// The bits of 2⁻⁶³.
const FAR_FROM_ZERO: u32 = 64 << 23;

/// A box that grows: the lowest corner, and the highest one, negated.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub(super) struct Growing([f32; 8]);

impl Growing {
    pub(super) const EMPTY: Self = Self([f32::INFINITY; 8]);

    /// The box of a fragment. (What that has beside its box does not grow into any.)
    #[inline(always)]
    pub(super) fn of(fragment: &Fragment) -> Self {
        Self(fragment.0)
    }

    #[inline(always)]
    pub(super) fn of_corners(min: Vec4, max: Vec4) -> Self {
        Self(join(min, -max))
    }

    /// Grows by a fragment, with AVX in one instruction.
    #[inline(always)]
    pub(super) fn add(&mut self, simd: impl Simd, fragment: &Fragment) {
        self.0 = least(simd, fragment.0, self.0);
    }

    #[inline(always)]
    pub(super) fn add_point(&mut self, point: Vec4) {
        let (min, minus_max) = halves(&self.0);
        self.0 = join(min.min(point), minus_max.min(-point));
    }

    #[inline(always)]
    pub(super) fn union(self, simd: impl Simd, other: Self) -> Self {
        Self(least(simd, self.0, other.0))
    }

    /// The same outside kernels, where that would be a call.
    #[inline(always)]
    pub(super) fn joined(self, other: Self) -> Self {
        let ((low, high), (other_low, other_high)) = (halves(&self.0), halves(&other.0));
        Self(join(low.min(other_low), high.min(other_high)))
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        let (min, minus_max) = halves(&self.0);
        Aabb { min: min.truncate(), max: (-minus_max).truncate() }
    }

    /// The edge lengths in a unit, of a box that is not empty. The fourth lane means nothing.
    #[inline(always)]
    pub(super) fn extent_in(self, unit: Vec4) -> Vec4 {
        let (min, minus_max) = halves(&self.0);
        (min + minus_max) * -unit
    }

    /// Half the surface area; zero while empty.
    #[inline]
    pub(super) fn half_area(self) -> f64 {
        self.bounds().half_area()
    }
}

/// Half the areas of four boxes of these edge lengths, in lanes.
#[inline(always)]
pub(super) fn half_areas(extents: [Vec4; 4]) -> Vec4 {
    let [a, b, c, d] = extents;
    let by_axis = Mat4::from_cols(a, b, c, d).transpose();
    let (x, y, z) = (by_axis.x_axis, by_axis.y_axis, by_axis.z_axis);
    x * y + y * z + z * x
}

#[inline(always)]
fn halves(numbers: &[f32; 8]) -> (Vec4, Vec4) {
    let [x, y, z, w, a, b, c, d] = *numbers;
    (Vec4::new(x, y, z, w), Vec4::new(a, b, c, d))
}

#[inline(always)]
fn join(low: Vec4, high: Vec4) -> [f32; 8] {
    let ([x, y, z, w], [a, b, c, d]) = (low.to_array(), high.to_array());
    [x, y, z, w, a, b, c, d]
}

#[inline(always)]
fn least<S: Simd>(simd: S, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
    // As comparisons lane by lane it became masked stores: twice as slow.
    *f32x8::simd_from(simd, a).min(f32x8::simd_from(simd, b))
}

/// The boxes of all triangles that can be hit, in the mesh's order.
pub(super) fn of_mesh(mesh: &TriangleMesh, meter: Meter<'_>) -> Result<Vec<Fragment>, Cancelled> {
    const NEVER_HIT: u32 = u32::MAX;
    let count = mesh.triangle_count();
    let steps = meter.stage(BuildStage::Triangles, count)?;
    let fragment = |prim: u32| {
        let mark = if mesh.can_be_hit(prim) { prim } else { NEVER_HIT };
        Fragment::of_triangle(mesh.corners(prim), mark)
    };
    let lengths: Vec<usize> = chunks(count).map(|chunk| chunk.len()).collect();
    let some_are_never_hit = AtomicBool::new(false);
    let mut fragments = memory::list_of_parts(&lengths, |part, fragments| {
        let chunk = chunk(part, count);
        steps.part(chunk.len(), || {
            let mut never_hit = false;
            for prim in chunk {
                let fragment = fragment(prim as u32);
                never_hit |= fragment.prim() == NEVER_HIT;
                fragments.push(&[fragment]);
            }
            some_are_never_hit.fetch_or(never_hit, Ordering::Relaxed);
        })
    })?;
    if some_are_never_hit.into_inner() {
        fragments.retain(|fragment| fragment.prim() != NEVER_HIT);
    }
    Ok(fragments)
}

/// So many triangles are looked at without a break.
const CHUNK: usize = 16_384;

/// The triangles of one chunk of them all.
pub(super) fn chunk(number: usize, count: usize) -> Range<usize> {
    number * CHUNK..count.min((number + 1) * CHUNK)
}

/// Chunks of all triangles.
pub(super) fn chunks(count: usize) -> impl Iterator<Item = Range<usize>> {
    (0..count.div_ceil(CHUNK)).map(move |number| chunk(number, count))
}

/// Whether a subtree of `count` triangles at `depth` must be halved from here on to stay within
/// [`Bvh2::MAX_DEPTH`].
pub(super) fn must_halve(count: usize, depth: usize) -> bool {
    let halvings = usize::BITS - (count - 1).leading_zeros();
    depth + halvings as usize + 1 >= Bvh2::MAX_DEPTH
}

/// From this many triangles on, a subtree is worth a thread of its own.
pub(super) const PARALLEL_FROM: usize = 4096;
