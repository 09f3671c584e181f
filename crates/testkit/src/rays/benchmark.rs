//! The ray sets of the benchmarks: primary, bounced, ambient-occlusion and random rays.

use std::f64::consts::TAU;

use hitscan_core::{Aabb, Hit, Ray, TriangleMesh};

use super::{Camera, corners};
use crate::random::Random;
use crate::vector::{Vector, add, cross, dot, length, narrow, scale, sub, tangents, unit, wide};

/// What a ray hits first: the engine that is measured, or any other.
pub type ClosestHit<'a> = &'a dyn Fn(&Ray) -> Option<Hit>;

/// `prim`: a camera's rays in Morton order, `4^order` of them.
#[must_use]
pub fn primary(camera: &Camera, order: u32) -> Vec<Ray> {
    camera.rays(order)
}

/// `bnct`: `count` rays with cosine-weighted directions from where the `primary` rays hit, in
/// their order; as many a point as needed. Empty if they hit nothing.
#[must_use]
pub fn bounces(
    mesh: &TriangleMesh,
    primary: &[Ray],
    closest: ClosestHit<'_>,
    count: usize,
    seed: u64,
) -> Vec<Ray> {
    from_surface(mesh, primary, closest, count, seed, f32::INFINITY)
}

/// `bncs`: the same rays in random order.
#[must_use]
pub fn shuffled(rays: &[Ray], seed: u64) -> Vec<Ray> {
    let mut rays = rays.to_vec();
    Random::new(seed).shuffle(&mut rays);
    rays
}

/// `ao`: like [`bounces`], as far as a tenth of the mesh's diagonal.
#[must_use]
pub fn ambient_occlusion(
    mesh: &TriangleMesh,
    primary: &[Ray],
    closest: ClosestHit<'_>,
    count: usize,
    seed: u64,
) -> Vec<Ray> {
    let reach = 0.1 * diagonal(mesh);
    from_surface(mesh, primary, closest, count, seed, reach as f32)
}

/// `rnd`: rays in even directions from points in the box made 1.2 times as large.
#[must_use]
pub fn random(bounds: Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let [low, high] = corners(bounds);
    let (center, half) = (scale(add(low, high), 0.5), scale(sub(high, low), 0.6));
    let mut random = Random::new(seed);
    let mut ray = || {
        let origin = random.point(sub(center, half), add(center, half));
        Ray::new(narrow(origin), narrow(random.direction()))
    };
    (0..count).map(|_| ray()).collect()
}

fn diagonal(mesh: &TriangleMesh) -> f64 {
    let [low, high] = corners(mesh.bounds());
    length(sub(high, low))
}

fn from_surface(
    mesh: &TriangleMesh,
    primary: &[Ray],
    closest: ClosestHit<'_>,
    count: usize,
    seed: u64,
    t_max: f32,
) -> Vec<Ray> {
    // Off the surface by more than f32 rounds, so that a ray does not start behind it.
    let lift = 1e-5 * diagonal(mesh);
    let points: Vec<[Vector; 2]> = primary
        .iter()
        .filter_map(|ray| {
            let hit = closest(ray)?;
            let [a, b, c] = mesh.triangle(hit.prim).map(wide);
            let normal = unit(cross(sub(b, a), sub(c, a)));
            let direction = wide(ray.direction);
            let facing = if dot(normal, direction) < 0.0 { 1.0 } else { -1.0 };
            let point = add(wide(ray.origin), scale(direction, f64::from(hit.t)));
            let normal = scale(normal, facing);
            Some([add(point, scale(normal, lift)), normal])
        })
        .collect();
    let mut random = Random::new(seed);
    let mut ray = |i: usize| {
        // Neighbouring rays start at neighbouring points, however many rays a point gets.
        let [origin, normal] = points[(i as u128 * points.len() as u128 / count as u128) as usize];
        let [right, up] = tangents(normal);
        let (square, (sin, cos)) = (random.unit(), (TAU * random.unit()).sin_cos());
        let flat = add(scale(right, cos * square.sqrt()), scale(up, sin * square.sqrt()));
        let direction = add(flat, scale(normal, (1.0 - square).sqrt()));
        Ray::new(narrow(origin), narrow(direction)).with_interval(0.0, t_max)
    };
    if points.is_empty() { Vec::new() } else { (0..count).map(&mut ray).collect() }
}
