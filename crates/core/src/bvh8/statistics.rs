//! What a tree looks like, in numbers.

/// What an eight-wide tree looks like, in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Inner nodes.
    pub nodes: usize,
    /// Leaves; up to four triangles each.
    pub leaves: usize,
    /// Triangles in leaves.
    pub triangles: usize,
    /// The greatest number of blocks on a way from the root to a leaf.
    pub depth: usize,
    /// The expected cost of a random ray that meets the root's box: one for each node or leaf
    /// met, weighted by its box's area over the root's.
    pub sah_cost: f64,
    /// Memory for nodes, in bytes.
    pub node_bytes: usize,
    /// Memory for leaves, in bytes.
    pub leaf_bytes: usize,
}

impl Statistics {
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

    /// Triangles a leaf; 0 without leaves.
    #[must_use]
    pub fn leaf_fill(&self) -> f64 {
        if self.leaves == 0 { 0.0 } else { self.triangles as f64 / self.leaves as f64 }
    }

    /// Children a node; 0 without nodes.
    #[must_use]
    pub fn node_fill(&self) -> f64 {
        let children = (self.nodes + self.leaves).saturating_sub(1);
        if self.nodes == 0 { 0.0 } else { children as f64 / self.nodes as f64 }
    }
}
