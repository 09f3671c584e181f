//! The workload whose instructions are counted: a fixed mesh and fixed rays, cast in one way.

use std::hint::black_box;

use anyhow::Result;
use clap::ValueEnum;
use hitscan::{BuildOptions, Bvh, Coherence, Level, QueryOptions, Ray, Raycast};
use hitscan_testkit::{meshes, rays};

/// How many rays are cast.
pub(super) const RAYS: usize = 1 << (2 * ORDER);

const ORDER: u32 = 6;

/// The function whose instructions are counted.
pub(super) const COUNTED: &str = "cast_all";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The SIMD level
    level: Level,
    /// How the rays are cast
    cast: Cast,
}

/// A way of casting, and the rays for it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Cast {
    /// The closest hits of primary rays, one call a ray
    Closest,
    /// Whether random rays hit anything, one call a ray
    Any,
    /// The closest hits of primary rays, in packets
    Packets,
    /// The closest hits of random rays, many in flight
    Wavefront,
}

impl Cast {
    pub(super) const ALL: [Self; 4] = [Self::Closest, Self::Any, Self::Packets, Self::Wavefront];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Closest => "closest",
            Self::Any => "any",
            Self::Packets => "packets",
            Self::Wavefront => "wavefront",
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mesh = meshes::terrain_of(20_000, 1);
    let camera = rays::Camera::outside(mesh.bounds());
    let bvh = Bvh::build(mesh, &BuildOptions::default()).with_level(args.level);
    let rays = match args.cast {
        Cast::Closest | Cast::Packets => rays::primary(&camera, ORDER),
        Cast::Any | Cast::Wavefront => rays::random(bvh.bounds(), RAYS, 1),
    };
    cast_all(&bvh, args.cast, &rays);
    Ok(())
}

#[inline(never)]
fn cast_all(bvh: &Bvh, cast: Cast, rays: &[Ray]) {
    match cast {
        Cast::Closest => rays.iter().for_each(|ray| _ = black_box(bvh.closest_hit(ray))),
        Cast::Any => rays.iter().for_each(|ray| _ = black_box(bvh.any_hit(ray))),
        Cast::Packets => cast_together(bvh, rays, Coherence::Coherent),
        Cast::Wavefront => cast_together(bvh, rays, Coherence::Incoherent),
    }
}

// Not a closure: its name would be counted, too, and entering it would end the counting.
fn cast_together(bvh: &Bvh, rays: &[Ray], coherence: Coherence) {
    let mut hits = vec![None; rays.len()];
    bvh.closest_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut hits);
    black_box(hits);
}
