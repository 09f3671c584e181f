//! Whether blocks are a tree that any ray can walk, whoever wrote them.
//!
//! ```text
//! from the root on, places are claimed for the children of nodes, by several threads at once
//!     each node has one to eight children, nodes before leaves, side by side
//!     no place is claimed twice, and no node is too deep
//!     empty lanes are met by no ray, or lead to the empty leaf
//! at the end all places are claimed
//! where leaves are read, too: each lane has a triangle that there is, and vertices, or nothing
//! that can be hit
//! ```
//!
//! Two threads that claim the same place at once may both get it. Then it is counted twice, and as
//! there are only so many blocks, another place stays free. So blocks are a tree, and no walk meets
//! one again.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use fearless_simd::{Fallback, Simd};
use rayon::prelude::*;

use super::BakedFault;
use super::header::Part;
use super::layout::Shape;
use crate::bvh2::Bvh2;
use crate::bvh8::{Bvh8, CompactLeaf4, CompactNode8, Leaf4, Node8, TreeLayout};
use crate::memory::{Line, prefetch};
use crate::simd::with_simd;

/// A bit for each lane.
const LANES: u32 = (1 << Leaf4::LANES) - 1;

/// From so many nodes on, a tree is checked in parallel.
const PARALLEL_FROM: usize = 1 << 13;

/// How many subtrees are then checked at once, at least.
const TASKS: usize = 64;

/// How many nodes are asked for before they are looked at.
const AHEAD: usize = 16;

/// How many places are checked at a time.
const CHUNK: usize = 1 << 14;

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

/// Checks the leaves of a tree over a mesh of so many triangles and vertices, in parallel on the
/// rayon pool that the caller is in. What it does not look at are corners, or whether they are the
/// right ones.
pub(super) fn check_leaves(
    lines: &[Line],
    kind: TreeLayout,
    structure: &Structure,
    named: Named,
    references: u64,
) -> Result<(), BakedFault> {
    let found = match kind {
        TreeLayout::Fast => references_in::<Leaf4>(lines, structure, named),
        TreeLayout::Compact => references_in::<CompactLeaf4>(lines, structure, named),
    };
    let invalid = |fault: &str| BakedFault::invalid(Part::Blocks, fault);
    match found {
        None => Err(invalid("a leaf has a triangle that is not there")),
        Some(found) if found != references => Err(invalid("wrong number of triangles")),
        Some(_) => Ok(()),
    }
}

/// As [`references_of`], for all leaves. In either layout a leaf takes one place.
fn references_in<Leaf: LeafBlock>(
    lines: &[Line],
    structure: &Structure,
    named: Named,
) -> Option<u64> {
    let found = |(places, lines): (&[AtomicU8], &[Line])| -> Option<u64> {
        let blocks = lines.chunks_exact(size_of::<Leaf>() / size_of::<Line>());
        let leaves = places.iter().zip(blocks).filter(|(place, _)| place.load(Relaxed) == LEAF);
        leaves.map(|(_, lines)| references_of::<Leaf>(bytemuck::cast_slice(lines), named)).sum()
    };
    let chunks = lines.par_chunks(CHUNK * size_of::<Leaf>() / size_of::<Line>());
    structure.places.par_chunks(CHUNK).zip(chunks).map(found).sum()
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
#[derive(Debug)]
pub(super) struct Structure {
    /// The greatest number of blocks on a way from the root to a leaf.
    pub(super) depth: usize,
    /// What begins at each place: [`FREE`], [`LEAF`], [`WITHIN`], or a node at that depth.
    places: Vec<AtomicU8>,
}

/// Nothing that a node before has named.
const FREE: u8 = 0;
/// A leaf that has triangles, or should.
const LEAF: u8 = u8::MAX;
/// The rest of a block, or the empty leaf.
const WITHIN: u8 = u8::MAX - 1;

const _: () = assert!(Bvh2::MAX_DEPTH < WITHIN as usize);

/// Checks the nodes of a tree of this shape. What it does not look at are boxes, and leaves.
pub(super) fn check_nodes(lines: &[Line], shape: &Shape) -> Result<Structure, BakedFault> {
    let structure = match shape.kind {
        TreeLayout::Fast => structure_of::<Node8>(lines, shape, &[Leaf4::EMPTY]),
        TreeLayout::Compact => structure_of::<CompactNode8>(lines, shape, &[CompactLeaf4::EMPTY]),
    };
    structure.map_err(|fault| BakedFault::invalid(Part::Blocks, fault))
}

/// A node's children: the place of the first one, and how many there are of each kind.
struct Siblings {
    first: usize,
    nodes: usize,
    leaves: usize,
}

/// What is checked in a node, of whatever layout.
trait NodeBlock: bytemuck::Pod {
    /// How many places a node takes.
    const PLACES: usize;

    /// The node's children, if it has some, side by side, nodes first; or what is wrong.
    fn siblings<S: Simd>(&self, simd: S) -> Result<Siblings, &'static str>;
}

const WRONG_COUNT: &str = "a node has no children, or too many";
const WRONG_LANE: &str = "an empty lane leads somewhere";
const WRONG_ORDER: &str = "a node comes behind a leaf";
const WRONG_CHILD: &str = "a child is not there, or has another parent";

impl NodeBlock for Node8 {
    const PLACES: usize = 1;

    #[inline(always)]
    fn siblings<S: Simd>(&self, simd: S) -> Result<Siblings, &'static str> {
        let (children, child_count) = (self.children(simd), self.child_count());
        let nodes = children.nodes().filter(|&nodes| nodes <= child_count).ok_or(WRONG_COUNT)?;
        if child_count == 0 {
            return Err(WRONG_COUNT);
        }
        if child_count < 8 && !self.is_empty_behind(child_count) {
            return Err(WRONG_LANE);
        }
        Ok(Siblings { first: children.first(), nodes, leaves: child_count - nodes })
    }
}

impl NodeBlock for CompactNode8 {
    const PLACES: usize = Self::LINES;

    #[inline(always)]
    fn siblings<S: Simd>(&self, _: S) -> Result<Siblings, &'static str> {
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
        let first = children[0].place();
        let mut next = first;
        for &child in children {
            if child.place() != next {
                return Err("children do not lie side by side");
            }
            next += TreeLayout::Compact.block_lines(child);
        }
        let nodes = children.iter().filter(|child| !child.is_leaf()).count();
        Ok(Siblings { first, nodes, leaves: child_count - nodes })
    }
}

fn structure_of<Node: NodeBlock>(
    lines: &[Line],
    shape: &Shape,
    empty_leaf: &[impl LeafBlock],
) -> Result<Structure, &'static str> {
    let place_lines = shape.kind.place_lines();
    let root = shape.root_line() / place_lines;
    if lines[..shape.root_line()] != *bytemuck::cast_slice::<_, Line>(empty_leaf) {
        return Err("the first leaf is not empty");
    }
    let free = std::iter::repeat_with(|| AtomicU8::new(FREE));
    let places: Vec<AtomicU8> = free.take(lines.len() / place_lines).collect();
    places[..root].iter().for_each(|place| place.store(WITHIN, Relaxed));
    let claims = Claims { lines, place_lines, places: &places };
    let mut found = Found::default();
    if shape.nodes + shape.leaves > 0 {
        // As if there were a node above the root.
        let nodes = usize::from(shape.nodes > 0);
        let above = Siblings { first: root, nodes, leaves: 1 - nodes };
        let mut open = VecDeque::new();
        claims.take::<Node>(&above, 1, &mut found)?;
        open.extend(Some(root).filter(|_| nodes > 0));
        let tasks = if shape.nodes < PARALLEL_FROM { usize::MAX } else { TASKS };
        while open.len() < tasks
            && let Some(place) = open.pop_front()
        {
            open.extend(claims.open::<_, Node>(Fallback::new(), place, &mut found)?);
        }
        let below = open.into_par_iter().map(|place| claims.all_below::<Node>(place));
        let below = below.try_reduce(Found::default, |a, b| Ok(a.and(b)))?;
        found = found.and(below);
    }
    let is_free = |place: &AtomicU8| place.load(Relaxed) == FREE;
    if [found.nodes, found.leaves] != [shape.nodes, shape.leaves] || places.iter().any(is_free) {
        return Err("a block has no parent");
    }
    Ok(Structure { depth: found.depth, places })
}

/// Who has which place.
struct Claims<'a> {
    lines: &'a [Line],
    place_lines: usize,
    places: &'a [AtomicU8],
}

/// How many blocks were found, and how deep.
#[derive(Clone, Copy, Default)]
struct Found {
    nodes: usize,
    leaves: usize,
    depth: usize,
}

impl Found {
    fn and(self, other: Self) -> Self {
        let Self { nodes, leaves, depth } = other;
        Self {
            nodes: self.nodes + nodes,
            leaves: self.leaves + leaves,
            depth: self.depth.max(depth),
        }
    }
}

impl Claims<'_> {
    /// Claims places for all blocks below a node.
    fn all_below<Node: NodeBlock>(&self, place: usize) -> Result<Found, &'static str> {
        with_simd!(simd => simd.vectorize(
            #[inline(always)]
            || {
                let mut found = Found::default();
                let mut open = vec![place];
                // Nodes that were asked for, and wait until they are there.
                let (mut coming, mut oldest, mut waiting) = ([None; AHEAD], 0, 0);
                while waiting > 0 || !open.is_empty() {
                    if let Some(place) = coming[oldest].take() {
                        waiting -= 1;
                        open.extend(self.open::<_, Node>(simd, place, &mut found)?);
                    }
                    if let Some(place) = open.pop() {
                        prefetch::<1>(self.lines, place * self.place_lines);
                        coming[oldest] = Some(place);
                        waiting += 1;
                    }
                    oldest = (oldest + 1) % AHEAD;
                }
                Ok(found)
            },
        ))
    }

    /// Claims places for the children of a node; gives those of its nodes.
    #[inline(always)]
    fn open<S: Simd, Node: NodeBlock>(
        &self,
        simd: S,
        place: usize,
        found: &mut Found,
    ) -> Result<impl Iterator<Item = usize> + use<S, Node>, &'static str> {
        let lines =
            &self.lines[place * self.place_lines..][..size_of::<Node>() / size_of::<Line>()];
        let node: &Node = bytemuck::from_bytes(bytemuck::cast_slice(lines));
        let siblings = node.siblings(simd)?;
        let depth = self.places[place].load(Relaxed);
        if usize::from(depth) >= Bvh2::MAX_DEPTH {
            return Err("a node is too deep");
        }
        self.take::<Node>(&siblings, depth + 1, found)?;
        Ok((0..siblings.nodes).map(move |child| siblings.first + child * Node::PLACES))
    }

    /// Gives places to the children of a node, if nobody has them.
    #[inline(always)]
    fn take<Node: NodeBlock>(
        &self,
        siblings: &Siblings,
        depth: u8,
        found: &mut Found,
    ) -> Result<(), &'static str> {
        let length = siblings.nodes * Node::PLACES + siblings.leaves;
        let own = self.places.get(siblings.first..siblings.first + length).ok_or(WRONG_CHILD)?;
        if own.iter().any(|place| place.load(Relaxed) != FREE) {
            return Err(WRONG_CHILD);
        }
        let (nodes, leaves) = own.split_at(siblings.nodes * Node::PLACES);
        for (i, place) in nodes.iter().enumerate() {
            let is_first = i.is_multiple_of(Node::PLACES);
            place.store(if is_first { depth } else { WITHIN }, Relaxed);
        }
        leaves.iter().for_each(|place| place.store(LEAF, Relaxed));
        found.nodes += siblings.nodes;
        found.leaves += siblings.leaves;
        found.depth = found.depth.max(usize::from(depth));
        Ok(())
    }
}
