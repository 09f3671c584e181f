//! The project's chores, run as `cargo xtask NAME`.

#![forbid(unsafe_code)]

mod chart;
mod ci;
mod closed;
mod codegen;
mod command;
mod data;
mod fallback;
mod forward;
mod fuzz;
mod layouts;
mod leaks;
mod levels;
mod mutants;
mod oracle;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The project's chores")]
enum Chore {
    /// Runs everything that CI checks
    Ci(ci::Args),
    /// Fetches the meshes of data/meshes.toml and makes the large ones
    Data(data::Args),
    /// Compares closest hits with exact arithmetic over all triangles
    Oracle(oracle::Args),
    /// Casts at closed meshes in every kind of query; a leak or a wrong parity is an error
    Leaks(leaks::Args),
    /// Casts at closed meshes of yours: as many ways out as in, and the right volume
    Closed(closed::Args),
    /// Counts how often triangles at meshes of yours have to be decided exactly
    Fallback(fallback::Args),
    /// Compares memory and speed of the trees' layouts at meshes of yours
    Layouts(layouts::Args),
    /// Runs the fuzz targets of crates/fuzz, where nightly and cargo-fuzz are there
    Fuzz(fuzz::Args),
    /// Puts faults into a copy of the engine: each must turn a test red
    Mutants(mutants::Args),
    /// Looks at what the compiler made of the kernels: calls, and instructions a ray
    Codegen(codegen::Args),
    /// What `codegen` counts
    #[command(hide = true)]
    Workload(codegen::workload::Args),
    /// Runs the criterion benches
    Bench(forward::Args),
    /// Runs the arena of benches/peers, in which other ray casters take part
    Peers(forward::Args),
    /// Draws what the arena measured as an SVG picture
    Chart(chart::Args),
}

fn main() -> ExitCode {
    let result = match Chore::parse() {
        Chore::Ci(args) => ci::run_steps(&args),
        Chore::Data(args) => data::run(&args),
        Chore::Oracle(args) => oracle::run(&args),
        Chore::Leaks(args) => leaks::run(&args),
        Chore::Closed(args) => closed::run(&args),
        Chore::Fallback(args) => fallback::run(&args),
        Chore::Layouts(args) => layouts::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
        Chore::Mutants(args) => mutants::run(&args),
        Chore::Codegen(args) => codegen::run_all(&args),
        Chore::Workload(args) => codegen::workload::run(&args),
        Chore::Bench(args) => forward::bench(&args),
        Chore::Peers(args) => forward::peers(&args),
        Chore::Chart(args) => chart::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask lies in the workspace").into()
}
