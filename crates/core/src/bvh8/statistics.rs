//! What a tree looks like, in numbers.

use super::TreeLayout;
use crate::memory::Line;

/// What an eight-wide tree looks like, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves; up to four triangles each.
    pub leaves: usize,
    /// Triangles in leaves, each once.
    pub triangles: usize,
    /// Triangles in leaves, each as often as there are leaves that have it. More than
    /// [`Self::triangles`] in trees of [`crate::Quality::High`], which may cut triangles into
    /// parts.
    pub references: usize,
    /// The greatest number of blocks on a way from the root to a leaf.
    pub depth: usize,
    /// The expected cost of a random ray that meets the root's box: one for each node or leaf
    /// met, weighted by its box's area over the root's.
    pub sah_cost: f64,
    /// Memory for nodes, in bytes.
    pub node_bytes: usize,
    /// Memory for leaves, in bytes. In [`TreeLayout::Compact`] they have no corners, which are
    /// those of the mesh.
    pub leaf_bytes: usize,
}

impl Statistics {
    /// Takes the memory of a tree of so many lines.
    pub(crate) fn count_bytes(&mut self, lines: usize, layout: TreeLayout) {
        self.node_bytes = self.nodes * layout.node_bytes();
        self.leaf_bytes = lines * size_of::<Line>() - self.node_bytes;
    }

    /// Memory in all, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.node_bytes + self.leaf_bytes
    }

    /// Memory a triangle, in bytes; 0 without triangles.
    #[must_use]
    pub fn bytes_per_triangle(&self) -> f64 {
        if self.triangles == 0 { 0.0 } else { self.bytes() as f64 / self.triangles as f64 }
    }
}
