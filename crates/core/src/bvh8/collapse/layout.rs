//! Which blocks a wide tree has, and where they lie.
//!
//! Children lie side by side, nodes before leaves, before anything below them. What is below a node of a small enough
//! subtree makes a part: parts are laid out and written at once, whatever the number of threads.

use rayon::prelude::*;

use super::plan::{Child, Plans, Subtree};
use crate::Aabb;
use crate::build::Steps;
use crate::bvh2::Bvh2;
use crate::bvh8::{ChildRef, TreeLayout};
use crate::cancel::Cancelled;
use crate::memory::in_huge_pages;

/// Up to this many nodes and leaves of the binary tree make one part, about.
const PART: usize = 16_384;

/// A block of the wide tree, or leaves side by side.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The subtree's first node in the binary tree, and the end of its nodes.
    index: u32,
    end: u32,
    /// The first line within the part.
    line: u32,
    pub(super) below: Below,
}

#[derive(Clone, Copy)]
pub(super) enum Below {
    /// It is a leaf of some triangles of the binary tree.
    Triangles { first: u32, count: u32 },
    /// They are leaves that are no nodes of the binary tree, and no subtree.
    Leaves { first: u32, count: u32 },
    /// It is a node, with some blocks of a part as children.
    Blocks { part: u32, first: u32, count: u32 },
}

impl Block {
    /// How many leaves it is.
    #[inline(always)]
    pub(super) fn leaves(&self) -> usize {
        match self.below {
            Below::Triangles { .. } => 1,
            Below::Leaves { count, .. } => count as usize,
            Below::Blocks { .. } => 0,
        }
    }

    /// The triangles of all its leaves.
    #[inline(always)]
    pub(super) fn all_prims<'a>(&self, bvh2: &'a Bvh2) -> &'a [u32] {
        let (first, end) = match self.below {
            Below::Triangles { first, count } => (first, first + count),
            Below::Leaves { first, count } => {
                let leaves = &bvh2.leaves[first as usize..][..count as usize];
                let first = leaves.first().map_or(0, |leaf| leaf.first);
                (first, leaves.last().map_or(first, |leaf| leaf.first + leaf.count))
            }
            Below::Blocks { .. } => (0, 0),
        };
        &bvh2.prims[first as usize..end as usize]
    }

    /// The triangles of one of its leaves.
    #[inline(always)]
    pub(super) fn prims<'a>(&self, leaf: usize, bvh2: &'a Bvh2) -> &'a [u32] {
        let (first, count) = match self.below {
            Below::Triangles { first, count } => (first, count),
            Below::Leaves { first, .. } => {
                let leaf = &bvh2.leaves[first as usize + leaf];
                (leaf.first, leaf.count)
            }
            Below::Blocks { .. } => (0, 0),
        };
        &bvh2.prims[first as usize..][..count as usize]
    }
}

/// The blocks of a wide tree. The first part has its upper nodes, behind a leaf without triangles.
pub(super) struct Layout {
    pub(super) parts: Vec<Part>,
    /// For each part the line at which it begins.
    starts: Vec<usize>,
}

/// Blocks that lie one behind the other.
#[derive(Default)]
pub(super) struct Part {
    /// Which blocks they are.
    kind: TreeLayout,
    pub(super) blocks: Vec<Block>,
    pub(super) lines: usize,
    /// Of the binary tree; none for the first part, whose nodes are few.
    pub(super) binary_nodes: usize,
    pub(super) nodes: usize,
    pub(super) leaves: usize,
    pub(super) depth: usize,
}

/// A node whose children are laid out in a part of their own.
struct Cut {
    block: usize,
    depth: usize,
}

impl Layout {
    pub(super) fn new(
        plans: &Plans<'_>,
        kind: TreeLayout,
        steps: &Steps<'_>,
    ) -> Result<Self, Cancelled> {
        let mut top = Part { kind, lines: kind.leaf_lines(), ..Part::default() };
        let mut cuts = Vec::new();
        let nodes = plans.bvh2.nodes.len();
        if nodes > 0 {
            let part = PART * nodes / (nodes + plans.bvh2.leaves.len());
            top.add(plans.root(), plans, 1);
            top.expand_all(0, 1, plans, |size| size <= part && size < nodes, &mut cuts);
        }
        let below = |cut: &Cut| {
            let node = top.blocks[cut.block];
            let subtree = node.index as usize..node.end as usize;
            steps.part(subtree.len(), || {
                let blocks = in_huge_pages(subtree.len());
                let binary_nodes = subtree.len();
                let mut part = Part { kind, blocks, binary_nodes, ..Part::default() };
                let below = part.expand(subtree, plans, cut.depth);
                for block in 0..part.blocks.len() {
                    part.expand_all(block, cut.depth + 1, plans, |_| false, &mut Vec::new());
                }
                (part, below)
            })
        };
        let parts: Result<Vec<(Part, Below)>, Cancelled> = cuts.par_iter().map(below).collect();
        let mut layout = Self { parts: vec![top], starts: vec![0] };
        for (cut, (part, below)) in cuts.iter().zip(parts?) {
            let number = layout.parts.len() as u32;
            layout.parts[0].blocks[cut.block].below = match below {
                Below::Blocks { first, count, .. } => Below::Blocks { part: number, first, count },
                Below::Triangles { .. } | Below::Leaves { .. } => below,
            };
            layout.parts.push(part);
        }
        for (number, part) in layout.parts.iter_mut().enumerate() {
            if number > 0 {
                for block in &mut part.blocks {
                    if let Below::Blocks { part, .. } = &mut block.below {
                        *part = number as u32;
                    }
                }
            }
        }
        let lines = layout.parts.iter().map(|part| part.lines);
        let starts = lines.scan(0, |next, lines| Some(std::mem::replace(next, *next + lines)));
        layout.starts = starts.collect();
        Ok(layout)
    }

    /// Where a walk begins: at the empty leaf if there is nothing else.
    pub(super) fn root(&self) -> ChildRef {
        let root = self.parts[0].blocks.first();
        root.map_or(ChildRef::leaf(0), |block| self.reference(0, block, 0))
    }

    /// Calls `take` with the boxes and places of the children of a node, in order.
    #[inline(always)]
    pub(super) fn children(
        &self,
        block: &Block,
        bvh2: &Bvh2,
        mut take: impl FnMut(Aabb, ChildRef),
    ) {
        let Below::Blocks { part, first, count } = block.below else { return };
        let part = part as usize;
        for block in &self.parts[part].blocks[first as usize..][..count as usize] {
            if let Below::Leaves { first, count } = block.below {
                let leaves = &bvh2.leaves[first as usize..][..count as usize];
                for (number, leaf) in leaves.iter().enumerate() {
                    take(leaf.bounds, self.reference(part, block, number));
                }
            } else {
                take(bvh2.nodes[block.index as usize].bounds, self.reference(part, block, 0));
            }
        }
    }

    /// Where a block is, or one of its leaves.
    #[inline(always)]
    fn reference(&self, part: usize, block: &Block, leaf: usize) -> ChildRef {
        let line = self.starts[part] + block.line as usize;
        let kind = self.parts[part].kind;
        if block.leaves() > 0 {
            kind.leaf_at(line + leaf * kind.leaf_lines())
        } else {
            kind.node_at(line)
        }
    }
}

impl Part {
    /// Adds a block, or leaves side by side.
    fn add(&mut self, child: Child, plans: &Plans<'_>, depth: usize) {
        let line = self.lines as u32;
        self.depth = self.depth.max(depth);
        let (subtree, below) = match child {
            Child::Node(subtree) => {
                self.nodes += 1;
                self.lines += self.kind.node_lines();
                (subtree, Below::Blocks { part: 0, first: 0, count: 0 })
            }
            Child::Leaf(subtree) => {
                self.leaves += 1;
                self.lines += self.kind.leaf_lines();
                let prims = plans.prims(subtree.clone());
                let (first, count) = (prims.start as u32, prims.len() as u32);
                (subtree, Below::Triangles { first, count })
            }
            Child::Leaves(places) => {
                self.leaves += places.len();
                self.lines += places.len() * self.kind.leaf_lines();
                (0..0, Below::Leaves { first: places.start, count: places.len() as u32 })
            }
        };
        let (index, end) = (subtree.start as u32, subtree.end as u32);
        self.blocks.push(Block { index, end, line, below });
    }

    /// Adds the children of a node at `depth`, nodes first.
    fn expand(&mut self, node: Subtree, plans: &Plans<'_>, depth: usize) -> Below {
        let first = self.blocks.len() as u32;
        let (mut leaves, mut count) = ([const { Child::Leaf(0..0) }; 8], 0);
        plans.children(node, &mut |child| {
            if let Child::Node(_) = child {
                self.add(child, plans, depth + 1);
            } else {
                leaves[count] = child;
                count += 1;
            }
        });
        for leaf in leaves.into_iter().take(count) {
            self.add(leaf, plans, depth + 1);
        }
        Below::Blocks { part: 0, first, count: self.blocks.len() as u32 - first }
    }

    /// Adds what is below a block at `depth`, except for nodes whose subtrees are to be cut off.
    fn expand_all(
        &mut self,
        block: usize,
        depth: usize,
        plans: &Plans<'_>,
        is_cut: impl Fn(usize) -> bool,
        cuts: &mut Vec<Cut>,
    ) {
        let mut open = vec![(block, depth)];
        while let Some((block, depth)) = open.pop() {
            let Block { index, end, below, .. } = self.blocks[block];
            let Below::Blocks { .. } = below else { continue };
            let subtree = index as usize..end as usize;
            if is_cut(subtree.len()) {
                cuts.push(Cut { block, depth });
                continue;
            }
            let first = self.blocks.len();
            self.blocks[block].below = self.expand(subtree, plans, depth);
            open.extend((first..self.blocks.len()).map(|child| (child, depth + 1)));
        }
    }
}
