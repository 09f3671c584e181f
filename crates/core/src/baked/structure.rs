//! Whether blocks are a tree that any ray can walk, whoever wrote them.
//!
//! ```text
//! for each node, in order: it has one to eight children and a parent, and for each child:
//!     a node comes later and has no parent yet: this is it; it is not too deep
//!     a leaf has no parent yet
//! each leaf has a parent, and for each lane: a triangle that there is, or nothing that can be hit
//! ```
//!
//! With one parent each, which comes before, nodes are a tree: from each of them parents lead to
//! the first, and no walk meets one twice.

use rayon::prelude::*;

use super::BakedFault;
use super::header::Part;
use super::layout::Shape;
use crate::bvh2::Bvh2;
use crate::bvh8::{Bvh8, ChildRef, Leaf4, Node8};
use crate::memory::Line;

/// What a check came across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The greatest number of blocks on a way from the root to a leaf.
    pub(super) depth: usize,
    /// Triangles in leaves, each as often as there are leaves that have it.
    pub(super) references: usize,
}

/// How many leaves are checked at a time.
const CHUNK: usize = 1 << 13;

/// Checks the blocks of a tree of this shape over this many triangles, on the rayon pool that the
/// caller is in. What it does not read are boxes and corners.
pub(super) fn check(lines: &[Line], shape: &Shape, triangles: usize) -> Result<Found, BakedFault> {
    let (before_nodes, rest) = lines.split_at(Shape::FIRST_NODE);
    let (nodes, leaves) = rest.split_at(shape.nodes * Node8::LINES);
    let invalid = |fault: &str| BakedFault::invalid(Part::Blocks, fault);
    if before_nodes != bytemuck::cast_slice::<_, Line>(std::slice::from_ref(&Leaf4::EMPTY)) {
        return Err(invalid("the first leaf is not empty"));
    }
    let leaves: &[Leaf4] = bytemuck::cast_slice(leaves);
    let (depth, references) = rayon::join(
        || Parents::check(bytemuck::cast_slice(nodes), shape),
        || {
            let references = |leaves: &[Leaf4]| {
                leaves.iter().map(|leaf| references(leaf, triangles)).sum::<Option<usize>>()
            };
            leaves.par_chunks(CHUNK).map(references).sum::<Option<usize>>()
        },
    );
    let references = references.ok_or_else(|| invalid("a leaf has a triangle that is not there"));
    Ok(Found { depth: depth.map_err(invalid)?, references: references? })
}

/// How many triangles a leaf has, if they are there and empty lanes come last and cannot be hit.
#[inline(always)]
fn references(leaf: &Leaf4, triangles: usize) -> Option<usize> {
    let mut count = 0;
    let mut right = true;
    let mut ended = false;
    for (lane, &marked_prim) in leaf.marked_prims().iter().enumerate() {
        let is_empty = marked_prim == Leaf4::NO_PRIM;
        let (prim, _) = Leaf4::unmarked(marked_prim);
        // An infinite error: a lane like that is never a sure hit.
        let never_hit = leaf.minus_error_area[lane] == f32::INFINITY;
        right &= if is_empty { never_hit } else { !ended & ((prim as usize) < triangles) };
        ended |= is_empty;
        count += usize::from(!is_empty);
    }
    right.then_some(count)
}

/// Which blocks have a parent.
struct Parents<'a> {
    shape: &'a Shape,
    /// For each node how deep it lies, the root 1; 0 as long as no parent was seen.
    depths: Vec<u8>,
    /// A bit for each leaf.
    leaves: Vec<u64>,
    leaf_count: usize,
    /// How deep the deepest leaf lies.
    deepest: usize,
}

const _: () = assert!(Bvh2::MAX_DEPTH <= u8::MAX as usize);

impl<'a> Parents<'a> {
    /// The tree's depth, or what is wrong.
    fn check(nodes: &[Node8], shape: &'a Shape) -> Result<usize, &'static str> {
        let mut parents = Self {
            shape,
            depths: vec![0; shape.nodes],
            leaves: vec![0; shape.leaves.div_ceil(64)],
            leaf_count: 0,
            deepest: 0,
        };
        match parents.depths.first_mut() {
            Some(root) => *root = 1,
            None => return Ok(shape.leaves),
        }
        for (index, node) in nodes.iter().enumerate() {
            parents.add(index, node)?;
        }
        // Each of them has one parent, so none is left over if there are enough.
        if parents.leaf_count != shape.leaves {
            return Err("a leaf has no parent");
        }
        Ok(parents.deepest)
    }

    #[inline(always)]
    fn add(&mut self, index: usize, node: &Node8) -> Result<(), &'static str> {
        let depth = self.depths[index];
        if depth == 0 {
            return Err("a node has no parent that comes before it");
        }
        if depth as usize >= Bvh2::MAX_DEPTH {
            return Err("a node is too deep");
        }
        if !(1..=8).contains(&node.child_count) {
            return Err("a node has no children, or too many");
        }
        let (children, empty) = node.children.split_at(node.child_count as usize);
        if empty.iter().any(|&child| child != Bvh8::NO_CHILD) {
            return Err("an empty lane leads somewhere");
        }
        for &child in children {
            let is_new = match child.kind() {
                ChildRef::NODE => self.is_new_node(child, index, depth + 1),
                ChildRef::LEAF => self.is_new_leaf(child, depth + 1),
                _ => false,
            };
            if !is_new {
                return Err("a child is no block that comes later, or has another parent");
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn is_new_node(&mut self, child: ChildRef, parent: usize, depth: u8) -> bool {
        let Some(lines) = child.line().checked_sub(Shape::FIRST_NODE) else { return false };
        let index = lines / Node8::LINES;
        let Some(place) = self.depths.get_mut(index) else { return false };
        let is_new = lines.is_multiple_of(Node8::LINES) && index > parent && *place == 0;
        *place = depth;
        is_new
    }

    #[inline(always)]
    fn is_new_leaf(&mut self, child: ChildRef, depth: u8) -> bool {
        let Some(lines) = child.line().checked_sub(self.shape.first_leaf()) else { return false };
        let index = lines / Leaf4::LINES;
        let Some(seen) = self.leaves.get_mut(index / 64) else { return false };
        let bit = 1 << (index % 64);
        let is_new =
            lines.is_multiple_of(Leaf4::LINES) && index < self.shape.leaves && *seen & bit == 0;
        *seen |= bit;
        self.leaf_count += 1;
        self.deepest = self.deepest.max(depth as usize);
        is_new
    }
}
