//! Top-down building by the surface area heuristic over bins.
//!
//! ```text
//! build(triangles):
//!     a leaf, if they fit one and no two leaves have less area
//!     put each triangle, or a sample of many, into one of N bins by its centre, along each axis
//!     for each axis and each gap between bins: cost = area·count left + area·count right
//!     partition at the cheapest gap, or in the middle if all centres agree
//!     build(left), build(right)
//! ```

use rayon::prelude::*;

use super::bins::{Binning, Plane, area_unit};
use super::extent::Extent;
use super::few;
use super::forest::Forest;
use super::fragment::{Fragment, PARALLEL_FROM, must_halve};
use super::partition::{halve, partition};
use super::sample::sample;
use crate::bvh2::Bvh2;
use crate::bvh8::Leaf4;

/// Bins for sets from [`MANY`] triangles on, for those from [`SOME`] on, and for smaller ones.
const BINS: [usize; 3] = [32, 16, 8];
const MANY: usize = 256;
const SOME: usize = 24;

pub(super) fn build(mut fragments: Vec<Fragment>) -> Bvh2 {
    let mut forest = Forest::with_capacity(fragments.len().min(PARALLEL_FROM));
    if !fragments.is_empty() {
        split(&mut fragments, 0, 1, &mut forest);
    }
    let prims = fragments.par_iter().with_min_len(4096).map(|fragment| fragment.prim()).collect();
    forest.into_tree(prims)
}

/// Builds the subtree over some fragments, the first of which is at `first` in the tree's order.
fn split(fragments: &mut [Fragment], first: usize, depth: usize, forest: &mut Forest) {
    if fragments.len() <= Leaf4::LANES {
        return few::split(fragments, first, forest);
    }
    let extent = Extent::of(fragments);
    let left_count = if must_halve(fragments.len(), depth) {
        halve(fragments, extent.centers)
    } else if fragments.len() >= MANY {
        divide::<{ BINS[0] }>(fragments, &extent)
    } else if fragments.len() >= SOME {
        divide::<{ BINS[1] }>(fragments, &extent)
    } else {
        divide::<{ BINS[2] }>(fragments, &extent)
    };
    let open = forest.inner(extent.bounds.bounds());
    let (left, right) = fragments.split_at_mut(left_count);
    if left.len().min(right.len()) >= PARALLEL_FROM {
        let mut right_forest = Forest::with_capacity(right.len());
        rayon::join(
            || split(left, first, depth + 1, forest),
            || split(right, first + left_count, depth + 1, &mut right_forest),
        );
        forest.right_begins(open);
        forest.append(right_forest);
    } else {
        split(left, first, depth + 1, forest);
        forest.right_begins(open);
        split(right, first + left_count, depth + 1, forest);
    }
}

/// Puts the left side first; gives how many are there.
fn divide<const BINS: usize>(fragments: &mut [Fragment], extent: &Extent) -> usize {
    let binning = Binning::<BINS>::new(extent.centers);
    let plane = |bins| -> Option<Plane<BINS>> {
        binning.cheapest_plane(&bins, area_unit(extent.bounds))
    };
    let by_sample = sample(fragments).and_then(|sample| plane(binning.fill(sample)));
    let found = by_sample.or_else(|| plane(binning.fill(fragments.iter())));
    match found {
        Some(plane) => partition(fragments, |fragment| plane.is_left(fragment)),
        None => halve(fragments, extent.centers),
    }
}
