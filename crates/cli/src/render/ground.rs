//! A floor below the mesh that shows nothing but the shadows on it, so that the mesh stands.

use glam::Vec3;
use hitscan::Ray;

use super::surface::{Surface, View};

/// A floor below the mesh that shows nothing but the shadows on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ground {
    up: Vec3,
    height: f32,
    /// The middle of the floor, and how far from it shadows are shown.
    middle: Vec3,
    radius: f32,
}

impl Ground {
    /// The floor, where the camera looks at the mesh from outside and above.
    pub(crate) fn new(view: &View<'_>) -> Option<Self> {
        let up = view.viewpoint.world_up;
        let height = view.bounds.min.dot(up);
        let seen = !view.is_inside() && view.viewpoint.eye.dot(up) > height + view.diagonal * 0.01;
        let middle = view.bounds.center() - up * (view.bounds.center().dot(up) - height);
        seen.then_some(Self { up, height, middle, radius: view.diagonal * 1.5 })
    }

    /// Where a ray meets the floor, and how much its shadows count there, from 0 to 1.
    pub(crate) fn meet(&self, view: &View<'_>, ray: &Ray) -> Option<(Surface, f32)> {
        let (origin, direction) = (Vec3::from(ray.origin), Vec3::from(ray.direction));
        let t = (self.height - origin.dot(self.up)) / direction.dot(self.up);
        let point = origin + direction * t;
        let distance = point.distance(self.middle) / self.radius;
        let counts = (1.0 - distance * distance).max(0.0);
        // A ray along the floor has an infinite or NaN t, and then no finite distance.
        (t > 0.0 && counts > 0.0).then(|| (Surface::off(view, point, self.up), counts))
    }
}
