//! The arena in which hitscan meets other ray casters: same meshes, same rays, answers compared.

#![deny(unsafe_code)]

mod arena;
mod args;
mod builders;
mod builds;
mod engines;
mod foreign;
mod meshes;
mod rays;
mod report;

use anyhow::Context;
use clap::Parser;

use crate::args::{Args, Command, TraceArgs};

fn main() -> anyhow::Result<()> {
    match Args::parse().command {
        Command::Trace(args) => trace(&args),
        Command::Build(args) => builds::run(&args),
    }
}

fn trace(args: &TraceArgs) -> anyhow::Result<()> {
    let mut load = arena::Load::measure();
    if let Some(reason) = load.reason() {
        eprintln!("warning: {reason}");
    }
    let mut rows = Vec::new();
    for spec in &args.meshes {
        let subject = meshes::load(spec, args.eye.zip(args.target))?;
        rows.extend(arena::meet(&subject, args, &mut load)?);
    }
    let ranked = args.force || load.reason().is_none();
    report::rank(&mut rows, ranked);
    report::print(&rows);
    if !ranked {
        println!("warning: not ranked ({}); --force ranks all the same", load.describe());
    }
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&rows)?;
        std::fs::write(path, json).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
