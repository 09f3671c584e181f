//! The pass over a tree that makes its leaves and boxes anew.
//!
//! ```text
//! list the nodes and leaves below a node, each node before its children, or have the list
//! for each leaf: pack its triangles anew, keep the box around them
//! for each node, the last one first: take its children's boxes, keep the box around them
//! ```

use fearless_simd::f64x4;
use fearless_simd::prelude::*;

use super::boxes::{NO_BOX, Rows, areas, rows_at, set_boxes};
use super::gathered::Gathered;
use super::marks::Which;
use crate::bvh8::{Leaf4, Node8, TreeLayout};
use crate::memory::{Line, prefetch};
use crate::mesh::{CornerRows, TriangleMesh};
use crate::simd::with_simd;

/// So many nodes ahead of the one whose boxes are made, nodes are asked for.
const NODES_AHEAD: usize = 8;

/// What a subtree is like now.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The box around it.
    pub(super) bounds: Rows,
    /// The areas of the boxes below its own: the sum, or how it has changed.
    pub(super) areas: f64,
    /// The triangles that have left it.
    pub(super) dropped: Vec<u32>,
}

impl Change {
    /// Of nothing.
    pub(super) const NONE: Self = Self { bounds: NO_BOX, areas: 0.0, dropped: Vec::new() };
}

/// Makes leaves and boxes anew.
pub(super) struct Pass<'a, W> {
    pub(super) mesh: &'a TriangleMesh,
    pub(super) corners: CornerRows<'a>,
    pub(super) which: &'a W,
    /// Whether another pass over the same tree will follow, so that lists are to be kept.
    pub(super) keeps: bool,
}

/// A block that is made anew.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// Its first line.
    pub(super) line: u32,
    /// Its place among the boxes.
    pub(super) slot: u32,
}

/// The blocks below a node that are made anew.
#[derive(Clone, Debug, Default)]
pub(super) struct List {
    /// The node itself, and those below it; each before its children.
    nodes: Vec<Place>,
    leaves: Vec<Place>,
    /// What leaves are made of, if they were packed before; then all have triangles.
    gathered: Option<Gathered>,
}

impl List {
    /// Whether it is known what the leaves are made of.
    pub(super) fn is_gathered(&self) -> bool {
        self.gathered.is_some()
    }
}

/// For each node of a list the boxes of its children; kept to be filled again.
pub(super) type Boxes = Vec<[Rows; 8]>;

impl<W: Which> Pass<'_, W> {
    /// Makes everything below a node anew, and its boxes; `lines` hold all that and begin at line
    /// `base` of the tree. `None` if they do not hold it; then nothing has changed.
    ///
    /// The list is that of the last time, or is filled.
    pub(super) fn below(
        &self,
        node: &mut Node8,
        lines: &mut [Line],
        base: usize,
        list: &mut List,
        boxes: &mut Boxes,
    ) -> Option<Change> {
        let mut change = Change::NONE;
        with_simd!(simd => simd.vectorize(
            #[inline(always)]
            || {
                if let Some(gathered) = &list.gathered {
                    boxes.clear();
                    boxes.resize(list.nodes.len(), [NO_BOX; 8]);
                    self.pack_gathered(simd, &list.leaves, gathered, lines, boxes, &mut change);
                } else {
                    self.list(simd, node, lines, base, list, boxes)?;
                    self.pack_listed(simd, &list.leaves, lines, boxes, &mut change);
                }
                self.make_nodes(simd, node, &list.nodes, lines, boxes, &mut change);
                Some(())
            },
        ))?;
        Some(change)
    }

    /// Lists what is below a node, if the lines hold it.
    #[inline(always)]
    fn list<S: Simd>(
        &self,
        simd: S,
        top: &Node8,
        lines: &[Line],
        base: usize,
        list: &mut List,
        boxes: &mut Boxes,
    ) -> Option<()> {
        let List { nodes, leaves, .. } = list;
        nodes.clear();
        leaves.clear();
        boxes.clear();
        nodes.push(Place::default());
        let mut node = top;
        loop {
            let first_slot = 8 * boxes.len();
            let mut own_boxes = [NO_BOX; 8];
            let (children, planes) = (node.children(simd), node.lowered_planes());
            for lane in 0..node.child_count() {
                let child = children.child(lane);
                if !self.which.is_marked(child) {
                    own_boxes[lane] = rows_at(&planes, lane);
                    continue;
                }
                let line = TreeLayout::Fast.line(child).checked_sub(base)?;
                if line + Node8::LINES > lines.len() {
                    return None;
                }
                let place = Place { line: line as u32, slot: (first_slot + lane) as u32 };
                if child.is_leaf() {
                    leaves.push(place);
                } else {
                    prefetch::<{ Node8::LINES }>(lines, line);
                    nodes.push(place);
                }
            }
            boxes.push(own_boxes);
            let Some(next) = nodes.get(boxes.len()) else { return Some(()) };
            node = block(lines, next.line as usize)?;
        }
    }

    /// Gives nodes their boxes, when those of all leaves are there.
    #[inline(always)]
    fn make_nodes<S: Simd>(
        &self,
        simd: S,
        top: &mut Node8,
        nodes: &[Place],
        lines: &mut [Line],
        boxes: &mut Boxes,
        change: &mut Change,
    ) {
        let mut sum = f64x4::splat(simd, 0.0);
        for index in (0..nodes.len()).rev() {
            let Place { line, slot } = nodes[index];
            let ahead = nodes[index.saturating_sub(NODES_AHEAD)].line as usize;
            prefetch::<{ Node8::LINES }>(lines, ahead);
            let node = match index {
                0 => &mut *top,
                _ => block_mut(lines, line as usize).expect("it was listed"),
            };
            if W::IN_PART {
                sum -= areas(simd, node);
            }
            let (bounds, added) = set_boxes(simd, node, &boxes[index]);
            sum += added;
            match index {
                0 => change.bounds = bounds,
                _ => boxes.as_flattened_mut()[slot as usize] = bounds,
            }
        }
        let sums: [f64; 4] = *sum;
        change.areas = sums.iter().sum();
    }

    /// Finds out what the leaves of a list are made of, for the next time.
    pub(super) fn gather(&self, list: &mut List, lines: &[Line]) {
        let leaf =
            |place: &Place| -> &Leaf4 { block(lines, place.line as usize).expect("it was listed") };
        list.leaves.retain(|place| leaf(place).prims().next().is_some());
        list.leaves.sort_unstable_by_key(|place| place.line);
        list.leaves.shrink_to_fit();
        list.nodes.shrink_to_fit();
        list.gathered = Some(Gathered::of(list.leaves.iter().map(leaf), self.mesh));
    }
}

/// The block that begins at a line, if there are enough lines.
#[inline(always)]
pub(super) fn block<Block: bytemuck::Pod>(lines: &[Line], first: usize) -> Option<&Block> {
    let lines = lines.get(first..)?.get(..size_of::<Block>() / size_of::<Line>())?;
    bytemuck::cast_slice(lines).first()
}

/// The same, to be changed.
#[inline(always)]
pub(in crate::bvh8) fn block_mut<Block: bytemuck::Pod>(
    lines: &mut [Line],
    first: usize,
) -> Option<&mut Block> {
    let lines = lines.get_mut(first..)?.get_mut(..size_of::<Block>() / size_of::<Line>())?;
    bytemuck::cast_slice_mut(lines).first_mut()
}
