//! A leaf of up to four triangles, ready for the Möller–Trumbore test.

use crate::memory::Line;
use crate::mesh::TriangleMesh;

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
    pub fn prims(&self) -> impl Iterator<Item = u32> {
        let prims = self.marked_prim.iter().map(|&prim| Self::unmarked(prim).0);
        prims.take_while(|&prim| prim != Self::NO_PRIM)
    }

    /// Says that other leaves have a lane's triangle, too.
    pub(super) fn mark_split(&mut self, lane: usize) {
        self.marked_prim[lane] |= Self::SPLIT;
    }

    /// A leaf of some triangles of a mesh.
    ///
    /// # Panics
    /// If there are more than four, or not in the mesh.
    #[inline(always)]
    #[must_use]
    pub fn of(prims: &[u32], mesh: &TriangleMesh) -> Self {
        let mut leaf = Self::EMPTY;
        let mut huge = [false; 4];
        for (lane, &prim) in prims.iter().enumerate() {
            huge[lane] = leaf.put(lane, prim, mesh.triangle(prim));
        }
        let (reach, area) = leaf.errors();
        for lane in 0..prims.len() {
            leaf.set_errors(lane, huge[lane], (reach[lane], area[lane]));
        }
        leaf
    }

    /// Puts a triangle into a lane.
    ///
    /// # Panics
    /// If there is no such lane.
    pub fn set(&mut self, lane: usize, prim: u32, corners: [[f32; 3]; 3]) {
        let huge = self.put(lane, prim, corners);
        let (reach, area) = self.errors();
        self.set_errors(lane, huge, (reach[lane], area[lane]));
    }

    /// Puts all but the error constants; gives whether the triangle is huge.
    #[inline(always)]
    fn put(&mut self, lane: usize, prim: u32, [v0, v1, v2]: [[f32; 3]; 3]) -> bool {
        for axis in 0..3 {
            self.v0[axis][lane] = v0[axis];
            self.edge1[axis][lane] = v0[axis] - v1[axis];
            self.edge2[axis][lane] = v2[axis] - v0[axis];
        }
        self.marked_prim[lane] = prim;
        let greatest = [v0, v1, v2].as_flattened().iter().fold(0.0, |greatest, x| {
            let x = x.abs();
            if x > greatest { x } else { greatest }
        });
        greatest >= Self::HUGE
    }

    #[inline(always)]
    fn set_errors(&mut self, lane: usize, huge: bool, (reach, area): (f32, f32)) {
        self.minus_error_reach[lane] = if huge { f32::NEG_INFINITY } else { -reach };
        self.minus_error_area[lane] = if huge { f32::NEG_INFINITY } else { -area };
    }

    /// The error constants of all lanes; all at once, so that they are computed in SIMD registers.
    ///
    /// With u = 2⁻²⁴ and at most nine roundings on any way to a result, an error is below 9.1·u
    /// times the sum of the magnitudes that were added up. Those sums are at most twice
    /// (|edge1|₁ + |edge2|₁) for each unit of reach and direction, and three times the largest
    /// component of the cross product's magnitudes; the latter is doubled, because the sign of
    /// the determinant may be wrong as well. The floors cover underflow: a product that vanishes
    /// is off by 2⁻¹⁵⁰ at most, and an edge may multiply that.
    #[inline(always)]
    fn errors(&self) -> ([f32; 4], [f32; 4]) {
        const ROUNDINGS: f64 = 9.1 / (1 << 24) as f64;
        const FLOOR: f64 = 1.0 / (1_u128 << 100) as f64;
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        let up = |x: f64, floor: f64| {
            // Upwards by one, unless it is infinite already: never negative, never NaN.
            let bits = (greater(x, floor) as f32).to_bits() + 1;
            f32::from_bits(bits.min(f32::INFINITY.to_bits()))
        };
        let mut reach = [0.0; 4];
        let mut area = [0.0; 4];
        for lane in 0..4 {
            let [e1, e2] = [&self.edge1, &self.edge2]
                .map(|edge| [0, 1, 2].map(|axis| f64::from(edge[axis][lane].abs())));
            let sum = e1[0] + e1[1] + e1[2] + e2[0] + e2[1] + e2[2];
            let cross = |j: usize, k: usize| e1[j] * e2[k] + e1[k] * e2[j];
            let cross = greater(greater(cross(1, 2), cross(2, 0)), cross(0, 1));
            reach[lane] = up(ROUNDINGS * 2.0 * sum, FLOOR);
            area[lane] = up(ROUNDINGS * 6.0 * cross, FLOOR * greater(sum, 1.0));
        }
        (reach, area)
    }
}
