//! The pass over a tree that makes its leaves and boxes anew.
//!
//! ```text
//! list the nodes and leaves below a node, each node before its children
//! for each leaf: pack its triangles anew, keep the box around them
//! for each node, the last one first: take its children's boxes, keep the box around them
//! ```
//!
//! Leaves in a list of their own can be asked for well ahead: first the block, then the triangles
//! that it names, then their corners.

use fearless_simd::f64x4;
use fearless_simd::prelude::*;

use super::boxes::{NO_BOX, Rows, areas, rows_of, set_boxes};
use super::marks::Which;
use crate::bvh8::{Leaf4, Node8};
use crate::memory::{Line, prefetch, prefetch_item};
use crate::mesh::{CornerRows, TriangleMesh};
use crate::simd::with_simd;

/// So many leaves ahead of the one that is packed, blocks are asked for.
const BLOCKS_AHEAD: usize = 24;

/// So many leaves ahead, triangles.
const TRIANGLES_AHEAD: usize = 12;

/// So many leaves ahead, corners.
const CORNERS_AHEAD: usize = 6;

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
}

/// A block that is made anew.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// Its first line.
    line: u32,
    /// Its place among the boxes.
    slot: u32,
}

/// The blocks below a node that are made anew; kept to be filled again.
#[derive(Debug, Default)]
pub(super) struct Room {
    /// The node itself, and those below it; each before its children.
    nodes: Vec<Place>,
    leaves: Vec<Place>,
    /// For each node the boxes of its children.
    boxes: Vec<[Rows; 8]>,
}

impl<W: Which> Pass<'_, W> {
    /// Makes everything below a node anew, and its boxes; `lines` hold all that and begin at line
    /// `base` of the tree. `None` if they do not hold it; then nothing has changed.
    pub(super) fn below(
        &self,
        node: &mut Node8,
        lines: &mut [Line],
        base: usize,
        room: &mut Room,
    ) -> Option<Change> {
        with_simd!(simd => simd.vectorize(
            #[inline(always)]
            || {
                self.list(node, lines, base, room)?;
                Some(self.make(simd, node, lines, room))
            },
        ))
    }

    /// Lists what is below a node, if the lines hold it.
    #[inline(always)]
    fn list(&self, top: &Node8, lines: &[Line], base: usize, room: &mut Room) -> Option<()> {
        let Room { nodes, leaves, boxes } = room;
        nodes.clear();
        leaves.clear();
        boxes.clear();
        nodes.push(Place::default());
        let mut node = top;
        loop {
            let first_slot = 8 * boxes.len();
            let mut own_boxes = [NO_BOX; 8];
            for lane in 0..(node.child_count as usize).min(8) {
                let child = node.children[lane];
                if !self.which.is_marked(child) {
                    own_boxes[lane] = rows_of(node.child_bounds(lane));
                    continue;
                }
                let line = child.line().checked_sub(base)?;
                let count = if child.is_leaf() { Leaf4::LINES } else { Node8::LINES };
                if line + count > lines.len() {
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

    /// Makes anew what was listed.
    #[inline(always)]
    fn make<S: Simd>(
        &self,
        simd: S,
        top: &mut Node8,
        lines: &mut [Line],
        room: &mut Room,
    ) -> Change {
        let Room { nodes, leaves, boxes } = room;
        let mut change = Change::NONE;
        // So that there is something ahead of the last ones, too.
        leaves.resize(leaves.len() + BLOCKS_AHEAD, leaves.last().copied().unwrap_or_default());
        for places in leaves.windows(BLOCKS_AHEAD + 1) {
            self.prefetch(places, lines);
            let Place { line, slot } = places[0];
            let leaf: &mut Leaf4 = block_mut(lines, line as usize).expect("it was listed");
            let bounds = &mut boxes.as_flattened_mut()[slot as usize];
            if let Some([min, max]) = leaf.repack(simd, &self.corners) {
                min.store_slice(&mut bounds[0]);
                max.store_slice(&mut bounds[1]);
            } else {
                *bounds = self.pack(leaf, &mut change.dropped);
            }
        }
        let mut sum = f64x4::splat(simd, 0.0);
        for index in (0..nodes.len()).rev() {
            let Place { line, slot } = nodes[index];
            let node = match index {
                0 => &mut *top,
                _ => block_mut(lines, line as usize).expect("it was listed"),
            };
            if W::IN_PART {
                sum -= areas(simd, node);
            }
            let bounds = set_boxes(simd, node, &boxes[index]);
            sum += areas(simd, node);
            match index {
                0 => change.bounds = bounds,
                _ => boxes.as_flattened_mut()[slot as usize] = bounds,
            }
        }
        let sums: [f64; 4] = *sum;
        change.areas = sums.iter().sum();
        change
    }

    /// Asks for what leaves need whose turn comes later.
    #[inline(always)]
    fn prefetch(&self, places: &[Place], lines: &[Line]) {
        let prims = |ahead: usize| {
            let leaf = block(lines, places[ahead].line as usize);
            leaf.map_or(&[Leaf4::NO_PRIM; Leaf4::LANES], Leaf4::marked_prims)
        };
        prefetch::<{ Leaf4::LINES }>(lines, places[BLOCKS_AHEAD].line as usize);
        for &prim in prims(TRIANGLES_AHEAD) {
            prefetch_item(self.mesh.indices(), prim as usize);
        }
        for &prim in prims(CORNERS_AHEAD) {
            for &vertex in self.mesh.indices().get(prim as usize).unwrap_or(&[0; 3]) {
                prefetch_item(self.mesh.positions(), vertex as usize);
            }
        }
    }

    /// Makes a leaf anew that is not for [`Leaf4::repack`]; gives the box around its triangles.
    /// Collapsed ones leave it.
    #[cold]
    pub(super) fn pack(&self, leaf: &mut Leaf4, dropped: &mut Vec<u32>) -> Rows {
        let mut kept = 0;
        let mut prims = [Leaf4::NO_PRIM; Leaf4::LANES];
        for prim in leaf.prims() {
            if self.mesh.is_collapsed(prim) {
                dropped.push(prim);
            } else {
                prims[kept] = prim;
                kept += 1;
            }
        }
        rows_of(leaf.pack(&prims[..kept], self.mesh))
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
