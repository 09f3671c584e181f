//! Seeded rays: the same ones for the same arguments.

mod aimed;
mod benchmark;
mod camera;

use hitscan_core::{Aabb, Ray};

pub use aimed::{
    Aim, aimed, axis_aligned, exactly_through_edges, exactly_through_vertices, lattice_diagonals,
};
pub use benchmark::{ClosestHit, ambient_occlusion, bounces, primary, random, shuffled};
pub use camera::Camera;

use crate::random::Random;
use crate::vector::{Vector, add, narrow, scale, sub, wide};

/// Rays from points in the box in even directions.
#[must_use]
pub fn inside_box(bounds: Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let [low, high] = corners(bounds);
    let mut ray = || Ray::new(narrow(random.point(low, high)), narrow(random.direction()));
    (0..count).map(|_| ray()).collect()
}

/// Rays from points on a sphere around the box towards points in the box.
#[must_use]
pub fn towards_box(bounds: Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let [low, high] = corners(bounds);
    let mut ray = || between(outside(bounds, &mut random), random.point(low, high));
    (0..count).map(|_| ray()).collect()
}

/// The same rays with lengths of direction from 2^-60 to 2^60, by powers of two, and with the same
/// interval of points.
#[must_use]
pub fn with_other_lengths(rays: &[Ray], seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let mut rescaled = |ray: &Ray| {
        let factor = f32::powi(2.0, random.whole(-60, 60));
        let direction = ray.direction.map(|x| x * factor);
        Ray { direction, t_min: ray.t_min / factor, t_max: ray.t_max / factor, ..*ray }
    };
    rays.iter().map(&mut rescaled).collect()
}

/// Rays that must miss everything: NaN, infinite and zero in all places, and crossed intervals.
#[must_use]
pub fn invalid() -> Vec<Ray> {
    let good = Ray::new([0.1, 0.2, 5.0], [0.0, 0.0, -1.0]);
    let mut rays = vec![
        Ray { direction: [0.0; 3], ..good },
        Ray { direction: [-0.0, 0.0, -0.0], ..good },
        good.with_interval(2.0, 1.0),
        good.with_interval(f32::NAN, 1.0),
        good.with_interval(0.0, f32::NAN),
    ];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let with = |mut p: [f32; 3]| {
                p[axis] = bad;
                p
            };
            rays.push(Ray { origin: with(good.origin), ..good });
            rays.push(Ray { direction: with(good.direction), ..good });
        }
    }
    rays
}

pub(crate) fn corners(bounds: Aabb) -> [Vector; 2] {
    [bounds.min, bounds.max].map(|corner| wide(corner.into()))
}

/// A point on a sphere twice as large as the box.
fn outside(bounds: Aabb, random: &mut Random) -> Vector {
    let [low, high] = corners(bounds);
    let radius = crate::vector::length(sub(high, low)).max(1e-30);
    add(scale(add(low, high), 0.5), scale(random.direction(), radius))
}

/// The ray from one point towards another, both rounded to f32 first, with a unit direction.
fn between(from: Vector, to: Vector) -> Ray {
    let [from, to] = [from, to].map(narrow);
    Ray::new(from, narrow(crate::vector::unit(sub(wide(to), wide(from)))))
}
