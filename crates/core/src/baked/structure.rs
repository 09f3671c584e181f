//! Whether blocks are a tree that any ray can walk, whoever wrote them.
//!
//! ```text
//! a depth-first walk, the last child first, counts the blocks that it was led to
//!     each node has one to eight children, and each child is the next block of its kind
//!     no node is too deep; empty lanes lead to the empty leaf
//! at the end all blocks were counted
//! where leaves are read, too: each lane has a triangle that there is, or nothing that can be hit
//! ```
//!
//! No block is led to twice, because each time it is the next one. So they are a tree, and no walk
//! meets a block again.

use rayon::prelude::*;

use super::BakedFault;
use super::header::Part;
use super::layout::Shape;
use crate::bvh2::Bvh2;
use crate::bvh8::{Bvh8, ChildRef, Leaf4, Node8};
use crate::memory::{Line, prefetch};

/// A bit for each lane.
const LANES: u32 = (1 << Leaf4::LANES) - 1;

/// How many leaves are checked at a time.
const CHUNK: usize = 1 << 13;

/// Checks the leaves of a tree of this shape over this many triangles, in parallel on the rayon
/// pool that the caller is in. What it does not look at are corners.
pub(super) fn check_leaves(
    lines: &[Line],
    shape: &Shape,
    triangles: u64,
    references: u64,
) -> Result<(), BakedFault> {
    let invalid = |fault: &str| BakedFault::invalid(Part::Blocks, fault);
    let leaves: &[Leaf4] = bytemuck::cast_slice(&lines[shape.first_leaf()..]);
    let found = |leaves: &[Leaf4]| references_of(leaves, triangles);
    let found = leaves.par_chunks(CHUNK).map(found).sum::<Option<u64>>();
    match found {
        None => Err(invalid("a leaf has a triangle that is not there")),
        Some(found) if found != references => Err(invalid("wrong number of triangles")),
        Some(_) => Ok(()),
    }
}

/// How many triangles leaves have, if they are there, and empty lanes come last and cannot be hit.
fn references_of(leaves: &[Leaf4], triangles: u64) -> Option<u64> {
    let (mut count, mut right) = (0, true);
    for leaf in leaves {
        let mut empty = 0_u32;
        for (lane, &marked_prim) in leaf.marked_prims().iter().enumerate() {
            let is_empty = marked_prim == Leaf4::NO_PRIM;
            // With an infinite error a lane is never a sure hit.
            let never_hit = leaf.minus_error_area[lane] == f32::INFINITY;
            let is_there = u64::from(Leaf4::unmarked(marked_prim).0) < triangles;
            right &= (is_there & !is_empty) | (is_empty & never_hit);
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
    let depth = if lines[..Shape::FIRST_NODE] == *bytemuck::cast_slice::<_, Line>(&[Leaf4::EMPTY]) {
        depth_of(lines, shape)
    } else {
        Err("the first leaf is not empty")
    };
    depth.map_err(|fault| BakedFault::invalid(Part::Blocks, fault))
}

/// The tree's depth, or what is wrong.
fn depth_of(lines: &[Line], shape: &Shape) -> Result<usize, &'static str> {
    if shape.nodes == 0 {
        return Ok(shape.leaves);
    }
    let nodes: &[Node8] = bytemuck::cast_slice(&lines[Shape::FIRST_NODE..shape.first_leaf()]);
    let mut next = Next { shape, node: 1, leaf: 0 };
    let mut deepest = 0;
    let mut open = vec![(0, 1)];
    while let Some((index, depth)) = open.pop() {
        let node: &Node8 = &nodes[index];
        if !(1..=8).contains(&node.child_count) {
            return Err("a node has no children, or too many");
        }
        let (children, empty) = node.children.split_at(node.child_count as usize);
        if empty.iter().any(|&child| child != Bvh8::NO_CHILD) {
            return Err("an empty lane leads somewhere");
        }
        let first = next.node;
        for &child in children {
            if !next.is(child) {
                return Err("a child is not the next block of its kind");
            }
        }
        if depth >= Bvh2::MAX_DEPTH {
            return Err("a node is too deep");
        }
        for child in first..next.node {
            open.push((child, depth + 1));
            // References are in the last line.
            prefetch::<1>(lines, shape.node(child).line() + Node8::LINES - 1);
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
