//! The engine against exact arithmetic over all triangles, on a sample of rays.

mod verdict;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use hitscan::obj::{ObjOptions, read_file};
use hitscan::prelude::{BatchRaycast, Raycast};
use hitscan::{Bvh, Quality, Ray, TriangleMesh};
use hitscan_testkit::rays::{Aim, aimed, inside_box, towards_box};
use hitscan_testkit::{Oracle, Rule, Sides};

use verdict::{T_ERROR, Tally, Verdict};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// OBJ files
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,
    /// Rays cast at each mesh: random ones, and ones aimed at edges and vertices
    #[arg(long, default_value_t = 1_000_000)]
    rays: usize,
    /// How many of them, evenly spread, are compared
    #[arg(long, default_value_t = 4000)]
    sample: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which tree is cast at: fast, balanced or high
    #[arg(long, default_value = "balanced", value_parser = quality)]
    quality: Quality,
}

/// A quality by its name.
pub(crate) fn quality(name: &str) -> Result<Quality, String> {
    match name {
        "fast" => Ok(Quality::Fast),
        "balanced" => Ok(Quality::Balanced),
        "high" => Ok(Quality::High),
        other => Err(format!("`{other}` is none of fast, balanced, high")),
    }
}

/// Compares every mesh, and fails if an answer of one is wrong.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut wrong = 0;
    for file in &args.meshes {
        wrong += compare(file, args)?;
    }
    if wrong == 0 { Ok(()) } else { bail!("{wrong} answers are wrong") }
}

/// Prints one mesh's comparison, and returns how many answers are wrong.
fn compare(file: &Path, args: &Args) -> Result<usize> {
    let (mesh, _) = read_file(file, ObjOptions::default())?;
    println!("{}: {} triangles", file.display(), mesh.triangle_count());
    let rays = rays(&mesh, args.rays, args.seed);
    let oracle = Oracle::new(&mesh);
    let start = Instant::now();
    let bvh = Bvh::build(mesh, &args.quality.into());
    let built = start.elapsed();
    let start = Instant::now();
    let hits = bvh.closest_hits(&rays);
    let cast = start.elapsed();
    println!(
        "  built in {:.2} s; {} rays cast in {:.2} s, {} of them hit",
        built.as_secs_f64(),
        rays.len(),
        cast.as_secs_f64(),
        hits.iter().flatten().count()
    );

    let step = (rays.len() / args.sample.max(1)).max(1);
    let sample: Vec<usize> = (0..rays.len()).step_by(step).collect();
    let sampled: Vec<Ray> = sample.iter().map(|&i| rays[i]).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    // Everything within the error of two rounded distances may be the winner by them.
    let nearest = oracle.of_each(&sampled, threads, |oracle, ray| {
        oracle.nearest(ray, Sides::Both, Rule::Closed, 3.0 * T_ERROR)
    });
    let mut tally = Tally::default();
    for ((&index, ray), exact) in sample.iter().zip(&sampled).zip(&nearest) {
        let single = bvh.closest_hit(ray);
        let verdict = if single != hits[index] || bvh.any_hit(ray) != single.is_some() {
            Verdict::Inconsistent
        } else {
            verdict::judge(single, exact)
        };
        if tally.add(&verdict) {
            println!(
                "  {verdict} at ray {index}: {ray:?}\n    {single:?}\n    {:?}",
                exact.first()
            );
        }
    }
    println!("{tally}");
    Ok(tally.wrong())
}

/// A quarter each: from within the box, from around it, and aimed at edges and at vertices.
/// Random rays alone prove little: they nearly never meet an edge.
fn rays(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Ray> {
    if mesh.triangle_count() == 0 {
        return Vec::new();
    }
    let quarter = count.div_ceil(4);
    let bounds = mesh.bounds();
    let mut rays = inside_box(bounds, quarter, seed);
    rays.extend(towards_box(bounds, quarter, seed + 1));
    rays.extend(aimed(mesh, Aim::Edge, None, quarter, seed + 2));
    rays.extend(aimed(mesh, Aim::Vertex, None, quarter, seed + 3));
    rays
}
