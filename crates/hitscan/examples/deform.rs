//! A sheet that waves: its tree follows each frame, and what that takes beside a build.
//!
//! `cargo run --release --example deform` for a sheet of 200,000 triangles;
//! `cargo run --release --example deform -- MESH [FRAMES]` for the mesh of a file.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, DynamicBvh, Quality, Ray, TriangleMesh, file};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mesh = match arguments.next() {
        Some(path) => file::read_file(Path::new(&path), &file::ReadOptions::default())?.0,
        None => sheet(1000, 100)?,
    };
    let frames = arguments.next().map_or(Ok(8), |frames| frames.parse())?;
    println!("{} triangles, {} threads", mesh.triangle_count(), rayon::current_num_threads());

    let rest = mesh.positions().to_vec();
    let bounds = mesh.bounds();
    let ray = Ray::new(bounds.center() + bounds.extent(), -bounds.extent());
    let fast = BuildOptions::from(Quality::Fast);
    let mut moving = DynamicBvh::build(mesh, fast.clone()).rebuilding_from(1.5);
    let (mut refits, mut builds) = (Vec::new(), Vec::new());
    for frame in 1..=frames {
        let positions = wave(&rest, bounds.extent().max_element(), frame);
        // The two in turn, so that whatever else the machine does slows both.
        let (refitted, time) = timed(|| moving.refit(&positions));
        refitted?;
        refits.push(time);
        let (fresh, time) = timed(|| Bvh::build(moving.bvh().mesh().clone(), &fast));
        builds.push(time);
        assert_eq!(moving.bvh().closest_hit(&ray), fresh.closest_hit(&ray), "never another answer");
        println!(
            "frame {frame}: refit {:.1} ms, build {:.1} ms; SAH cost {:.2} against {:.2} built{}",
            1e3 * refits[refits.len() - 1].as_secs_f64(),
            1e3 * time.as_secs_f64(),
            moving.quality().sah_cost,
            fresh.quality().sah_cost,
            if moving.is_rebuilding() { ", rebuilding" } else { "" }
        );
    }
    let best = |times: &[Duration]| times.iter().min().map_or(0.0, Duration::as_secs_f64);
    println!("refit is {:.1} times as fast", best(&builds) / best(&refits));
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Waves along the longest side, higher with every frame.
fn wave(rest: &[[f32; 3]], length: f32, frame: u32) -> Vec<[f32; 3]> {
    let (height, turn) = (0.01 * length * frame as f32, 12.0 / length);
    rest.iter().map(|[x, y, z]| [*x, y + height * (turn * x + frame as f32).sin(), *z]).collect()
}

/// A flat sheet of `2 · long · wide` triangles.
fn sheet(long: u32, wide: u32) -> Result<TriangleMesh, hitscan::MeshError> {
    let vertex = |i: u32| [(i % (long + 1)) as f32, 0.0, (i / (long + 1)) as f32];
    let positions = (0..(long + 1) * (wide + 1)).map(vertex).collect();
    let cell = |i: u32| {
        let a = i / long * (long + 1) + i % long;
        [[a, a + 1, a + long + 2], [a, a + long + 2, a + long + 1]]
    };
    TriangleMesh::new(positions, (0..long * wide).flat_map(cell).collect())
}
