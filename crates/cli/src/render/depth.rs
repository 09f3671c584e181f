//! The distance along each ray.

use glam::Vec3;
use hitscan::prelude::*;

use super::color::{self, Gradient};
use super::legend::Legend;
use super::surface::{Batch, View, height_in_picture};
use super::tiles::Shader;

/// The distance along each ray, in mesh units.
#[derive(Clone, Debug)]
pub(crate) struct Depth {
    nearest: f32,
    farthest: f32,
    gradient: Gradient,
}

impl Depth {
    /// Looks for the nearest and the farthest point of the picture first.
    pub(crate) fn new(view: &View<'_>) -> Self {
        let depths = view.probe(|ray| view.bvh.closest_hit(ray).map(|hit| hit.t));
        let nearest = depths.iter().copied().fold(f32::INFINITY, f32::min);
        let farthest = depths.iter().copied().fold(0.0, f32::max);
        Self { nearest: nearest.min(farthest), farthest, gradient: Gradient::depth() }
    }

    pub(crate) fn legend(&self) -> Legend<'_> {
        let (first, last) = (f64::from(self.nearest), f64::from(self.farthest));
        Legend { title: "distance", first, last, gradient: &self.gradient }
    }
}

impl Shader for Depth {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let range = (self.farthest - self.nearest).max(f32::MIN_POSITIVE);
        colors.extend(batch.samples.iter().zip(batch.hits).map(|(&sample, hit)| match hit {
            Some(hit) => self.gradient.at((hit.t - self.nearest) / range),
            None => {
                let height = height_in_picture(batch.view, sample);
                color::srgb(0x1d1f26).lerp(color::srgb(0x0e0f14), height)
            }
        }));
    }
}
