//! Whether blocks are a tree that any ray can walk, whoever wrote them.
//!
//! ```text
//! a depth-first walk, the last child first, counts the blocks that it was led to
//!     each node has one to eight children, nodes before leaves, and each child is the next block
//!     of its kind
//!     no node is too deep; empty lanes lead to the empty leaf
//! at the end all blocks were counted
//! where leaves are read, too: each lane has a triangle that there is, and vertices, or nothing
//! that can be hit
//! ```
//!
//! No block is led to twice, because each time it is the next one. So they are a tree, and no walk
//! meets a block again.

use rayon::prelude::*;

use super::BakedFault;
use super::header::Part;
use super::layout::{NodeBlock, Shape};
use crate::bvh2::Bvh2;
use crate::bvh8::{Bvh8, ChildRef, CompactLeaf4, CompactNode8, Leaf4, Node8, TreeLayout};
use crate::memory::{Line, prefetch};

/// A bit for each lane.
const LANES: u32 = (1 << Leaf4::LANES) - 1;

/// How many leaves are checked at a time.
const CHUNK: usize = 1 << 13;

/// How many things a mesh has that leaves may name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) triangles: u64,
    pub(super) vertices: u64,
}

/// What is checked in a leaf, of whatever layout.
trait LeafBlock: bytemuck::Pod + Sync {
    fn marked_prims(&self) -> &[u32; Leaf4::LANES];

    /// Whether a lane without a triangle is never hit.
    fn never_hits(&self, lane: usize) -> bool;

    /// Whether a lane's vertices are there, if it names any.
    fn has_vertices(&self, lane: usize, vertices: u64) -> bool;
}

impl LeafBlock for Leaf4 {
    fn marked_prims(&self) -> &[u32; Self::LANES] {
        self.marked_prims()
    }

    fn never_hits(&self, lane: usize) -> bool {
        // With an infinite error a lane is never a sure hit.
        self.minus_error_area[lane] == f32::INFINITY
    }

    fn has_vertices(&self, _: usize, _: u64) -> bool {
        true
    }
}

impl LeafBlock for CompactLeaf4 {
    fn marked_prims(&self) -> &[u32; Leaf4::LANES] {
        self.marked_prims()
    }

    fn never_hits(&self, _: usize) -> bool {
        true
    }

    fn has_vertices(&self, lane: usize, vertices: u64) -> bool {
        self.vertices.iter().all(|corner| u64::from(corner[lane]) < vertices)
    }
}

/// Checks the leaves of a tree of this shape over a mesh of so many triangles and vertices, in
/// parallel on the rayon pool that the caller is in. What it does not look at are corners, or
/// whether they are the right ones.
pub(super) fn check_leaves(
    lines: &[Line],
    shape: &Shape,
    named: Named,
    references: u64,
) -> Result<(), BakedFault> {
    match shape.kind {
        TreeLayout::Fast => check_leaves_of::<Leaf4>(lines, shape, named, references),
        TreeLayout::Compact => check_leaves_of::<CompactLeaf4>(lines, shape, named, references),
    }
}

fn check_leaves_of<Leaf: LeafBlock>(
    lines: &[Line],
    shape: &Shape,
    named: Named,
    references: u64,
) -> Result<(), BakedFault> {
    let invalid = |fault: &str| BakedFault::invalid(Part::Blocks, fault);
    let leaves: &[Leaf] = bytemuck::cast_slice(&lines[shape.first_leaf()..]);
    let found = |leaves: &[Leaf]| references_of(leaves, named);
    let found = leaves.par_chunks(CHUNK).map(found).sum::<Option<u64>>();
    match found {
        None => Err(invalid("a leaf has a triangle that is not there")),
        Some(found) if found != references => Err(invalid("wrong number of triangles")),
        Some(_) => Ok(()),
    }
}

/// How many triangles leaves have, if they are there, and empty lanes come last and cannot be hit.
fn references_of<Leaf: LeafBlock>(leaves: &[Leaf], named: Named) -> Option<u64> {
    let (mut count, mut right) = (0, true);
    for leaf in leaves {
        let mut empty = 0_u32;
        for (lane, &marked_prim) in leaf.marked_prims().iter().enumerate() {
            let is_empty = marked_prim == Leaf4::NO_PRIM;
            let is_there = u64::from(Leaf4::unmarked(marked_prim).0) < named.triangles;
            right &= (is_there & !is_empty) | (is_empty & leaf.never_hits(lane));
            right &= is_empty | leaf.has_vertices(lane, named.vertices);
            empty |= u32::from(is_empty) << lane;
        }
        // The empty lanes are the last ones: adding the first of them carries over the rest.
        right &= (empty + (empty & empty.wrapping_neg())) & LANES == 0;
        count += u64::from(LANES.count_ones() - empty.count_ones());
    }
    right.then_some(count)
}

/// Checks the nodes of a tree of this shape; gives the greatest number of blocks on a way from the
/// root to a leaf. What it does not look at are boxes.
pub(super) fn check_nodes(lines: &[Line], shape: &Shape) -> Result<usize, BakedFault> {
    let depth = match shape.kind {
        TreeLayout::Fast => depth_of::<Node8>(lines, shape, &[Leaf4::EMPTY]),
        TreeLayout::Compact => depth_of::<CompactNode8>(lines, shape, &[CompactLeaf4::EMPTY]),
    };
    depth.map_err(|fault| BakedFault::invalid(Part::Blocks, fault))
}

/// The tree's depth, or what is wrong.
fn depth_of<Node: NodeBlock>(
    lines: &[Line],
    shape: &Shape,
    empty_leaf: &[impl LeafBlock],
) -> Result<usize, &'static str> {
    if lines[..shape.first_node()] != *bytemuck::cast_slice::<_, Line>(empty_leaf) {
        return Err("the first leaf is not empty");
    }
    if shape.nodes == 0 {
        return Ok(shape.leaves);
    }
    let nodes: &[Node] = bytemuck::cast_slice(&lines[shape.first_node()..shape.first_leaf()]);
    let mut next = Next { shape, node: 1, leaf: 0 };
    let mut deepest = 0;
    let mut open = vec![(0, 1)];
    while let Some((index, depth)) = open.pop() {
        let node: &Node = &nodes[index];
        if !(1..=8).contains(&node.child_count()) {
            return Err("a node has no children, or too many");
        }
        let (children, empty) = node.children().split_at(node.child_count() as usize);
        if empty.iter().any(|&child| child != Bvh8::NO_CHILD) {
            return Err("an empty lane leads somewhere");
        }
        let first = next.node;
        for &child in children {
            if !next.is(child) {
                return Err("a child is not the next block of its kind");
            }
        }
        // So those that are nodes lie one behind the other, and come first: a walk relies on it.
        if !children.is_sorted_by_key(|child| child.is_leaf()) {
            return Err("a node comes behind a leaf");
        }
        if depth >= Bvh2::MAX_DEPTH {
            return Err("a node is too deep");
        }
        for child in first..next.node {
            open.push((child, depth + 1));
            prefetch::<1>(lines, shape.node(child).line() + Node::REFERENCES);
        }
        deepest = deepest.max(depth + 1);
    }
    if next.node < shape.nodes || next.leaf < shape.leaves {
        return Err("a block has no parent");
    }
    Ok(deepest)
}

/// How many blocks there were.
struct Next<'a> {
    shape: &'a Shape,
    node: usize,
    leaf: usize,
}

impl Next<'_> {
    /// Whether this is the next block of its kind, and there is one.
    #[inline(always)]
    fn is(&mut self, child: ChildRef) -> bool {
        if child.is_leaf() {
            let is_next = self.leaf < self.shape.leaves && child == self.shape.leaf(self.leaf);
            self.leaf += 1;
            is_next
        } else {
            let is_next = self.node < self.shape.nodes && child == self.shape.node(self.node);
            self.node += 1;
            is_next
        }
    }
}
