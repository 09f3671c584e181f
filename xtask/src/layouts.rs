//! What the compact layout saves, and what it costs a ray.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use hitscan::obj::{ObjOptions, read_file};
use hitscan::prelude::Raycast;
use hitscan::{BuildOptions, Bvh, Hit, Quality, Ray, TreeLayout};
use hitscan_testkit::rays::{self, Camera};

use crate::command::in_release;
use crate::oracle::quality;

/// Contestants take turns after so many rays.
const TURN: usize = 2048;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// OBJ files
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,
    /// How often every ray is cast
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// Looks at the meshes from their middle, for rooms
    #[arg(long)]
    inside: bool,
    /// Which trees are cast at: fast, balanced or high
    #[arg(long, default_value = "balanced", value_parser = quality)]
    quality: Quality,
}

/// Prints, for each mesh, the memory of both layouts and the speed of one in units of the other.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(result) = in_release() {
        return result;
    }
    println!("mesh                 bytes a triangle  SAH cost       compact's speed over fast's");
    println!("                        fast  compact  ratio          prim   bnct   bncs   rnd");
    for file in &args.meshes {
        let (mesh, _) = read_file(file, ObjOptions::default())?;
        let [fast, compact] = TreeLayout::ALL.map(|layout| {
            Bvh::build(mesh.clone(), &BuildOptions { quality: args.quality, layout })
        });
        ensure!(!fast.bounds().is_empty(), "{} has no triangles", file.display());
        let bytes = |bvh: &Bvh| bvh.statistics().bytes_per_triangle();
        let cost = compact.statistics().sah_cost / fast.statistics().sah_cost;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        print!("{name:<20} {:>7.1} {:>8.1} {cost:>6.3}       ", bytes(&fast), bytes(&compact));
        for rays in sets(&fast, args.inside) {
            print!(" {:>6.2}", speed(&fast, &compact, &rays, args.reps)?);
        }
        println!();
    }
    Ok(())
}

/// The rays of the benchmarks whose nearest hit is asked for.
fn sets(bvh: &Bvh, inside: bool) -> [Vec<Ray>; 4] {
    let (mesh, bounds) = (bvh.mesh(), bvh.mesh().bounds());
    let camera = if inside { Camera::inside(bounds) } else { Camera::outside(bounds) };
    let primary = rays::primary(&camera, 8);
    let bounces = rays::bounces(mesh, &primary, &|ray| bvh.closest_hit(ray), 1 << 16, 1);
    let shuffled = rays::shuffled(&bounces, 2);
    [primary, bounces, shuffled, rays::random(bounds, 1 << 16, 4)]
}

/// How fast the second tree answers, in units of the first one: the median of the repetitions.
fn speed(fast: &Bvh, compact: &Bvh, rays: &[Ray], reps: u32) -> Result<f64> {
    let mut ratios = Vec::new();
    for _ in 0..reps {
        let mut times = [Duration::ZERO; 2];
        for rays in rays.chunks(TURN) {
            let answers = [fast, compact].map(|bvh| cast(bvh, rays));
            ensure!(answers[0].0 == answers[1].0, "the layouts' answers differ");
            times[0] += answers[0].1;
            times[1] += answers[1].1;
        }
        ratios.push(times[0].as_secs_f64() / times[1].as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    Ok(ratios[ratios.len() / 2])
}

/// One ray a call, and the time that this thread took.
fn cast(bvh: &Bvh, rays: &[Ray]) -> (Vec<Option<Hit>>, Duration) {
    let mut hits = Vec::with_capacity(rays.len());
    let start = thread_time();
    hits.extend(rays.iter().map(|ray| bvh.closest_hit(ray)));
    (hits, thread_time().saturating_sub(start))
}

/// The time that this thread has run, so that whatever else runs does not count.
#[cfg(target_os = "linux")]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time that has passed since the first call.
#[cfg(not(target_os = "linux"))]
fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
