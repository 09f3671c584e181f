//! From the binary tree to the eight-wide one, with the nodes that cost least.
//!
//! Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
//! BVHs", 2017, section 3.1: what each subtree costs (`plan.rs`), which nodes follow from that and
//! where they lie (`layout.rs`), and then the blocks themselves.

mod distinct;
mod layout;
mod plan;

use fearless_simd::Simd;

use super::{Bvh8, ChildRef, CompactLeaf4, CompactNode8, Leaf4, Node8, Statistics, TreeLayout};
use crate::Aabb;
use crate::build::{BuildStage, Meter};
use crate::bvh2::Bvh2;
use crate::cancel::Cancelled;
use crate::memory::{self, Line, Unwritten, list_of_parts};
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;
use distinct::Distinct;
use layout::{Below, Block, Layout};
use plan::Plans;

pub(super) fn collapse(
    bvh2: &Bvh2,
    mesh: &TriangleMesh,
    blocks: TreeLayout,
    meter: Meter<'_>,
) -> Result<Bvh8, Cancelled> {
    // Each node is planned, laid out and written.
    let steps = meter.stage(BuildStage::Blocks, 3 * bvh2.nodes.len())?;
    let repeats = bvh2.has_repeats(mesh);
    let layout = Layout::new(&Plans::new(bvh2, repeats, &steps)?, blocks, &steps)?;
    let times = if repeats { times(bvh2, mesh, &layout) } else { Vec::new() };
    let writer = Writer { bvh2, mesh, blocks, layout: &layout, times: &times };
    let lengths: Vec<usize> = layout.parts.iter().map(|part| part.lines).collect();
    let lines = list_of_parts(&lengths, |part, lines| {
        steps.part(layout.parts[part].binary_nodes, || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || writer.write(part, lines),
            ));
        })
    })?;
    steps.finish();
    let mut statistics = Statistics::default();
    for part in &layout.parts {
        statistics.nodes += part.nodes;
        statistics.leaves += part.leaves;
        statistics.references += part.references;
        statistics.depth = statistics.depth.max(part.depth);
        statistics.sah_cost += part.sah_cost;
    }
    let different = times.iter().filter(|&&times| times > 0).count();
    statistics.triangles = if repeats { different } else { statistics.references };
    statistics.count_bytes(lines.len(), blocks);
    let bounds = bvh2.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds);
    let mut bvh8 = Bvh8::of_blocks(lines.into(), blocks, layout.root(), bounds, statistics);
    if blocks == TreeLayout::Compact {
        // Its boxes are larger than those of the binary tree.
        bvh8.measure();
    }
    Ok(bvh8)
}

/// In how many leaves each triangle is.
fn times(bvh2: &Bvh2, mesh: &TriangleMesh, layout: &Layout) -> Vec<u8> {
    let mut times = vec![0_u8; mesh.triangle_count()];
    let blocks = layout.parts.iter().flat_map(|part| &part.blocks);
    for leaf in blocks.filter(|block| block.is_leaf()) {
        for &prim in Distinct::of(leaf.prims(&bvh2.prims)).prims() {
            times[prim as usize] = times[prim as usize].saturating_add(1);
        }
    }
    times
}

struct Writer<'a> {
    bvh2: &'a Bvh2,
    mesh: &'a TriangleMesh,
    blocks: TreeLayout,
    layout: &'a Layout,
    /// In how many leaves each triangle is; empty if in no more than one.
    times: &'a [u8],
}

impl Writer<'_> {
    /// Writes all blocks of a part.
    #[inline(always)]
    fn write(&self, part: usize, lines: &mut Unwritten<'_, Line>) {
        if part == 0 {
            // Empty lanes lead to a leaf without triangles, which is always the first block.
            match self.blocks {
                TreeLayout::Fast => {
                    lines.push::<{ Leaf4::LINES }>(bytemuck::cast_ref(&Leaf4::EMPTY));
                }
                TreeLayout::Compact => {
                    lines.push::<{ CompactLeaf4::LINES }>(bytemuck::cast_ref(&CompactLeaf4::EMPTY));
                }
            }
        }
        let blocks = &self.layout.parts[part].blocks;
        for (index, block) in blocks.iter().enumerate() {
            self.prefetch(blocks, index);
            match (block.below, self.blocks) {
                (Below::Triangles { .. }, TreeLayout::Fast) => {
                    lines.push::<{ Leaf4::LINES }>(bytemuck::cast_ref(&self.leaf(block)));
                }
                (Below::Blocks { .. }, TreeLayout::Fast) => {
                    lines.push::<{ Node8::LINES }>(bytemuck::cast_ref(&self.node(block)));
                }
                (Below::Triangles { .. }, TreeLayout::Compact) => {
                    let leaf = CompactLeaf4::of(self.marked_prims(block), self.mesh);
                    lines.push::<{ CompactLeaf4::LINES }>(bytemuck::cast_ref(&leaf));
                }
                (Below::Blocks { .. }, TreeLayout::Compact) => {
                    let node = CompactNode8::of(&self.node(block));
                    lines.push::<{ CompactNode8::LINES }>(bytemuck::cast_ref(&node));
                }
            }
        }
    }

    /// Asks for triangles before their turn comes: they lie anywhere.
    #[inline(always)]
    fn prefetch(&self, blocks: &[Block], index: usize) {
        const AHEAD: usize = 8;
        let prims = |ahead| {
            let block: Option<&Block> = blocks.get(index + ahead);
            block.map_or(&[][..], |block| block.prims(&self.bvh2.prims))
        };
        for &prim in prims(2 * AHEAD) {
            memory::prefetch_item(self.mesh.indices(), prim as usize);
        }
        for &prim in prims(AHEAD) {
            for &vertex in &self.mesh.indices()[prim as usize] {
                memory::prefetch_item(self.mesh.positions(), vertex as usize);
            }
        }
    }

    #[inline(always)]
    fn node(&self, block: &Block) -> Node8 {
        let mut node = Node8::empty(ChildRef::leaf(0));
        for child in self.layout.children(block) {
            let bounds = self.bvh2.nodes[child.block.index as usize].bounds;
            node.push(bounds, child.reference);
        }
        node
    }

    #[inline(always)]
    fn leaf(&self, block: &Block) -> Leaf4 {
        let prims = block.prims(&self.bvh2.prims);
        if self.times.is_empty() {
            return Leaf4::of(prims, self.mesh).0;
        }
        let distinct = Distinct::of(prims);
        let (mut leaf, _) = Leaf4::of(distinct.prims(), self.mesh);
        for (lane, &prim) in distinct.prims().iter().enumerate() {
            if self.times[prim as usize] > 1 {
                leaf.mark_split(lane);
            }
        }
        leaf
    }

    /// The triangles of a leaf, with marks.
    fn marked_prims(&self, block: &Block) -> [u32; Leaf4::LANES] {
        let mut marked = [Leaf4::NO_PRIM; Leaf4::LANES];
        let prims = block.prims(&self.bvh2.prims);
        if self.times.is_empty() {
            marked[..prims.len()].copy_from_slice(prims);
            return marked;
        }
        for (marked, &prim) in marked.iter_mut().zip(Distinct::of(prims).prims()) {
            let is_split = self.times[prim as usize] > 1;
            *marked = if is_split { prim | Leaf4::SPLIT } else { prim };
        }
        marked
    }
}
