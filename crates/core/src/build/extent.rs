//! How far a set of triangles reaches.

use fearless_simd::Simd;
use rayon::prelude::*;

use super::fragment::{Fragment, Growing};

/// The box around all boxes, and the one around their centres.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) bounds: Growing,
    pub(super) centers: Growing,
}

impl Extent {
    pub(super) const EMPTY: Self = Self { bounds: Growing::EMPTY, centers: Growing::EMPTY };

    #[inline(always)]
    pub(super) fn of(simd: impl Simd, fragments: &[Fragment]) -> Self {
        if fragments.len() < PARALLEL_PASS_FROM {
            return Self::of_chunk(simd, fragments);
        }
        let chunks = fragments.par_chunks(PARALLEL_PASS_FROM / 4);
        let extents = chunks.map(|chunk| {
            simd.vectorize(
                #[inline(always)]
                || Self::of_chunk(simd, chunk),
            )
        });
        extents.reduce(|| Self::EMPTY, |a, b| a.union(simd, b))
    }

    #[inline(always)]
    fn of_chunk(simd: impl Simd, fragments: &[Fragment]) -> Self {
        // Two at a time: one minimum need not wait for the last.
        let (mut even, mut odd) = (Self::EMPTY, Self::EMPTY);
        let (pairs, rest) = fragments.as_chunks::<2>();
        for [a, b] in pairs {
            even.add(simd, a);
            odd.add(simd, b);
        }
        rest.iter().for_each(|fragment| even.add(simd, fragment));
        even.union(simd, odd)
    }

    #[inline(always)]
    pub(super) fn add(&mut self, simd: impl Simd, fragment: &Fragment) {
        self.bounds.add(simd, fragment);
        self.centers.add_point(fragment.center());
    }

    #[inline(always)]
    pub(super) fn union(self, simd: impl Simd, other: Self) -> Self {
        let bounds = self.bounds.union(simd, other.bounds);
        Self { bounds, centers: self.centers.union(simd, other.centers) }
    }
}

/// From this many triangles on, one pass over them is split over threads.
pub(super) const PARALLEL_PASS_FROM: usize = 65_536;
