//! What a builder sees of a triangle: its box and its index.

use glam::Vec4;
use rayon::prelude::*;

use crate::Aabb;
use crate::bvh2::Bvh2;
use crate::memory;
use crate::mesh::TriangleMesh;

/// A triangle's box. Two SSE registers: the fourth lane of `min` holds the triangle's index.
#[repr(C, align(32))]
#[derive(Clone, Copy)]
pub(super) struct Fragment {
    min: [f32; 4],
    max: [f32; 4],
}

impl Fragment {
    pub(super) fn new(bounds: Aabb, prim: u32) -> Self {
        // Min and max work lane by lane, so the index in the fourth lane disturbs nothing.
        let min = bounds.min.extend(f32::from_bits(prim)).to_array();
        Self { min, max: bounds.max.extend(0.0).to_array() }
    }

    #[inline]
    pub(super) fn prim(self) -> u32 {
        self.min[3].to_bits()
    }

    /// The box's lowest and highest corner; the fourth lanes mean nothing.
    #[inline(always)]
    pub(super) fn corners(&self) -> (Vec4, Vec4) {
        (Vec4::from_array(self.min), Vec4::from_array(self.max))
    }

    /// The box's centre, halved before the sum so that it does not overflow.
    #[inline(always)]
    pub(super) fn center(&self) -> Vec4 {
        let (min, max) = self.corners();
        min * 0.5 + max * 0.5
    }

    /// The same number as in [`Self::center`].
    #[inline(always)]
    pub(super) fn center_along(&self, axis: usize) -> f32 {
        self.min[axis] * 0.5 + self.max[axis] * 0.5
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        let (min, max) = self.corners();
        Aabb { min: min.truncate(), max: max.truncate() }
    }
}

/// A box that grows, in two SSE registers.
#[derive(Clone, Copy)]
pub(super) struct Growing {
    min: Vec4,
    max: Vec4,
}

impl Growing {
    pub(super) const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    #[inline(always)]
    pub(super) fn add(&mut self, fragment: &Fragment) {
        let (min, max) = fragment.corners();
        // The new one first: where the fourth lane is no number, the other one stays.
        self.min = min.min(self.min);
        self.max = max.max(self.max);
    }

    #[inline(always)]
    pub(super) fn add_point(&mut self, point: Vec4) {
        self.min = point.min(self.min);
        self.max = point.max(self.max);
    }

    #[inline(always)]
    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        Aabb { min: self.min.truncate(), max: self.max.truncate() }
    }

    /// The edge lengths in a unit; zero for the empty box. The fourth lane means nothing.
    #[inline(always)]
    pub(super) fn extent_in(self, unit: Vec4) -> Vec4 {
        (self.max * unit - self.min * unit).max(Vec4::ZERO)
    }

    /// Half the surface area; zero while empty.
    #[inline]
    pub(super) fn half_area(self) -> f64 {
        self.bounds().half_area()
    }
}

/// The boxes of all triangles that can be hit, in the mesh's order.
pub(super) fn of_mesh(mesh: &TriangleMesh) -> Vec<Fragment> {
    const NEVER_HIT: u32 = u32::MAX;
    let fragment = |prim: u32| {
        let triangle = mesh.triangle(prim);
        let mark = if mesh.can_be_hit(prim) { prim } else { NEVER_HIT };
        Fragment::new(Aabb::of_triangle(triangle), mark)
    };
    let mut fragments = memory::list_in_huge_pages(mesh.triangle_count());
    let prims = 0..mesh.triangle_count() as u32;
    prims.into_par_iter().with_min_len(4096).map(fragment).collect_into_vec(&mut fragments);
    if fragments.par_iter().with_min_len(4096).any(|fragment| fragment.prim() == NEVER_HIT) {
        fragments.retain(|fragment| fragment.prim() != NEVER_HIT);
    }
    fragments
}

/// Whether a subtree of `count` triangles at `depth` must be halved from here on to stay within
/// [`Bvh2::MAX_DEPTH`].
pub(super) fn must_halve(count: usize, depth: usize) -> bool {
    let halvings = usize::BITS - (count - 1).leading_zeros();
    depth + halvings as usize + 1 >= Bvh2::MAX_DEPTH
}

/// From this many triangles on, a subtree is worth a thread of its own.
pub(super) const PARALLEL_FROM: usize = 4096;
