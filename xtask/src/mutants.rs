//! Faults put into the engine on purpose, one at a time: each must turn a test red.
//!
//! All go into one copy of the tracked files, under target/mutants, asleep: where a fault belongs,
//! the copy has `if is_awake(number) { fault } else { what is right }`. So the tests are built once
//! for all faults, and the environment says which one they are to run with. A fault that survives
//! shows a test that is missing.

mod copy;
mod table;
mod tests;

use std::time::Instant;

use anyhow::{Result, bail, ensure};

use table::MUTANTS;
use tests::{Fate, Tests};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the mutants whose names contain one of these
    #[arg(value_name = "NAME")]
    only: Vec<String>,
    /// Lists the mutants and checks that each still finds its place in the code
    #[arg(long)]
    list: bool,
    /// Skips the run without a mutant, which shows that the tests are green
    #[arg(long)]
    skip_unmutated: bool,
}

/// Tries every mutant, and fails if one survives.
pub(crate) fn run(args: &Args) -> Result<()> {
    let is_wanted = |name: &str| {
        args.only.is_empty() || args.only.iter().any(|only| name.contains(only.as_str()))
    };
    let mutants = || MUTANTS.iter().enumerate().filter(|(_, mutant)| is_wanted(mutant.name));
    ensure!(mutants().count() > 0, "no mutant has such a name");
    if args.list {
        copy::sources()?;
        for (_, mutant) in mutants() {
            println!("{:<40} {}", mutant.name, mutant.file);
        }
        return Ok(());
    }
    let tests = Tests::build(&copy::make()?)?;
    if !args.skip_unmutated {
        let start = Instant::now();
        if let Fate::Killed(tests) = tests.run_all(None)? {
            bail!("red without a mutant: {}", tests.join(", "));
        }
        println!("{:<40} green ({:.0} s)", "without a mutant", start.elapsed().as_secs_f64());
    }
    let mut survivors = Vec::new();
    for (number, mutant) in mutants() {
        let start = Instant::now();
        let fate = tests.try_mutant(number, mutant)?;
        if matches!(fate, Fate::Survived) {
            survivors.push(mutant.name);
        }
        println!("{:<40} {fate} ({:.0} s)", mutant.name, start.elapsed().as_secs_f64());
    }
    if survivors.is_empty() { Ok(()) } else { bail!("not killed: {}", survivors.join(", ")) }
}
