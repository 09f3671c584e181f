//! Which triangles a ray can hit at all: finite ones with an area, decided exactly.

use glam::{Vec3A, Vec3Swizzles};

use super::TriangleMesh;

impl TriangleMesh {
    /// Whether a ray can hit a triangle: its corners are finite and do not lie on one line.
    ///
    /// The decision is exact. No, if `prim` is not a triangle of this mesh.
    #[must_use]
    #[inline]
    pub fn can_be_hit(&self, prim: u32) -> bool {
        self.can_be_hit_with(prim, self.corners(prim))
    }

    /// The same, where the triangle's corners are at hand.
    #[inline(always)]
    pub(crate) fn can_be_hit_with(&self, prim: u32, corners: [Vec3A; 3]) -> bool {
        // The exact way fetches the corners once more: who hands them over keeps them in memory.
        surely_can_be_hit(corners) || self.can_be_hit_exactly(prim)
    }

    #[cold]
    fn can_be_hit_exactly(&self, prim: u32) -> bool {
        let corners = self.triangle(prim);
        corners.as_flattened().iter().all(|x| x.is_finite()) && !is_degenerate(corners)
    }
}

/// Whether f32 shows that finite corners do not lie on one line.
#[inline(always)]
fn surely_can_be_hit([a, b, c]: [Vec3A; 3]) -> bool {
    let (edge1, edge2) = (b - a, c - a);
    let left = edge1 * edge2.yzx();
    let right = edge1.yzx() * edge2;
    // Four roundings a product, sixteen units allowed, and what underflow can do. A corner that is
    // not finite makes two of the three products so, too.
    let size = left.abs() + right.abs();
    let bound = size * (16.0 * f32::EPSILON) + Vec3A::splat(f32::MIN_POSITIVE);
    (left - right).abs().cmpgt(bound).any() && size.cmplt(Vec3A::INFINITY).all()
}

/// Whether finite corners lie on one line, decided exactly.
#[inline]
pub(crate) fn is_degenerate(corners: [[f32; 3]; 3]) -> bool {
    // The cross product is zero if its three components are: one 2D determinant a plane.
    [(0, 1), (1, 2), (2, 0)].into_iter().all(|(x, y)| {
        let [a, b, c] = corners.map(|p| [f64::from(p[x]), f64::from(p[y])]);
        let left = (b[0] - a[0]) * (c[1] - a[1]);
        let right = (b[1] - a[1]) * (c[0] - a[0]);
        // Four roundings a product: beyond this bound the difference is certainly not zero.
        let bound = 4.0 * f64::EPSILON * (left.abs() + right.abs());
        (left - right).abs() <= bound && is_exactly_zero(a, b, c)
    })
}

/// Whether the 2D determinant of three points is exactly zero: its six products of two f32 are
/// exact in f64, and their sum is taken without error.
#[cold]
fn is_exactly_zero(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let products =
        [a[0] * b[1], -a[1] * b[0], b[0] * c[1], -b[1] * c[0], c[0] * a[1], -c[1] * a[0]];
    // An expansion of non-overlapping parts (Shewchuk 1997): zero only if every part is.
    let mut parts = [0.0; 6];
    for product in products {
        let mut carry = product;
        for part in &mut parts {
            let sum = *part + carry;
            let rounded = sum - *part;
            *part = (*part - (sum - rounded)) + (carry - rounded);
            carry = sum;
        }
        // The six parts hold any sum of six numbers: what is left over fits the last free one.
        let free = parts.iter().rposition(|&part| part != 0.0).map_or(0, |i| i + 1);
        if carry != 0.0 {
            parts[free] = carry;
        }
    }
    parts.iter().all(|&part| part == 0.0)
}
