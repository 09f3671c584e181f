//! Ray against sphere.

use super::{Span, finite_direction, finite_point, round};

/// Where a ray enters and leaves a solid sphere.
///
/// With m = o − c, the two `t` solve (d·d) t² + 2 (m·d) t + m·m − r² = 0. The square root's
/// argument is taken as d·d · (r² − |m − (m·d / d·d) d|²): the distance of the line from the
/// centre does not cancel for small or far spheres as b² − 4ac does (E. Haines and others,
/// "Precision Improvements for Ray/Sphere Intersection", Ray Tracing Gems, 2019). The nearer root
/// then comes from the one farther from zero, as c/q, so that it does not cancel either.
///
/// An origin inside gives `entry` 0. A ray that only touches gives `entry` = `exit`; a radius of
/// 0 is a point. `None` for a miss, a sphere behind the origin, a negative radius, a zero
/// direction, input that is not finite, and where `t` exceeds f32.
///
/// Source: Ericson, section 5.3.2.
///
/// ```
/// use hitscan_traversal::closed_form::{Span, ray_sphere};
/// let (centre, radius) = ([0.0, 0.0, 0.0], 1.0);
/// let outside = ray_sphere([0.0, 0.0, 3.0], [0.0, 0.0, -1.0], centre, radius);
/// assert_eq!(outside, Some(Span { entry: 2.0, exit: 4.0 }));
/// let inside = ray_sphere([0.0, 0.0, 0.5], [0.0, 0.0, -1.0], centre, radius);
/// assert_eq!(inside, Some(Span { entry: 0.0, exit: 1.5 }));
/// ```
#[must_use]
pub fn ray_sphere(
    origin: impl Into<[f32; 3]>,
    direction: impl Into<[f32; 3]>,
    centre: impl Into<[f32; 3]>,
    radius: f32,
) -> Option<Span> {
    let (origin, direction, centre) =
        (finite_point(origin)?, finite_direction(direction)?, finite_point(centre)?);
    if !(radius >= 0.0 && radius.is_finite()) {
        return None;
    }
    let radius = f64::from(radius);
    let from_centre = origin - centre;
    let a = direction.length_squared();
    let b = from_centre.dot(direction);
    let outside = from_centre.length() - radius;
    // |m|² − r², as a product because it cancels less.
    let c = outside * (from_centre.length() + radius);
    let nearest = from_centre - direction * (b / a);
    let reach = (radius - nearest.length()) * (radius + nearest.length());
    let inside = outside <= 0.0;
    // From inside the line cuts the sphere, whatever the rounded distance says.
    if !inside && (reach < 0.0 || b > 0.0) {
        return None;
    }
    let root = (a * reach.max(0.0)).sqrt();
    if b > 0.0 {
        return Some(Span { entry: 0.0, exit: round(c / (-b - root))? });
    }
    let q = -b + root;
    let entry = if inside { 0.0 } else { c / q };
    Some(Span { entry: round(entry)?, exit: round((q / a).max(entry))? })
}
