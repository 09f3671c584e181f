//! `hitscan bench`: build time, tree and speed of each quality.

mod measure;
mod table;
mod work;
mod workload;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use hitscan::BuildOptions;
use serde::Serialize;

use crate::args::BenchArgs;
use crate::interrupt::Interrupted;
use crate::mesh_file::{self, BuiltMesh, MeshFile};
use crate::milliseconds::Milliseconds;
use crate::progress::Stage;
use crate::values::QualityName;

use measure::Mode;
use work::Work;
use workload::Workload;

const QUALITIES: [QualityName; 3] = [QualityName::Fast, QualityName::Balanced, QualityName::High];
const MODES: [Mode; 2] = [Mode::Single, Mode::Batch];

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    mesh_file::use_threads(&args.threads)?;
    let mut report = Report {
        schema: 1,
        simd: hitscan::Level::detect().name(),
        threads: rayon::current_num_threads(),
        seconds: args.seconds,
        rows: Vec::new(),
    };
    for path in &args.meshes {
        let given = if mesh_file::is_baked(path) {
            Given::Tree(mesh_file::open(path, args.format, &args.reading)?)
        } else {
            Given::Mesh(mesh_file::read(path, args.format, &args.reading)?)
        };
        let name = path.display().to_string();
        let rows = measure_mesh(&name, given, Duration::from_secs_f64(args.seconds))?;
        if !args.json {
            let text = table::of_mesh(&rows, report.simd, report.threads);
            writeln!(std::io::stdout(), "{text}").context("stdout")?;
        }
        report.rows.extend(rows);
    }
    if args.json {
        let text = serde_json::to_string_pretty(&report)?;
        writeln!(std::io::stdout(), "{text}").context("stdout")?;
    }
    Ok(())
}

#[derive(Debug, Serialize)]
struct Report {
    schema: u32,
    simd: &'static str,
    threads: usize,
    seconds: f64,
    rows: Vec<Row>,
}

/// One measurement of one tree.
#[derive(Clone, Debug, Serialize)]
struct Row {
    mesh: String,
    triangles: usize,
    load_ms: Milliseconds,
    quality: &'static str,
    build_ms: Milliseconds,
    nodes: usize,
    leaves: usize,
    depth: usize,
    sah_cost: f64,
    bytes_per_triangle: f64,
    /// What the rays are: primary, diffuse, …
    rays: &'static str,
    query: &'static str,
    /// Ray by ray on one thread, or all at once on all.
    mode: &'static str,
    #[serde(flatten)]
    work: Work,
    mrays_per_second: f64,
}

/// What is measured.
enum Given {
    /// A mesh, with trees of every quality.
    Mesh(MeshFile),
    /// A baked file, as it is.
    Tree(BuiltMesh),
}

fn measure_mesh(name: &str, given: Given, time: Duration) -> anyhow::Result<Vec<Row>> {
    let (mesh, load_ms, baked) = match given {
        Given::Mesh(file) => (Arc::new(file.mesh), file.load_ms, None),
        Given::Tree(tree) => (tree.bvh.mesh().clone(), tree.load_ms, Some(tree.bvh)),
    };
    if mesh.bounds().is_empty() {
        bail!("{name}: holds no triangle to cast rays at");
    }
    let qualities: &[QualityName] = if baked.is_some() { &[] } else { &QUALITIES };
    let trees = baked.map(|bvh| Ok(("baked", bvh, Milliseconds::default()))).into_iter();
    let trees = trees.chain(qualities.iter().map(|quality| {
        let options = BuildOptions::from(quality.quality());
        let (bvh, build_ms) = mesh_file::build(mesh.clone(), &options)?;
        Ok((quality.name(), bvh, build_ms))
    }));
    let mut workloads = None;
    let mut rows = Vec::new();
    for tree in trees {
        let (quality, bvh, build_ms) = tree.map_err(|error: Interrupted| error)?;
        let steps = workload::COUNT * MODES.len();
        let stage = Stage::steps(&format!("measuring {quality}"), steps as u64);
        let statistics = bvh.statistics().clone();
        if workloads.is_none() {
            // Every quality gives the same hits, so the rays made from them are the same too.
            workloads = Some(Workload::all(&bvh)?);
        }
        for workload in workloads.iter().flatten() {
            let work = Work::of(&bvh, workload);
            for mode in MODES {
                let mrays_per_second = measure::mrays_per_second(&bvh, workload, mode, time);
                stage.advance(1);
                rows.push(Row {
                    mesh: name.to_owned(),
                    triangles: mesh.triangle_count(),
                    load_ms,
                    quality,
                    build_ms,
                    nodes: statistics.nodes,
                    leaves: statistics.leaves,
                    depth: statistics.depth,
                    sah_cost: statistics.sah_cost,
                    bytes_per_triangle: statistics.bytes_per_triangle(),
                    rays: workload.name,
                    query: workload.query.name(),
                    mode: mode.name(),
                    work,
                    mrays_per_second,
                });
            }
        }
        stage.done();
    }
    Ok(rows)
}
