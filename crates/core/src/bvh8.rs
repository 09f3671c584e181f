//! The eight-wide tree that rays walk: nodes and leaves as blocks in one array of cache lines.

mod change_error;
mod check_leaves;
mod child_ref;
mod children;
mod collapse;
mod compact_leaf4;
mod compact_node8;
mod convert;
mod graft;
mod leaf4;
mod node8;
mod node_copy;
mod paths;
mod profile;
mod refit;
mod statistics;
mod tree_layout;
mod validate;
mod visit;
mod whole;

pub use change_error::ChangeError;
pub use child_ref::{ChildAt, ChildRef};
pub use children::{Children, lowered};
pub use compact_leaf4::CompactLeaf4;
pub use compact_node8::CompactNode8;
pub use leaf4::Leaf4;
pub use node_copy::NodeCopy;
pub use node8::{Node8, Planes};
pub use paths::Paths;
pub use profile::TreeProfile;
pub use refit::{Refitter, Structure};
pub use statistics::Statistics;
pub use tree_layout::TreeLayout;
pub use visit::Visit;

use crate::Aabb;
use crate::build::Meter;
use crate::bvh2::Bvh2;
use crate::cancel::Cancelled;
use crate::memory::{self, Buffer, Line};
use crate::mesh::TriangleMesh;

/// An eight-wide tree.
///
/// Every reference in it leads to a block of its own kind within the array: [`Bvh8::validate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh8 {
    lines: Buffer<Line>,
    layout: TreeLayout,
    root: ChildRef,
    bounds: Aabb,
    reach: [f32; 4],
    statistics: Statistics,
    /// Whether the tree was made here, or made anew since, so that all of it is as
    /// [`Bvh8::validate`] wants it. Of one that came from bytes only the structure is.
    is_known: bool,
    /// What was built, where triangles were taken in afterwards.
    stock: Option<graft::Stock>,
}

impl Bvh8 {
    /// A leaf without triangles, which is always the first block.
    pub const NO_CHILD: ChildRef = ChildRef::FIRST_LEAF;

    /// A tree of blocks whose structure is right; more is not known of it.
    pub(crate) fn of_blocks(
        lines: Buffer<Line>,
        layout: TreeLayout,
        root: ChildRef,
        bounds: Aabb,
        statistics: Statistics,
    ) -> Self {
        let (reach, is_known, stock) = (reach(bounds), false, None);
        Self { lines, layout, root, bounds, reach, statistics, is_known, stock }
    }

    /// The number of references that a walk may have to keep: seven a level, and the root.
    pub const MAX_STACK: usize = 7 * Bvh2::MAX_DEPTH + 1;

    /// Makes the wide tree from a binary one, choosing the nodes that cost least, in
    /// [`TreeLayout::Fast`].
    #[must_use]
    pub fn from_bvh2(bvh2: &Bvh2, mesh: &TriangleMesh) -> Self {
        Self::from_bvh2_in(TreeLayout::Fast, bvh2, mesh)
    }

    /// Makes the wide tree from a binary one, choosing the nodes that cost least.
    #[must_use]
    pub fn from_bvh2_in(layout: TreeLayout, bvh2: &Bvh2, mesh: &TriangleMesh) -> Self {
        let bvh8 = Self::from_bvh2_metered(layout, bvh2, mesh, Meter::unwatched());
        bvh8.unwrap_or_else(|Cancelled| unreachable!("no token was given"))
    }

    /// As [`Self::from_bvh2_in`], watched: the last stage of a build.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the tree was ready.
    pub fn from_bvh2_metered(
        layout: TreeLayout,
        bvh2: &Bvh2,
        mesh: &TriangleMesh,
        meter: Meter<'_>,
    ) -> Result<Self, Cancelled> {
        let bvh8 = collapse::collapse(bvh2, mesh, layout, meter)?;
        debug_assert_eq!(bvh8.validate(mesh), Ok(()));
        Ok(bvh8)
    }

    /// Which blocks the tree is made of.
    #[inline(always)]
    #[must_use]
    pub fn layout(&self) -> TreeLayout {
        self.layout
    }

    /// All blocks.
    #[inline(always)]
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// All blocks, to be changed.
    fn lines_mut(&mut self) -> &mut [Line] {
        self.lines.make_mut()
    }

    /// All blocks, for more to be added; without them the tree is none until it gets them back.
    fn take_lines(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines).into_vec()
    }

    /// Where a walk begins.
    #[inline(always)]
    #[must_use]
    pub fn root(&self) -> ChildRef {
        self.root
    }

    /// The box around everything that can be hit, relative to the mesh's origin.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// For each axis the greatest magnitude of a coordinate; zero for the empty tree. The fourth
    /// number is zero, so that all fit a register.
    #[inline(always)]
    #[must_use]
    pub fn reach(&self) -> &[f32; 4] {
        &self.reach
    }

    /// What the tree looks like, in numbers.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The nodes and leaves, in [`TreeLayout::Fast`].
    #[inline(always)]
    #[must_use]
    pub fn block_view(&self) -> BlockView<'_> {
        debug_assert_eq!(self.layout, TreeLayout::Fast);
        BlockView(self.lines.as_chunks().0)
    }

    /// The node that a reference leads to, in [`TreeLayout::Fast`].
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn node(&self, child: ChildRef) -> &Node8 {
        self.block_view().node(child)
    }

    /// The leaf that a reference leads to, in [`TreeLayout::Fast`].
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn leaf(&self, child: ChildRef) -> &Leaf4 {
        self.block_view().leaf(child)
    }

    /// Asks for a block before it is needed, in [`TreeLayout::Fast`].
    #[inline(always)]
    pub fn prefetch(&self, child: ChildRef) {
        self.block_view().prefetch(child);
    }

    /// The node at a place, in [`TreeLayout::Compact`].
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn compact_node(&self, child: impl Into<ChildAt>) -> &CompactNode8 {
        debug_assert_eq!(self.layout, TreeLayout::Compact);
        bytemuck::cast_ref(self.block::<{ CompactNode8::LINES }>(child.into().place()))
    }

    /// The leaf at a place, in [`TreeLayout::Compact`].
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn compact_leaf(&self, child: impl Into<ChildAt>) -> &CompactLeaf4 {
        debug_assert_eq!(self.layout, TreeLayout::Compact);
        bytemuck::cast_ref(self.block::<{ CompactLeaf4::LINES }>(child.into().place()))
    }

    #[inline(always)]
    fn block<const COUNT: usize>(&self, first: usize) -> &[Line; COUNT] {
        self.lines[first..first + COUNT].first_chunk().expect("there are so many")
    }

    /// Asks for a block before it is needed, in [`TreeLayout::Compact`].
    #[inline(always)]
    pub fn prefetch_compact(&self, child: ChildRef) {
        memory::prefetch::<{ CompactNode8::LINES }>(&self.lines, child.place());
    }

    /// A copy of the node that a reference leads to, in whatever layout, with boxes as a walk takes
    /// them.
    ///
    /// # Panics
    /// If there are no such lines.
    #[must_use]
    pub fn node_copy(&self, child: ChildRef) -> NodeCopy {
        match self.layout {
            TreeLayout::Fast => self.node(child).copy(),
            TreeLayout::Compact => self.compact_node(child).decoded(),
        }
    }

    /// What [`Leaf4::marked_prims`] gives of the leaf that a reference leads to, in whatever layout.
    ///
    /// # Panics
    /// If there are no such lines.
    #[must_use]
    pub fn marked_prims(&self, child: ChildRef) -> &[u32; 4] {
        match self.layout {
            TreeLayout::Fast => self.leaf(child).marked_prims(),
            TreeLayout::Compact => self.compact_leaf(child).marked_prims(),
        }
    }

    /// What [`Leaf4::prims`] gives of the leaf that a reference leads to, in whatever layout.
    ///
    /// # Panics
    /// If there are no such lines.
    pub fn prims(&self, child: ChildRef) -> impl Iterator<Item = u32> {
        Leaf4::prims_of(self.marked_prims(child))
    }
}

/// The nodes and leaves of a tree in [`TreeLayout::Fast`], to be held in registers where many are
/// visited.
#[derive(Clone, Copy, Debug)]
pub struct BlockView<'a>(&'a [[Line; Node8::LINES]]);

impl<'a> BlockView<'a> {
    /// The node at a place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    #[must_use]
    pub fn node(self, child: impl Into<ChildAt>) -> &'a Node8 {
        bytemuck::cast_ref(&self.0[child.into().place()])
    }

    /// The leaf at a place.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    #[must_use]
    pub fn leaf(self, child: impl Into<ChildAt>) -> &'a Leaf4 {
        bytemuck::cast_ref(&self.0[child.into().place()])
    }

    /// Asks for a block before it is needed.
    #[inline(always)]
    pub fn prefetch(self, child: ChildRef) {
        memory::prefetch::<{ Node8::LINES }>(self.0.as_flattened(), child.place() * Node8::LINES);
    }
}

/// For each axis the greatest magnitude of a coordinate in a box.
fn reach(bounds: Aabb) -> [f32; 4] {
    if bounds.is_empty() {
        return [0.0; 4];
    }
    bounds.min.abs().max(bounds.max.abs()).extend(0.0).to_array()
}
