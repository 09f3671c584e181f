//! The same tree in another layout.

use super::{Bvh8, ChildRef, CompactLeaf4, CompactNode8, Leaf4, Node8, TreeLayout};
use crate::memory::{Line, in_huge_pages};
use crate::mesh::TriangleMesh;

/// Stands for the place of what is no block.
const NOWHERE: u32 = u32::MAX;

impl Bvh8 {
    /// The same tree in another layout, its blocks in the same order. Boxes that were compact stay
    /// as large as they are.
    #[must_use]
    pub fn in_layout(&self, layout: TreeLayout, mesh: &TriangleMesh) -> Self {
        if layout == self.layout {
            return self.clone();
        }
        let mut places: Vec<ChildRef> = self.visits().map(|visit| visit.place).collect();
        places.retain(|&place| place != Self::NO_CHILD);
        places.sort_unstable_by_key(|place| place.place());
        let moves = Moves::new(&places, self, layout);
        let mut lines = in_huge_pages(moves.lines);
        match layout {
            TreeLayout::Fast => push(&mut lines, &Leaf4::EMPTY),
            TreeLayout::Compact => push(&mut lines, &CompactLeaf4::EMPTY),
        }
        for &place in &places {
            if place.is_leaf() {
                let marked_prims = *self.marked_prims(place);
                match layout {
                    TreeLayout::Fast => push(&mut lines, &Leaf4::of_marked(marked_prims, mesh)),
                    TreeLayout::Compact => {
                        push(&mut lines, &CompactLeaf4::of(marked_prims, mesh));
                    }
                }
                continue;
            }
            let mut node = self.node_copy(place);
            node.children = node.children.map(|child| moves.of(child));
            match layout {
                TreeLayout::Fast => push(&mut lines, &Node8::of(&node)),
                TreeLayout::Compact => push(&mut lines, &CompactNode8::of(&node)),
            }
        }
        let mut statistics = self.statistics.clone();
        statistics.count_bytes(lines.len(), layout);
        let (root, bounds) = (moves.of(self.root), self.bounds);
        let mut tree = Self::of_blocks(lines.into(), layout, root, bounds, statistics);
        tree.is_known = self.is_known;
        tree.stock = self.moved_stock(|child| moves.of(child), |line| moves.line(line));
        tree.measure();
        tree
    }

    /// Changes a compact tree while it is in the other layout.
    pub(super) fn change_as_fast<T, E>(
        &mut self,
        mesh: &TriangleMesh,
        change: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut tree = self.in_layout(TreeLayout::Fast, mesh);
        let changed = change(&mut tree)?;
        *self = tree.in_layout(TreeLayout::Compact, mesh);
        Ok(changed)
    }

    /// Measures the SAH cost of the boxes as they are.
    pub(super) fn measure(&mut self) {
        if self.root == Self::NO_CHILD {
            return;
        }
        let below = self.visits().skip(1).map(|visit| visit.bounds.half_area()).sum();
        self.set_bounds(self.bounds, below);
    }
}

/// Adds a block.
fn push<Block: bytemuck::Pod>(lines: &mut Vec<Line>, block: &Block) {
    lines.extend_from_slice(bytemuck::cast_slice(std::slice::from_ref(block)));
}

/// Where blocks move.
struct Moves {
    /// For each line at which a block began, where it begins now.
    to: Vec<u32>,
    /// How many lines there are now.
    lines: usize,
    /// The layout before and now.
    layouts: [TreeLayout; 2],
}

impl Moves {
    /// For blocks in the order of their lines, behind an empty leaf.
    fn new(places: &[ChildRef], tree: &Bvh8, layout: TreeLayout) -> Self {
        let (lines, layouts) = (tree.lines.len(), [tree.layout, layout]);
        let mut moves = Self { to: vec![NOWHERE; lines + 1], lines: layout.leaf_lines(), layouts };
        moves.to[0] = 0;
        for place in places {
            moves.to[tree.layout.line(*place)] = moves.lines as u32;
            let own = if place.is_leaf() { layout.leaf_lines() } else { layout.node_lines() };
            moves.lines += own;
        }
        moves.to[lines] = moves.lines as u32;
        moves
    }

    /// Where a line is now at which a block began, or the list ended.
    fn line(&self, line: usize) -> usize {
        self.to[line] as usize
    }

    fn of(&self, child: ChildRef) -> ChildRef {
        let [before, now] = self.layouts;
        let line = self.line(before.line(child));
        if child.is_leaf() { now.leaf_at(line) } else { now.node_at(line) }
    }
}
