//! The ray sets.

use clap::ValueEnum;
use hitscan::prelude::*;
use hitscan::{Bvh, Ray};
use hitscan_testkit::rays;

use crate::meshes::Subject;

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

    /// `count` rays of this kind, the same in every run; primary ones are rounded down to a power
    /// of four.
    pub fn rays(self, subject: &Subject, bvh: &Bvh, count: usize) -> Vec<Ray> {
        let mesh = &subject.mesh;
        let primary = || rays::primary(&subject.camera, count.max(1).ilog2() / 2);
        let closest = |ray: &Ray| bvh.closest_hit(ray);
        let bounces = || rays::bounces(mesh, &primary(), &closest, count, 1);
        match self {
            Self::Prim => primary(),
            Self::Bnct => bounces(),
            Self::Bncs => rays::shuffled(&bounces(), 2),
            Self::Ao => rays::ambient_occlusion(mesh, &primary(), &closest, count, 3),
            Self::Rnd => rays::random(mesh.bounds(), count, 4),
        }
    }
}
