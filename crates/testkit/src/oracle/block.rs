//! A ball around neighbouring triangles, to pass over those far from a ray.

use hitscan_core::Ray;

use crate::vector::{Vector, cross, length, scale, sub, wide};

/// A ball around neighbouring triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    center: Vector,
    radius: f64,
    /// How many triangles there are.
    pub(super) len: usize,
}

impl Block {
    /// How many triangles share a ball.
    pub(super) const SIZE: usize = 32;

    pub(super) fn around(triangles: &[[[f32; 3]; 3]]) -> Self {
        let points = || triangles.as_flattened().iter().map(|&p| wide(p));
        let fold = |pick: fn(f64, f64) -> f64, start: f64| {
            points().fold([start; 3], |sum, p| std::array::from_fn(|i| pick(sum[i], p[i])))
        };
        let (low, high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
        let center: Vector = std::array::from_fn(|axis| low[axis] * 0.5 + high[axis] * 0.5);
        let radius = points().map(|p| length(sub(p, center))).fold(0.0, f64::max);
        // The centre is an f64 like any other, so only the radius has errors, of a few 2⁻⁵³ of
        // itself.
        Self { center, radius: radius * (1.0 + 1e-12), len: triangles.len() }
    }

    /// Whether the ray's line may pass through the ball; never `false` where it does.
    pub(super) fn meets(&self, ray: &Ray) -> bool {
        let to_center = sub(self.center, wide(ray.origin));
        // A power of two brings tiny and huge directions to about 1, exactly.
        let longest = ray.direction.iter().fold(0.0f32, |longest, x| longest.max(x.abs()));
        let exponent = f64::from(longest).log2().floor() as i32;
        let direction = scale(wide(ray.direction), f64::powi(2.0, -exponent));
        let distance = length(cross(to_center, direction));
        let slack = 1e-12 * length(to_center);
        distance <= (self.radius + slack) * length(direction) * (1.0 + 1e-12)
    }
}
