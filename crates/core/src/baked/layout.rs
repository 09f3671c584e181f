//! The order of the blocks in a file: the empty leaf, the root, and then the children of each node,
//! side by side, as a depth-first walk meets it.
//!
//! What is near in the tree is near in memory. The order depends on the tree alone, so that equal
//! trees make equal files.

use std::io;

use super::BakedFault;
use super::header::Part;
use crate::bvh8::{Bvh8, ChildRef, Children, CompactLeaf4, CompactNode8, Leaf4, Node8, TreeLayout};

/// How many blocks of each kind there are besides the empty leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) kind: TreeLayout,
    pub(super) nodes: usize,
    pub(super) leaves: usize,
}

impl Shape {
    /// A shape that takes this many lines.
    pub(super) fn new(
        kind: TreeLayout,
        nodes: u64,
        leaves: u64,
        lines: usize,
    ) -> Result<Self, BakedFault> {
        let wrong = || BakedFault::invalid(Part::Blocks, "wrong number of nodes or leaves");
        // Neither is more than there are lines, so nothing below overflows.
        let few = |count: u64| usize::try_from(count).ok().filter(|&count| count <= lines);
        let shape = few(nodes).zip(few(leaves)).map(|(nodes, leaves)| Self { kind, nodes, leaves });
        let shape = shape.filter(|_| lines <= kind.most_lines()).ok_or_else(wrong)?;
        // Without nodes there is a leaf at most.
        let is_tree = shape.nodes > 0 || shape.leaves <= 1;
        if is_tree && shape.lines() == lines { Ok(shape) } else { Err(wrong()) }
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.root_line()
            + self.nodes * self.kind.node_lines()
            + self.leaves * self.kind.leaf_lines()
    }

    /// The line of the root, if there is one.
    pub(super) fn root_line(&self) -> usize {
        self.kind.leaf_lines()
    }

    /// Where a walk begins.
    pub(super) fn root(&self) -> ChildRef {
        match (self.nodes, self.leaves) {
            (0, 0) => Bvh8::NO_CHILD,
            (0, _) => self.kind.leaf_at(self.root_line()),
            _ => self.kind.node_at(self.root_line()),
        }
    }
}

/// The blocks of a tree in the order of a file.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    tree: &'a Bvh8,
    shape: Shape,
    blocks: Vec<Block>,
}

/// A block, and the line in the file where its children begin.
#[derive(Clone, Copy, Debug)]
struct Block {
    place: ChildRef,
    children: u32,
}

impl<'a> Layout<'a> {
    pub(super) fn of(tree: &'a Bvh8) -> Self {
        let shape = Shape { kind: tree.layout(), nodes: 0, leaves: 0 };
        let mut layout = Self { tree, shape, blocks: Vec::new() };
        let root = Some(tree.root()).filter(|&root| root != Bvh8::NO_CHILD);
        let mut open: Vec<usize> = root.and_then(|root| layout.push(root)).into_iter().collect();
        while let Some(index) = open.pop() {
            let node = tree.node_copy(layout.blocks[index].place);
            layout.blocks[index].children = layout.shape.lines() as u32;
            open.extend(node.children().iter().filter_map(|&child| layout.push(child)));
        }
        layout
    }

    /// Adds a block; gives its index if it is a node.
    fn push(&mut self, place: ChildRef) -> Option<usize> {
        let index = self.blocks.len();
        self.blocks.push(Block { place, children: 0 });
        if place.is_leaf() {
            self.shape.leaves += 1;
            return None;
        }
        self.shape.nodes += 1;
        Some(index)
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Calls `write` with the bytes of each block, with references as they are in the file.
    pub(super) fn write(&self, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        match self.shape.kind {
            TreeLayout::Fast => write(bytemuck::bytes_of(&Leaf4::EMPTY))?,
            TreeLayout::Compact => write(bytemuck::bytes_of(&CompactLeaf4::EMPTY))?,
        }
        for block in &self.blocks {
            match (self.shape.kind, block.place.is_leaf()) {
                (TreeLayout::Fast, true) => write(bytemuck::bytes_of(self.tree.leaf(block.place))),
                (TreeLayout::Fast, false) => write(bytemuck::bytes_of(&self.node(block))),
                (TreeLayout::Compact, true) => {
                    write(bytemuck::bytes_of(self.tree.compact_leaf(block.place)))
                }
                (TreeLayout::Compact, false) => {
                    write(bytemuck::bytes_of(&self.compact_node(block)))
                }
            }?;
        }
        Ok(())
    }

    fn node(&self, block: &Block) -> Node8 {
        let mut node = *self.tree.node(block.place);
        let nodes = node.copy().child_nodes();
        let first = self.shape.kind.node_at(block.children as usize).place();
        node.set_children(Children::new(first, nodes));
        node
    }

    fn compact_node(&self, block: &Block) -> CompactNode8 {
        let mut node = *self.tree.compact_node(block.place);
        let mut line = block.children as usize;
        for child in node.children.iter_mut().take(node.child_count as usize) {
            let kind = self.shape.kind;
            let place = if child.is_leaf() { kind.leaf_at(line) } else { kind.node_at(line) };
            line += kind.block_lines(*child);
            *child = place;
        }
        node
    }
}
