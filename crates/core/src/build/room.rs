//! Fragments with room for more behind them.

use rayon::prelude::*;

use super::extent::PARALLEL_PASS_FROM;
use super::fragment::Fragment;

/// Some fragments at the front of a slice, and behind them room for parts that are yet to be made.
pub(super) struct Room<'a> {
    slots: &'a mut [Fragment],
    count: usize,
}

impl<'a> Room<'a> {
    /// The first `count` slots are taken.
    pub(super) fn new(slots: &'a mut [Fragment], count: usize) -> Self {
        Self { slots, count }
    }

    pub(super) fn fragments(&self) -> &[Fragment] {
        &self.slots[..self.count]
    }

    pub(super) fn fragments_mut(&mut self) -> &mut [Fragment] {
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
            let left = need(&[&self.slots[..left_count]]);
            let both = left + need(&[&self.slots[right.clone()], more]);
            if both > 0.0 { (room as f64 * (left / both)) as usize } else { room / 2 }
        };
        let middle = left_count + left_room.min(room);
        let moved = right.len();
        self.slots.copy_within(right, middle);
        self.slots[middle + moved..][..more.len()].copy_from_slice(more);
        let (left, right) = self.slots.split_at_mut(middle);
        (Self::new(left, left_count), Self::new(right, right_count))
    }
}

/// How much room some fragments may need: by their areas and by their number alike. By either
/// alone: 1 % more to visit on a building.
fn need(fragments: &[&[Fragment]]) -> f64 {
    let sum = |fragments: &[Fragment]| -> f64 {
        fragments.iter().map(|fragment| fragment.bounds().half_area()).sum()
    };
    let area = |fragments: &&[Fragment]| {
        if fragments.len() < PARALLEL_PASS_FROM {
            return sum(fragments);
        }
        // Chunk sums are added up in order, so that threads change nothing.
        let sums: Vec<f64> = fragments.par_chunks(PARALLEL_PASS_FROM / 4).map(sum).collect();
        sums.iter().sum()
    };
    let count: usize = fragments.iter().map(|fragments| fragments.len()).sum();
    (fragments.iter().map(area).sum::<f64>() * count as f64).sqrt()
}
