//! The order of the blocks in a file: the empty leaf, all nodes, all leaves.
//!
//! Nodes lie apart from leaves, so that a check of the structure reads them without the rest. Both
//! come as a depth-first walk meets their parents, siblings side by side: parents before their
//! children, and what is near in the tree is near in memory. The order depends on the tree alone,
//! so that equal trees make equal files.

use super::BakedFault;
use super::header::Part;
use crate::bvh8::{Bvh8, ChildRef, CompactNode8, Node8, TreeLayout};

/// How many blocks of each kind there are besides the empty leaf, and so where they are.
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
        let shape = shape.filter(|_| lines <= ChildRef::MAX_LINES).ok_or_else(wrong)?;
        // Without nodes there is a leaf at most.
        let is_tree = shape.nodes > 0 || shape.leaves <= 1;
        if is_tree && shape.lines() == lines { Ok(shape) } else { Err(wrong()) }
    }

    /// The line where nodes begin.
    pub(super) fn first_node(&self) -> usize {
        self.kind.leaf_lines()
    }

    /// The line where leaves begin.
    pub(super) fn first_leaf(&self) -> usize {
        self.first_node() + self.nodes * self.kind.node_lines()
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.first_leaf() + self.leaves * self.kind.leaf_lines()
    }

    pub(super) fn node(&self, index: usize) -> ChildRef {
        ChildRef::node(self.first_node() + index * self.kind.node_lines())
    }

    pub(super) fn leaf(&self, index: usize) -> ChildRef {
        ChildRef::leaf(self.first_leaf() + index * self.kind.leaf_lines())
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

/// What a file's order is about in a node, of whatever layout.
pub(super) trait NodeBlock: bytemuck::Pod {
    /// The line of it in which the references are.
    const REFERENCES: usize;

    fn child_count(&self) -> u32;
    fn children(&self) -> &[ChildRef; 8];
    fn children_mut(&mut self) -> &mut [ChildRef; 8];
}

impl NodeBlock for Node8 {
    const REFERENCES: usize = Self::LINES - 1;

    fn child_count(&self) -> u32 {
        self.child_count
    }

    fn children(&self) -> &[ChildRef; 8] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [ChildRef; 8] {
        &mut self.children
    }
}

impl NodeBlock for CompactNode8 {
    const REFERENCES: usize = 0;

    fn child_count(&self) -> u32 {
        self.child_count
    }

    fn children(&self) -> &[ChildRef; 8] {
        &self.children
    }

    fn children_mut(&mut self) -> &mut [ChildRef; 8] {
        &mut self.children
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
            let node = tree.node_copy(place.node);
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
        Shape { kind: self.tree.layout(), nodes: self.nodes.len(), leaves: self.leaves.len() }
    }

    /// The nodes, with references as they are in the file.
    pub(super) fn nodes<Node: NodeBlock>(
        &self,
        get: impl Fn(&'a Bvh8, ChildRef) -> &'a Node,
    ) -> impl Iterator<Item = Node> {
        let shape = self.shape();
        self.nodes.iter().map(move |place| {
            let mut node = *get(self.tree, place.node);
            let (mut next_node, mut next_leaf) = (place.first_node, place.first_leaf);
            let child_count = node.child_count() as usize;
            for child in &mut node.children_mut()[..child_count] {
                let next = if child.is_leaf() { &mut next_leaf } else { &mut next_node };
                let index = *next as usize;
                *next += 1;
                *child = if child.is_leaf() { shape.leaf(index) } else { shape.node(index) };
            }
            node
        })
    }

    pub(super) fn leaves<Leaf: Copy + 'a>(
        &self,
        get: impl Fn(&'a Bvh8, ChildRef) -> &'a Leaf,
    ) -> impl Iterator<Item = Leaf> {
        self.leaves.iter().map(move |&leaf| *get(self.tree, leaf))
    }
}
