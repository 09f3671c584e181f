//! Checks every invariant of a wide tree.

use super::{Bvh8, ChildRef, CompactLeaf4, Leaf4, TreeLayout};
use crate::bvh2::{Bvh2, InvalidTree};
use crate::cut::Cover;
use crate::mesh::TriangleMesh;

impl Bvh8 {
    /// Checks every invariant: references lead to whole blocks, children that are nodes come first
    /// and lie one behind the other, boxes hold what is below them,
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
            let fail = |fault| Err(InvalidTree { node: child.line(), fault });
            let (leaf, node) = (self.layout.leaf_lines(), self.layout.node_lines());
            let lines = if child.is_leaf() { leaf } else { node };
            if child.line() + lines > self.lines.len() {
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
            let first = node.children[0];
            for lane in 0..8 {
                let below = node.child_bounds(lane);
                let is_node = !node.children[lane].is_leaf();
                let beside = first.line() + lane * self.layout.node_lines();
                if is_node && (first.is_leaf() || node.children[lane].line() != beside) {
                    return fail("has children that are nodes and do not lie side by side");
                }
                if lane >= node.child_count as usize {
                    if !below.is_empty() || node.children[lane] != ChildRef::leaf(0) {
                        return fail("has an empty lane that leads somewhere");
                    }
                } else if bounds.contains(below) {
                    open.push((node.children[lane], depth + 1, below));
                } else {
                    return fail("sticks out of its parent");
                }
            }
        }
        for child in leaves {
            let right = |&marked_prim: &u32| {
                let (prim, is_split) = Leaf4::unmarked(marked_prim);
                is_split == (prim != Leaf4::NO_PRIM && cover.is_repeated(prim))
            };
            if !self.marked_prims(child).iter().all(right) {
                let fault = "has a triangle that is marked wrongly";
                return Err(InvalidTree { node: child.line(), fault });
            }
        }
        cover.fault().map_or(Ok(()), |fault| Err(InvalidTree { node: 0, fault }))
    }
}
