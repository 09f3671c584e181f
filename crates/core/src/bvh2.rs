//! The binary tree: what every builder makes and every layout is made from.

use crate::Aabb;
use crate::cut::Cover;
use crate::mesh::TriangleMesh;

/// A binary tree over the triangles of a mesh that can be hit.
///
/// A triangle may be in several leaves: their boxes then hold it together, each a part of it.
///
/// Nodes lie in depth-first order: the left child of an inner node is the next one. Builders know
/// no layout, layouts know no builder; this is all that they share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh2 {
    /// The nodes, the root first; empty if no triangle can be hit.
    pub nodes: Vec<Node2>,
    /// Leaves that are no nodes of their own: see [`Kind2::Leaves`].
    pub leaves: Vec<Leaf2>,
    /// The triangles: first those of leaves that are nodes, in the order of these, then those of
    /// [`Self::leaves`] in theirs.
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
    /// Several leaves that are meant to be the children of one node of a wide tree, so that nothing
    /// has to stand between them.
    Leaves {
        /// The first one's place in [`Bvh2::leaves`].
        first: u32,
        /// How many there are, at least one and at most [`Bvh2::MOST_LEAVES`].
        count: u32,
    },
}

/// A leaf that is no node of its own: see [`Kind2::Leaves`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf2 {
    /// The box around its triangles.
    pub bounds: Aabb,
    /// The first one's place in [`Bvh2::prims`].
    pub first: u32,
    /// How many there are, at least one.
    pub count: u32,
}

const _: () = assert!(size_of::<Node2>() == 36 && size_of::<Leaf2>() == 32);

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

    /// No more leaves than this are in one node.
    pub const MOST_LEAVES: usize = 8;

    /// The greatest number of nodes on a way from the root to a leaf; 0 for the empty tree.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut open = vec![(0, 1)];
        while let Some((index, depth)) = open.pop() {
            let Some(node) = self.nodes.get(index) else { continue };
            deepest = deepest.max(depth);
            match node.kind {
                Kind2::Inner { right } => {
                    open.extend([(index + 1, depth + 1), (right as usize, depth + 1)]);
                }
                Kind2::Leaf { .. } => {}
                Kind2::Leaves { .. } => deepest = deepest.max(depth + 1),
            }
        }
        deepest
    }

    /// Whether some triangle is in more than one leaf.
    pub(crate) fn has_repeats(&self, mesh: &TriangleMesh) -> bool {
        // A byte each: bits of neighbours would have to wait for one another.
        let mut seen = vec![0_u8; mesh.triangle_count()];
        self.prims.iter().for_each(|&prim| seen[prim as usize] = 1);
        let few = |seen: &[u8]| usize::from(seen.iter().sum::<u8>());
        seen.chunks(u8::MAX.into()).map(few).sum::<usize>() < self.prims.len()
    }

    /// Checks every invariant: boxes hold what is below them, the leaves' boxes together hold each
    /// triangle that can be hit, nodes lie in depth-first order and triangles in the order of the
    /// leaves, and the depth is bounded.
    ///
    /// # Errors
    /// [`InvalidTree`] names the first node at fault.
    pub fn validate(&self, mesh: &TriangleMesh) -> Result<(), InvalidTree> {
        let fail = |node, fault| Err(InvalidTree { node, fault });
        let mut cover = Cover::new(mesh);
        let (mut prims_seen, mut leaves_seen) = (0, 0);
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
                    if first as usize != prims_seen {
                        return fail(index, "has triangles that are not in the leaves' order");
                    }
                    prims_seen += count as usize;
                    self.validate_leaf(index, node.bounds, first, count, &mut cover)?;
                }
                Kind2::Leaves { first, count } => {
                    let (first, count) = (first as usize, count as usize);
                    let Some(leaves) = self.leaves.get(first..first.saturating_add(count)) else {
                        return fail(index, "has leaves that do not exist");
                    };
                    if leaves.is_empty() || leaves.len() > Self::MOST_LEAVES {
                        return fail(index, "has no leaves, or too many");
                    }
                    if depth + 1 > Self::MAX_DEPTH {
                        return fail(index, "has leaves that are too deep");
                    }
                    leaves_seen += leaves.len();
                    for leaf in leaves {
                        if !node.bounds.contains(leaf.bounds) {
                            return fail(index, "has a leaf that sticks out");
                        }
                        self.validate_leaf(index, leaf.bounds, leaf.first, leaf.count, &mut cover)?;
                    }
                }
            }
        }
        // As no triangle is there too often, each leaf was seen once if their number is right.
        if leaves_seen != self.leaves.len() {
            return fail(0, "has leaves in no node, or in several");
        }
        for leaf in &self.leaves {
            if leaf.first as usize != prims_seen {
                return fail(0, "has triangles that are not in the leaves' order");
            }
            prims_seen += leaf.count as usize;
        }
        if prims_seen != self.prims.len() {
            return fail(0, "has triangles in no leaf");
        }
        if expected_next != self.nodes.len() {
            return fail(expected_next, "is not reached from the root");
        }
        cover.fault().map_or(Ok(()), |fault| fail(0, fault))
    }

    /// Checks a leaf of some triangles, which is that node or in it.
    fn validate_leaf(
        &self,
        node: usize,
        bounds: Aabb,
        first: u32,
        count: u32,
        cover: &mut Cover<'_>,
    ) -> Result<(), InvalidTree> {
        let fail = |fault| Err(InvalidTree { node, fault });
        let range = first as usize..first as usize + count as usize;
        let Some(prims) = self.prims.get(range).filter(|prims| !prims.is_empty()) else {
            return fail("has no triangles, or some that do not exist");
        };
        for (place, &prim) in prims.iter().enumerate() {
            if prims[..place].contains(&prim) || !cover.add(prim, bounds) {
                return fail("has a triangle twice, or one too many");
            }
        }
        Ok(())
    }
}
