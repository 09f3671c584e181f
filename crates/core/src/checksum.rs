//! A checksum that keeps up with memory: it tells whether bytes are still what they were.
//!
//! ```text
//! pieces of a mebibyte, in any order or at once; the last one is filled up with zeros
//!     eight lanes; for each 64 bytes: lane = rotate((lane ^ word) · odd number)
//!     the piece's sum: the lanes, mixed one into the other
//! the checksum: the pieces' sums, mixed in their order, and the number of bytes
//! ```
//!
//! Each step is a bijection of what it changes. So two lists of the same length that differ within
//! eight aligned bytes only, never have the same checksum; others have it by chance once in 2⁶⁴.
//! It is no defence against somebody who wants the same checksum.

use rayon::prelude::*;

/// How many bytes are summed for themselves.
const PIECE: usize = 1 << 20;

const LANES: usize = 8;

const BLOCK: usize = LANES * size_of::<u64>();

const _: () = assert!(PIECE.is_multiple_of(BLOCK));

/// Odd, with about as many ones as zeros: the first 64 binary digits of the golden ratio's
/// fraction, and those of the square root of two's.
const MULTIPLIERS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0x6a09_e667_f3bc_c909];

/// The checksum of bytes, on the rayon pool that the caller is in.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let sum = |piece: &[u8]| {
        let mut lanes = START;
        add_all(&mut lanes, piece);
        mixed(&lanes)
    };
    let pieces: Vec<u64> = bytes.par_chunks(PIECE).map(sum).collect();
    let total = pieces.into_iter().fold(0, mix);
    mix(total, bytes.len() as u64)
}

/// The checksum of bytes that come little by little.
#[derive(Clone, Debug)]
pub(crate) struct Checksum {
    total: u64,
    len: u64,
    lanes: [u64; LANES],
    /// How many bytes of the piece the lanes have.
    piece: usize,
    /// Bytes that do not fill a block yet.
    rest: [u8; BLOCK],
    rest_len: usize,
}

impl Default for Checksum {
    fn default() -> Self {
        Self { total: 0, len: 0, lanes: START, piece: 0, rest: [0; BLOCK], rest_len: 0 }
    }
}

impl Checksum {
    /// Adds bytes.
    pub(crate) fn add(&mut self, mut bytes: &[u8]) {
        self.len += bytes.len() as u64;
        while !bytes.is_empty() {
            if self.rest_len == 0 && bytes.len() >= BLOCK {
                let whole = bytes.len() - bytes.len() % BLOCK;
                let (now, later) = bytes.split_at(whole.min(PIECE - self.piece));
                add_all(&mut self.lanes, now);
                self.went_on(now.len());
                bytes = later;
                continue;
            }
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.rest_len));
            self.rest[self.rest_len..][..now.len()].copy_from_slice(now);
            self.rest_len += now.len();
            bytes = later;
            if self.rest_len == BLOCK {
                let block = self.rest;
                self.rest_len = 0;
                add_all(&mut self.lanes, &block);
                self.went_on(BLOCK);
            }
        }
    }

    fn went_on(&mut self, bytes: usize) {
        self.piece += bytes;
        if self.piece == PIECE {
            self.end_piece();
        }
    }

    fn end_piece(&mut self) {
        self.total = mix(self.total, mixed(&self.lanes));
        self.lanes = START;
        self.piece = 0;
    }

    /// The checksum of all that was added.
    pub(crate) fn finish(mut self) -> u64 {
        if self.piece + self.rest_len > 0 {
            let rest = self.rest;
            add_all(&mut self.lanes, &rest[..self.rest_len]);
            self.end_piece();
        }
        mix(self.total, self.len)
    }
}

/// Lanes that differ, so that words that trade places change the sum.
const START: [u64; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        lanes[lane] = MULTIPLIERS[1].wrapping_mul(lane as u64 + 1);
        lane += 1;
    }
    lanes
};

/// Adds blocks; what does not fill the last one is taken to be zero.
fn add_all(lanes: &mut [u64; LANES], bytes: &[u8]) {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for block in blocks {
        add_block(lanes, block);
    }
    if !rest.is_empty() {
        let mut block = [0; BLOCK];
        block[..rest.len()].copy_from_slice(rest);
        add_block(lanes, &block);
    }
}

#[inline(always)]
fn add_block(lanes: &mut [u64; LANES], block: &[u8; BLOCK]) {
    let (words, _) = block.as_chunks::<8>();
    for (lane, word) in lanes.iter_mut().zip(words) {
        let sum = (*lane ^ u64::from_le_bytes(*word)).wrapping_mul(MULTIPLIERS[0]);
        *lane = sum.rotate_left(29);
    }
}

fn mixed(lanes: &[u64; LANES]) -> u64 {
    lanes.iter().copied().fold(0, mix)
}

/// For either number a bijection of the other.
fn mix(total: u64, sum: u64) -> u64 {
    let mixed = (total.rotate_left(23) ^ sum).wrapping_mul(MULTIPLIERS[1]);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_and_little_by_little_are_the_same() {
        let bytes: Vec<u8> = (0..PIECE * 2 + 777).map(|i| ((i * i) >> 3) as u8).collect();
        for len in [0, 1, 63, 64, 65, 1000, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, bytes.len()] {
            for step in [7, 64, 4096, PIECE + 13] {
                let mut sum = Checksum::default();
                bytes[..len].chunks(step).for_each(|chunk| sum.add(chunk));
                assert_eq!(sum.finish(), checksum(&bytes[..len]), "{len} bytes by {step}");
            }
        }
    }

    #[test]
    fn every_flip_and_every_length_shows() {
        let mut bytes: Vec<u8> = (0..300).map(|i| (i * 7) as u8).collect();
        let right = checksum(&bytes);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(checksum(&bytes), right, "bit {bit}");
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        assert!((0..300).all(|len| checksum(&bytes[..len]) != right));
        assert_ne!(checksum(&[0; 64]), checksum(&[0; 65]));
    }
}
