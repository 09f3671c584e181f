//! The eight-wide tree that rays walk: nodes and leaves as blocks in one array of cache lines.

mod collapse;
mod graft;
mod leaf4;
mod node8;
mod paths;
mod profile;
mod refit;
mod statistics;
mod validate;
mod visit;
mod whole;

pub use graft::TooDeep;
pub use leaf4::Leaf4;
pub use node8::{ChildRef, Node8};
pub use paths::Paths;
pub use profile::TreeProfile;
pub use refit::Structure;
pub use statistics::Statistics;
pub use visit::Visit;

use crate::Aabb;
use crate::bvh2::Bvh2;
use crate::memory::{self, Buffer, Line};
use crate::mesh::TriangleMesh;

/// An eight-wide tree.
///
/// Every reference in it leads to a block of its own kind within the array: [`Bvh8::validate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh8 {
    lines: Buffer<Line>,
    root: ChildRef,
    bounds: Aabb,
    reach: [f32; 4],
    statistics: Statistics,
    /// What was built, where triangles were taken in afterwards.
    stock: Option<graft::Stock>,
}

impl Bvh8 {
    /// Where empty lanes lead: a leaf without triangles, which is always the first block.
    pub const NO_CHILD: ChildRef = ChildRef::FIRST_LEAF;

    /// A tree of blocks that are as [`Bvh8::validate`] wants them.
    pub(crate) fn of_blocks(
        lines: Buffer<Line>,
        root: ChildRef,
        bounds: Aabb,
        statistics: Statistics,
    ) -> Self {
        Self { lines, root, bounds, reach: reach(bounds), statistics, stock: None }
    }

    /// The number of references that a walk may have to keep: seven a level, and the root.
    pub const MAX_STACK: usize = 7 * Bvh2::MAX_DEPTH + 1;

    /// Makes the wide tree from a binary one, choosing the nodes that cost least.
    #[must_use]
    pub fn from_bvh2(bvh2: &Bvh2, mesh: &TriangleMesh) -> Self {
        let bvh8 = collapse::collapse(bvh2, mesh);
        debug_assert_eq!(bvh8.validate(mesh), Ok(()));
        bvh8
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

    /// The node that a reference leads to.
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn node(&self, child: ChildRef) -> &Node8 {
        let first = child.line();
        bytemuck::cast_ref(block::<{ Node8::LINES }>(&self.lines, first))
    }

    /// Asks for a block before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, child: ChildRef) {
        memory::prefetch::<{ Node8::LINES }>(&self.lines, child.line());
    }

    /// The leaf that a reference leads to.
    ///
    /// # Panics
    /// If there are no such lines.
    #[inline(always)]
    #[must_use]
    pub fn leaf(&self, child: ChildRef) -> &Leaf4 {
        let first = child.line();
        bytemuck::cast_ref(block::<{ Leaf4::LINES }>(&self.lines, first))
    }
}

#[inline(always)]
fn block<const COUNT: usize>(lines: &[Line], first: usize) -> &[Line; COUNT] {
    lines[first..first + COUNT].first_chunk().expect("there are so many")
}

/// For each axis the greatest magnitude of a coordinate in a box.
fn reach(bounds: Aabb) -> [f32; 4] {
    if bounds.is_empty() {
        return [0.0; 4];
    }
    bounds.min.abs().max(bounds.max.abs()).extend(0.0).to_array()
}
