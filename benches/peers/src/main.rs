//! The arena in which hitscan meets other ray casters: same meshes, same rays, answers compared.

#![deny(unsafe_code)]

mod arena;
mod args;
mod builders;
mod builds;
mod engines;
mod foreign;
mod meshes;
mod peak;
mod rays;
mod report;

use anyhow::Context;
use clap::Parser;

use crate::args::{Args, Casting, Command};
use crate::meshes::View;
use crate::report::Row;

fn main() -> anyhow::Result<()> {
    match Args::parse().command {
        Command::Trace(args) => {
            let view = args.eye.zip(args.target);
            trace(&args.meshes, view, &args.casting(), report::print)
        }
        Command::Growth(args) => trace(&args.meshes(), None, &args.casting(), report::print_growth),
        Command::Build(args) => builds::run(&args),
        Command::Peak(args) => peak::run(&args),
    }
}

fn trace(
    meshes: &[String],
    view: Option<View>,
    casting: &Casting,
    print: fn(&[Row]),
) -> anyhow::Result<()> {
    let mut load = arena::Load::measure();
    if let Some(reason) = load.reason() {
        eprintln!("warning: {reason}");
    }
    let mut rows = Vec::new();
    for spec in meshes {
        let subject = meshes::load(spec, view)?;
        rows.extend(arena::meet(&subject, casting, &mut load)?);
        report::rank(&mut rows, casting.force || load.reason().is_none());
        // Rows of small meshes must not be lost to one that is too large for this machine.
        if let Some(path) = &casting.json {
            let json = serde_json::to_string_pretty(&rows)?;
            std::fs::write(path, json).with_context(|| path.display().to_string())?;
        }
    }
    print(&rows);
    if !casting.force && load.reason().is_some() {
        println!("warning: not ranked ({}); --force ranks all the same", load.describe());
    }
    Ok(())
}
