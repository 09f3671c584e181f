//! Which blocks a pass makes anew: all, or those that are marked.

use crate::bvh8::{ChildRef, TreeLayout};

/// Which blocks are made anew.
pub(super) trait Which: Sync {
    /// Whether changes are told by difference to what was before, instead of in all.
    const IN_PART: bool;

    fn is_marked(&self, child: ChildRef) -> bool;
}

/// All blocks.
pub(super) struct All;

impl Which for All {
    const IN_PART: bool = false;

    #[inline(always)]
    fn is_marked(&self, _: ChildRef) -> bool {
        true
    }
}

/// Blocks by their first lines.
#[derive(Debug)]
pub(in crate::bvh8) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// No marks yet, for a tree of so many lines.
    pub(in crate::bvh8) fn new(lines: usize) -> Self {
        Self { words: vec![0; lines.div_ceil(64)] }
    }

    /// Marks a block; false if it is marked already.
    pub(in crate::bvh8) fn add(&mut self, line: usize) -> bool {
        let (word, bit) = (&mut self.words[line / 64], 1 << (line % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Which for Marks {
    const IN_PART: bool = true;

    #[inline(always)]
    fn is_marked(&self, child: ChildRef) -> bool {
        let line = TreeLayout::Fast.line(child);
        self.words[line / 64] >> (line % 64) & 1 != 0
    }
}
