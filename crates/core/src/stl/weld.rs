//! Positions to vertices: equal positions become one.
//!
//! A table with open addressing that holds only numbers of vertices. The hash has a seed of its
//! own in each run, so that no file can be made to collide; the vertices are numbered in order of
//! appearance and do not depend on it.

use std::hash::{BuildHasher, RandomState};

use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place};

/// The numbers of the positions seen so far.
pub(super) struct Weld {
    /// At least twice as many as vertices; [`FREE`] where there is none.
    slots: Vec<u32>,
    /// Each as its bits, with one zero instead of two.
    keys: Vec<[u64; 3]>,
    seeds: [u64; 3],
}

/// A slot without a vertex.
const FREE: u32 = u32::MAX;

impl Weld {
    pub(super) fn new() -> Self {
        let random = RandomState::new();
        Self {
            slots: vec![FREE; 64],
            keys: Vec::new(),
            seeds: std::array::from_fn(|i| random.hash_one(i)),
        }
    }

    /// The vertex at a position; a new one of the draft if there is none yet.
    #[inline]
    pub(super) fn vertex(
        &mut self,
        position: [f64; 3],
        draft: &mut Draft,
        place: impl FnOnce() -> Place,
    ) -> Result<u32, Fault> {
        let key = position.map(|x| (x + 0.0).to_bits());
        let mut slot = self.slot(key);
        loop {
            match self.slots[slot] {
                FREE => break,
                vertex if self.keys[vertex as usize] == key => return Ok(vertex),
                _ => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
        let vertex = self.keys.len() as u32;
        self.slots[slot] = vertex;
        self.keys.push(key);
        draft.vertex(position.map(|x| x + 0.0), place)?;
        if 2 * self.keys.len() > self.slots.len() {
            self.grow();
        }
        Ok(vertex)
    }

    /// Where the search for a key begins.
    #[inline]
    fn slot(&self, [x, y, z]: [u64; 3]) -> usize {
        let [a, b, c] = self.seeds;
        let hash = fold(fold(x ^ a, y ^ b) ^ z, c | 1);
        hash as usize & (self.slots.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        let length = 2 * self.slots.len();
        self.slots.clear();
        self.slots.resize(length, FREE);
        for vertex in 0..self.keys.len() {
            let mut slot = self.slot(self.keys[vertex]);
            while self.slots[slot] != FREE {
                slot = (slot + 1) & (length - 1);
            }
            self.slots[slot] = vertex as u32;
        }
    }
}

/// Both halves of a product, folded into one.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}
