//! From the binary tree to the eight-wide one, with the nodes that cost least.
//!
//! Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
//! BVHs", 2017, section 3.1: what each subtree costs (`plan.rs`), which nodes follow from that and
//! where they lie (`layout.rs`), and then the blocks themselves.

mod areas;
mod distinct;
mod layout;
mod plan;

use fearless_simd::Simd;
use glam::Vec4;

use super::node8::{NO_CHILD, Planes, fill_planes, lower, lowered_box};
use super::{
    Bvh8, ChildRef, Children, CompactLeaf4, CompactNode8, Leaf4, Node8, NodeCopy, Statistics,
    TreeLayout,
};
use crate::Aabb;
use crate::build::{BuildStage, Meter};
use crate::bvh2::Bvh2;
use crate::cancel::Cancelled;
use crate::memory::{self, Line, Unwritten, list_of_parts_and};
use crate::mesh::{CornerRows, TriangleMesh};
use crate::simd::with_simd;
use areas::Areas;
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
    let areas = Areas::new(bvh2);
    let rows = CornerRows::new(mesh);
    let writer = Writer { bvh2, mesh, rows, blocks, layout: &layout, areas, times: &times };
    let lengths: Vec<usize> = layout.parts.iter().map(|part| part.lines).collect();
    let (lines, costs) = list_of_parts_and(&lengths, |part, lines| {
        steps.part(layout.parts[part].binary_nodes, || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || writer.write(simd, part, lines),
            ))
        })
    })?;
    steps.finish();
    let mut bounds = bvh2.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds);
    if !layout.root().is_leaf() {
        bounds = lowered_box(bounds);
    }
    let mut statistics = Statistics::default();
    for part in &layout.parts {
        statistics.nodes += part.nodes;
        statistics.leaves += part.leaves;
        statistics.depth = statistics.depth.max(part.depth);
    }
    if !bvh2.nodes.is_empty() {
        let root_area = f64::from(areas.of(bounds));
        let sum = costs.iter().fold(root_area, |sum, (cost, _)| sum + cost);
        statistics.sah_cost = if root_area > 0.0 { sum / root_area } else { sum };
    }
    statistics.references = costs.iter().map(|(_, references)| references).sum();
    let different = times.iter().filter(|&&times| times > 0).count();
    statistics.triangles = if repeats { different } else { statistics.references };
    statistics.count_bytes(lines.len(), blocks);
    let mut bvh8 = Bvh8::of_blocks(lines.into(), blocks, layout.root(), bounds, statistics);
    bvh8.is_known = true;
    if blocks == TreeLayout::Compact {
        // Its boxes are larger than those of the binary tree.
        bvh8.measure();
    }
    Ok(bvh8)
}

/// In how many leaves each triangle is.
fn times(bvh2: &Bvh2, mesh: &TriangleMesh, layout: &Layout) -> Vec<u8> {
    let mut times = vec![0_u8; mesh.triangle_count()];
    for block in layout.parts.iter().flat_map(|part| &part.blocks) {
        for leaf in 0..block.leaves() {
            for &prim in Distinct::of(block.prims(leaf, bvh2)).prims() {
                times[prim as usize] = times[prim as usize].saturating_add(1);
            }
        }
    }
    times
}

struct Writer<'a> {
    bvh2: &'a Bvh2,
    mesh: &'a TriangleMesh,
    rows: CornerRows<'a>,
    blocks: TreeLayout,
    layout: &'a Layout,
    areas: Areas,
    /// In how many leaves each triangle is; empty if in no more than one.
    times: &'a [u8],
}

impl Writer<'_> {
    /// Writes all blocks of a part; gives what the children of its nodes cost, and how many lanes its
    /// leaves fill.
    #[inline(always)]
    fn write(&self, simd: impl Simd, part: usize, lines: &mut Unwritten<'_, Line>) -> (f64, usize) {
        if part == 0 {
            // The first block is always a leaf without triangles.
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
        let (mut cost, mut references) = (0.0, 0);
        for (index, block) in blocks.iter().enumerate() {
            self.prefetch(blocks, index);
            if let Below::Blocks { .. } = block.below {
                match self.blocks {
                    TreeLayout::Fast => {
                        let node = lines.push::<{ Node8::LINES }>(bytemuck::cast_ref(&Node8::NONE));
                        let node: &mut Node8 = bytemuck::cast_mut(node);
                        let (children, _) = self.write_boxes(block, node.planes_mut(), &mut cost);
                        let nodes = children.iter().filter(|child| !child.is_leaf()).count();
                        let family = Children::new(children[0].place(), nodes);
                        family.keep_in(&mut node.planes_mut()[0][0]);
                    }
                    TreeLayout::Compact => {
                        let mut node = NodeCopy::EMPTY;
                        let children = self.write_boxes(block, &mut node.planes, &mut cost);
                        (node.children, node.child_count) = children;
                        let node = CompactNode8::of(&node);
                        lines.push::<{ CompactNode8::LINES }>(bytemuck::cast_ref(&node));
                    }
                }
            }
            for leaf in 0..block.leaves() {
                let distinct;
                let mut prims = block.prims(leaf, self.bvh2);
                if !self.times.is_empty() {
                    distinct = Distinct::of(prims);
                    prims = distinct.prims();
                }
                references += prims.len();
                match self.blocks {
                    TreeLayout::Fast => {
                        let leaf =
                            lines.push::<{ Leaf4::LINES }>(bytemuck::cast_ref(&Leaf4::EMPTY));
                        self.write_leaf(simd, prims, bytemuck::cast_mut(leaf));
                    }
                    TreeLayout::Compact => {
                        let leaf = CompactLeaf4::of(self.marked_prims(prims), self.mesh);
                        lines.push::<{ CompactLeaf4::LINES }>(bytemuck::cast_ref(&leaf));
                    }
                }
            }
        }
        (cost, references)
    }

    /// Asks for triangles before their turn comes: they lie anywhere.
    #[inline(always)]
    fn prefetch(&self, blocks: &[Block], index: usize) {
        let Bvh2 { leaves, prims, .. } = self.bvh2;
        let ahead = if leaves.is_empty() { 8 } else { 2 };
        let leaves_of = |ahead: usize| match blocks.get(index + ahead).map(|block| block.below) {
            Some(Below::Leaves { first, count }) => first as usize..(first + count) as usize,
            _ => 0..0,
        };
        // Leaves and their triangles come in an order of their own.
        for leaf in leaves_of(4 * ahead).step_by(2) {
            memory::prefetch_item(leaves, leaf);
        }
        if let [first, .., last] = &leaves[leaves_of(3 * ahead)] {
            memory::prefetch_item(prims, first.first as usize);
            memory::prefetch_item(prims, last.first as usize);
        }
        let prims = |ahead: usize| {
            let block: Option<&Block> = blocks.get(index + ahead);
            block.map_or(&[][..], |block| block.all_prims(self.bvh2))
        };
        for &prim in prims(2 * ahead) {
            memory::prefetch_item(self.mesh.indices(), prim as usize);
        }
        for &prim in prims(ahead) {
            for &vertex in &self.mesh.indices()[prim as usize] {
                memory::prefetch_item(self.mesh.positions(), vertex as usize);
            }
        }
    }

    /// Writes the boxes of a block's children, and adds what these cost; gives the children, and how
    /// many there are.
    #[inline(always)]
    fn write_boxes(
        &self,
        block: &Block,
        planes: &mut Planes,
        cost: &mut f64,
    ) -> ([ChildRef; 8], u32) {
        let mut corners = NO_CHILD.map(|side| [Vec4::splat(side); 8]);
        let (mut children, mut count) = ([Bvh8::NO_CHILD; 8], 0);
        self.layout.children(block, self.bvh2, |bounds, reference| {
            corners[0][count] = bounds.min.extend(0.0);
            corners[1][count] = bounds.max.extend(0.0);
            children[count] = reference;
            count += 1;
        });
        fill_planes(planes, &corners);
        lower(planes);
        for area in &self.areas.of_children(planes)[..count] {
            *cost += f64::from(*area);
        }
        (children, count as u32)
    }

    /// Gives a leaf without triangles some, each there once.
    #[inline(always)]
    fn write_leaf(&self, simd: impl Simd, prims: &[u32], leaf: &mut Leaf4) {
        leaf.pack_rows(simd, prims, &self.rows, self.mesh);
        if !self.times.is_empty() {
            for (lane, &prim) in prims.iter().enumerate() {
                if self.times[prim as usize] > 1 {
                    leaf.mark_split(lane);
                }
            }
        }
    }

    /// The same triangles, with marks.
    fn marked_prims(&self, prims: &[u32]) -> [u32; Leaf4::LANES] {
        let mut marked = [Leaf4::NO_PRIM; Leaf4::LANES];
        for (marked, &prim) in marked.iter_mut().zip(prims) {
            let is_split = self.times.get(prim as usize).is_some_and(|&times| times > 1);
            *marked = if is_split { prim | Leaf4::SPLIT } else { prim };
        }
        marked
    }
}
