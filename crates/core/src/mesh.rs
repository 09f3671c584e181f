//! Triangle meshes, checked once when they are made.

mod can_be_hit;
mod content_hash;
mod corner_rows;
mod defects;
mod edit;
mod parts;
mod report;
mod topology;

pub(crate) use corner_rows::CornerRows;
pub use defects::{Defects, Duplicate};
pub use edit::EditError;
pub use parts::{Part, PartNames, Parts};
pub use report::{MeshReport, Warning};
pub use topology::{Edge, Topology, Weld};

use glam::Vec3A;
use rayon::prelude::*;

use crate::Aabb;
use crate::memory::Buffer;

/// Triangles over shared vertices.
///
/// Every index is in range. A vertex may be NaN or infinite: the triangles that use it keep their
/// index and are never hit. Positions are relative to [`TriangleMesh::origin`], which is zero
/// unless the mesh lies too far from zero for f32.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    positions: Buffer<[f32; 3]>,
    indices: Buffer<[u32; 3]>,
    origin: [f64; 3],
    parts: Parts,
}

/// Why a mesh could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A triangle uses a vertex that does not exist.
    #[error("triangle {triangle} uses vertex {index}, but the mesh has {vertices} vertices")]
    IndexOutOfRange {
        /// The triangle's index.
        triangle: usize,
        /// The vertex it asks for.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// More triangles or vertices than can be numbered.
    #[error("{count} {what} are more than the {limit} that can be numbered")]
    TooMany {
        /// "vertices" or "triangles".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there can be.
        limit: usize,
    },
    /// Replacement positions whose number is not the mesh's.
    #[error("the mesh has {expected} vertices, but {found} positions were given")]
    VertexCount {
        /// How many vertices the mesh has.
        expected: usize,
        /// How many positions were given.
        found: usize,
    },
}

/// The greatest number of vertices in a mesh: `u32::MAX` stands for "none".
const MAX_VERTICES: usize = u32::MAX as usize - 1;

/// The greatest number of triangles: trees have a bit of each index for themselves, and the
/// greatest index stands for "none".
const MAX_TRIANGLES: usize = (1 << 31) - 1;

/// How many triangles are checked at a time.
const CHUNK: usize = 1 << 16;

impl TriangleMesh {
    /// A mesh of `indices` into `positions`, counter-clockwise seen from the front.
    ///
    /// # Errors
    /// [`MeshError::IndexOutOfRange`] if a triangle uses a vertex that does not exist,
    /// [`MeshError::TooMany`] if there are more than 2³²−2 vertices or 2³¹−1 triangles.
    ///
    /// ```
    /// use hitscan_core::TriangleMesh;
    /// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
    /// assert_eq!(mesh.triangle_count(), 1);
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    pub fn new(positions: Vec<[f32; 3]>, indices: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        Self::of_buffers(positions.into(), indices.into())
    }

    /// As [`Self::new`], of lists that may be shared.
    pub(crate) fn of_buffers(
        positions: Buffer<[f32; 3]>,
        indices: Buffer<[u32; 3]>,
    ) -> Result<Self, MeshError> {
        for (what, count, limit) in [
            ("vertices", positions.len(), MAX_VERTICES),
            ("triangles", indices.len(), MAX_TRIANGLES),
        ] {
            if count > limit {
                return Err(MeshError::TooMany { what, count, limit });
            }
        }
        let vertices = positions.len();
        // The greatest of many first: looking at each for itself takes several times as long.
        let greatest = |chunk: &[[u32; 3]]| chunk.as_flattened().iter().copied().max();
        let greatest = indices.par_chunks(CHUNK).filter_map(greatest).max();
        if greatest.is_none_or(|greatest| (greatest as usize) < vertices) {
            return Ok(Self { positions, indices, ..Self::default() });
        }
        let first = indices.iter().enumerate().find_map(|(triangle, corners)| {
            let index = corners.iter().copied().find(|&index| index as usize >= vertices)?;
            Some(MeshError::IndexOutOfRange { triangle, index, vertices })
        });
        Err(first.expect("some index is as great as that"))
    }

    /// A mesh of triangles that share nothing; vertex `3·i + k` is corner `k` of triangle `i`.
    ///
    /// # Errors
    /// [`MeshError::TooMany`] if there are more than 2³²−2 vertices.
    pub fn from_soup(triangles: &[[[f32; 3]; 3]]) -> Result<Self, MeshError> {
        let count = triangles.len().saturating_mul(3);
        if count > MAX_VERTICES {
            return Err(MeshError::TooMany { what: "vertices", count, limit: MAX_VERTICES });
        }
        let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self::new(triangles.as_flattened().to_vec(), indices)
    }

    /// The same mesh with positions understood as relative to `origin`.
    #[must_use]
    pub fn with_origin(self, origin: [f64; 3]) -> Self {
        Self { origin, ..self }
    }

    /// The same mesh with names and polygons for its triangles.
    #[must_use]
    pub fn with_parts(self, parts: Parts) -> Self {
        Self { parts, ..self }
    }

    /// The same triangles over other positions.
    ///
    /// # Errors
    /// [`MeshError::VertexCount`] if there are not as many positions as before.
    pub fn with_positions(self, positions: Vec<[f32; 3]>) -> Result<Self, MeshError> {
        if positions.len() != self.positions.len() {
            let (expected, found) = (self.positions.len(), positions.len());
            return Err(MeshError::VertexCount { expected, found });
        }
        Ok(Self { positions: positions.into(), ..self })
    }

    /// The vertices, relative to [`Self::origin`].
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Three vertex indices a triangle.
    #[must_use]
    pub fn indices(&self) -> &[[u32; 3]] {
        &self.indices
    }

    /// The point that positions are relative to; zero unless the mesh lies far from zero.
    #[must_use]
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// The names and polygons of the triangles.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// How many triangles there are.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.indices.len()
    }

    /// The corners of a triangle, relative to [`Self::origin`]; NaN if `prim` is not a triangle of
    /// this mesh.
    #[inline]
    #[must_use]
    pub fn triangle(&self, prim: u32) -> [[f32; 3]; 3] {
        match self.indices.get(prim as usize) {
            Some(corners) => corners.map(|index| self.positions[index as usize]),
            None => [[f32::NAN; 3]; 3],
        }
    }

    /// As [`Self::triangle`], in registers.
    #[inline(always)]
    pub(crate) fn corners(&self, prim: u32) -> [Vec3A; 3] {
        let Some(&[a, b, c]) = self.indices.get(prim as usize) else { return [Vec3A::NAN; 3] };
        let rows = CornerRows::new(self);
        [rows.corner(a), rows.corner(b), rows.corner(c)]
    }

    /// The box around all finite triangles, relative to [`Self::origin`].
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        (0..self.indices.len() as u32)
            .map(|prim| self.triangle(prim))
            .filter(|corners| corners.as_flattened().iter().all(|x| x.is_finite()))
            .fold(Aabb::EMPTY, |bounds, corners| bounds.union(Aabb::of_triangle(corners)))
    }

    /// The geometric unit normal of a triangle, facing the side from which it runs
    /// counter-clockwise; zero for a triangle without area, and if `prim` is none of this mesh.
    #[must_use]
    pub fn normal(&self, prim: u32) -> [f32; 3] {
        let [a, b, c] = self.triangle(prim).map(|p| glam::DVec3::from(p.map(f64::from)));
        (b - a).cross(c - a).normalize_or_zero().as_vec3().into()
    }
}
