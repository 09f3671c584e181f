//! What a ray hit.

/// One crossing of a ray and a triangle.
///
/// The point is `origin + t · direction`, and also `(1−u−v)·A + u·B + v·C` of the triangle's
/// corners A, B, C.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The distance along the ray, in units of its direction's length.
    pub t: f32,
    /// The weight of corner B, in [0, 1].
    pub u: f32,
    /// The weight of corner C, in [0, 1].
    pub v: f32,
    /// The triangle's index in its mesh, in file order after triangulation.
    pub prim: u32,
    /// The index of the mesh within the instance; 0 where there is one mesh.
    pub geometry: u32,
    /// The index of the instance in the scene; 0 outside a scene.
    pub instance: u32,
    /// Whether the ray met the front, the side from which A, B, C run counter-clockwise.
    pub front: bool,
}
