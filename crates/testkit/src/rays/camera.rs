//! A pinhole camera whose rays come in Morton order.

use hitscan_core::{Aabb, Ray};

use super::corners;
use crate::vector::{Vector, add, cross, length, narrow, scale, sub, unit};

/// A pinhole camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: [f64; 3],
    /// What is in the middle of the picture.
    pub target: [f64; 3],
    /// What points up in the picture, roughly.
    pub up: [f64; 3],
    /// The angle between the left and right edges, in degrees.
    pub field_of_view: f64,
}

impl Camera {
    /// A camera that sees the whole box from a corner, slightly above.
    #[must_use]
    pub fn outside(bounds: Aabb) -> Self {
        let [low, high] = corners(bounds);
        let target = scale(add(low, high), 0.5);
        let away = scale(unit([0.7, 0.45, 1.0]), 1.1 * length(sub(high, low)));
        Self { eye: add(target, away), target, up: [0.0, 1.0, 0.0], field_of_view: 45.0 }
    }

    /// A camera in the middle of the box that looks along its longest horizontal side.
    #[must_use]
    pub fn inside(bounds: Aabb) -> Self {
        let [low, high] = corners(bounds);
        let eye = scale(add(low, high), 0.5);
        let [x, y, z] = sub(high, low);
        let ahead = if x >= z { [x, -0.1 * y, 0.2 * z] } else { [0.2 * x, -0.1 * y, z] };
        Self { eye, target: add(eye, ahead), up: [0.0, 1.0, 0.0], field_of_view: 75.0 }
    }

    /// One ray through the middle of each pixel of a square picture of `4^order` pixels, in Morton
    /// order, with unit directions.
    #[must_use]
    pub fn rays(&self, order: u32) -> Vec<Ray> {
        let ahead = unit(sub(self.target, self.eye));
        let right = unit(cross(ahead, self.up));
        let up = cross(right, ahead);
        let reach = (self.field_of_view.to_radians() / 2.0).tan();
        let side = f64::from(1u32 << order);
        let place = |pixel: u64| reach * ((pixel as f64 + 0.5) / side * 2.0 - 1.0);
        let ray = |i: u64| {
            let [x, y] = [even_bits(i), even_bits(i >> 1)].map(place);
            let towards: Vector = add(ahead, add(scale(right, x), scale(up, -y)));
            Ray::new(narrow(self.eye), narrow(unit(towards)))
        };
        (0..1u64 << (2 * order)).map(ray).collect()
    }
}

/// The bits at even places, moved together.
fn even_bits(bits: u64) -> u64 {
    (0..32).fold(0, |sum, i| sum | (bits >> (2 * i) & 1) << i)
}
