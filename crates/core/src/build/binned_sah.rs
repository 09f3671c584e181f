//! Top-down building by the surface area heuristic over bins.
//!
//! ```text
//! build(triangles):
//!     put each triangle into one of N bins by its centre, along each axis
//!     for each axis and each gap between bins: cost = area·count left + area·count right
//!     partition at the cheapest gap, or in the middle if all centres agree
//!     build(left), build(right)
//! ```

use super::bins::{Binning, halve, partition};
use super::extent::Extent;
use super::fragment::{Fragment, PARALLEL_FROM, Target, fill_tree, must_halve};
use crate::bvh2::Bvh2;

pub(super) fn build<const BINS: usize>(mut fragments: Vec<Fragment>) -> Bvh2 {
    fill_tree(fragments.len(), |target| split::<BINS>(&mut fragments, target, 1))
}

fn split<const BINS: usize>(fragments: &mut [Fragment], target: Target<'_>, depth: usize) {
    if let [fragment] = *fragments {
        return target.leaf(fragment);
    }
    let extent = Extent::of(fragments);
    let split = if fragments.len() == 2 || must_halve(fragments.len(), depth) {
        None
    } else {
        Binning::<BINS>::new(extent.centers).cheapest_split(fragments)
    };
    let left_count = match split {
        Some(split) => partition(fragments, |fragment| split.plane.is_left(fragment)),
        None => halve(fragments, extent.centers),
    };
    let (left, right) = fragments.split_at_mut(left_count);
    let (left_target, right_target) = target.inner(extent.bounds.bounds(), left_count);
    if left.len().min(right.len()) >= PARALLEL_FROM {
        rayon::join(
            || self::split::<BINS>(left, left_target, depth + 1),
            || self::split::<BINS>(right, right_target, depth + 1),
        );
    } else {
        self::split::<BINS>(left, left_target, depth + 1);
        self::split::<BINS>(right, right_target, depth + 1);
    }
}
