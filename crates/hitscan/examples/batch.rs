//! Batches: how much of a day the sun shines on each spot of a landscape.

use std::error::Error;
use std::f32::consts::PI;
use std::time::Instant;

use hitscan::prelude::*;
use hitscan::{BatchOptions, BuildOptions, Bvh, Ray, obj};

const SPOTS: usize = 128;
const HOURS: usize = 64;

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/terrain.obj");
    let (mesh, _) = obj::read_file(path, obj::ObjOptions::default())?;
    let land = Bvh::build(mesh, &BuildOptions::default());

    // Spots on a grid, found by looking straight down; all of them at once.
    let place = |i: usize| (i as f32 + 0.5) * 32.0 / SPOTS as f32;
    let down = |i: usize| Ray::new([place(i % SPOTS), place(i / SPOTS), 99.0], [0.0, 0.0, -1.0]);
    let down: Vec<Ray> = (0..SPOTS * SPOTS).map(down).collect();
    let ground = land.closest_hits(&down);
    assert!(ground.iter().all(Option::is_some), "the land has no holes");

    // From each spot to the sun, low in the south, at every hour from east to west.
    let mut rays = Vec::with_capacity(SPOTS * SPOTS * HOURS);
    for (ray, hit) in down.iter().zip(ground.iter().flatten()) {
        let [x, y, z] = ray.at(hit.t);
        rays.extend((0..HOURS).map(|hour| {
            let angle = PI * (hour as f32 + 0.5) / HOURS as f32;
            Ray::new([x, y, z + 1e-3], [angle.cos(), -0.3, 0.3 * angle.sin()])
        }));
    }
    let start = Instant::now();
    let progress = |done, all| eprint!("\r{:3} %", 100 * done / all);
    let options = BatchOptions { progress: Some(&progress), ..BatchOptions::default() };
    let shadows = land.any_hits_with(&rays, &options)?;
    let million = rays.len() as f64 / 1e6;
    let speed = million / start.elapsed().as_secs_f64();
    eprintln!();

    for row in (0..SPOTS).rev().step_by(4) {
        let bright = |column: usize| {
            let spot = (row * SPOTS + column) * HOURS;
            let sun = shadows[spot..spot + HOURS].iter().filter(|&&shadow| !shadow).count();
            b" .:-=+*#%@"[sun * 9 / HOURS] as char
        };
        println!("{}", (0..SPOTS).step_by(2).map(bright).collect::<String>());
    }
    let lit = shadows.iter().filter(|&&shadow| !shadow).count() as f64 / rays.len() as f64;
    println!("{million:.1} million rays, {speed:.1} million a second; sunlit {:.0} %", 100.0 * lit);
    assert!(rays.iter().zip(&shadows).step_by(997).all(|(ray, hit)| land.any_hit(ray) == *hit));
    assert!(lit > 0.1 && lit < 0.9, "hills throw shadows");
    Ok(())
}
