//! Subtrees over so few triangles that they fit one leaf.

use fearless_simd::Simd;
use glam::Vec4;

use super::forest::Forest;
use super::fragment::{Fragment, Growing, half_areas};
use crate::bvh8::Leaf4;

/// Builds the subtree over one to four fragments: a leaf, or where they lie apart, two.
pub(super) fn split<S: Simd>(
    simd: S,
    fragments: &mut [Fragment],
    first: usize,
    forest: &mut Forest,
) -> Growing {
    let (bounds, left) = simd.vectorize(
        #[inline(always)]
        || cheapest(simd, fragments),
    );
    let Some(left) = left else {
        forest.leaf(bounds.bounds(), first as u32, fragments.len() as u32);
        return bounds;
    };
    let mut left_count = 0;
    for index in 0..fragments.len() {
        if left >> index & 1 != 0 {
            fragments.swap(left_count, index);
            left_count += 1;
        }
    }
    let open = forest.inner();
    let (left, right) = fragments.split_at_mut(left_count);
    split(simd, left, first, forest);
    forest.right_begins(open);
    split(simd, right, first + left_count, forest);
    forest.close(open, bounds.bounds());
    bounds
}

/// The box around all, and which fragments make a left side, as bits, if there is a split whose
/// sides have less area than the whole.
#[inline(always)]
fn cheapest(simd: impl Simd, fragments: &[Fragment]) -> (Growing, Option<usize>) {
    const SETS: usize = 1 << Leaf4::LANES;
    let mut boxes = [Growing::EMPTY; SETS];
    let all = (1 << fragments.len()) - 1;
    for set in 1..=all {
        let mut bounds = boxes[set & (set - 1)];
        bounds.add(simd, &fragments[set.trailing_zeros() as usize]);
        boxes[set] = bounds;
    }
    let bounds = boxes[all];
    if fragments.len() == 1 {
        return (bounds, None);
    }
    let unit = Vec4::splat(bounds.bounds().area_unit());
    let mut areas = [0.0; SETS];
    for sets in (0..=all).step_by(4) {
        let extents = [0, 1, 2, 3].map(|set| boxes[sets + set].extent_in(unit));
        areas[sets..sets + 4].copy_from_slice(&half_areas(extents).to_array());
    }
    let mut least = areas[all];
    let mut best = None;
    // The last fragment is always on the right, so that no way comes twice.
    for left in 1..=all / 2 {
        let sum = areas[left] + areas[all - left];
        if sum < least {
            (least, best) = (sum, Some(left));
        }
    }
    (bounds, best)
}
