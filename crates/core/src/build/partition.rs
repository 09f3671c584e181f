//! Puts the fragments of one side before those of the other.

use fearless_simd::Simd;
use rayon::prelude::*;

use super::extent::PARALLEL_PASS_FROM;
use super::fragment::{Fragment, Growing};

/// Moves what is left to the front; gives how many there are. The order that results does not
/// depend on threads.
#[inline(always)]
pub(super) fn partition(
    simd: impl Simd,
    fragments: &mut [Fragment],
    is_left: impl Fn(&Fragment) -> bool + Sync,
) -> usize {
    if fragments.len() < PARALLEL_PASS_FROM {
        return partition_chunk(fragments, is_left);
    }
    // Each chunk by itself; then what is on the wrong side of the middle changes places.
    const CHUNK: usize = PARALLEL_PASS_FROM / 4;
    let in_chunk = |chunk: &mut [Fragment]| {
        simd.vectorize(
            #[inline(always)]
            || partition_chunk(chunk, &is_left),
        )
    };
    let lefts: Vec<usize> = fragments.par_chunks_mut(CHUNK).map(in_chunk).collect();
    gather(fragments, &lefts, CHUNK)
}

/// Swaps what chunks have on the wrong side of the middle.
fn gather(fragments: &mut [Fragment], lefts: &[usize], size: usize) -> usize {
    let middle = lefts.iter().sum();
    let count = fragments.len();
    let (front, back) = fragments.split_at_mut(middle);
    let chunks = || {
        let starts = (0..count).step_by(size);
        starts.zip(lefts).map(|(start, left)| (start, start + left, count.min(start + size)))
    };
    // Runs of the right in front of the middle, and of the left behind it: as many in all.
    let mut rights = chunks().map(|(_, left, end)| left..end.min(middle)).filter(|r| !r.is_empty());
    let lefts = chunks().map(|(start, left, _)| start.max(middle)..left);
    let mut right = 0..0;
    for mut left in lefts {
        while !left.is_empty() {
            if right.is_empty() {
                let Some(next) = rights.next() else { return middle };
                right = next;
            }
            let moved = left.len().min(right.len());
            front[right.start..][..moved]
                .swap_with_slice(&mut back[left.start - middle..][..moved]);
            left.start += moved;
            right.start += moved;
        }
    }
    middle
}

/// Without a branch that depends on the data: half of such branches would be guessed wrongly.
#[inline(always)]
fn partition_chunk(fragments: &mut [Fragment], is_left: impl Fn(&Fragment) -> bool) -> usize {
    let mut left_count = 0;
    for index in 0..fragments.len() {
        let fragment = fragments[index];
        fragments.swap(index, left_count);
        left_count += usize::from(is_left(&fragment));
    }
    left_count
}

/// Orders the middle along the axis on which centres spread most; gives half the count.
pub(super) fn halve(fragments: &mut [Fragment], centers: Growing) -> usize {
    let middle = fragments.len() / 2;
    let bounds = centers.bounds();
    let extent = (bounds.max - bounds.min).to_array();
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
    fragments.select_nth_unstable_by(middle, |a, b| {
        a.center_along(axis).total_cmp(&b.center_along(axis)).then(a.prim().cmp(&b.prim()))
    });
    middle
}
