//! Triangles that several leaves have count once.

use std::collections::BTreeSet;

use hitscan_core::Hit;

/// How many triangles are kept without allocating.
const FEW: usize = 16;

/// The split triangles that a ray has hit so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Once {
    few: [u32; FEW],
    count: usize,
    more: BTreeSet<u32>,
}

impl Once {
    /// Whether this triangle was not given before.
    pub(super) fn is_first(&mut self, prim: u32) -> bool {
        if self.few[..self.count].contains(&prim) {
            return false;
        }
        match self.few.get_mut(self.count) {
            Some(free) => {
                *free = prim;
                self.count += 1;
                true
            }
            None => self.more.insert(prim),
        }
    }
}

/// Sorts one ray's hits from `first` on, near to far and on equal `t` by triangle, and leaves one
/// of each triangle's.
pub(crate) fn put_in_order(hits: &mut Vec<Hit>, first: usize) {
    hits[first..].sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.prim.cmp(&b.prim)));
    drop_repeats(hits, first);
}

/// Leaves one of each triangle's hits from `first` on; they are sorted by `t`, then by triangle,
/// and one triangle's hits are all the same.
fn drop_repeats(hits: &mut Vec<Hit>, first: usize) {
    let mut kept = first;
    for i in first..hits.len() {
        if kept == first || hits[kept - 1].prim != hits[i].prim {
            hits[kept] = hits[i];
            kept += 1;
        }
    }
    hits.truncate(kept);
}
