//! Which blocks a wide tree has, and where they lie.
//!
//! Children lie side by side, nodes before leaves, before anything below them. What is below a node of a small enough
//! subtree makes a part: parts are laid out and written at once, whatever the number of threads.

use rayon::prelude::*;

use super::plan::{Plans, Subtree};
use crate::build::Steps;
use crate::bvh8::{ChildRef, TreeLayout};
use crate::cancel::Cancelled;

/// Up to this many nodes of the binary tree make one part.
const PART: usize = 16_384;

/// A block of the wide tree.
#[derive(Clone, Copy)]
pub(super) struct Block {
    /// The subtree's first node in the binary tree, and the end of its nodes.
    pub(super) index: u32,
    end: u32,
    /// The first line within the part.
    line: u32,
    pub(super) below: Below,
}

#[derive(Clone, Copy)]
pub(super) enum Below {
    /// It is a leaf of some triangles of the binary tree.
    Triangles { first: u32, count: u32 },
    /// It is a node, with some blocks of a part as children.
    Blocks { part: u32, first: u32, count: u32 },
}

impl Block {
    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.below, Below::Triangles { .. })
    }

    /// What is in a leaf, of the triangles of the binary tree.
    pub(super) fn prims<'a>(&self, prims: &'a [u32]) -> &'a [u32] {
        match self.below {
            Below::Triangles { first, count } => &prims[first as usize..(first + count) as usize],
            Below::Blocks { .. } => &[],
        }
    }
}

/// A child of a node.
pub(super) struct Child<'a> {
    pub(super) block: &'a Block,
    pub(super) reference: ChildRef,
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
    pub(super) references: usize,
    pub(super) depth: usize,
    pub(super) sah_cost: f64,
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
            top.add(0..nodes, plans, 1);
            top.expand_all(0, 1, plans, |size| size <= PART && size < nodes, &mut cuts);
        }
        let below = |cut: &Cut| {
            let node = top.blocks[cut.block];
            let subtree = node.index as usize..node.end as usize;
            steps.part(subtree.len(), || {
                let blocks = Vec::with_capacity(subtree.len());
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
                Below::Triangles { .. } => below,
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
        root.map_or(ChildRef::leaf(0), |block| self.reference(0, block))
    }

    /// The children of a node, in order.
    pub(super) fn children(&self, block: &Block) -> impl Iterator<Item = Child<'_>> {
        let (part, first, count) = match block.below {
            Below::Blocks { part, first, count } => (part as usize, first as usize, count as usize),
            Below::Triangles { .. } => (0, 0, 0),
        };
        let blocks = &self.parts[part].blocks[first..first + count];
        blocks.iter().map(move |block| Child { block, reference: self.reference(part, block) })
    }

    fn reference(&self, part: usize, block: &Block) -> ChildRef {
        let line = self.starts[part] + block.line as usize;
        if block.is_leaf() { ChildRef::leaf(line) } else { ChildRef::node(line) }
    }
}

impl Part {
    /// Adds a block.
    fn add(&mut self, subtree: Subtree, plans: &Plans<'_>, depth: usize) {
        let line = self.lines as u32;
        let below = if let Some(count) = plans.as_leaf(subtree.start) {
            self.leaves += 1;
            self.references += count;
            self.lines += self.kind.leaf_lines();
            let prims = plans.prims(subtree.clone());
            Below::Triangles { first: prims.start as u32, count: prims.len() as u32 }
        } else {
            self.nodes += 1;
            self.lines += self.kind.node_lines();
            Below::Blocks { part: 0, first: 0, count: 0 }
        };
        self.depth = self.depth.max(depth);
        self.sah_cost += f64::from(plans.area(subtree.start));
        let (index, end) = (subtree.start as u32, subtree.end as u32);
        self.blocks.push(Block { index, end, line, below });
    }

    /// Adds the children of a node at `depth`, nodes first.
    fn expand(&mut self, node: Subtree, plans: &Plans<'_>, depth: usize) -> Below {
        let first = self.blocks.len() as u32;
        let (mut leaves, mut count) = ([const { 0..0 }; 8], 0);
        plans.children(node, &mut |child| {
            if plans.as_leaf(child.start).is_none() {
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
            if matches!(below, Below::Triangles { .. }) {
                continue;
            }
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
