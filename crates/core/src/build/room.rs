//! Fragments with room for more behind them.

use glam::Vec4;
use rayon::prelude::*;

use super::extent::PARALLEL_PASS_FROM;
use super::fragment::{Fragment, Growing, half_areas};
use super::sorted;

/// Some fragments at the front of a slice, and behind them room for parts that are yet to be made.
pub(super) struct Room<'a> {
    /// The first slot's place among all.
    first: usize,
    slots: &'a mut [Fragment],
    count: usize,
    /// Makes areas fit f32.
    unit: f32,
}

impl<'a> Room<'a> {
    /// All slots, of which the first `count` are taken.
    pub(super) fn new(slots: &'a mut [Fragment], count: usize, unit: f32) -> Self {
        Self { first: 0, slots, count, unit }
    }

    /// The first slot's place among all.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    pub(super) fn fragments(&self) -> &[Fragment] {
        &self.slots[..self.count]
    }

    pub(super) fn fragments_mut(&mut self) -> &mut [Fragment] {
        &mut self.slots[..self.count]
    }

    pub(super) fn into_fragments(self) -> &'a mut [Fragment] {
        &mut self.slots[..self.count]
    }

    /// How many there may be in all.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// How many more there may be.
    pub(super) fn left(&self) -> usize {
        self.slots.len() - self.count
    }

    /// Takes the first `left_count` fragments for the left, the others for the right, and shares
    /// the room between them.
    pub(super) fn divide(self, left_count: usize) -> (Self, Self) {
        let right = left_count..self.count;
        self.divide_with(left_count, right, &[])
    }

    /// Takes the first `left_count` slots for the left, the slots of `right` and some more for the
    /// right, and shares the room between them.
    pub(super) fn divide_with(
        self,
        left_count: usize,
        right: std::ops::Range<usize>,
        more: &[Fragment],
    ) -> (Self, Self) {
        let right_count = right.len() + more.len();
        let room = self.slots.len() - left_count - right_count;
        let left_room = if room == 0 {
            0
        } else {
            let left = need(&[&self.slots[..left_count]], self.unit);
            let both = left + need(&[&self.slots[right.clone()], more], self.unit);
            if both > 0.0 { (room as f64 * (left / both)) as usize } else { room / 2 }
        };
        let middle = left_count + left_room.min(room);
        let moved = right.len();
        self.slots.copy_within(right, middle);
        self.slots[middle + moved..][..more.len()].copy_from_slice(more);
        let (left, right) = self.slots.split_at_mut(middle);
        let side = |first, slots, count| Self { first, slots, count, unit: self.unit };
        (side(self.first, left, left_count), side(self.first + middle, right, right_count))
    }
}

/// How much room some fragments may need: by their areas and by their number alike. By either
/// alone: 1 % more to visit on a building. So few that only their order is split need none.
fn need(fragments: &[&[Fragment]], unit: f32) -> f64 {
    let count: usize = fragments.iter().map(|fragments| fragments.len()).sum();
    if count <= sorted::MOST {
        return 0.0;
    }
    let area = |fragments: &&[Fragment]| {
        if fragments.len() < PARALLEL_PASS_FROM {
            return sum(fragments, unit);
        }
        // Chunk sums are added up in order, so that threads change nothing.
        let chunks = fragments.par_chunks(PARALLEL_PASS_FROM / 4);
        let sums: Vec<f64> = chunks.map(|chunk| sum(chunk, unit)).collect();
        sums.iter().sum()
    };
    (fragments.iter().map(area).sum::<f64>() * count as f64).sqrt()
}

/// Half the areas of some fragments, added up, in a unit.
fn sum(fragments: &[Fragment], unit: f32) -> f64 {
    let unit = Vec4::splat(unit);
    let extent = |fragment: &Fragment| Growing::of(fragment).extent_in(unit);
    let (fours, rest) = fragments.as_chunks::<4>();
    let mut sums = Vec4::ZERO;
    for [a, b, c, d] in fours {
        sums += half_areas([extent(a), extent(b), extent(c), extent(d)]);
    }
    for fragment in rest {
        sums.x += half_areas([extent(fragment); 4]).x;
    }
    f64::from(sums.element_sum())
}
