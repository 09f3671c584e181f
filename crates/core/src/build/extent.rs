//! How far a set of triangles reaches.

use rayon::prelude::*;

use super::fragment::{Fragment, Growing};

/// The box around all boxes, and the one around their centres.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) bounds: Growing,
    pub(super) centers: Growing,
}

impl Extent {
    const EMPTY: Self = Self { bounds: Growing::EMPTY, centers: Growing::EMPTY };

    pub(super) fn of(fragments: &[Fragment]) -> Self {
        if fragments.len() < PARALLEL_PASS_FROM {
            return Self::of_chunk(fragments);
        }
        fragments
            .par_chunks(PARALLEL_PASS_FROM / 4)
            .map(Self::of_chunk)
            .reduce(|| Self::EMPTY, Self::union)
    }

    fn of_chunk(fragments: &[Fragment]) -> Self {
        // Two at a time: one minimum need not wait for the last.
        let (mut even, mut odd) = (Self::EMPTY, Self::EMPTY);
        let (pairs, rest) = fragments.as_chunks::<2>();
        for [a, b] in pairs {
            even.add(a);
            odd.add(b);
        }
        rest.iter().for_each(|fragment| even.add(fragment));
        even.union(odd)
    }

    #[inline(always)]
    fn add(&mut self, fragment: &Fragment) {
        self.bounds.add(fragment);
        self.centers.add_point(fragment.center());
    }

    fn union(self, other: Self) -> Self {
        Self { bounds: self.bounds.union(other.bounds), centers: self.centers.union(other.centers) }
    }
}

/// From this many triangles on, one pass over them is split over threads.
pub(super) const PARALLEL_PASS_FROM: usize = 65_536;
