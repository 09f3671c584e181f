//! The triangles of some parts, each once.

use crate::bvh8::Leaf4;

/// The triangles of some parts, each once, as long as they fit a leaf.
pub(super) struct Distinct {
    prims: [u32; Leaf4::LANES],
    /// One too many if they do not fit.
    count: usize,
}

impl Distinct {
    pub(super) fn of(parts: &[u32]) -> Self {
        let mut distinct = Self { prims: [Leaf4::NO_PRIM; Leaf4::LANES], count: 0 };
        for &prim in parts {
            if distinct.prims[..distinct.count].contains(&prim) {
                continue;
            }
            distinct.count += 1;
            let Some(place) = distinct.prims.get_mut(distinct.count - 1) else { break };
            *place = prim;
        }
        distinct
    }

    /// The triangles, if they fit.
    pub(super) fn prims(&self) -> &[u32] {
        &self.prims[..self.count.min(Leaf4::LANES)]
    }

    /// How many there are; one too many if they do not fit.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}
