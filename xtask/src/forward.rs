//! Chores that are one cargo command.

use anyhow::Result;

use crate::command::{command, run};

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// What is handed on
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    rest: Vec<String>,
}

/// The criterion benches; arguments go to criterion, such as a filter.
pub(crate) fn bench(args: &Args) -> Result<()> {
    forward("bench --package hitscan-benches --", args)
}

/// The arena of the peers, which is a workspace of its own.
pub(crate) fn peers(args: &Args) -> Result<()> {
    forward("run --release --manifest-path benches/peers/Cargo.toml --", args)
}

fn forward(line: &str, args: &Args) -> Result<()> {
    run(&mut command("cargo", line.split(' ').chain(args.rest.iter().map(String::as_str))))
}
