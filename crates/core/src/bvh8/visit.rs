//! Going through all blocks of a tree.

use super::{Bvh8, ChildRef};
use crate::Aabb;

/// A block of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// Where it is, and whether it is a node or a leaf.
    pub place: ChildRef,
    /// Its box, relative to the mesh's origin.
    pub bounds: Aabb,
    /// How many blocks lie above it: 0 for the root.
    pub level: usize,
    /// The node above it; for the root the root itself.
    pub parent: ChildRef,
}

impl Bvh8 {
    /// All nodes and leaves, each before what is below it, the first child first. Of a tree over
    /// nothing only the root is there.
    pub fn visits(&self) -> impl Iterator<Item = Visit> {
        let root = Visit { place: self.root, bounds: self.bounds, level: 0, parent: self.root };
        self.visits_below(root)
    }

    /// A block and everything below it.
    pub(super) fn visits_below(&self, top: Visit) -> impl Iterator<Item = Visit> {
        let mut open = vec![top];
        std::iter::from_fn(move || {
            let visit = open.pop()?;
            if !visit.place.is_leaf() {
                let node = self.node_copy(visit.place);
                open.extend((0..node.child_count as usize).rev().map(|lane| Visit {
                    place: node.children[lane],
                    bounds: node.child_bounds(lane),
                    level: visit.level + 1,
                    parent: visit.place,
                }));
            }
            Some(visit)
        })
    }
}
