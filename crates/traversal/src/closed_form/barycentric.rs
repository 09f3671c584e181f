//! A point's barycentric coordinates in a triangle.

use super::{finite_point, round};

/// The weights (wA, wB, wC) of a triangle's corners, summing to 1, at a point.
///
/// The point is wA·A + wB·B + wC·C; a point off the triangle's plane gives the weights of the
/// nearest point of the plane. All three are in [0, 1] for points in the triangle, and one is
/// negative for points outside it. In terms of a hit, wB = u and wC = v.
///
/// With e₁ = B − A, e₂ = C − A, n = e₁ × e₂ and q = P − A: wB = (q × e₂)·n / n·n,
/// wC = (e₁ × q)·n / n·n, wA = 1 − wB − wC.
///
/// `None` for a triangle without area, for input that is not finite, and where a weight exceeds
/// f32.
///
/// Source: Ericson, section 3.4, in the form of areas.
///
/// ```
/// use hitscan_traversal::closed_form::barycentric;
/// let triangle = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// assert_eq!(barycentric([1.0, 2.0, 0.0], triangle), Some([0.25, 0.25, 0.5]));
/// assert_eq!(barycentric([1.0, 2.0, 9.0], triangle), Some([0.25, 0.25, 0.5]));
/// assert_eq!(barycentric([1.0, 2.0, 0.0], [[0.0; 3]; 3]), None);
/// ```
#[must_use]
pub fn barycentric(
    at: impl Into<[f32; 3]>,
    triangle: [impl Into<[f32; 3]>; 3],
) -> Option<[f32; 3]> {
    let [a, b, c] = triangle.map(finite_point);
    let a = a?;
    let (edge1, edge2, from_a) = (b? - a, c? - a, finite_point(at)? - a);
    let normal = edge1.cross(edge2);
    let area = normal.length_squared();
    if area == 0.0 {
        return None;
    }
    let u = from_a.cross(edge2).dot(normal) / area;
    let v = edge1.cross(from_a).dot(normal) / area;
    Some([round(1.0 - u - v)?, round(u)?, round(v)?])
}
