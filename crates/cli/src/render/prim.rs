//! A colour for each triangle.

use glam::Vec3;

use super::color;
use super::surface::{Batch, Surface, height_in_picture};
use super::tiles::Shader;
use crate::random::{mix, unit};

/// A colour for each triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prims;

impl Shader for Prims {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let rays = batch.samples.iter().zip(batch.rays).zip(batch.hits);
        colors.extend(rays.map(|((&sample, ray), hit)| match hit {
            Some(hit) => {
                let normal = Surface::new(batch.view, ray, hit).normal;
                let facing = -normal.dot(Vec3::from(ray.direction));
                let bits = mix(u64::from(hit.prim) + 1);
                let lightness = 0.62 + 0.2 * unit(mix(bits));
                // A little shape, so that the eye finds its way.
                color::from_hue(lightness, 0.13, unit(bits)) * (0.35 + 0.65 * facing)
            }
            None => {
                let height = height_in_picture(batch.view, sample);
                color::srgb(0x2b2d33).lerp(color::srgb(0x14151a), height)
            }
        }));
    }
}
