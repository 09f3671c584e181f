//! The project's chores, run as `cargo xtask NAME`.

#![forbid(unsafe_code)]

mod ci;
mod command;

use std::path::PathBuf;

use clap::Parser;

#[derive(Parser)]
#[command(bin_name = "cargo xtask", about = "The project's chores")]
enum Chore {
    /// Runs everything that CI checks
    Ci(ci::Args),
}

fn main() -> anyhow::Result<()> {
    match Chore::parse() {
        Chore::Ci(args) => ci::run_steps(&args),
    }
}

/// The workspace's folder.
fn root() -> PathBuf {
    let xtask = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().expect("xtask lies in the workspace").into()
}
