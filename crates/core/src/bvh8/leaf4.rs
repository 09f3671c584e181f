//! A leaf of up to four triangles, ready for the Möller–Trumbore test.

mod packed;
mod repack;

use fearless_simd::Simd;
use glam::{Mat4, Vec3, Vec3A};

use crate::Aabb;
use crate::memory::Line;
use crate::mesh::{CornerRows, TriangleMesh};
use packed::{Packed, each};
pub(super) use repack::{LeafCorners, Sides, by_axis};

/// Up to four triangles, lane by lane: a corner, two edges, and how far the test may err.
///
/// With corners v0, v1, v2: `edge1 = v0 − v1`, `edge2 = v2 − v0`, each rounded once. The two error
/// constants bound what rounding can do to the edge functions of a ray; docs/decisions/0001 has
/// the proof. Empty lanes have no edges and an infinite `-error_area`, so that they fail the test.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Leaf4 {
    /// The first corner, by axis.
    pub v0: [[f32; 4]; 3],
    /// From the second corner to the first, by axis.
    pub edge1: [[f32; 4]; 3],
    /// From the first corner to the third, by axis.
    pub edge2: [[f32; 4]; 3],
    /// The triangle's index in the mesh and perhaps [`Leaf4::SPLIT`], or [`Leaf4::NO_PRIM`].
    marked_prim: [u32; 4],
    /// Minus the error in an edge function, for each unit of distance and of direction.
    pub minus_error_reach: [f32; 4],
    /// Minus the error in the determinant, for each unit of direction.
    pub minus_error_area: [f32; 4],
}

const _: () = assert!(size_of::<Leaf4>() == Leaf4::LINES * size_of::<Line>());

impl Leaf4 {
    /// How many cache lines a leaf takes.
    pub const LINES: usize = 3;

    /// How many triangles fit.
    pub const LANES: usize = 4;

    /// Set with a triangle's index where other leaves have the same triangle.
    pub const SPLIT: u32 = 1 << 31;

    /// Stands for the index where a lane is empty, never marked; more than any triangle's index.
    pub const NO_PRIM: u32 = Self::SPLIT - 1;

    /// From this magnitude on, products of three coordinates may overflow in f32: such triangles
    /// and rays are always decided exactly.
    pub const HUGE: f32 = (1_u64 << 38) as f32;

    /// A leaf without triangles.
    pub const EMPTY: Self = Self {
        v0: [[0.0; 4]; 3],
        edge1: [[0.0; 4]; 3],
        edge2: [[0.0; 4]; 3],
        marked_prim: [Self::NO_PRIM; 4],
        minus_error_reach: [0.0; 4],
        minus_error_area: [f32::INFINITY; 4],
    };

    /// For each lane the triangle's index in the mesh, with [`Leaf4::SPLIT`] set if other leaves
    /// have the triangle, too, so that a ray may meet it more than once; [`Leaf4::NO_PRIM`] if the
    /// lane is empty.
    #[inline(always)]
    #[must_use]
    pub fn marked_prims(&self) -> &[u32; 4] {
        &self.marked_prim
    }

    /// A triangle's index without its mark, and whether it was marked.
    #[inline(always)]
    #[must_use]
    pub const fn unmarked(marked_prim: u32) -> (u32, bool) {
        (marked_prim & !Self::SPLIT, marked_prim & Self::SPLIT != 0)
    }

    /// The indices of the triangles, lane by lane, without marks.
    #[inline(always)]
    pub fn prims(&self) -> impl Iterator<Item = u32> {
        Self::prims_of(&self.marked_prim)
    }

    /// The same of a leaf's marked indices.
    #[inline(always)]
    pub(super) fn prims_of(marked_prims: &[u32; 4]) -> impl Iterator<Item = u32> {
        let prims = marked_prims.iter().map(|&prim| Self::unmarked(prim).0);
        prims.take_while(|&prim| prim != Self::NO_PRIM)
    }

    /// What a leaf of these triangles of a mesh should be, with the marks of this one.
    pub(super) fn made_of(&self, mesh: &TriangleMesh, prims: &[u32]) -> Self {
        let mut leaf = Self::EMPTY;
        for (lane, &prim) in prims.iter().enumerate() {
            leaf.set(lane, prim, mesh.triangle(prim));
        }
        Self { marked_prim: self.marked_prim, ..leaf }
    }

    /// Says that other leaves have a lane's triangle, too.
    pub(super) fn mark_split(&mut self, lane: usize) {
        self.marked_prim[lane] |= Self::SPLIT;
    }

    /// A leaf of some triangles of a mesh, and the box around them.
    ///
    /// # Panics
    /// If there are more than fit, or the mesh does not have one.
    #[inline(always)]
    #[must_use]
    pub fn of(prims: &[u32], mesh: &TriangleMesh) -> (Self, Aabb) {
        let mut leaf = Self::EMPTY;
        let bounds = leaf.pack(prims, mesh);
        (leaf, bounds)
    }

    /// As [`Self::pack`], without the box, in registers where that is possible; of a leaf that is
    /// empty.
    #[inline(always)]
    pub(super) fn pack_rows(
        &mut self,
        simd: impl Simd,
        prims: &[u32],
        rows: &CornerRows<'_>,
        mesh: &TriangleMesh,
    ) {
        self.marked_prim[..prims.len()].copy_from_slice(prims);
        match LeafCorners::of(simd, self, rows) {
            Some(corners) => self.repack(simd, &corners),
            None => {
                self.pack(prims, mesh);
            }
        }
    }

    /// A leaf of triangles of a mesh, with marks; empty lanes come last.
    pub(super) fn of_marked(marked_prim: [u32; 4], mesh: &TriangleMesh) -> Self {
        let mut prims = [Self::NO_PRIM; Self::LANES];
        let mut count = 0;
        for prim in Self::prims_of(&marked_prim) {
            prims[count] = prim;
            count += 1;
        }
        let (leaf, _) = Self::of(&prims[..count], mesh);
        Self { marked_prim, ..leaf }
    }

    /// Becomes the leaf of some triangles of a mesh; gives the box around them.
    ///
    /// # Panics
    /// If there are more than fit, or the mesh does not have one.
    #[inline(always)]
    pub fn pack(&mut self, prims: &[u32], mesh: &TriangleMesh) -> Aabb {
        assert!(prims.len() <= Self::LANES, "a leaf has four lanes");
        let Some(&first) = prims.first() else {
            *self = Self::EMPTY;
            return Aabb::EMPTY;
        };
        // Lanes without a triangle take the first one, so that the box is right, and lose it below.
        let mut lanes = [first; Self::LANES];
        lanes[..prims.len()].copy_from_slice(prims);
        let [a, b, c, d] = lanes;
        let triangles = [mesh.corners(a), mesh.corners(b), mesh.corners(c), mesh.corners(d)];
        let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for corner in triangles.as_flattened() {
            (min, max) = (min.min(*corner), max.max(*corner));
        }
        let bounds = Aabb { min: min.into(), max: max.into() };
        let mut corners = [[[0.0; 4]; 3]; 3];
        for (corner, by_axis) in corners.iter_mut().enumerate() {
            let [a, b, c, d] = &triangles;
            let lanes = Mat4::from_cols(
                a[corner].extend(0.0),
                b[corner].extend(0.0),
                c[corner].extend(0.0),
                d[corner].extend(0.0),
            );
            let [x, y, z, _] = lanes.transpose().to_cols_array_2d();
            *by_axis = [x, y, z];
        }
        let packed = Packed::of(&corners, reaches_far(bounds));
        let count = prims.len();
        for axis in 0..3 {
            self.v0[axis] = in_lanes(count, corners[0][axis], 0.0);
            self.edge1[axis] = in_lanes(count, packed.edge1[axis], 0.0);
            self.edge2[axis] = in_lanes(count, packed.edge2[axis], 0.0);
        }
        self.marked_prim = lanes;
        self.marked_prim[count..].fill(Self::NO_PRIM);
        self.minus_error_reach = in_lanes(count, packed.minus_error_reach, 0.0);
        self.minus_error_area = in_lanes(count, packed.minus_error_area, f32::INFINITY);
        bounds
    }

    /// A leaf of triangles by corner, axis and lane, bit for bit as [`Self::pack`] makes it;
    /// `far` says whether any coordinate may be huge. Where the index is that of an empty lane,
    /// corners do not matter.
    #[inline(always)]
    #[must_use]
    pub fn of_corners(corners: &[[[f32; 4]; 3]; 3], marked_prim: [u32; 4], far: bool) -> Self {
        let Packed { edge1, edge2, minus_error_reach, minus_error_area } = Packed::of(corners, far);
        let is_empty = |lane: usize| marked_prim[lane] == Self::NO_PRIM;
        Self {
            v0: corners[0],
            edge1,
            edge2,
            marked_prim,
            minus_error_reach: each(|i| if is_empty(i) { 0.0 } else { minus_error_reach[i] }),
            minus_error_area: each(
                |i| {
                    if is_empty(i) { f32::INFINITY } else { minus_error_area[i] }
                },
            ),
        }
    }

    /// Keeps the triangles that are wanted, without marks. Their lanes change: the leaf is to be
    /// made anew.
    pub(super) fn retain(&mut self, mut is_wanted: impl FnMut(u32) -> bool) {
        let mut kept = [Self::NO_PRIM; Self::LANES];
        for (place, prim) in kept.iter_mut().zip(self.prims().filter(|&prim| is_wanted(prim))) {
            *place = prim;
        }
        self.marked_prim = kept;
    }

    /// Puts a triangle into a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn set(&mut self, lane: usize, prim: u32, triangle: [[f32; 3]; 3]) {
        let far = reaches_far(Aabb::of_triangle(triangle));
        let packed = Packed::of(&triangle.map(|corner| corner.map(|x| [x])), far);
        for axis in 0..3 {
            self.v0[axis][lane] = triangle[0][axis];
            self.edge1[axis][lane] = packed.edge1[axis][0];
            self.edge2[axis][lane] = packed.edge2[axis][0];
        }
        self.marked_prim[lane] = prim;
        self.minus_error_reach[lane] = packed.minus_error_reach[0];
        self.minus_error_area[lane] = packed.minus_error_area[0];
    }
}

/// Whether a box reaches where some coordinate is huge.
#[inline(always)]
fn reaches_far(bounds: Aabb) -> bool {
    !bounds.min.abs().max(bounds.max.abs()).cmplt(Vec3::splat(Leaf4::HUGE)).all()
}

/// Numbers in the first `count` lanes, and another one in the rest.
#[inline(always)]
fn in_lanes(count: usize, numbers: [f32; 4], rest: f32) -> [f32; 4] {
    each(|lane| if lane < count { numbers[lane] } else { rest })
}
