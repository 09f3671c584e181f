//! Ray against axis-aligned box.

use hitscan_core::Aabb;

use super::{Span, finite_direction, finite_point, round};

/// Where a ray enters and leaves a solid axis-aligned box.
///
/// Each axis cuts the line with a slab between two planes: t = (min − o)/d and (max − o)/d. The
/// ray is inside the box where it is inside all three slabs: from the greatest entry to the least
/// exit. An axis along which the ray does not move does not divide by zero: either the origin lies
/// within the slab, or the ray misses.
///
/// The box is closed: touching a face, an edge or a corner counts. An origin inside gives `entry` 0. `None` for a miss, a box behind the origin, an
/// empty box, a zero direction, input that is not finite, and where `t` exceeds f32.
///
/// Source: T. L. Kay and J. T. Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986.
///
/// ```
/// use hitscan_core::Aabb;
/// use hitscan_traversal::closed_form::{Span, ray_aabb};
/// let cube = Aabb { min: [-1.0; 3].into(), max: [1.0; 3].into() };
/// let outside = ray_aabb([0.0, 0.0, 3.0], [0.0, 0.0, -1.0], &cube);
/// assert_eq!(outside, Some(Span { entry: 2.0, exit: 4.0 }));
/// let inside = ray_aabb([0.0, 0.0, 0.5], [0.0, 0.0, -1.0], &cube);
/// assert_eq!(inside, Some(Span { entry: 0.0, exit: 1.5 }));
/// ```
#[doc(alias = "ray_box")]
#[doc(alias = "slab")]
#[must_use]
pub fn ray_aabb(
    origin: impl Into<[f32; 3]>,
    direction: impl Into<[f32; 3]>,
    bounds: &Aabb,
) -> Option<Span> {
    let (origin, direction) = (finite_point(origin)?, finite_direction(direction)?);
    let (min, max) = (finite_point(bounds.min)?, finite_point(bounds.max)?);
    let (mut entry, mut exit) = (0.0_f64, f64::INFINITY);
    for axis in 0..3 {
        let (low, high) = (min[axis] - origin[axis], max[axis] - origin[axis]);
        if low > high {
            return None;
        }
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (a, b) = (low / direction[axis], high / direction[axis]);
        entry = entry.max(a.min(b));
        exit = exit.min(a.max(b));
    }
    // Differences of f32 numbers are exact in f64, unless one is 2^29 times the other, and
    // quotients round monotonically: where the true entry is the true exit, these are equal too.
    if entry <= exit { Some(Span { entry: round(entry)?, exit: round(exit)? }) } else { None }
}
