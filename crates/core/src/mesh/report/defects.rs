//! Triangles that can never be hit and triangles that come twice, counted exactly and fast.
//!
//! One pass in parallel fetches the corners of each triangle, tests its area, and makes a key that
//! does not depend on the corners' order. The keys are thrown into a table of bits; only triangles
//! that share a bit are candidates for duplicates, and those are sorted and compared.

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

/// What is wrong with the triangles of a mesh; each triangle counts once, as the first that fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Defects {
    /// A corner is NaN or infinite.
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
                continue;
            }
            *key = corners.map(hash).into_iter().fold(0, u64::wrapping_add) | 1;
        }
        Defects { non_finite, degenerate, duplicate: Tally::default() }
    };
    let found = indices.par_chunks(CHUNK).zip(keys.par_chunks_mut(CHUNK)).enumerate().map(look);
    let mut defects = found.reduce(Defects::default, |a, b| Defects {
        non_finite: a.non_finite.join(b.non_finite),
        degenerate: a.degenerate.join(b.degenerate),
        duplicate: Tally::default(),
    });
    let shared = SharedBits::of(&keys);
    let candidate = |(prim, &key): (usize, &u64)| {
        (key != NO_KEY && shared.contains(key)).then_some((key, prim as u32))
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

/// Which bits of a table are shared by several keys.
///
/// Filled by one thread: with an atomic table for all threads each locked write waited for its
/// cache line alone, and that took three times as long as a single thread that waits for many.
struct SharedBits {
    /// The lower half of a word holds what came once, the upper half what came again.
    words: Vec<u64>,
    shift: u32,
}

impl SharedBits {
    /// At least eight bits a key, so that few unlike keys share one.
    fn of(keys: &[u64]) -> Self {
        let count = (keys.len() / 4).next_power_of_two().max(2);
        let shift = u64::BITS - (count * 32).trailing_zeros();
        let mut table = Self { words: vec![0; count], shift };
        for &key in keys {
            let (word, bit) = table.place(key);
            let word = &mut table.words[word];
            *word |= (*word & bit) << 32 | bit;
        }
        table
    }

    fn place(&self, key: u64) -> (usize, u64) {
        let bit = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        ((bit / 32) as usize, 1 << (bit % 32))
    }

    fn contains(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.words[word] & bit << 32 != 0
    }
}
