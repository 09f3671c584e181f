//! How often the leaves' f32 filter leaves a triangle to the exact decision.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use hitscan::obj::{ObjOptions, read_file};
use hitscan::prelude::Raycast;
use hitscan::{Bvh, Quality, Ray};
use hitscan_testkit::rays::{self, Camera};
use rayon::prelude::*;

use crate::command::in_release;
use crate::oracle::quality;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// OBJ files
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,
    /// Rays of each kind cast at each mesh; primary ones are rounded down to a power of four
    #[arg(long, default_value_t = 1 << 20, value_parser = clap::value_parser!(u32).range(1..))]
    rays: u32,
    /// Looks at the meshes from their middle, for rooms
    #[arg(long)]
    inside: bool,
    /// Which tree is cast at: fast, balanced or high
    #[arg(long, default_value = "balanced", value_parser = quality)]
    quality: Quality,
}

/// What walks cost, summed up.
#[derive(Default)]
struct Sum {
    rays: u64,
    leaves: u64,
    /// Triangles decided exactly.
    exact: u64,
    /// Rays for which there was one.
    affected: u64,
}

/// Prints a row for each mesh and kind of rays.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(result) = in_release() {
        return result;
    }
    println!("In a million rays: triangles decided exactly, and rays for which there was one.");
    println!("mesh                 set      rays  leaves a ray  triangles      rays");
    for file in &args.meshes {
        let (mesh, _) = read_file(file, ObjOptions::default())?;
        let bvh = Bvh::build(mesh, &args.quality.into());
        ensure!(!bvh.bounds().is_empty(), "{} has no triangles", file.display());
        for (set, rays) in sets(&bvh, args) {
            let Sum { rays, leaves, exact, affected } = cast(&bvh, &rays);
            let all = rays.max(1) as f64;
            println!(
                "{:<20} {set} {rays:>9} {:>13.2} {:>10.1} {:>9.1}",
                name(file),
                leaves as f64 / all,
                exact as f64 * 1e6 / all,
                affected as f64 * 1e6 / all,
            );
        }
    }
    Ok(())
}

/// The rays of the benchmarks whose nearest hit is asked for.
fn sets(bvh: &Bvh, args: &Args) -> [(&'static str, Vec<Ray>); 3] {
    let (mesh, count) = (bvh.mesh(), args.rays as usize);
    let bounds = mesh.bounds();
    let camera = if args.inside { Camera::inside(bounds) } else { Camera::outside(bounds) };
    let primary = rays::primary(&camera, args.rays.ilog2() / 2);
    let bounces = rays::bounces(mesh, &primary, &|ray| bvh.closest_hit(ray), count, 1);
    [("prim", primary), ("bnct", bounces), ("rnd ", rays::random(bounds, count, 4))]
}

fn cast(bvh: &Bvh, rays: &[Ray]) -> Sum {
    let sum_of = |ray: &Ray| {
        let (_, cost) = bvh.closest_hit_counted(ray);
        let [leaves, exact] = [cost.leaves, cost.exact].map(u64::from);
        Sum { rays: 1, leaves, exact, affected: u64::from(exact > 0) }
    };
    rays.par_iter().map(sum_of).reduce(Sum::default, |p, q| Sum {
        rays: p.rays + q.rays,
        leaves: p.leaves + q.leaves,
        exact: p.exact + q.exact,
        affected: p.affected + q.affected,
    })
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}
