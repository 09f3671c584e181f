//! What a walk is given of a tree's blocks, whatever their layout: the eight boxes of a node and the
//! four triangles of a leaf, as their tests take them.

mod compact;

use std::fmt::Debug;

use fearless_simd::Simd;
use hitscan_core::bvh8::{ChildAt, ChildRef, Children, Leaf4, Node8};
use hitscan_core::{Bvh8, TriangleMesh};

pub(crate) use compact::Compact;

/// The boxes of a node's children, and where these are.
pub(crate) trait Node: Copy {
    type Children: Family;

    /// The boxes, as those of a node of the fast layout.
    fn boxes(&self) -> &Node8;

    /// Where the children are; to be asked where some box is met.
    fn children<S: Simd>(&self, simd: S) -> Self::Children;
}

/// Where the children of a node are.
pub(crate) trait Family: Copy {
    /// The child in a lane.
    fn child(self, lane: usize) -> ChildRef;

    /// The same, to go on with at once.
    fn child_at(self, lane: usize) -> ChildAt;
}

/// The blocks of a layout.
pub(crate) trait Blocks: Copy + Debug {
    /// Room for a block that is not in memory as its test takes it.
    type Room;

    type Node<'a>: Node;

    const ROOM: Self::Room;

    fn node<'a, S: Simd>(
        simd: S,
        tree: &'a Bvh8,
        at: ChildAt,
        room: &'a mut Self::Room,
    ) -> Self::Node<'a>;

    fn leaf<'a, S: Simd>(
        simd: S,
        tree: &'a Bvh8,
        mesh: &TriangleMesh,
        at: ChildAt,
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

    type Node<'a> = &'a Node8;

    const ROOM: Self::Room = ();

    #[inline(always)]
    fn node<'a, S: Simd>(_: S, tree: &'a Bvh8, at: ChildAt, (): &'a mut ()) -> &'a Node8 {
        tree.block_view().node(at)
    }

    #[inline(always)]
    fn leaf<'a, S: Simd>(
        _: S,
        tree: &'a Bvh8,
        _: &TriangleMesh,
        at: ChildAt,
        (): &'a mut (),
    ) -> &'a Leaf4 {
        tree.block_view().leaf(at)
    }

    #[inline(always)]
    fn prefetch(tree: &Bvh8, at: ChildRef) {
        tree.prefetch(at);
    }
}

impl Node for &Node8 {
    type Children = Children;

    #[inline(always)]
    fn boxes(&self) -> &Node8 {
        self
    }

    #[inline(always)]
    fn children<S: Simd>(&self, simd: S) -> Children {
        Node8::children(self, simd)
    }
}

impl Family for Children {
    #[inline(always)]
    fn child(self, lane: usize) -> ChildRef {
        Self::child(self, lane)
    }

    #[inline(always)]
    fn child_at(self, lane: usize) -> ChildAt {
        Self::child_at(self, lane)
    }
}
