//! A mesh's corners, each read as four numbers at once.

use glam::{Vec3A, Vec4};

use super::TriangleMesh;

/// A mesh's corners, each read as four numbers at once: three coordinates, and one that says
/// nothing.
///
/// Three numbers take two loads and a shuffle. Four take one, which reads a number of the vertex
/// that follows; so there is none for the last vertex.
#[derive(Clone, Copy)]
pub(crate) struct CornerRows<'a> {
    indices: &'a [[u32; 3]],
    numbers: &'a [f32],
}

impl<'a> CornerRows<'a> {
    pub(crate) fn new(mesh: &'a TriangleMesh) -> Self {
        Self { indices: mesh.indices(), numbers: mesh.positions().as_flattened() }
    }

    /// The vertices of a triangle, if the mesh has it.
    #[inline(always)]
    pub(crate) fn vertices(&self, prim: u32) -> Option<&[u32; 3]> {
        self.indices.get(prim as usize)
    }

    /// A vertex.
    #[inline(always)]
    pub(crate) fn corner(&self, vertex: u32) -> Vec3A {
        match self.row(vertex) {
            Some(&row) => Vec3A::from_vec4(Vec4::from_array(row)),
            None => Vec3A::from_slice(&self.numbers[3 * vertex as usize..]),
        }
    }

    /// Where a vertex is, if it is not the last one.
    #[inline(always)]
    pub(crate) fn row(&self, vertex: u32) -> Option<&[f32; 4]> {
        let first = 3 * vertex as usize;
        self.numbers.get(first..first + 4)?.first_chunk()
    }
}
