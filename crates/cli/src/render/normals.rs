//! The direction that triangles face, as wound: x is red, y is green, z is blue.

use glam::Vec3;

use super::color;
use super::surface::{Batch, height_in_picture};
use super::tiles::Shader;

/// The direction that triangles face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Normals;

impl Shader for Normals {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let view = batch.view;
        colors.extend(batch.samples.iter().zip(batch.hits).map(|(&sample, hit)| match hit {
            Some(hit) => {
                let normal = Vec3::from(view.bvh.mesh().normal(hit.prim));
                let encoded = normal * 0.5 + 0.5;
                Vec3::from_array(encoded.to_array().map(color::decode))
            }
            None => {
                let height = height_in_picture(view, sample);
                color::srgb(0x2b2d33).lerp(color::srgb(0x14151a), height)
            }
        }));
    }
}
