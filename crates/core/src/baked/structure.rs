//! Whether blocks are a tree that any ray can walk, whoever wrote them.
//!
//! ```text
//! a depth-first walk, the last child first, counts the blocks that it was led to
//!     each node has one to eight children, nodes before leaves, and they are the next blocks
//!     no node is too deep; empty lanes are met by no ray, or lead to the empty leaf
//! at the end all blocks were counted
//! where leaves are read, too: each lane has a triangle that there is, and vertices, or nothing
//! that can be hit
//! ```
//!
//! No block is led to twice, because each time it is the next one. So they are a tree, and no walk
//! meets a block again.

use std::ops::Range;

use fearless_simd::Fallback;
use rayon::prelude::*;

use super::BakedFault;
use super::header::Part;
use super::layout::{Shape, family_lines};
use crate::bvh2::Bvh2;
use crate::bvh8::{Bvh8, CompactLeaf4, CompactNode8, Leaf4, Node8, TreeLayout};
use crate::memory::{Line, prefetch};

/// A bit for each lane.
const LANES: u32 = (1 << Leaf4::LANES) - 1;

/// The leaves of how many nodes are checked at a time.
const CHUNK: usize = 1 << 11;

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

/// Checks the leaves at these lines, of a tree over a mesh of so many triangles and vertices, in
/// parallel on the rayon pool that the caller is in. What it does not look at are corners, or
/// whether they are the right ones.
pub(super) fn check_leaves(
    lines: &[Line],
    kind: TreeLayout,
    leaves: &[Range<u32>],
    named: Named,
    references: u64,
) -> Result<(), BakedFault> {
    let found = match kind {
        TreeLayout::Fast => references_in::<Leaf4>(lines, leaves, named),
        TreeLayout::Compact => references_in::<CompactLeaf4>(lines, leaves, named),
    };
    let invalid = |fault: &str| BakedFault::invalid(Part::Blocks, fault);
    match found {
        None => Err(invalid("a leaf has a triangle that is not there")),
        Some(found) if found != references => Err(invalid("wrong number of triangles")),
        Some(_) => Ok(()),
    }
}

/// As [`references_of`], for the leaves at these lines.
fn references_in<Leaf: LeafBlock>(
    lines: &[Line],
    leaves: &[Range<u32>],
    named: Named,
) -> Option<u64> {
    let found = |families: &[Range<u32>]| {
        families.iter().try_fold(0, |sum, family| {
            let lines = &lines[family.start as usize..family.end as usize];
            Some(sum + references_of::<Leaf>(bytemuck::cast_slice(lines), named)?)
        })
    };
    leaves.par_chunks(CHUNK).map(found).sum()
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

/// What the nodes of a tree say.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// The greatest number of blocks on a way from the root to a leaf.
    pub(super) depth: usize,
    /// The lines of the leaves, those of each node together.
    pub(super) leaves: Vec<Range<u32>>,
}

/// Checks the nodes of a tree of this shape. What it does not look at are boxes, and leaves.
pub(super) fn check_nodes(lines: &[Line], shape: &Shape) -> Result<Structure, BakedFault> {
    let structure = match shape.kind {
        TreeLayout::Fast => structure_of::<Node8>(lines, shape, &[Leaf4::EMPTY]),
        TreeLayout::Compact => structure_of::<CompactNode8>(lines, shape, &[CompactLeaf4::EMPTY]),
    };
    structure.map_err(|fault| BakedFault::invalid(Part::Blocks, fault))
}

/// A node's children: the line of the first one, and how many there are of each kind.
struct Family {
    line: usize,
    nodes: usize,
    leaves: usize,
}

/// What is checked in a node, of whatever layout.
trait NodeBlock: bytemuck::Pod {
    /// The node's children, if it has some, side by side, nodes first; or what is wrong.
    fn family(&self) -> Result<Family, &'static str>;
}

const WRONG_COUNT: &str = "a node has no children, or too many";
const WRONG_LANE: &str = "an empty lane leads somewhere";
const WRONG_ORDER: &str = "a node comes behind a leaf";
const WRONG_CHILD: &str = "a child is not the next block";

impl NodeBlock for Node8 {
    #[inline(always)]
    fn family(&self) -> Result<Family, &'static str> {
        let (children, child_count) = (self.children(Fallback::new()), self.child_count());
        let nodes = children.nodes().filter(|&nodes| nodes <= child_count).ok_or(WRONG_COUNT)?;
        if child_count == 0 {
            return Err(WRONG_COUNT);
        }
        if child_count < 8 && !self.is_empty_behind(child_count) {
            return Err(WRONG_LANE);
        }
        let line = children.first() * Self::LINES;
        Ok(Family { line, nodes, leaves: child_count - nodes })
    }
}

impl NodeBlock for CompactNode8 {
    #[inline(always)]
    fn family(&self) -> Result<Family, &'static str> {
        let child_count = self.child_count as usize;
        if !(1..=8).contains(&child_count) {
            return Err(WRONG_COUNT);
        }
        let (children, empty) = self.children.split_at(child_count);
        if empty.iter().any(|&child| child != Bvh8::NO_CHILD) {
            return Err(WRONG_LANE);
        }
        if !children.is_sorted_by_key(|child| child.is_leaf()) {
            return Err(WRONG_ORDER);
        }
        let line = TreeLayout::Compact.line(children[0]);
        let mut next = line;
        for &child in children {
            if TreeLayout::Compact.line(child) != next {
                return Err(WRONG_CHILD);
            }
            next += TreeLayout::Compact.block_lines(child);
        }
        let nodes = children.iter().filter(|child| !child.is_leaf()).count();
        Ok(Family { line, nodes, leaves: child_count - nodes })
    }
}

fn structure_of<Node: NodeBlock>(
    lines: &[Line],
    shape: &Shape,
    empty_leaf: &[impl LeafBlock],
) -> Result<Structure, &'static str> {
    let (kind, root) = (shape.kind, shape.root_line());
    if lines[..root] != *bytemuck::cast_slice::<_, Line>(empty_leaf) {
        return Err("the first leaf is not empty");
    }
    let mut structure = Structure::default();
    let mut next = root;
    let (mut nodes, mut leaves) = (0, 0);
    let mut open = Vec::new();
    if shape.nodes > 0 {
        (nodes, next) = (1, root + kind.node_lines());
        open.push((root, 1));
    } else if shape.leaves > 0 {
        (leaves, next) = (1, root + kind.leaf_lines());
        structure.depth = 1;
        structure.leaves.push(root as u32..next as u32);
    }
    while let Some((line, depth)) = open.pop() {
        let node: &Node =
            bytemuck::from_bytes(bytemuck::cast_slice(&lines[line..][..kind.node_lines()]));
        let family = node.family()?;
        let first_leaf = next + family_lines(kind, family.nodes, 0);
        let end = first_leaf + family_lines(kind, 0, family.leaves);
        if family.line != next || end > lines.len() {
            return Err(WRONG_CHILD);
        }
        if depth >= Bvh2::MAX_DEPTH {
            return Err("a node is too deep");
        }
        for node in 0..family.nodes {
            let line = next + node * kind.node_lines();
            open.push((line, depth + 1));
            prefetch::<1>(lines, line);
        }
        if family.leaves > 0 {
            structure.leaves.push(first_leaf as u32..end as u32);
        }
        (nodes, leaves) = (nodes + family.nodes, leaves + family.leaves);
        structure.depth = structure.depth.max(depth + 1);
        next = end;
    }
    if next < lines.len() || nodes != shape.nodes || leaves != shape.leaves {
        return Err("a block has no parent");
    }
    Ok(structure)
}
