//! Which blocks a tree is made of.

use super::{CompactLeaf4, CompactNode8, Leaf4, Node8};
use crate::memory::Line;

/// Which blocks a tree is made of. Every layout gives the same answers, bit for bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TreeLayout {
    /// Boxes and triangles as their tests take them: for speed. Some 64 bytes a triangle.
    #[default]
    Fast,
    /// Boxes in steps of eight bits, and triangles by the indices of their corners, which are
    /// fetched from the mesh: some 24 bytes a triangle; a ray takes one and a half to two times as
    /// long, and batches have one way of casting only. For many meshes, or huge ones.
    Compact,
}

impl TreeLayout {
    /// Every layout.
    pub const ALL: [Self; 2] = [Self::Fast, Self::Compact];

    /// What a node takes, in bytes.
    #[must_use]
    pub const fn node_bytes(self) -> usize {
        self.node_lines() * size_of::<Line>()
    }

    /// What a leaf takes, in bytes. In [`TreeLayout::Compact`] it has no corners: those are fetched
    /// from the mesh.
    #[must_use]
    pub const fn leaf_bytes(self) -> usize {
        self.leaf_lines() * size_of::<Line>()
    }

    /// How many lines a node takes.
    pub(crate) const fn node_lines(self) -> usize {
        match self {
            Self::Fast => Node8::LINES,
            Self::Compact => CompactNode8::LINES,
        }
    }

    /// How many lines a leaf takes.
    pub(crate) const fn leaf_lines(self) -> usize {
        match self {
            Self::Fast => Leaf4::LINES,
            Self::Compact => CompactLeaf4::LINES,
        }
    }
}
