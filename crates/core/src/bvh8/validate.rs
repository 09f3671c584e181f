//! Checks every invariant of a wide tree.

use super::{Bvh8, CompactLeaf4, Leaf4, TreeLayout};
use crate::bvh2::{Bvh2, InvalidTree};
use crate::cut::Cover;
use crate::mesh::TriangleMesh;

impl Bvh8 {
    /// Checks every invariant: references lead to whole blocks, children lie one behind the other,
    /// those that are nodes first, boxes hold what is below them,
    /// the leaves' boxes together hold each triangle that can be hit, leaves have the corners of
    /// their triangles, triangles are marked as split if several leaves have them and only then,
    /// and the depth is bounded.
    ///
    /// # Errors
    /// [`InvalidTree`] names the line of the first block at fault.
    pub fn validate(&self, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        let mut cover = Cover::new(mesh);
        let mut leaves = Vec::new();
        let mut open = vec![(self.root, 1_usize, self.bounds)];
        while let Some((child, depth, bounds)) = open.pop() {
            let fail = |fault| Err(InvalidTree { node: self.layout.line(child), fault });
            if self.layout.line(child) + self.layout.block_lines(child) > self.lines.len() {
                return fail("is not there");
            }
            if depth > Bvh2::MAX_DEPTH {
                return fail("is too deep");
            }
            if child.is_leaf() {
                leaves.push(child);
                let prims: Vec<u32> = self.prims(child).collect();
                for (lane, &prim) in prims.iter().enumerate() {
                    if prims[..lane].contains(&prim) || !cover.add(prim, bounds) {
                        return fail("has a triangle twice, or one too many");
                    }
                }
                let empty = &self.marked_prims(child)[prims.len()..];
                if empty.iter().any(|&marked_prim| marked_prim != Leaf4::NO_PRIM) {
                    return fail("has an empty lane that names a triangle");
                }
                let has_corners = match self.layout {
                    TreeLayout::Fast => *self.leaf(child) == self.leaf(child).made_of(mesh, &prims),
                    TreeLayout::Compact => {
                        let leaf = self.compact_leaf(child);
                        *leaf == CompactLeaf4::of(*leaf.marked_prims(), mesh)
                    }
                };
                if !has_corners {
                    return fail("has other corners than its triangles");
                }
                continue;
            }
            let node = self.node_copy(child);
            // In the compact layout, a node knows the exact box around its children.
            let bounds = match self.layout {
                TreeLayout::Fast => bounds,
                TreeLayout::Compact => {
                    let own = self.compact_node(child).bounds();
                    if !node.bounds().is_empty() && !bounds.contains(own) {
                        return fail("sticks out of its parent");
                    }
                    own
                }
            };
            if !(1..=8).contains(&node.child_count) {
                return fail("has no children, or too many");
            }
            let mut beside = self.layout.line(node.children[0]);
            for (lane, &below) in node.children().iter().enumerate() {
                if self.layout.line(below) != beside
                    || !below.is_leaf() && lane >= node.child_nodes()
                {
                    return fail("has children that do not lie side by side, nodes first");
                }
                beside += self.layout.block_lines(below);
                let box_below = node.child_bounds(lane);
                if !bounds.contains(box_below) {
                    return fail("sticks out of its parent");
                }
                open.push((below, depth + 1, box_below));
            }
            if node.children[node.children().len()..].iter().any(|&child| child != Self::NO_CHILD) {
                return fail("has an empty lane that leads somewhere");
            }
        }
        for child in leaves {
            let right = |&marked_prim: &u32| {
                let (prim, is_split) = Leaf4::unmarked(marked_prim);
                is_split == (prim != Leaf4::NO_PRIM && cover.is_repeated(prim))
            };
            if !self.marked_prims(child).iter().all(right) {
                let fault = "has a triangle that is marked wrongly";
                return Err(InvalidTree { node: self.layout.line(child), fault });
            }
        }
        cover.fault().map_or(Ok(()), |fault| Err(InvalidTree { node: 0, fault }))
    }
}
