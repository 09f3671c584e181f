//! Subtrees over so few fragments that all ways to split them can be tried.

use fearless_simd::Simd;
use glam::Vec4;

use super::binned_sah::Units;
use super::forest::Forest;
use super::fragment::{Fragment, Growing, half_areas};

/// So many are few.
pub(super) const FEW: usize = 4;

/// Builds the subtree over one to four fragments: a leaf if they fit one, or where they lie
/// [apart](Units::APART), or do not fit, two subtrees.
pub(super) fn split<U: Units, S: Simd>(
    units: &U,
    simd: S,
    fragments: &mut [Fragment],
    first: usize,
    forest: &mut Forest,
) -> Growing {
    if let [fragment] = fragments {
        let bounds = Growing::of(fragment);
        forest.leaf(bounds.bounds(), units.leaf(fragments, first));
        return bounds;
    }
    let (bounds, left) = simd.vectorize(
        #[inline(always)]
        || cheapest::<U>(simd, fragments),
    );
    let Some(left) = left else {
        forest.leaf(bounds.bounds(), units.leaf(fragments, first));
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
    split(units, simd, left, first, forest);
    forest.right_begins(open);
    split(units, simd, right, first + left_count, forest);
    forest.close(open, bounds.bounds());
    bounds
}

/// The box around all, and which fragments make a left side, as bits, if there is a split whose
/// sides cost much less than the whole, or the whole fits no leaf.
#[inline(always)]
fn cheapest<U: Units>(simd: impl Simd, fragments: &[Fragment]) -> (Growing, Option<usize>) {
    const SETS: usize = 1 << FEW;
    let mut boxes = [Growing::EMPTY; SETS];
    let all = (1 << fragments.len()) - 1;
    for set in 1..=all {
        let mut bounds = boxes[set & (set - 1)];
        bounds.add(simd, &fragments[set.trailing_zeros() as usize]);
        boxes[set] = bounds;
    }
    let bounds = boxes[all];
    let per_leaf = U::WEIGH.per_leaf as usize;
    let fits = fragments.len() <= per_leaf;
    if fragments.len() == 2 && !fits {
        return (bounds, Some(1));
    }
    let unit = Vec4::splat(bounds.bounds().area_unit());
    let mut areas = [0.0; SETS];
    for sets in (0..=all).step_by(4) {
        let extents = [0, 1, 2, 3].map(|set| boxes[sets + set].extent_in(unit));
        areas[sets..sets + 4].copy_from_slice(&half_areas(extents).to_array());
    }
    // Where nothing else decides, as when no area is finite, the first goes to the left.
    let (mut least, mut best) =
        if fits { (U::APART * areas[all], None) } else { (f32::INFINITY, Some(1)) };
    let leaves = |set: usize| (set.count_ones() as usize).div_ceil(per_leaf) as f32;
    // The last fragment is always on the right, so that no way comes twice.
    for left in 1..=all / 2 {
        let right = all - left;
        let sum = areas[left] * leaves(left) + areas[right] * leaves(right);
        if sum < least {
            (least, best) = (sum, Some(left));
        }
    }
    (bounds, best)
}
