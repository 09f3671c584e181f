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
        let mut extent = Self::EMPTY;
        for &fragment in fragments {
            extent.bounds.add(fragment);
            extent.centers.add_point(fragment.center());
        }
        extent
    }

    fn union(self, other: Self) -> Self {
        Self { bounds: self.bounds.union(other.bounds), centers: self.centers.union(other.centers) }
    }
}

/// From this many triangles on, one pass over them is split over threads.
pub(super) const PARALLEL_PASS_FROM: usize = 65_536;
