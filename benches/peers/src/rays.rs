//! The ray sets.

use clap::ValueEnum;
use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{Bvh, Ray};

use crate::meshes::{Camera, Subject};
use crate::random::Random;

/// A kind of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Set {
    /// Primary rays of a square image, pixels in Morton order.
    Prim,
    /// Cosine-distributed bounces off what the primary rays hit, in their order.
    Bnct,
    /// The same bounces, shuffled.
    Bncs,
    /// Short occlusion rays off what the primary rays hit, in their order: any hit will do.
    Ao,
    /// Random origins in the box, scaled by 1.2, and random directions.
    Rnd,
}

/// What is asked of each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Closest,
    Any,
}

impl Set {
    pub fn name(self) -> &'static str {
        match self {
            Self::Prim => "prim",
            Self::Bnct => "bnct",
            Self::Bncs => "bncs",
            Self::Ao => "ao",
            Self::Rnd => "rnd",
        }
    }

    pub fn query(self) -> Query {
        if self == Self::Ao { Query::Any } else { Query::Closest }
    }

    /// About `count` rays of this kind, the same in every run.
    pub fn rays(self, subject: &Subject, bvh: &Bvh, count: usize) -> Vec<Ray> {
        let diagonal = subject.mesh.bounds().extent().length();
        match self {
            Self::Prim => primary(&subject.camera, count),
            Self::Bnct => bounces(subject, bvh, count, f32::INFINITY),
            Self::Bncs => {
                let mut rays = bounces(subject, bvh, count, f32::INFINITY);
                Random::new(2).shuffle(&mut rays);
                rays
            }
            Self::Ao => bounces(subject, bvh, count, 0.1 * diagonal),
            Self::Rnd => random(subject, count),
        }
    }
}

fn primary(camera: &Camera, count: usize) -> Vec<Ray> {
    let side = count.isqrt();
    let forward = (camera.target - camera.eye).normalize();
    let right = forward.cross(camera.up).normalize();
    let up = right.cross(forward);
    let half = (0.5 * camera.angle).tan();
    // Morton codes run over the next power of two; pixels outside the image are left out.
    let codes = 0..(side.next_power_of_two() as u64).pow(2);
    codes
        .map(|code| (every_other_bit(code) as usize, every_other_bit(code >> 1) as usize))
        .filter(|&(x, y)| x < side && y < side)
        .map(|(x, y)| {
            let across = |pixel: usize| half * (2.0 * (pixel as f32 + 0.5) / side as f32 - 1.0);
            let direction = forward + right * across(x) - up * across(y);
            Ray::new(camera.eye, direction.normalize())
        })
        .collect()
}

/// The even bits of a Morton code, moved together.
fn every_other_bit(code: u64) -> u64 {
    [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0x0000_0000_ffff_ffff),
    ]
    .iter()
    .fold(code & 0x5555_5555_5555_5555, |bits, (shift, mask)| (bits | bits >> shift) & mask)
}

fn bounces(subject: &Subject, bvh: &Bvh, count: usize, length: f32) -> Vec<Ray> {
    let primary = primary(&subject.camera, count);
    let hits: Vec<(Vec3, Vec3)> = bvh
        .closest_hits(&primary)
        .iter()
        .zip(&primary)
        .filter_map(|(hit, ray)| {
            let hit = hit.as_ref()?;
            let normal = Vec3::from(subject.mesh.normal(hit.prim));
            let facing = if normal.dot(ray.direction.into()) > 0.0 { -normal } else { normal };
            Some((Vec3::from(ray.at(hit.t)), facing))
        })
        .collect();
    let lift = 1e-4 * subject.mesh.bounds().extent().length();
    let mut random = Random::new(3);
    // Where only some primary rays hit, each hit bounces more than once: the order stays.
    let samples = if hits.is_empty() { 0 } else { count };
    (0..samples)
        .map(|i| {
            let (point, normal) = hits[i * hits.len() / count];
            // The sum of the normal and a point on the unit sphere is cosine-distributed.
            let direction = (normal + 0.999 * random.direction()).normalize();
            Ray::new(point + lift * normal, direction).with_interval(0.0, length)
        })
        .collect()
}

fn random(subject: &Subject, count: usize) -> Vec<Ray> {
    let bounds = subject.mesh.bounds();
    let mut random = Random::new(4);
    (0..count)
        .map(|_| {
            let offset = Vec3::from_array(std::array::from_fn(|_| random.between(-0.6, 0.6)));
            Ray::new(bounds.center() + offset * bounds.extent(), random.direction())
        })
        .collect()
}
