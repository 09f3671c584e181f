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

use fearless_simd::Simd;
use rayon::prelude::*;

use super::bins::{Binning, Plane, Weigh};
use super::extent::Extent;
use super::few;
use super::forest::Forest;
use super::fragment::{Fragment, Growing, PARALLEL_FROM, must_halve};
use super::partition::{halve, partition};
use super::sample::sample;
use super::sorted;
use super::{BuildStage, Meter, Steps};
use crate::bvh2::{Bvh2, Kind2};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::simd::with_simd;

/// What a tree is built over.
pub(super) trait Units: Sync {
    /// How many fit a leaf, and what those weigh that fill one in part.
    const WEIGH: Weigh;

    /// The most leaves that one may become.
    const MOST_LEAVES: usize;

    /// What would fit a leaf becomes two subtrees if their areas are less than this part of its own.
    /// At 1, most of them are put together again when the wide tree is planned.
    const APART: f32 = 0.7;

    /// From this many on, a subtree is worth a thread of its own.
    const PARALLEL_FROM: usize = PARALLEL_FROM / Self::MOST_LEAVES;

    /// The leaf of some, the first of which is at `first` in the tree's order.
    fn leaf(&self, fragments: &[Fragment], first: usize) -> Kind2;
}

struct Triangles;

impl Units for Triangles {
    /// On `dragon_full` gaps of 0.75 make trees of 4 % more bytes, of which 0.7 % less is to be
    /// visited, and those of 2 trees of 1 % fewer bytes. Casting takes as long in all of them, within
    /// what can be measured.
    const WEIGH: Weigh = Weigh { per_leaf: Leaf4::LANES as i32, per_gap: 1.5 };
    const MOST_LEAVES: usize = 1;

    fn leaf(&self, fragments: &[Fragment], first: usize) -> Kind2 {
        Kind2::Leaf { first: first as u32, count: fragments.len() as u32 }
    }
}

/// Bins for sets from [`MANY`] triangles on, for those from [`SOME`] on, and for smaller ones down to
/// those that are [`sorted`].
const BINS: [usize; 3] = [32, 16, 8];
const MANY: usize = 256;
const SOME: usize = 64;

pub(super) fn build(mut fragments: Vec<Fragment>, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let steps = meter.stage(BuildStage::Splits, fragments.len())?;
    let forest = build_forest(&Triangles, &mut fragments, &steps)?;
    let prims = fragments.par_iter().with_min_len(4096).map(|fragment| fragment.prim()).collect();
    Ok(Bvh2 { nodes: forest.into_nodes(&steps)?, prims, ..Bvh2::default() })
}

/// Builds a tree over fragments, whose order becomes that of the leaves.
pub(super) fn build_forest<U: Units>(
    units: &U,
    fragments: &mut [Fragment],
    steps: &Steps<'_>,
) -> Result<Forest, Cancelled> {
    // On one thread everything goes into one piece; what is not used is never touched.
    let alone = rayon::current_num_threads() == 1;
    let count = if alone { fragments.len() } else { fragments.len().min(U::PARALLEL_FROM) };
    let mut forest = Forest::with_capacity(2 * count);
    if !fragments.is_empty() {
        let forest = &mut forest;
        with_simd!(simd => {
            split_many(units, simd, fragments, 0, 1, forest, steps)?;
        });
    }
    Ok(forest)
}

/// As [`split`], in parallel, and in parts between which the build may end.
fn split_many<U: Units, S: Simd>(
    units: &U,
    simd: S,
    fragments: &mut [Fragment],
    first: usize,
    depth: usize,
    forest: &mut Forest,
    steps: &Steps<'_>,
) -> Result<Growing, Cancelled> {
    let count = fragments.len();
    if count < U::PARALLEL_FROM {
        return steps.part(count, || split(units, simd, fragments, first, depth, forest));
    }
    steps.check()?;
    let left_count = simd.vectorize(
        #[inline(always)]
        || divide_any::<U, S>(simd, fragments, depth),
    );
    let open = forest.inner();
    let (left, right) = fragments.split_at_mut(left_count);
    let (left_bounds, right_bounds);
    let right_first = first + left_count;
    if left.len().min(right.len()) >= U::PARALLEL_FROM && rayon::current_num_threads() > 1 {
        let mut right_forest = Forest::with_capacity(right.len());
        (left_bounds, right_bounds) = rayon::join(
            || split_many(units, simd, left, first, depth + 1, forest, steps),
            || {
                let forest = &mut right_forest;
                split_many(units, simd, right, right_first, depth + 1, forest, steps)
            },
        );
        forest.right_begins(open);
        forest.append(right_forest);
    } else {
        left_bounds = split_many(units, simd, left, first, depth + 1, forest, steps);
        forest.right_begins(open);
        right_bounds = split_many(units, simd, right, right_first, depth + 1, forest, steps);
    }
    let bounds = left_bounds?.union(simd, right_bounds?);
    forest.close(open, bounds.bounds());
    Ok(bounds)
}

/// Builds the subtree over some fragments, the first of which is at `first` in the tree's order;
/// gives the box around them.
fn split<U: Units, S: Simd>(
    units: &U,
    simd: S,
    fragments: &mut [Fragment],
    first: usize,
    depth: usize,
    forest: &mut Forest,
) -> Growing {
    if fragments.len() <= few::FEW {
        return few::split(units, simd, fragments, first, forest);
    }
    let left_count = simd.vectorize(
        #[inline(always)]
        || divide_any::<U, S>(simd, fragments, depth),
    );
    let open = forest.inner();
    let (left, right) = fragments.split_at_mut(left_count);
    let left_bounds = split(units, simd, left, first, depth + 1, forest);
    forest.right_begins(open);
    let right_bounds = split(units, simd, right, first + left_count, depth + 1, forest);
    let bounds = left_bounds.joined(right_bounds);
    forest.close(open, bounds.bounds());
    bounds
}

/// Puts the left side first; gives how many are there.
#[inline(always)]
fn divide_any<U: Units, S: Simd>(simd: S, fragments: &mut [Fragment], depth: usize) -> usize {
    if must_halve(U::MOST_LEAVES * fragments.len(), depth) {
        let centers = Extent::of(simd, fragments).centers;
        halve(fragments, centers)
    } else if fragments.len() >= MANY {
        divide::<U, { BINS[0] }>(simd, fragments)
    } else if fragments.len() >= SOME {
        divide::<U, { BINS[1] }>(simd, fragments)
    } else if let Some(left) = sorted::divide(simd, fragments, U::WEIGH) {
        left
    } else {
        divide::<U, { BINS[2] }>(simd, fragments)
    }
}

#[inline(always)]
fn divide<U: Units, const BINS: usize>(simd: impl Simd, fragments: &mut [Fragment]) -> usize {
    let plane = if BINS == self::BINS[0]
        && let Some(sample) = sample(fragments)
        && let Some(plane) = cheapest::<U, BINS>(simd, &sample, Extent::of(simd, &sample))
    {
        plane
    } else {
        let extent = Extent::of(simd, fragments);
        let Some(plane) = cheapest::<U, BINS>(simd, fragments, extent) else {
            return halve(fragments, extent.centers);
        };
        plane
    };
    let left = partition(simd, fragments, |fragment| plane.is_left(fragment));
    debug_assert!(0 < left && left < fragments.len(), "a plane has something on either side");
    left
}

#[inline(always)]
fn cheapest<U: Units, const BINS: usize>(
    simd: impl Simd,
    fragments: &[Fragment],
    extent: Extent,
) -> Option<Plane> {
    let binning = Binning::<BINS>::new(extent.centers);
    let bins = binning.fill(simd, fragments.iter());
    binning.cheapest_plane(simd, &bins, extent.bounds.bounds().area_unit(), U::WEIGH)
}
