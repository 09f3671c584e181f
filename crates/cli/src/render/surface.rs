//! What the shaders see: the mesh, the camera, and rays with what they hit.

use glam::Vec3;
use hitscan::{Aabb, Bvh, Hit, Ray};

use super::sampling::Sample;
use crate::viewpoint::Viewpoint;

/// A mesh seen by a camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) bvh: &'a Bvh,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) bounds: Aabb,
    /// The length of the bounds' diagonal; never 0.
    pub(crate) diagonal: f32,
}

impl<'a> View<'a> {
    pub(crate) fn new(bvh: &'a Bvh, viewpoint: Viewpoint, bounds: Aabb) -> Self {
        let diagonal = bounds.extent().length().max(f32::MIN_POSITIVE);
        Self { bvh, viewpoint, bounds, diagonal }
    }

    /// Whether the camera stands in the mesh, as in a building.
    pub(crate) fn is_inside(&self) -> bool {
        let (eye, bounds) = (self.viewpoint.eye, self.bounds);
        eye.cmpge(bounds.min).all() && eye.cmple(bounds.max).all()
    }
}

/// Some rays of a tile and what they hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) samples: &'a [Sample],
    pub(crate) rays: &'a [Ray],
    pub(crate) hits: &'a [Option<Hit>],
}

/// A point of the mesh that a ray hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// A little off the surface, on the ray's side, so that rays from it do not meet it again.
    pub(crate) point: Vec3,
    /// A unit vector to the ray's side.
    pub(crate) normal: Vec3,
}

impl Surface {
    pub(crate) fn new(view: &View<'_>, ray: &Ray, hit: &Hit) -> Self {
        let wound = Vec3::from(view.bvh.mesh().normal(hit.prim));
        let direction = Vec3::from(ray.direction);
        let normal = if wound.dot(direction) > 0.0 { -wound } else { wound };
        Self::off(view, Vec3::from(ray.at(hit.t)), normal)
    }

    /// A point moved a little along its normal.
    pub(crate) fn off(view: &View<'_>, point: Vec3, normal: Vec3) -> Self {
        let rounding = point.abs().max_element().max(view.viewpoint.eye.abs().max_element()) * 1e-6;
        Self { point: point + normal * (rounding + view.diagonal * 2e-5), normal }
    }
}

/// The background, by the height in the picture: 0 below, 1 above.
pub(crate) fn height_in_picture(view: &View<'_>, sample: Sample) -> f32 {
    let [width, height] = view.viewpoint.camera.size();
    1.0 - ((sample.pixel / width) as f32 + 0.5) / height as f32
}

impl View<'_> {
    /// Asks something of one ray for every few pixels, to learn the range of the answers.
    pub(crate) fn probe(&self, ask: impl Fn(&Ray) -> Option<f32> + Sync) -> Vec<f32> {
        use rayon::prelude::*;
        const STEP: usize = 3;
        let camera = &self.viewpoint.camera;
        let [width, height] = camera.size();
        let rows: Vec<u32> = (0..height).step_by(STEP).collect();
        rows.par_iter()
            .flat_map_iter(|&y| {
                let ray = move |x: u32| camera.ray(x as f32 + 0.5, y as f32 + 0.5);
                let ask = &ask;
                (0..width).step_by(STEP).filter_map(move |x| ask(&ray(x)))
            })
            .collect()
    }
}
