//! Which blocks a tree is made of.

use super::{ChildRef, CompactLeaf4, CompactNode8, Leaf4, Node8};
use crate::memory::Line;

/// Which blocks a tree is made of. Every layout gives the same answers, bit for bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TreeLayout {
    /// Boxes and triangles as their tests take them: for speed. Some 60 bytes a triangle.
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

    /// How many lines there are from one place to the next: where all blocks take as many, places
    /// are counted in blocks.
    pub(crate) const fn place_lines(self) -> usize {
        match self {
            Self::Fast => Node8::LINES,
            Self::Compact => 1,
        }
    }

    /// The line at which a block begins.
    #[inline(always)]
    #[must_use]
    pub const fn line(self, child: ChildRef) -> usize {
        child.place() * self.place_lines()
    }

    /// How many lines a block takes.
    pub(crate) const fn block_lines(self, child: ChildRef) -> usize {
        if child.is_leaf() { self.leaf_lines() } else { self.node_lines() }
    }

    /// The node that begins at a line.
    pub(crate) fn node_at(self, line: usize) -> ChildRef {
        ChildRef::node(line / self.place_lines())
    }

    /// The greatest number of lines that a tree has.
    pub(crate) const fn most_lines(self) -> usize {
        ChildRef::PLACES * self.place_lines()
    }

    /// The leaf that begins at a line.
    pub(crate) fn leaf_at(self, line: usize) -> ChildRef {
        ChildRef::leaf(line / self.place_lines())
    }
}

// In the fast layout every block is a place.
const _: () = assert!(Node8::LINES == Leaf4::LINES);
