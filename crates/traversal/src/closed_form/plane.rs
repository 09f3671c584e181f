//! Ray against plane.

use glam::DVec3;

use super::{finite_direction, finite_point, round};

/// A plane: the points x with n·x = d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The normal n, of any length but zero.
    pub normal: [f32; 3],
    /// The offset d = n·p for any point p of the plane; its distance from zero times |n|.
    pub offset: f64,
}

impl Plane {
    /// The plane n·x = d.
    #[must_use]
    pub fn new(normal: impl Into<[f32; 3]>, offset: f64) -> Self {
        Self { normal: normal.into(), offset }
    }

    /// The plane through `point` at right angles to `normal`.
    #[must_use]
    pub fn through(point: impl Into<[f32; 3]>, normal: impl Into<[f32; 3]>) -> Self {
        let (point, normal) = (point.into(), normal.into());
        let [p, n] = [point, normal].map(|v| DVec3::from(v.map(f64::from)));
        Self { normal, offset: n.dot(p) }
    }
}

/// Where a ray meets a plane, from either side: t = (d − n·o) / (n·dir).
///
/// An origin on the plane gives 0, unless the ray runs along it. `None` if the plane lies behind
/// the origin, if the ray is parallel to it (one that runs in the plane included), for a zero
/// direction or normal, for input that is not finite, and where `t` exceeds f32.
///
/// Source: Ericson, section 5.3.1.
///
/// ```
/// use hitscan_traversal::closed_form::{Plane, ray_plane};
/// let floor = Plane::through([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]);
/// assert_eq!(floor, Plane::new([0.0, 0.0, 1.0], 1.0));
/// assert_eq!(ray_plane([0.0, 0.0, 5.0], [0.0, 0.0, -2.0], floor), Some(2.0));
/// assert_eq!(ray_plane([0.0, 0.0, 5.0], [1.0, 0.0, 0.0], floor), None);
/// ```
#[doc(alias = "line_plane")]
#[must_use]
pub fn ray_plane(
    origin: impl Into<[f32; 3]>,
    direction: impl Into<[f32; 3]>,
    plane: Plane,
) -> Option<f32> {
    let (origin, direction, normal) =
        (finite_point(origin)?, finite_direction(direction)?, finite_direction(plane.normal)?);
    let speed = normal.dot(direction);
    if speed == 0.0 {
        return None;
    }
    let t = (plane.offset - normal.dot(origin)) / speed;
    // Adding zero turns −0, from an origin on the plane, into 0.
    if t >= 0.0 { round(t + 0.0) } else { None }
}
