//! Closed-form intersection tests: one ray or segment against one simple shape.
//!
//! These stand alone: no mesh, no tree, no SIMD. Points and directions are `impl Into<[f32; 3]>`
//! in any one unit of length; all is computed in f64 and rounded to f32 once, at the end. A ray
//! is `origin + t · direction` with `t` ≥ 0; the direction is never normalised, so `t` counts in
//! its length. Every function is total: NaN or infinite input and a zero direction give `None`.
//!
//! For whole meshes use a [`Bvh`](crate::Bvh): it is not only faster, it also decides edges and
//! vertices exactly, so that no ray slips between two triangles. These functions decide them by
//! rounded numbers.
//!
//! The formulas are those of C. Ericson, "Real-Time Collision Detection", 2005, where no other
//! paper is named.

mod aabb;
mod barycentric;
mod plane;
mod sphere;
mod triangle;

pub use aabb::ray_aabb;
pub use barycentric::barycentric;
pub use plane::{Plane, ray_plane};
pub use sphere::ray_sphere;
pub use triangle::{
    SegmentTriangleHit, TriangleHit, ray_triangle, ray_triangle_front, segment_triangle,
};

use glam::DVec3;

/// Where a ray goes into a solid shape and where it comes out of it, in units of the direction's
/// length. From inside, `entry` is 0: the ray is in from its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The first `t` at which the ray is in the shape; 0 if it starts inside.
    pub entry: f32,
    /// The last `t` at which it is.
    pub exit: f32,
}

/// A point in f64, if it is finite.
fn finite_point(p: impl Into<[f32; 3]>) -> Option<DVec3> {
    Some(DVec3::from(p.into().map(f64::from))).filter(|p| p.is_finite())
}

/// A direction in f64, if it is finite and not zero.
fn finite_direction(d: impl Into<[f32; 3]>) -> Option<DVec3> {
    finite_point(d).filter(|&d| d != DVec3::ZERO)
}

/// A number rounded to f32, if it is still finite there.
fn round(x: f64) -> Option<f32> {
    Some(x as f32).filter(|x| x.is_finite())
}
