//! Closed meshes from files: every ray from outside leaves as often as it enters, and the volume
//! by crossings is that of the triangles.

mod volume;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use hitscan::obj::{ObjOptions, read_file};
use hitscan_testkit::meshes;

use crate::command::in_release;
use crate::leaks::{self, Cell, HEADER, NOTE, Tally};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// OBJ files of closed meshes, whose triangles face outward
    #[arg(value_name = "MESH", required = true)]
    meshes: Vec<PathBuf>,
    /// Rays cast at each mesh from outside, each in every kind of query
    #[arg(long, default_value_t = 100_000)]
    rays: usize,
    /// Cells on a side of the finest grid by which the volume is measured
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(64..=16384))]
    grid: u32,
    /// The volume that the first mesh is said to have, then the second, and so on
    #[arg(long, value_name = "VOLUME")]
    volume: Vec<f64>,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Tries every mesh, and fails if a crossing of one is lost or a volume is wrong.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(result) = in_release() {
        return result;
    }
    let start = Instant::now();
    let mut total = Tally::default();
    let mut wrong = 0;
    println!("{NOTE}");
    for (index, file) in args.meshes.iter().enumerate() {
        let (mesh, _) = read_file(file, ObjOptions::default())?;
        ensure!(meshes::is_closed(&mesh), "{}: not every edge is shared", file.display());
        println!("\n{}: {} triangles", name(file), mesh.triangle_count());
        let cell = Cell::around(mesh, name(file));
        println!("{HEADER}");
        let tally = leaks::cast_at(&cell, args.rays, args.seed);
        println!("{}", tally.row());
        let stated = args.volume.get(index).copied();
        wrong += volume::measure(cell.mesh(), args.grid, stated);
        total.add(tally);
    }
    total.show();
    println!("\n{} faults; {:.0} s", total.faults() + wrong, start.elapsed().as_secs_f64());
    match total.faults() + wrong {
        0 => Ok(()),
        faults => bail!("{faults} faults"),
    }
}

fn name(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}
