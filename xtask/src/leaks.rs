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
    /// One or two queries a ray: kinds, qualities and SIMD levels take turns from chunk to chunk
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
    let mut show = |Place { shape, offset, scale, .. }: &Place, tally: Tally| {
        print!("{:<12} {offset:>7.1e} {:>6} ", shape.name, format!("2^{scale}"));
        println!("{}", tally.row());
        total.add(tally);
    };
    if args.lean {
        let tallies = cast_lean(&places, count, args.seed);
        places.iter().zip(tallies).for_each(|(place, tally)| show(place, tally));
    } else {
        for (index, place) in places.iter().enumerate() {
            show(place, cast_at(&place.cell, count, seed_of(args.seed, index)));
        }
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
    let chunks = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(|chunk| check::check(cell, &variants, &rays_of(cell, count, seed, chunk), chunk));
    chunks.reduce(Tally::default, sum)
}

/// Casts `count` rays at each place, each in one or two kinds of query; from time to time prints
/// what came of all so far.
fn cast_lean(places: &[Place], count: usize, seed: u64) -> Vec<Tally> {
    let start = Instant::now();
    let seeds: Vec<u64> = (0..places.len()).map(|index| seed_of(seed, index)).collect();
    let trees: Vec<Lean> =
        places.par_iter().zip(&seeds).map(|(place, &seed)| Lean::new(&place.cell, seed)).collect();
    let chunks: Vec<usize> = (0..count.div_ceil(CHUNK)).collect();
    let mut tallies: Vec<Tally> = places.iter().map(|_| Tally::default()).collect();
    for chunks in chunks.chunks(Lean::TURNS) {
        let cast = |index: usize| {
            let cell = &places[index].cell;
            let tallies = chunks.par_iter().map(|&chunk| {
                trees[index].check(cell, &rays_of(cell, count, seeds[index], chunk), chunk)
            });
            tallies.reduce(Tally::default, sum)
        };
        let new: Vec<Tally> = (0..places.len()).into_par_iter().map(cast).collect();
        tallies.iter_mut().zip(new).for_each(|(tally, new)| tally.add(new));
        if count > Lean::TURNS * CHUNK {
            let rays: usize = tallies.iter().map(|tally| tally.rays).sum();
            let faults: usize = tallies.iter().map(Tally::faults).sum();
            let seconds = start.elapsed().as_secs_f64();
            println!("after {seconds:>6.0} s: {rays:>11} rays, {faults} faults");
        }
    }
    tallies
}

/// Where the random numbers for a place begin.
fn seed_of(seed: u64, place: usize) -> u64 {
    Random::new(seed ^ ((place as u64) << 32)).bits()
}

/// A chunk of the `count` rays that are cast at a mesh.
fn rays_of(cell: &Cell<'_>, count: usize, seed: u64, chunk: usize) -> Vec<Aimed> {
    let len = CHUNK.min(count - chunk * CHUNK);
    cell.rays(len, &mut Random::new(seed.wrapping_add(chunk as u64 * 0x1000_0001)))
}

fn sum(mut sum: Tally, tally: Tally) -> Tally {
    sum.add(tally);
    sum
}
