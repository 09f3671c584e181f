//! The pass over a tree that makes its leaves and boxes anew.

use fearless_simd::Simd;

use super::marks::Which;
use crate::Aabb;
use crate::bvh8::{Leaf4, Node8};
use crate::memory::{Line, prefetch, prefetch_item};
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// What a subtree is like now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// The box around it.
    pub(super) bounds: Aabb,
    /// The areas of the boxes below its own: the sum, or how it has changed.
    pub(super) areas: f64,
    /// The triangles in it: how many, or how many more than before.
    pub(super) triangles: isize,
}

/// Makes leaves and boxes anew.
pub(super) struct Pass<'a, W> {
    pub(super) mesh: &'a TriangleMesh,
    pub(super) which: &'a W,
}

impl<W: Which> Pass<'_, W> {
    /// Makes a leaf anew.
    #[inline(always)]
    pub(super) fn leaf(&self, lines: &mut [Line], line: usize) -> Option<Change> {
        let leaf: &mut Leaf4 = block_mut(lines, line)?;
        let mut before = 0;
        let mut kept = 0;
        let mut prims = [Leaf4::NO_PRIM; Leaf4::LANES];
        for prim in leaf.prims() {
            before += 1;
            if !self.mesh.is_collapsed(prim) {
                prims[kept] = prim;
                kept += 1;
            }
        }
        let bounds = leaf.pack(&prims[..kept], self.mesh);
        let triangles = kept as isize - if W::IN_PART { before } else { 0 };
        Some(Change { bounds, areas: 0.0, triangles })
    }

    /// Makes a node and everything below it anew; `lines` hold all that and begin at line `base`
    /// of the tree. `None` if they do not hold it.
    pub(super) fn node(&self, lines: &mut [Line], line: usize, base: usize) -> Option<Change> {
        with_simd!(simd => self.node_with(simd, lines, line, base))
    }

    /// Makes everything below a node anew, and its boxes.
    pub(super) fn below(
        &self,
        node: &mut Node8,
        lines: &mut [Line],
        base: usize,
    ) -> Option<Change> {
        with_simd!(simd => self.below_with(simd, node, lines, base))
    }

    fn node_with<S: Simd>(
        &self,
        simd: S,
        lines: &mut [Line],
        line: usize,
        base: usize,
    ) -> Option<Change> {
        let mut node: Node8 = *block_mut(lines, line.checked_sub(base)?)?;
        let change = self.below_with(simd, &mut node, lines, base)?;
        *block_mut(lines, line - base)? = node;
        Some(change)
    }

    fn below_with<S: Simd>(
        &self,
        simd: S,
        node: &mut Node8,
        lines: &mut [Line],
        base: usize,
    ) -> Option<Change> {
        simd.vectorize(
            #[inline(always)]
            || {
                self.prefetch(node, lines, base)?;
                let mut sum = Sum::default();
                for lane in node.lanes() {
                    let child = node.children[lane];
                    let change = if !self.which.is_marked(child) {
                        continue;
                    } else if child.is_leaf() {
                        self.leaf(lines, child.line().checked_sub(base)?)?
                    } else {
                        self.node_with(simd, lines, child.line(), base)?
                    };
                    sum.add::<W>(node, lane, change);
                }
                Some(sum.of(node))
            },
        )
    }

    /// Asks for what a node's children need, for all of them at once: blocks lie in order, but
    /// vertices anywhere.
    #[inline(always)]
    fn prefetch(&self, node: &Node8, lines: &mut [Line], base: usize) -> Option<()> {
        let children = || node.lanes().map(|lane| node.children[lane]);
        let marked = || children().filter(|&child| self.which.is_marked(child));
        for child in marked() {
            prefetch::<{ Node8::LINES }>(lines, child.line().checked_sub(base)?);
        }
        for leaf in marked().filter(|child| child.is_leaf()) {
            let leaf: &mut Leaf4 = block_mut(lines, leaf.line() - base)?;
            leaf.prims().for_each(|prim| prefetch_item(self.mesh.indices(), prim as usize));
        }
        for leaf in marked().filter(|child| child.is_leaf()) {
            let leaf: &mut Leaf4 = block_mut(lines, leaf.line() - base)?;
            for vertex in leaf.prims().flat_map(|prim| self.mesh.indices()[prim as usize]) {
                prefetch_item(self.mesh.positions(), vertex as usize);
            }
        }
        Some(())
    }
}

/// The changes of a node's children.
#[derive(Default)]
pub(super) struct Sum {
    areas: f64,
    triangles: isize,
}

impl Sum {
    /// Takes the change of a child, and gives it its box.
    #[inline(always)]
    pub(super) fn add<W: Which>(&mut self, node: &mut Node8, lane: usize, change: Change) {
        self.areas += change.areas + change.bounds.half_area();
        if W::IN_PART {
            self.areas -= node.child_bounds(lane).half_area();
        }
        self.triangles += change.triangles;
        node.set_child_bounds(lane, change.bounds);
    }

    pub(super) fn of(self, node: &Node8) -> Change {
        Change { bounds: node.bounds(), areas: self.areas, triangles: self.triangles }
    }
}

/// The block that begins at a line, if there are enough lines.
#[inline(always)]
pub(in crate::bvh8) fn block_mut<Block: bytemuck::Pod>(
    lines: &mut [Line],
    first: usize,
) -> Option<&mut Block> {
    let lines = lines.get_mut(first..)?.get_mut(..size_of::<Block>() / size_of::<Line>())?;
    bytemuck::cast_slice_mut(lines).first_mut()
}
