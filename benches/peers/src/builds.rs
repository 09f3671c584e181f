//! The arena of the builders: the same meshes, the same threads, turn by turn; and how fast rays go
//! through the trees.

use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use hitscan::{BuildOptions, Bvh};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use crate::arena::{Load, Times};
use crate::args::BuildArgs;
use crate::builders::{self, Builder, Built};
use crate::meshes::{self, Subject};
use crate::peak;
use crate::rays::Set;

/// The sets that are cast through the trees.
const SETS: [Set; 4] = [Set::Prim, Set::Bnct, Set::Ao, Set::Rnd];

/// How often each set is cast; the best counts.
const CASTS: usize = 3;

/// A builder this many times slower than the fastest builds once only.
const SLOW: f64 = 20.0;

/// A builder's figures for one mesh.
#[derive(Debug, Serialize)]
struct Row {
    mesh: String,
    triangles: usize,
    builder: &'static str,
    threads: usize,
    ms_median: f64,
    ms_best: f64,
    bytes_per_triangle: Option<f64>,
    /// The most that a build held at once beyond what it was given; the tree is among it.
    peak_bytes_per_triangle: Option<f64>,
    sah_cost: Option<f64>,
    /// Set by set, one ray a call on one thread.
    mrays: Vec<(&'static str, f64)>,
}

/// Lets the builders meet.
pub fn run(args: &BuildArgs) -> anyhow::Result<()> {
    let mut load = Load::measure();
    let mut rows = Vec::new();
    for spec in &args.meshes {
        let subject = meshes::load(spec, None)?;
        eprintln!("{}: {} triangles", subject.name, subject.mesh.triangle_count());
        let builders = builders::all(&subject.mesh, |name| args.wants(name));
        for threads in args.threads.iter().map(|threads| threads.get()) {
            eprintln!("  {threads} thread(s)");
            rows.extend(meet(spec, &subject, &builders, threads, args, &mut load)?);
        }
    }
    print(&rows);
    println!("{}", load.describe());
    if let Some(reason) = load.reason() {
        println!("warning: {reason}");
    }
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&rows)?;
        std::fs::write(path, json).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn meet(
    spec: &str,
    subject: &Subject,
    builders: &[Box<dyn Builder>],
    threads: usize,
    args: &BuildArgs,
    load: &mut Load,
) -> anyhow::Result<Vec<Row>> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.context("cannot start a thread pool")?;
    let build = |builder: &dyn Builder| -> anyhow::Result<(Times, Built)> {
        let (times, built) = pool.install(|| {
            let work = builder.prepare(threads)?;
            let (times, built) = Times::of(work);
            anyhow::Ok((times, built?))
        })?;
        Ok((times, built))
    };
    // The first build warms up, and its tree is the one that rays are cast through.
    let mut milliseconds: Vec<Vec<f64>> = Vec::new();
    let mut trees = Vec::new();
    for builder in builders {
        let (times, built) = build(&**builder).with_context(|| builder.name())?;
        milliseconds.push(vec![times.by(args.clock, threads) * 1e3]);
        trees.push(built);
    }
    let mrays = cast(subject, &mut trees, args)?;
    let fastest = milliseconds.iter().map(|first| first[0]).fold(f64::INFINITY, f64::min);
    let quick: Vec<bool> = milliseconds.iter().map(|first| first[0] < SLOW * fastest).collect();
    let known: Vec<(Option<usize>, Option<f64>)> =
        trees.iter().map(|tree| (tree.bytes, tree.sah_cost)).collect();
    drop(trees);
    for repetition in 0..args.reps.get() {
        for (index, builder) in builders.iter().enumerate() {
            if repetition > 0 && !quick[index] {
                continue;
            }
            let (times, _) = build(&**builder)?;
            load.note(times, threads);
            if repetition == 0 {
                milliseconds[index].clear();
            }
            milliseconds[index].push(times.by(args.clock, threads) * 1e3);
        }
    }
    let triangles = subject.mesh.triangle_count();
    let a_triangle = |bytes: usize| bytes as f64 / triangles as f64;
    let rows = builders.iter().zip(milliseconds).zip(known).zip(mrays);
    Ok(rows
        .map(|(((builder, mut times), (bytes, sah_cost)), mrays)| {
            times.sort_by(f64::total_cmp);
            Row {
                mesh: subject.name.clone(),
                triangles,
                builder: builder.name(),
                threads,
                ms_median: times[times.len() / 2],
                ms_best: times[0],
                bytes_per_triangle: bytes.map(a_triangle),
                peak_bytes_per_triangle: peak::of(spec, builder.name(), threads).map(a_triangle),
                sah_cost,
                mrays,
            }
        })
        .collect())
}

/// Casts each set through each tree, turn by turn.
fn cast(
    subject: &Subject,
    trees: &mut [Built],
    args: &BuildArgs,
) -> anyhow::Result<Vec<Vec<(&'static str, f64)>>> {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool: ThreadPool = pool.context("cannot start a thread pool")?;
    let bvh = Bvh::build(subject.mesh.clone(), &BuildOptions::default());
    let mut mrays = vec![Vec::new(); trees.len()];
    for set in SETS {
        let rays = set.rays(subject, &bvh, args.rays.get());
        if rays.is_empty() {
            continue;
        }
        let mut best = vec![f64::INFINITY; trees.len()];
        for tree in &mut *trees {
            tree.single.take(&rays, set.query());
        }
        for _ in 0..=CASTS {
            for (Built { single, .. }, best) in trees.iter_mut().zip(&mut best) {
                let (times, ()) = pool.install(|| Times::of(|| single.cast()));
                *best = best.min(times.by(args.clock, 1));
            }
        }
        for (mrays, seconds) in mrays.iter_mut().zip(best) {
            mrays.push((set.name(), rays.len() as f64 / seconds / 1e6));
        }
    }
    Ok(mrays)
}

/// Prints one table for each mesh and number of threads.
fn print(rows: &[Row]) {
    let cell = |row: &Row| (row.mesh.clone(), row.threads);
    for group in rows.chunk_by(|a, b| cell(a) == cell(b)) {
        println!("\n{}, {} thread(s)", group[0].mesh, group[0].threads);
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let sets = SETS.map(Set::name);
        let heads = ["builder", "ms, median", "best", "bytes/triangle", "most", "SAH"];
        table.set_header([&heads[..], &sets[..]].concat());
        for row in group {
            let number = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.2}"));
            let of_set = |set: &&str| {
                let found = row.mrays.iter().find(|(name, _)| name == set);
                number(found.map(|&(_, mrays)| mrays))
            };
            let mut cells = vec![row.builder.to_owned()];
            cells.extend([format!("{:.1}", row.ms_median), format!("{:.1}", row.ms_best)]);
            cells.push(number(row.bytes_per_triangle));
            cells.extend([number(row.peak_bytes_per_triangle), number(row.sah_cost)]);
            cells.extend(sets.iter().map(of_set));
            table.add_row(cells);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        println!("{table}");
    }
    println!("most: bytes a triangle that the build held at once beyond what it was given.");
    println!("Mrays/s of each set: one ray a call on one thread, the best of {CASTS}.");
}
