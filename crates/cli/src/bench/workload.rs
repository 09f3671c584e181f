//! The rays that speed is measured with; the same in every run.

use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{Bvh, Ray};

use crate::args::Query;
use crate::random::{Random, cosine_direction};
use crate::viewpoint::{Pose, Viewpoint};

/// Rays of each kind: the square of a power of two, for the Morton order.
const SIDE: u32 = 512;
/// How many kinds of rays there are.
pub(crate) const COUNT: usize = 5;

/// Rays of one kind, and what is asked of them.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) query: Query,
    pub(crate) rays: Vec<Ray>,
}

impl Workload {
    /// Every kind of rays at a mesh that has triangles.
    pub(crate) fn all(bvh: &Bvh) -> anyhow::Result<[Self; COUNT]> {
        let bounds = bvh.bounds();
        let Viewpoint { camera, .. } = Viewpoint::new(Pose::fitting([SIDE; 2]), bvh.mesh())?;
        let primary: Vec<Ray> = (0..SIDE * SIDE)
            .map(|index| {
                let [x, y] = [compact(index), compact(index >> 1)];
                camera.ray(x as f32 + 0.5, y as f32 + 0.5)
            })
            .collect();
        let diagonal = bounds.extent().length();
        let mut random = Random::new(1);
        let diffuse = bounces(bvh, &primary, diagonal, &mut random);
        let mut shuffled = diffuse.clone();
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, random.below(i + 1));
        }
        let ambient = bounces(bvh, &primary, diagonal, &mut random)
            .into_iter()
            .map(|ray| ray.with_interval(0.0, 0.1 * diagonal))
            .collect();
        let anywhere = (0..SIDE * SIDE)
            .map(|_| {
                let place = Vec3::from_array(std::array::from_fn(|_| random.unit() - 0.5));
                Ray::new(bounds.center() + place * bounds.extent() * 1.2, random.direction())
            })
            .collect();
        let closest = |name, rays| Self { name, query: Query::Closest, rays };
        Ok([
            closest("primary", primary),
            closest("diffuse", diffuse),
            closest("shuffled", shuffled),
            Self { name: "ao", query: Query::Any, rays: ambient },
            closest("random", anywhere),
        ])
    }
}

/// As many rays as there are primary ones, off the points that these hit, in their order.
fn bounces(bvh: &Bvh, primary: &[Ray], diagonal: f32, random: &mut Random) -> Vec<Ray> {
    let points: Vec<(Vec3, Vec3)> = primary
        .iter()
        .zip(bvh.closest_hits(primary))
        .filter_map(|(ray, hit)| {
            let hit = hit?;
            let wound = Vec3::from(bvh.mesh().normal(hit.prim));
            let normal = if wound.dot(ray.direction.into()) > 0.0 { -wound } else { wound };
            Some((Vec3::from(ray.at(hit.t)) + normal * (diagonal * 1e-5), normal))
        })
        .collect();
    let mut rays = Vec::with_capacity(primary.len());
    // Neighbours stay neighbours where points have to be used more than once.
    for i in 0..primary.len() * usize::from(!points.is_empty()) {
        let (point, normal) = points[i * points.len() / primary.len()];
        let pair = [random.unit(), random.unit()];
        rays.push(Ray::new(point, cosine_direction(normal, pair)));
    }
    rays
}

/// The even bits of a Morton index: one coordinate.
fn compact(index: u32) -> u32 {
    let mut x = index & 0x5555_5555;
    for (shift, mask) in [(1, 0x3333_3333), (2, 0x0f0f_0f0f), (4, 0x00ff_00ff), (8, 0x0000_ffff)] {
        x = (x | x >> shift) & mask;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn morton_order_visits_every_pixel_once() {
        let mut seen = [false; 64];
        for index in 0..64 {
            let pixel = compact(index) + 8 * compact(index >> 1);
            assert!(!std::mem::replace(&mut seen[pixel as usize], true), "{pixel} twice");
        }
        assert_eq!([compact(3), compact(3 >> 1)], [1, 1]);
    }
}
