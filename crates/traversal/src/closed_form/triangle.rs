//! Ray and segment against triangle.

use glam::{DVec3, Vec3Swizzles};

use super::{finite_direction, finite_point, round};

/// Where a ray meets a triangle A, B, C: the point is origin + t·direction, and also
/// (1−u−v)·A + u·B + v·C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// How far along the ray, in units of the direction's length.
    pub t: f32,
    /// The weight of B: how far along the edge A→B.
    pub u: f32,
    /// The weight of C: how far along the edge A→C.
    pub v: f32,
    /// Whether the ray met the side from which A, B, C run counter-clockwise.
    pub front: bool,
}

/// Where a segment crosses a triangle A, B, C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentTriangleHit {
    /// The point where they cross, in the units of the input.
    pub point: [f32; 3],
    /// How far along the segment: 0 at its start, 1 at its end.
    pub t: f32,
    /// How far along the edge A→B.
    pub u: f32,
    /// How far along the edge A→C.
    pub v: f32,
    /// Whether the segment came from the side from which A, B, C run counter-clockwise.
    pub front: bool,
}

/// Where a ray meets a triangle, from either side.
///
/// The classic form of Möller and Trumbore. With e₁ = B − A, e₂ = C − A, s = o − A, Cramer's rule
/// on o + t·d = A + u·e₁ + v·e₂ gives, for det = e₁·(d × e₂),
///
/// - u = s·(d × e₂) / det,
/// - v = d·(s × e₁) / det,
/// - t = e₂·(s × e₁) / det,
///
/// and a hit where u ≥ 0, v ≥ 0, u + v ≤ 1 and t ≥ 0. The ray meets the front where det > 0.
///
/// The triangle is closed: its edges and corners count, up to rounding. `None` for a miss, a
/// triangle behind the origin, a ray parallel to the triangle (one in its plane included) up to
/// the rounding of f64, a triangle without area, a zero direction, input that is not finite, and
/// where `t` exceeds f32. There is no absolute epsilon: small triangles and short directions are
/// as good as any.
///
/// A [`Bvh`](crate::Bvh) uses the same formula in f32 with a proven error bound, and decides
/// exactly where the bound cannot; between two triangles that share an edge, it never lets a ray
/// through.
///
/// Source: T. Möller and B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", Journal
/// of Graphics Tools, 1997.
///
/// ```
/// use hitscan_traversal::closed_form::ray_triangle;
/// let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let hit = ray_triangle([0.25, 0.5, 3.0], [0.0, 0.0, -1.0], triangle).expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v, hit.front), (3.0, 0.25, 0.5, true));
/// assert_eq!(ray_triangle([0.75, 0.75, 3.0], [0.0, 0.0, -1.0], triangle), None);
/// ```
#[doc(alias = "moller_trumbore")]
#[must_use]
pub fn ray_triangle(
    origin: impl Into<[f32; 3]>,
    direction: impl Into<[f32; 3]>,
    triangle: [impl Into<[f32; 3]>; 3],
) -> Option<TriangleHit> {
    let [t, u, v, det] = cross(finite_point(origin)?, finite_direction(direction)?, triangle)?;
    Some(TriangleHit { t: round(t)?, u: u as f32, v: v as f32, front: det > 0.0 })
}

/// Where a ray meets a triangle's front, the side from which its corners run counter-clockwise.
///
/// As [`ray_triangle`] with back faces culled: a ray from behind goes through.
///
/// ```
/// use hitscan_traversal::closed_form::ray_triangle_front;
/// let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// assert!(ray_triangle_front([0.25, 0.5, 3.0], [0.0, 0.0, -1.0], triangle).is_some());
/// assert!(ray_triangle_front([0.25, 0.5, -3.0], [0.0, 0.0, 1.0], triangle).is_none());
/// ```
#[doc(alias = "ray_triangle_culled")]
#[must_use]
pub fn ray_triangle_front(
    origin: impl Into<[f32; 3]>,
    direction: impl Into<[f32; 3]>,
    triangle: [impl Into<[f32; 3]>; 3],
) -> Option<TriangleHit> {
    ray_triangle(origin, direction, triangle).filter(|hit| hit.front)
}

/// Where a segment crosses a triangle, from either side: the point, how far along the segment it
/// lies, and how far along the two edges from the triangle's first corner.
///
/// As [`ray_triangle`] with d = end − start, taken in f64, and 0 ≤ t ≤ 1: both ends count. `None`
/// also where start and end are one point.
///
/// ```
/// use hitscan_traversal::closed_form::segment_triangle;
/// let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let hit = segment_triangle([1.0, 2.0, 3.0], [1.0, 2.0, -1.0], triangle).expect("a crossing");
/// assert_eq!((hit.point, hit.t, hit.u, hit.v), ([1.0, 2.0, 0.0], 0.75, 0.25, 0.5));
/// assert_eq!(segment_triangle([1.0, 2.0, 3.0], [1.0, 2.0, 1.0], triangle), None);
/// ```
#[doc(alias = "line_triangle")]
#[must_use]
pub fn segment_triangle(
    start: impl Into<[f32; 3]>,
    end: impl Into<[f32; 3]>,
    triangle: [impl Into<[f32; 3]>; 3],
) -> Option<SegmentTriangleHit> {
    let (start, end) = (finite_point(start)?, finite_point(end)?);
    let [t, u, v, det] = cross(start, end - start, triangle)?;
    if t > 1.0 {
        return None;
    }
    let point = start.lerp(end, t).as_vec3().into();
    Some(SegmentTriangleHit { point, t: t as f32, u: u as f32, v: v as f32, front: det > 0.0 })
}

/// t, u, v and det of a ray and a triangle, if they cross at t ≥ 0.
fn cross(origin: DVec3, direction: DVec3, triangle: [impl Into<[f32; 3]>; 3]) -> Option<[f64; 4]> {
    let [a, b, c] = triangle.map(finite_point);
    let a = a?;
    let (edge1, edge2, from_a) = (b? - a, c? - a, origin - a);
    let p = direction.cross(edge2);
    let q = from_a.cross(edge1);
    let det = edge1.dot(p);
    // A determinant within its own rounding error is the sign of nothing: such a ray would hit
    // at random. Six products of three numbers, rounded no more than eight times each.
    let (d, e) = (direction.abs(), edge2.abs());
    let permanent = edge1.abs().dot(d.yzx() * e.zxy() + d.zxy() * e.yzx());
    if det.abs() <= 4.0 * f64::EPSILON * permanent {
        return None;
    }
    // Adding zero turns −0 into 0, which is what the input meant.
    let [t, u, v] = [edge2.dot(q), from_a.dot(p), direction.dot(q)].map(|x| x / det + 0.0);
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0;
    inside.then_some([t, u, v, det])
}
