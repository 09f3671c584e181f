//! The leaves of a pass, packed one after the other.
//!
//! Leaves in a list can be asked for well ahead. The first time that is the block, then the
//! triangles that it names, then their corners; from then on, what all leaves are made of is known
//! ([`super::gathered`]).

use fearless_simd::prelude::*;

use super::boxes::{Rows, rows_of};
use super::gathered::{Gathered, NO_VERTICES, corners};
use super::marks::Which;
use super::pass::{Boxes, Change, Pass, Place, block, block_mut};
use crate::bvh8::Leaf4;
use crate::bvh8::leaf4::{LeafCorners, Sides};
use crate::memory::{Line, prefetch, prefetch_item};

/// So many leaves ahead of the one that is packed, blocks are asked for.
const BLOCKS_AHEAD: usize = 24;

/// So many leaves ahead, triangles.
const TRIANGLES_AHEAD: usize = 12;

/// So many leaves ahead, corners.
const CORNERS_AHEAD: usize = 6;

/// So many lines ahead of a leaf whose triangles are known, blocks are asked for.
const LINES_AHEAD: usize = 24;

impl<W: Which> Pass<'_, W> {
    /// Makes leaves anew whose triangles are looked up.
    #[inline(always)]
    pub(super) fn pack_listed<S: Simd>(
        &self,
        simd: S,
        leaves: &[Place],
        lines: &mut [Line],
        boxes: &mut Boxes,
        change: &mut Change,
    ) {
        let last = leaves.last().copied().unwrap_or_default();
        for (index, &Place { line, slot }) in leaves.iter().enumerate() {
            let ahead = |count: usize| leaves.get(index + count).unwrap_or(&last).line as usize;
            self.ask_ahead(ahead, lines);
            let leaf: &mut Leaf4 = block_mut(lines, line as usize).expect("it was listed");
            let bounds = &mut boxes.as_flattened_mut()[slot as usize];
            let corners = LeafCorners::of(simd, leaf, &self.corners);
            if let Some(corners) = corners.filter(|corners| !corners.some_coincide()) {
                leaf.repack(simd, &corners);
                store(corners.sides, bounds);
            } else {
                *bounds = self.pack(leaf, &mut change.dropped);
            }
        }
    }

    /// Makes leaves anew whose triangles are known from the last time.
    #[inline(always)]
    pub(super) fn pack_gathered<S: Simd>(
        &self,
        simd: S,
        leaves: &[Place],
        gathered: &Gathered,
        lines: &mut [Line],
        boxes: &mut Boxes,
        change: &mut Change,
    ) {
        let mut fetched = NO_VERTICES;
        for (range, vertices) in gathered.batches() {
            let reach_far = vertices.fetch(simd, self.mesh, self.corners, &mut fetched);
            let places = &gathered.places[range.clone()];
            for (&Place { line, slot }, places) in leaves[range].iter().zip(places) {
                prefetch::<{ Leaf4::LINES }>(lines, line as usize + LINES_AHEAD);
                let leaf: &mut Leaf4 = block_mut(lines, line as usize).expect("it was listed");
                let bounds = &mut boxes.as_flattened_mut()[slot as usize];
                if reach_far {
                    *bounds = self.pack(leaf, &mut change.dropped);
                    continue;
                }
                let corners = LeafCorners::of_rows(corners(simd, &fetched, places));
                leaf.repack(simd, &corners);
                store(corners.sides, bounds);
            }
        }
    }

    /// Asks for what leaves need whose turn comes later.
    #[inline(always)]
    fn ask_ahead(&self, ahead: impl Fn(usize) -> usize, lines: &[Line]) {
        let prims = |count: usize| {
            let leaf = block(lines, ahead(count));
            leaf.map_or(&[Leaf4::NO_PRIM; Leaf4::LANES], Leaf4::marked_prims)
        };
        prefetch::<{ Leaf4::LINES }>(lines, ahead(BLOCKS_AHEAD));
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

#[inline(always)]
fn store<S: Simd>(sides: Sides<S>, bounds: &mut Rows) {
    for side in 0..2 {
        sides[side].store_slice(&mut bounds[side]);
    }
}
