//! The binary tree: what every builder makes and every layout is made from.

use crate::Aabb;
use crate::mesh::TriangleMesh;

/// A binary tree over the triangles of a mesh that can be hit.
///
/// Nodes lie in depth-first order: the left child of an inner node is the next one. Builders know
/// no layout, layouts know no builder; this is all that they share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh2 {
    /// The nodes, the root first; empty if no triangle can be hit.
    pub nodes: Vec<Node2>,
    /// The triangles in the order of the leaves.
    pub prims: Vec<u32>,
}

/// A node of a [`Bvh2`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node2 {
    /// The box around everything below.
    pub bounds: Aabb,
    /// What is below.
    pub kind: Kind2,
}

/// What is below a [`Node2`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind2 {
    /// Two children: the next node and this one.
    Inner {
        /// The index of the right child.
        right: u32,
    },
    /// Some triangles.
    Leaf {
        /// The first one's place in [`Bvh2::prims`].
        first: u32,
        /// How many there are, at least one.
        count: u32,
    },
}

const _: () = assert!(size_of::<Node2>() == 36);

/// What is wrong with a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("node {node}: {fault}")]
pub struct InvalidTree {
    /// The node at fault.
    pub node: usize,
    /// What is wrong, in words.
    pub fault: &'static str,
}

impl Bvh2 {
    /// No builder goes deeper; the stacks of all walks are sized for it.
    pub const MAX_DEPTH: usize = 64;

    /// The greatest number of nodes on a way from the root to a leaf; 0 for the empty tree.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(0, 1)];
        while let Some((index, depth)) = open.pop() {
            let Some(node) = self.nodes.get(index) else { continue };
            deepest = deepest.max(depth);
            if let Kind2::Inner { right } = node.kind {
                open.extend([(index + 1, depth + 1), (right as usize, depth + 1)]);
            }
        }
        deepest
    }

    /// Checks every invariant: boxes hold what is below them, each triangle that can be hit is
    /// there once, nodes lie in depth-first order, and the depth is bounded.
    ///
    /// # Errors
    /// [`InvalidTree`] names the first node at fault.
    pub fn validate(&self, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        let fail = |node, fault| Err(InvalidTree { node, fault });
        let mut seen = vec![false; mesh.triangle_count()];
        let mut expected_next = 0;
        let mut open = vec![(0_usize, 1_usize, None::<Aabb>)];
        while let Some((index, depth, parent)) = open.pop() {
            let Some(node) = self.nodes.get(index) else {
                if index == 0 { break } else { return fail(index, "is missing") }
            };
            if index != expected_next {
                return fail(index, "is not in depth-first order");
            }
            expected_next += 1;
            if depth > Self::MAX_DEPTH {
                return fail(index, "is too deep");
            }
            if parent.is_some_and(|parent| !parent.contains(node.bounds)) {
                return fail(index, "sticks out of its parent");
            }
            match node.kind {
                Kind2::Inner { right } => {
                    open.push((right as usize, depth + 1, Some(node.bounds)));
                    open.push((index + 1, depth + 1, Some(node.bounds)));
                }
                Kind2::Leaf { first, count } => {
                    let range = first as usize..first as usize + count as usize;
                    let Some(prims) = self.prims.get(range).filter(|prims| !prims.is_empty())
                    else {
                        return fail(index, "has no triangles, or some that do not exist");
                    };
                    for &prim in prims {
                        match seen.get_mut(prim as usize) {
                            Some(seen) if !*seen => *seen = true,
                            _ => return fail(index, "has a triangle twice, or one too many"),
                        }
                        if !node.bounds.contains(Aabb::of_triangle(mesh.triangle(prim))) {
                            return fail(index, "does not hold its triangle");
                        }
                    }
                }
            }
        }
        if expected_next != self.nodes.len() {
            return fail(expected_next, "is not reached from the root");
        }
        let lost = (0..mesh.triangle_count() as u32)
            .any(|prim| !seen[prim as usize] && mesh.can_be_hit(prim));
        if lost { fail(0, "lost a triangle that can be hit") } else { Ok(()) }
    }
}
