//! The `hitscan` command: stdout is data, stderr is progress and errors; exit 0 is fine, 1 is
//! failed, 2 is wrong usage, 130 is ended by Ctrl-C.

#![forbid(unsafe_code)]

mod args;
mod bake;
mod bench;
mod cast;
mod check;
mod explain;
mod failure;
mod file_lines;
mod hits;
mod inside;
mod inspect;
mod interrupt;
mod mesh_file;
mod milliseconds;
mod number;
mod output;
mod progress;
mod query;
mod random;
mod rays;
mod render;
mod single;
mod summary;
mod table;
mod values;
mod viewpoint;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    interrupt::listen();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    // A level that cannot be had would otherwise be passed over in silence.
    hitscan::Level::from_env().map_err(|error| anyhow::anyhow!("HITSCAN_SIMD: {error}"))?;
    match &args.command {
        Command::Cast(args) => cast::run(args),
        Command::Bake(args) => bake::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Render(args) => render::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Inside(args) => inside::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Check(args) => check::run(args),
    }
}
