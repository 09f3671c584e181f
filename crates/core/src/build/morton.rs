//! Triangles in the order of a space-filling curve.
//!
//! Morton, 1966: the bits of the three coordinates of a cell, interleaved, number the cells so that
//! neighbours in the order are neighbours in space, mostly.

use glam::Vec4;
use rayon::prelude::*;

use super::Steps;
use super::bins::ROUNDER;
use super::fragment::{self, Fragment, Growing};
use crate::cancel::Cancelled;
use crate::memory::{in_huge_pages, list_of_parts};
use crate::mesh::TriangleMesh;

/// Cells along each axis, as a power of two.
const BITS: u32 = 11;
const CELLS: usize = 1 << BITS;

/// The bits of a key below its cell.
const INDEX_BITS: u32 = 31;

/// Digits of a key for sorting.
const DIGIT_BITS: u32 = BITS;
const DIGITS: usize = 1 << DIGIT_BITS;

/// From this many keys on, threads sort parts.
const PARALLEL_FROM: usize = 32_768;

/// A triangle's cell, and its index.
pub(super) type Key = u64;

/// Behind all others: of a triangle that is never hit.
const LAST: Key = Key::MAX;

/// The last cell along an axis that is used: sorting looks at cells only, and those of [`LAST`] are
/// the last there are.
const LAST_CELL: f32 = (CELLS - 2) as f32;

/// The triangle that a key is of.
#[inline(always)]
pub(super) fn prim(key: Key) -> u32 {
    (key & ((1 << INDEX_BITS) - 1)) as u32
}

/// All triangles but those that are never hit, in the order of the curve; where cells agree, in
/// their own order.
pub(super) fn order(
    mesh: &TriangleMesh,
    never_hit: &[u32],
    centers: Growing,
    steps: &Steps<'_>,
) -> Result<Vec<Key>, Cancelled> {
    let bounds = centers.bounds();
    let extent = (bounds.max - bounds.min).max_element();
    let scale = LAST_CELL / extent;
    let scale = if extent > 0.0 && extent.is_finite() && scale.is_finite() { scale } else { 0.0 };
    let (origin, scale) = (bounds.min.extend(0.0), Vec4::splat(scale));
    let all = mesh.triangle_count();
    let key = |prim: u32| {
        let center = Fragment::of_triangle(mesh.corners(prim), prim).center();
        // In this order what is no number becomes 0.
        let place = ((center - origin) * scale).max(Vec4::ZERO).min(Vec4::splat(LAST_CELL));
        let [x, y, z, _] = (place + Vec4::splat(ROUNDER)).to_array();
        let [x, y, z] = [x, y, z].map(|cell| u64::from(SPREAD[cell.to_bits() as usize % CELLS]));
        (x << 2 | y << 1 | z) << INDEX_BITS | u64::from(prim)
    };
    let lengths: Vec<usize> = fragment::chunks(all).map(|chunk| chunk.len()).collect();
    let mut keys: Vec<Key> = list_of_parts(&lengths, |number, keys| {
        let chunk = fragment::chunk(number, all);
        steps.part(chunk.len(), || {
            for prim in chunk {
                keys.push(&[key(prim as u32)]);
            }
        })
    })?;
    for &prim in never_hit {
        keys[prim as usize] = LAST;
    }
    let mut spare = in_huge_pages(all);
    spare.resize(all, 0);
    sort(&mut keys, &mut spare, rayon::current_num_threads(), steps)?;
    keys.truncate(all - never_hit.len());
    Ok(keys)
}

/// The number of a cell along an axis with two zeros between each two bits.
static SPREAD: [u32; CELLS] = {
    let mut spread = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut bit = 0;
        while bit < BITS {
            spread[cell] |= (cell as u32 >> bit & 1) << (3 * bit);
            bit += 1;
        }
        cell += 1;
    }
    spread
};

/// Sorts keys of which no two are equal, so that the order is the same for any number of threads.
fn sort(
    keys: &mut [u64],
    spare: &mut [u64],
    threads: usize,
    steps: &Steps<'_>,
) -> Result<(), Cancelled> {
    if threads < 2 || keys.len() < PARALLEL_FROM {
        return sort_by_digits(keys, spare, steps);
    }
    let middle = keys.len() / 2;
    let (left, right) = keys.split_at_mut(middle);
    let (left_spare, right_spare) = spare.split_at_mut(middle);
    let more = threads / 2;
    let (left_sorted, right_sorted) = rayon::join(
        || sort(left, left_spare, threads - more, steps),
        || sort(right, right_spare, more, steps),
    );
    left_sorted.and(right_sorted)?;
    merge(left, right, spare);
    keys.par_chunks_mut(PARALLEL_FROM)
        .zip(spare.par_chunks(PARALLEL_FROM))
        .for_each(|(keys, sorted)| keys.copy_from_slice(sorted));
    Ok(())
}

fn merge(left: &[u64], right: &[u64], into: &mut [u64]) {
    if into.len() >= PARALLEL_FROM {
        // The longer one's middle says where to cut the other.
        let (long, short) = if left.len() >= right.len() { (left, right) } else { (right, left) };
        let (long_low, long_high) = long.split_at(long.len() / 2);
        let (low, high) = short.split_at(short.partition_point(|key| *key < long_high[0]));
        let (into_low, into_high) = into.split_at_mut(long_low.len() + low.len());
        rayon::join(|| merge(long_low, low, into_low), || merge(long_high, high, into_high));
        return;
    }
    let (mut a, mut b) = (0, 0);
    for place in into {
        let from_left = b == right.len() || (a < left.len() && left[a] < right[b]);
        *place = if from_left { left[a] } else { right[b] };
        a += usize::from(from_left);
        b += usize::from(!from_left);
    }
}

/// Radix sort, the lowest digit of the cells first. Indices are in order already.
fn sort_by_digits(keys: &mut [u64], spare: &mut [u64], steps: &Steps<'_>) -> Result<(), Cancelled> {
    let count = keys.len();
    let digit = |key: u64, pass: u32| (key >> (INDEX_BITS + pass * DIGIT_BITS)) as usize % DIGITS;
    let mut counts = vec![[0_u32; DIGITS]; 3];
    for &key in keys.iter() {
        for pass in 0..3 {
            counts[pass as usize][digit(key, pass)] += 1;
        }
    }
    let (mut from, mut to) = (keys, spare);
    let mut in_spare = false;
    for pass in 0..3 {
        steps.check()?;
        let places = &mut counts[pass as usize];
        if places.iter().any(|&count| count as usize == from.len()) {
            continue;
        }
        let mut next = 0;
        for place in places.iter_mut() {
            next += std::mem::replace(place, next);
        }
        for &key in from.iter() {
            let place = &mut places[digit(key, pass)];
            to[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
        in_spare = !in_spare;
    }
    if in_spare {
        to.copy_from_slice(from);
    }
    steps.add(count);
    Ok(())
}
