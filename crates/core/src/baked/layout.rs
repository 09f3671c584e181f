//! The order of the blocks in a file: the empty leaf, all nodes, all leaves.
//!
//! Nodes lie apart from leaves, so that a check of the structure reads them without the rest. Both
//! come as a depth-first walk meets their parents, siblings side by side: parents before their
//! children, and what is near in the tree is near in memory. The order depends on the tree alone,
//! so that equal trees make equal files.

use super::BakedFault;
use super::header::Part;
use crate::bvh8::{Bvh8, ChildRef, Leaf4, Node8};

/// How many blocks of each kind there are besides the empty leaf, and so where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) nodes: usize,
    pub(super) leaves: usize,
}

impl Shape {
    /// The line where nodes begin.
    pub(super) const FIRST_NODE: usize = Leaf4::LINES;

    /// A shape that takes this many lines.
    pub(super) fn new(nodes: u64, leaves: u64, lines: usize) -> Result<Self, BakedFault> {
        let wrong = || BakedFault::invalid(Part::Blocks, "wrong number of nodes or leaves");
        // Neither is more than there are lines, so nothing below overflows.
        let few = |count: u64| usize::try_from(count).ok().filter(|&count| count <= lines);
        let shape = few(nodes).zip(few(leaves)).map(|(nodes, leaves)| Self { nodes, leaves });
        let shape = shape.filter(|_| lines <= ChildRef::MAX_LINES).ok_or_else(wrong)?;
        // Without nodes there is a leaf at most.
        let is_tree = shape.nodes > 0 || shape.leaves <= 1;
        if is_tree && shape.lines() == lines { Ok(shape) } else { Err(wrong()) }
    }

    /// The line where leaves begin.
    pub(super) fn first_leaf(&self) -> usize {
        Self::FIRST_NODE + self.nodes * Node8::LINES
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.first_leaf() + self.leaves * Leaf4::LINES
    }

    pub(super) fn node(&self, index: usize) -> ChildRef {
        ChildRef::node(Self::FIRST_NODE + index * Node8::LINES)
    }

    pub(super) fn leaf(&self, index: usize) -> ChildRef {
        ChildRef::leaf(self.first_leaf() + index * Leaf4::LINES)
    }

    /// Where a walk begins.
    pub(super) fn root(&self) -> ChildRef {
        match (self.nodes, self.leaves) {
            (0, 0) => Bvh8::NO_CHILD,
            (0, _) => self.leaf(0),
            _ => self.node(0),
        }
    }
}

/// The blocks of a tree in the order of a file.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    tree: &'a Bvh8,
    nodes: Vec<Place>,
    leaves: Vec<ChildRef>,
}

/// A node, and where the children of each kind begin in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    node: ChildRef,
    first_node: u32,
    first_leaf: u32,
}

impl<'a> Layout<'a> {
    pub(super) fn of(tree: &'a Bvh8) -> Self {
        let mut layout = Self { tree, nodes: Vec::new(), leaves: Vec::new() };
        layout.push(tree.root());
        let mut open = vec![0; layout.nodes.len()];
        while let Some(index) = open.pop() {
            let place: &mut Place = &mut layout.nodes[index];
            let node = tree.node(place.node);
            let first_node = layout.nodes.len();
            let place: &mut Place = &mut layout.nodes[index];
            (place.first_node, place.first_leaf) = (first_node as u32, layout.leaves.len() as u32);
            for &child in &node.children[..node.child_count as usize] {
                layout.push(child);
            }
            open.extend(first_node..layout.nodes.len());
        }
        layout
    }

    fn push(&mut self, child: ChildRef) {
        if child == Bvh8::NO_CHILD {
        } else if child.is_leaf() {
            self.leaves.push(child);
        } else {
            self.nodes.push(Place { node: child, first_node: 0, first_leaf: 0 });
        }
    }

    pub(super) fn shape(&self) -> Shape {
        Shape { nodes: self.nodes.len(), leaves: self.leaves.len() }
    }

    /// The nodes, with references as they are in the file.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node8> {
        let shape = self.shape();
        self.nodes.iter().map(move |place| {
            let mut node = *self.tree.node(place.node);
            let (mut next_node, mut next_leaf) = (place.first_node, place.first_leaf);
            for child in &mut node.children[..node.child_count as usize] {
                let next = if child.is_leaf() { &mut next_leaf } else { &mut next_node };
                let index = *next as usize;
                *next += 1;
                *child = if child.is_leaf() { shape.leaf(index) } else { shape.node(index) };
            }
            node
        })
    }

    pub(super) fn leaves(&self) -> impl Iterator<Item = &Leaf4> {
        self.leaves.iter().map(|&leaf| self.tree.leaf(leaf))
    }
}
