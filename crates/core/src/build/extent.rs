//! How far a set of triangles reaches.

use std::ops::Range;

use fearless_simd::{Fallback, Simd};
use rayon::prelude::*;

use super::Steps;
use super::fragment::{self, Fragment, Growing};
use crate::cancel::Cancelled;
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// The box around all boxes, and the one around their centres.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) bounds: Growing,
    pub(super) centers: Growing,
}

impl Extent {
    const EMPTY: Self = Self { bounds: Growing::EMPTY, centers: Growing::EMPTY };

    #[inline(always)]
    pub(super) fn of(simd: impl Simd, fragments: &[Fragment]) -> Self {
        if fragments.len() < PARALLEL_PASS_FROM {
            return Self::of_chunk(simd, fragments);
        }
        let chunks = fragments.par_chunks(PARALLEL_PASS_FROM / 4);
        let extents = chunks.map(|chunk| {
            simd.vectorize(
                #[inline(always)]
                || Self::of_chunk(simd, chunk),
            )
        });
        extents.reduce(|| Self::EMPTY, |a, b| a.union(simd, b))
    }

    /// How far the triangles of a mesh reach that can be hit, and which cannot.
    pub(super) fn of_mesh(
        mesh: &TriangleMesh,
        steps: &Steps<'_>,
    ) -> Result<(Self, Vec<u32>), Cancelled> {
        let chunks: Vec<Range<usize>> = fragment::chunks(mesh.triangle_count()).collect();
        let in_chunk = |chunk: &Range<usize>| {
            steps.part(chunk.len(), || {
                with_simd!(simd => simd.vectorize(
                    #[inline(always)]
                    || Self::of_triangles(simd, mesh, chunk.clone()),
                ))
            })
        };
        let extents: Result<Vec<(Self, Vec<u32>)>, Cancelled> =
            chunks.par_iter().map(in_chunk).collect();
        let (mut all, mut never_hit) = (Self::EMPTY, Vec::new());
        for (extent, more) in extents? {
            all = all.union(Fallback::new(), extent);
            never_hit.extend(more);
        }
        Ok((all, never_hit))
    }

    #[inline(always)]
    fn of_triangles(simd: impl Simd, mesh: &TriangleMesh, prims: Range<usize>) -> (Self, Vec<u32>) {
        let mut extent = Self::EMPTY;
        let mut never_hit = Vec::new();
        for prim in prims {
            let prim = prim as u32;
            if mesh.can_be_hit(prim) {
                extent.add(simd, &Fragment::of_triangle(mesh.corners(prim), 0));
            } else {
                never_hit.push(prim);
            }
        }
        (extent, never_hit)
    }

    #[inline(always)]
    fn of_chunk(simd: impl Simd, fragments: &[Fragment]) -> Self {
        // Two at a time: one minimum need not wait for the last.
        let (mut even, mut odd) = (Self::EMPTY, Self::EMPTY);
        let (pairs, rest) = fragments.as_chunks::<2>();
        for [a, b] in pairs {
            even.add(simd, a);
            odd.add(simd, b);
        }
        rest.iter().for_each(|fragment| even.add(simd, fragment));
        even.union(simd, odd)
    }

    #[inline(always)]
    fn add(&mut self, simd: impl Simd, fragment: &Fragment) {
        self.bounds.add(simd, fragment);
        self.centers.add_point(fragment.center());
    }

    #[inline(always)]
    fn union(self, simd: impl Simd, other: Self) -> Self {
        let bounds = self.bounds.union(simd, other.bounds);
        Self { bounds, centers: self.centers.union(simd, other.centers) }
    }
}

/// From this many triangles on, one pass over them is split over threads.
pub(super) const PARALLEL_PASS_FROM: usize = 65_536;
