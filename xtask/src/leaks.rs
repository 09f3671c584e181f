//! Leaks and parity errors over closed meshes, near and far, small and large.
//!
//! A ray from inside a closed mesh must hit it, and leave it once more than it enters; one from
//! outside must leave as often as it enters. So the number of crossings is odd or even. Whether an
//! origin is inside is known from the shape, by a margin that rounding cannot use up; the engine is
//! not asked.

mod aim;
mod check;
mod lean;
mod shape;
mod tally;

use std::time::Instant;

use anyhow::{Result, bail};
use hitscan::{Bvh, Level, Quality};
use hitscan_testkit::Random;
use rayon::prelude::*;

use crate::command::in_release;
use aim::Aimed;
pub(crate) use aim::Cell;
use check::Variant;
use lean::Lean;
use shape::{SHAPES, Shape};
pub(crate) use tally::{HEADER, NOTE, Tally};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Rays in all
    #[arg(long, default_value_t = 1_000_000)]
    rays: usize,
    /// Two queries a ray, not all: kinds, qualities and SIMD levels take turns from chunk to chunk
    #[arg(long)]
    lean: bool,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How far the meshes lie from zero.
const OFFSETS: [f64; 3] = [0.0, 1.5e5, 6.4e6];

/// By which powers of two the meshes are scaled.
const SCALES: [i32; 5] = [-20, -10, 0, 10, 20];

/// How many rays are cast together. The plan of [`check::Variant::share`] divides it.
const CHUNK: usize = 3840;

/// Casts at every mesh, and fails if one leaks or counts wrongly.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(result) = in_release() {
        return result;
    }
    let start = Instant::now();
    let (places, vanished) = places();
    let count = args.rays.div_ceil(places.len());
    println!("{vanished} places are left out: the mesh vanishes there when rounded to f32.");
    println!("{NOTE}");
    println!("mesh          offset  scale {HEADER}");
    let mut total = Tally::default();
    for (index, Place { shape, offset, scale, cell }) in places.iter().enumerate() {
        let seed = Random::new(args.seed ^ ((index as u64) << 32)).bits();
        let tally =
            if args.lean { cast_lean(cell, count, seed) } else { cast_at(cell, count, seed) };
        print!("{:<12} {offset:>7.1e} {:>6} ", shape.name, format!("2^{scale}"));
        println!("{}", tally.row());
        total.add(tally);
    }
    println!("{:<12} {:>7} {:>6} {}", "all", "", "", total.row());
    total.show();
    println!(
        "\n{:.1} leaks per billion rays, {:.2} parity errors per million, {} disagreements; {:.0} s",
        total.leaks as f64 * 1e9 / total.rays as f64,
        total.parity as f64 * 1e6 / total.rays as f64,
        total.disagreements,
        start.elapsed().as_secs_f64()
    );
    if total.faults() == 0 { Ok(()) } else { bail!("{} faults", total.faults()) }
}

/// A shape where it is cast at.
struct Place {
    shape: &'static Shape,
    offset: f64,
    scale: i32,
    cell: Cell<'static>,
}

/// Every shape at every offset and scale, and how many of them left nothing that can be hit.
fn places() -> (Vec<Place>, usize) {
    let (mut places, mut vanished) = (Vec::new(), 0);
    for shape in &SHAPES {
        for offset in OFFSETS {
            for scale in SCALES {
                let cell = Cell::new(shape, offset, scale);
                if cell.can_be_hit() {
                    places.push(Place { shape, offset, scale, cell });
                } else {
                    vanished += 1;
                }
            }
        }
    }
    (places, vanished)
}

/// Casts `count` rays at one mesh in one place, each in every kind of query.
pub(crate) fn cast_at(cell: &Cell<'_>, count: usize, seed: u64) -> Tally {
    let best = Level::detect();
    let trees = [Quality::Balanced, Quality::Fast, Quality::High]
        .map(|quality| (quality, Bvh::build(cell.mesh.clone(), &quality.into())));
    let mut variants = vec![Variant::new(Quality::Balanced, trees[0].1.clone().with_level(best))];
    for (quality, tree) in &trees {
        for level in Level::available() {
            if level.name() != best.name() || *quality != Quality::Balanced {
                variants.push(Variant::new(*quality, tree.clone().with_level(level)));
            }
        }
    }
    cast_chunks(cell, count, seed, |rays, chunk| check::check(cell, &variants, rays, chunk))
}

/// Casts `count` rays at one mesh in one place, each in two kinds of query.
fn cast_lean(cell: &Cell<'_>, count: usize, seed: u64) -> Tally {
    let lean = Lean::new(cell, seed);
    cast_chunks(cell, count, seed, |rays, chunk| lean.check(cell, rays, chunk))
}

/// Makes `count` rays in chunks, and casts these on all threads.
fn cast_chunks(
    cell: &Cell<'_>,
    count: usize,
    seed: u64,
    cast: impl Fn(&[Aimed], usize) -> Tally + Sync,
) -> Tally {
    let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
        let len = CHUNK.min(count - chunk * CHUNK);
        let mut random = Random::new(seed.wrapping_add(chunk as u64 * 0x1000_0001));
        cast(&cell.rays(len, &mut random), chunk)
    });
    chunks.reduce(Tally::default, |mut sum, tally| {
        sum.add(tally);
        sum
    })
}
