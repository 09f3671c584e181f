//! Changing a mesh: vertices that move, triangles that come and go.

use std::ops::Range;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::{MAX_TRIANGLES, MAX_VERTICES, TriangleMesh};
use crate::bvh2::InvalidTree;
use crate::simd::with_simd;

/// So many vertices are moved at a time.
const CHUNK: usize = 1 << 15;

/// Why a mesh could not be changed; it is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// A position with a coordinate that is NaN or infinite.
    #[error("vertex {vertex} cannot be moved to {position:?}: not finite")]
    NotFinite {
        /// The vertex, counted over the whole mesh.
        vertex: usize,
        /// Where it was to be.
        position: [f32; 3],
    },
    /// Positions for other vertices than the mesh has.
    #[error("{count} positions from vertex {first} on, but the mesh has {vertices} vertices")]
    VertexRange {
        /// The first vertex that was to be moved.
        first: usize,
        /// How many positions were given.
        count: usize,
        /// How many vertices the mesh has.
        vertices: usize,
    },
    /// A new triangle uses a vertex that does not exist.
    #[error("new triangle {triangle} uses vertex {index}, but the mesh has {vertices} vertices")]
    IndexOutOfRange {
        /// The triangle's place among the new ones.
        triangle: usize,
        /// The vertex it asks for.
        index: u32,
        /// How many vertices there are, the new ones included.
        vertices: usize,
    },
    /// A triangle that was to be removed and never was there.
    #[error("there is no triangle {prim} to remove, the mesh has {triangles}")]
    NoSuchTriangle {
        /// The triangle.
        prim: u32,
        /// How many there are, removed ones included.
        triangles: usize,
    },
    /// More triangles or vertices than can be numbered.
    #[error("{count} {what} are more than the {limit} that can be numbered")]
    TooMany {
        /// "vertices" or "triangles".
        what: &'static str,
        /// How many there would be.
        count: usize,
        /// How many there can be.
        limit: usize,
    },
    /// The tree that is to follow the mesh came from bytes, and is not one over it.
    #[error("the tree is not one over this mesh: {0}")]
    InvalidTree(#[from] InvalidTree),
}

impl TriangleMesh {
    /// Moves the vertices from `first` on to other positions, relative to [`Self::origin`].
    ///
    /// # Errors
    /// [`EditError::VertexRange`] if there are fewer vertices, [`EditError::NotFinite`] for a
    /// position that is NaN or infinite. Then nothing has moved.
    ///
    /// ```
    /// use hitscan_core::TriangleMesh;
    /// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mut mesh = TriangleMesh::new(corners, vec![[0, 1, 2]])?;
    /// mesh.move_vertices(1, &[[2.0, 0.0, 0.0]])?;
    /// assert_eq!(mesh.triangle(0)[1], [2.0, 0.0, 0.0]);
    /// assert!(mesh.move_vertices(1, &[[f32::NAN, 0.0, 0.0]]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_vertices(&mut self, first: usize, positions: &[[f32; 3]]) -> Result<(), EditError> {
        self.check_positions(first, positions)?;
        let moved = &mut self.positions.make_mut()[first..][..positions.len()];
        let chunks = moved.par_chunks_mut(CHUNK).zip(positions.par_chunks(CHUNK));
        chunks.for_each(|(moved, positions)| moved.copy_from_slice(positions));
        Ok(())
    }

    /// Whether [`Self::move_vertices`] would succeed.
    ///
    /// # Errors
    /// As [`Self::move_vertices`].
    pub fn check_positions(&self, first: usize, positions: &[[f32; 3]]) -> Result<(), EditError> {
        let (vertices, count) = (self.positions.len(), positions.len());
        if first.checked_add(count).is_none_or(|end| end > vertices) {
            return Err(EditError::VertexRange { first, count, vertices });
        }
        all_finite(first, positions)
    }

    /// Adds vertices and triangles, whose indices may be those of old and of new vertices; gives
    /// the indices of the new triangles. They have no names, and each is a polygon of its own.
    ///
    /// # Errors
    /// [`EditError::NotFinite`], [`EditError::IndexOutOfRange`] or [`EditError::TooMany`]. Then
    /// nothing was added.
    pub fn add_triangles(
        &mut self,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Result<Range<u32>, EditError> {
        self.check_addition(positions, triangles)?;
        let first = self.indices.len() as u32;
        let count = triangles.len() as u32;
        self.parts.add_nameless(first, count);
        self.positions.extend(positions.iter().copied());
        self.indices.extend(triangles.iter().copied());
        Ok(first..first + count)
    }

    /// Whether [`Self::add_triangles`] would succeed.
    ///
    /// # Errors
    /// As [`Self::add_triangles`].
    pub fn check_addition(
        &self,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Result<(), EditError> {
        let vertices = self.positions.len() + positions.len();
        let end = self.indices.len() + triangles.len();
        for (what, count, limit) in
            [("vertices", vertices, MAX_VERTICES), ("triangles", end, MAX_TRIANGLES)]
        {
            if count > limit {
                return Err(EditError::TooMany { what, count, limit });
            }
        }
        all_finite(self.positions.len(), positions)?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices) {
                return Err(EditError::IndexOutOfRange { triangle, index, vertices });
            }
        }
        Ok(())
    }

    /// Removes triangles: each keeps its index, shrinks to a point and is never hit again. The
    /// indices of the others stay as they are. One that was removed before stays so.
    ///
    /// # Errors
    /// [`EditError::NoSuchTriangle`]. Then nothing was removed.
    pub fn remove_triangles(&mut self, prims: &[u32]) -> Result<(), EditError> {
        self.check_removal(prims)?;
        let indices = self.indices.make_mut();
        for &prim in prims {
            let corners = &mut indices[prim as usize];
            *corners = [corners[0]; 3];
        }
        Ok(())
    }

    /// Whether [`Self::remove_triangles`] would succeed.
    ///
    /// # Errors
    /// As [`Self::remove_triangles`].
    pub fn check_removal(&self, prims: &[u32]) -> Result<(), EditError> {
        let triangles = self.indices.len();
        match prims.iter().find(|&&prim| prim as usize >= triangles) {
            Some(&prim) => Err(EditError::NoSuchTriangle { prim, triangles }),
            None => Ok(()),
        }
    }

    /// Whether a triangle uses a vertex twice, as removed ones do: it is never hit, wherever its
    /// vertices are.
    ///
    /// # Panics
    /// If `prim` is not a triangle of this mesh.
    #[inline(always)]
    #[must_use]
    pub fn is_collapsed(&self, prim: u32) -> bool {
        is_collapsed(self.indices[prim as usize])
    }

    /// How many triangles use three different vertices, so that they may have an area.
    #[must_use]
    pub fn uncollapsed_count(&self) -> usize {
        self.indices.iter().filter(|&&corners| !is_collapsed(corners)).count()
    }
}

#[inline(always)]
fn is_collapsed([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}

fn all_finite(first: usize, positions: &[[f32; 3]]) -> Result<(), EditError> {
    if positions.par_chunks(CHUNK).all(are_finite) {
        return Ok(());
    }
    let wrong = |position: &[f32; 3]| !position.iter().all(|x| x.is_finite());
    match positions.iter().position(wrong) {
        Some(at) => Err(EditError::NotFinite { vertex: first + at, position: positions[at] }),
        None => Ok(()),
    }
}

fn are_finite(positions: &[[f32; 3]]) -> bool {
    with_simd!(simd => simd.vectorize(
        #[inline(always)]
        || {
            // Without its sign, a number that is not finite has greater bits than any that is. All
            // at once, without a branch; the culprit is looked for only if there is one.
            let mut greatest = 0;
            for number in positions.as_flattened() {
                greatest = greatest.max(number.abs().to_bits() as i32);
            }
            greatest < f32::INFINITY.to_bits() as i32
        },
    ))
}
