//! A leaf of up to four triangles by the indices of their corners.

use super::Leaf4;
use crate::memory::Line;
use crate::mesh::TriangleMesh;

/// Up to four triangles, lane by lane: their corners' indices among the mesh's positions, and
/// their own.
///
/// A walk makes a [`Leaf4`] of it, by the code that makes those of [`super::TreeLayout::Fast`]. A
/// corner that is not there, which only a file can name that was opened without reading its
/// leaves, is NaN and hit by nothing.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct CompactLeaf4 {
    /// By corner and lane: the index of a vertex. Empty lanes have those of the first one.
    pub vertices: [[u32; 4]; 3],
    /// The triangle's index in the mesh and perhaps [`Leaf4::SPLIT`], or [`Leaf4::NO_PRIM`].
    pub(super) marked_prim: [u32; 4],
}

const _: () = assert!(size_of::<CompactLeaf4>() == CompactLeaf4::LINES * size_of::<Line>());

impl CompactLeaf4 {
    /// How many cache lines a leaf takes.
    pub const LINES: usize = 1;

    /// A leaf without triangles.
    pub const EMPTY: Self = Self { vertices: [[0; 4]; 3], marked_prim: [Leaf4::NO_PRIM; 4] };

    /// For each lane what [`Leaf4::marked_prims`] has.
    #[inline(always)]
    #[must_use]
    pub fn marked_prims(&self) -> &[u32; 4] {
        &self.marked_prim
    }

    /// A leaf of triangles of a mesh, with marks; empty lanes come last. A triangle that is not
    /// there has corners that are not there.
    #[inline(always)]
    #[must_use]
    pub fn of(marked_prim: [u32; 4], mesh: &TriangleMesh) -> Self {
        let mut leaf = Self { marked_prim, ..Self::EMPTY };
        let mut first = [0; 3];
        for (lane, &marked_prim) in marked_prim.iter().enumerate() {
            let corners = match Leaf4::unmarked(marked_prim) {
                (Leaf4::NO_PRIM, _) => first,
                (prim, _) => mesh.indices().get(prim as usize).copied().unwrap_or([u32::MAX; 3]),
            };
            first = if lane == 0 { corners } else { first };
            for (vertices, corner) in leaf.vertices.iter_mut().zip(corners) {
                vertices[lane] = corner;
            }
        }
        leaf
    }
}
