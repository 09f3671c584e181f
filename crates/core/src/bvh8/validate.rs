//! Checks every invariant of a wide tree.

use super::{Bvh8, ChildRef, Leaf4, Node8};
use crate::Aabb;
use crate::bvh2::{Bvh2, InvalidTree};
use crate::mesh::TriangleMesh;

impl Bvh8 {
    /// Checks every invariant: references lead to whole blocks, boxes hold what is below them,
    /// each triangle that can be hit is there once, and the depth is bounded.
    ///
    /// # Errors
    /// [`InvalidTree`] names the line of the first block at fault.
    pub fn validate(&self, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        let mut seen = vec![false; mesh.triangle_count()];
        let mut open = vec![(self.root, 1_usize, self.bounds)];
        while let Some((child, depth, bounds)) = open.pop() {
            let fail = |fault| Err(InvalidTree { node: child.line(), fault });
            let lines = if child.is_leaf() { Leaf4::LINES } else { Node8::LINES };
            if child.line() + lines > self.lines.len() {
                return fail("is not there");
            }
            if depth > Bvh2::MAX_DEPTH {
                return fail("is too deep");
            }
            if child.is_leaf() {
                for &prim in self.leaf(child).prim.iter().filter(|&&prim| prim != Leaf4::NO_PRIM) {
                    match seen.get_mut(prim as usize) {
                        Some(seen) if !*seen => *seen = true,
                        _ => return fail("has a triangle twice, or one too many"),
                    }
                    if !bounds.contains(Aabb::of_triangle(mesh.triangle(prim))) {
                        return fail("does not hold its triangle");
                    }
                }
                continue;
            }
            let node = self.node(child);
            if !(1..=8).contains(&node.child_count) {
                return fail("has no children, or too many");
            }
            for lane in 0..8 {
                let below = node.child_bounds(lane);
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
        let lost = (0..mesh.triangle_count() as u32)
            .any(|prim| !seen[prim as usize] && mesh.can_be_hit(prim));
        let fault = "lost a triangle that can be hit";
        if lost { Err(InvalidTree { node: 0, fault }) } else { Ok(()) }
    }
}
