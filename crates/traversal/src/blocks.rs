//! What a walk is given of a tree's blocks, whatever their layout: the eight boxes of a node and the
//! four triangles of a leaf, as their tests take them.

mod compact;

use std::fmt::Debug;

use fearless_simd::Simd;
use hitscan_core::bvh8::{ChildRef, Leaf4, Node8};
use hitscan_core::{Bvh8, TriangleMesh};

pub(crate) use compact::Compact;

/// Where a node is: beside the first of some nodes that lie one behind the other.
///
/// From a test of boxes to the next one there is nothing to do but to wait, and a reference would
/// be a load more to wait for: 2 to 5 % of a single ray's time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeAt {
    first: ChildRef,
    after: usize,
}

impl NodeAt {
    /// Where a reference leads to; if that is no node, nothing is there.
    #[inline(always)]
    pub(crate) fn of(child: ChildRef) -> Self {
        Self { first: child, after: 0 }
    }

    /// Where a node's child is that is a node; of others, nothing is there.
    #[inline(always)]
    pub(crate) fn child_of(node: &Node8, lane: usize) -> Self {
        Self { first: node.children[0], after: lane }
    }
}

/// The blocks of a layout.
pub(crate) trait Blocks: Copy + Debug {
    /// Room for a block that is not in memory as its test takes it.
    type Room;

    const ROOM: Self::Room;

    fn node<'a, S: Simd>(
        simd: S,
        tree: &'a Bvh8,
        at: NodeAt,
        room: &'a mut Self::Room,
    ) -> &'a Node8;

    fn leaf<'a, S: Simd>(
        simd: S,
        tree: &'a Bvh8,
        mesh: &TriangleMesh,
        at: ChildRef,
        room: &'a mut Self::Room,
    ) -> &'a Leaf4;

    /// Asks for a block before it is needed.
    fn prefetch(tree: &Bvh8, at: ChildRef);
}

/// Blocks of [`TreeLayout::Fast`](hitscan_core::TreeLayout::Fast): they are in memory as they are
/// needed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fast;

impl Blocks for Fast {
    type Room = ();

    const ROOM: Self::Room = ();

    #[inline(always)]
    fn node<'a, S: Simd>(_: S, tree: &'a Bvh8, at: NodeAt, (): &'a mut ()) -> &'a Node8 {
        tree.block_view().node_beside(at.first.node_line(), at.after)
    }

    #[inline(always)]
    fn leaf<'a, S: Simd>(
        _: S,
        tree: &'a Bvh8,
        _: &TriangleMesh,
        at: ChildRef,
        (): &'a mut (),
    ) -> &'a Leaf4 {
        tree.leaf(at)
    }

    #[inline(always)]
    fn prefetch(tree: &Bvh8, at: ChildRef) {
        tree.prefetch(at);
    }
}
