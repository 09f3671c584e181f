//! Triangles that can never be hit and triangles that come twice, counted exactly and fast.
//!
//! One pass over the triangles, in parallel: three corners are fetched, the area is tested, and a
//! hash of the corners that does not depend on their order is put into a table of bits. Only
//! triangles whose bit was set twice are candidates for duplicates; those are sorted and compared.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::area;

/// Defects of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) count: usize,
    /// The first triangle that has it.
    pub(super) first: Option<u32>,
}

impl Tally {
    fn add(&mut self, prim: u32) {
        self.count += 1;
        self.first = self.first.or(Some(prim));
    }

    fn join(self, later: Self) -> Self {
        Self { count: self.count + later.count, first: self.first.or(later.first) }
    }
}

/// What is wrong with the triangles of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Defects {
    /// A corner is NaN or infinite. Such a triangle counts as nothing else.
    pub(super) non_finite: Tally,
    /// The area is exactly zero.
    pub(super) degenerate: Tally,
    /// The three corners lie where those of an earlier triangle do, in any order.
    pub(super) duplicate: Tally,
}

/// How many triangles a task looks at.
const CHUNK: usize = 1 << 14;

/// The key of triangles that cannot be duplicates.
const NO_KEY: u64 = 0;

/// Finds the defects of triangles whose indices are in range.
pub(super) fn find(positions: &[[f32; 3]], indices: &[[u32; 3]]) -> Defects {
    let seen = Bits::for_items(indices.len());
    let seen_twice = Bits::for_items(indices.len());
    let mut keys = vec![NO_KEY; indices.len()];
    let look = |(chunk, (indices, keys)): (usize, (&[[u32; 3]], &mut [u64]))| {
        let (mut non_finite, mut degenerate) = (Tally::default(), Tally::default());
        for (i, (triangle, key)) in indices.iter().zip(keys).enumerate() {
            let prim = (chunk * CHUNK + i) as u32;
            let corners = triangle.map(|index| positions[index as usize]);
            if !corners.as_flattened().iter().all(|x| x.is_finite()) {
                non_finite.add(prim);
                continue;
            }
            if area::is_zero(corners) {
                degenerate.add(prim);
            }
            *key = corners.map(hash).into_iter().fold(0, u64::wrapping_add) | 1;
            if seen.set(*key) {
                seen_twice.set(*key);
            }
        }
        Defects { non_finite, degenerate, duplicate: Tally::default() }
    };
    let found = indices.par_chunks(CHUNK).zip(keys.par_chunks_mut(CHUNK)).enumerate().map(look);
    let mut defects = found.reduce(Defects::default, |a, b| Defects {
        non_finite: a.non_finite.join(b.non_finite),
        degenerate: a.degenerate.join(b.degenerate),
        duplicate: Tally::default(),
    });
    let candidate = |(prim, &key): (usize, &u64)| {
        (key != NO_KEY && seen_twice.get(key)).then_some((key, prim as u32))
    };
    let mut candidates: Vec<(u64, u32)> =
        keys.par_iter().enumerate().filter_map(candidate).collect();
    candidates.par_sort_unstable();
    let mut duplicates: Vec<u32> = Vec::new();
    for group in candidates.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        let corners = |prim: u32| sorted(indices[prim as usize].map(|i| positions[i as usize]));
        let mut group: Vec<_> = group.iter().map(|&(_, prim)| (corners(prim), prim)).collect();
        group.sort_unstable();
        let pairs = group.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        duplicates.extend(pairs.map(|pair| pair[1].1));
    }
    defects.duplicate = Tally { count: duplicates.len(), first: duplicates.iter().min().copied() };
    defects
}

/// A position's bits, with one zero instead of two.
fn bits(position: [f32; 3]) -> [u32; 3] {
    position.map(|x| (x + 0.0).to_bits())
}

/// The corners in an order that does not depend on how they are given.
fn sorted(corners: [[f32; 3]; 3]) -> [[u32; 3]; 3] {
    let mut corners = corners.map(bits);
    corners.sort_unstable();
    corners
}

/// A hash of a position: each coordinate times its own odd number, folded.
fn hash(position: [f32; 3]) -> u64 {
    let [x, y, z] = bits(position).map(u64::from);
    let mixed = (x | y << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ z.wrapping_add(0xD1B5_4A32_D192_ED03).wrapping_mul(0x8CB9_2BA7_2F3D_8DD7);
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 29
}

/// A set of bits that many threads fill: what it holds in the end does not depend on their order.
struct Bits {
    words: Vec<AtomicU32>,
    shift: u32,
}

impl Bits {
    /// At least eight bits an item, so that few unlike items share one.
    fn for_items(count: usize) -> Self {
        let words = (count / 4).next_power_of_two().max(2);
        let words: Vec<AtomicU32> = (0..words).map(|_| AtomicU32::new(0)).collect();
        let shift = u64::BITS - (words.len() * 32).trailing_zeros();
        Self { words, shift }
    }

    fn place(&self, key: u64) -> (&AtomicU32, u32) {
        let bit = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        (&self.words[(bit / 32) as usize], 1 << (bit % 32))
    }

    /// Sets the bit of a key; whether it was set before.
    fn set(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        word.fetch_or(bit, Ordering::Relaxed) & bit != 0
    }

    fn get(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        word.load(Ordering::Relaxed) & bit != 0
    }
}
