//! The fuzz targets of crates/fuzz, where a nightly toolchain and cargo-fuzz are at hand.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{line_of, run as run_command};
use crate::levels;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these targets
    #[arg(value_name = "TARGET")]
    only: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// The targets, each a file in crates/fuzz/targets.
const TARGETS: [&str; 5] = ["obj", "grid", "soup", "slab", "baked"];

/// How long a target runs in CI, which is to take a quarter of an hour at most; building the targets
/// takes most of the step.
const CI_SECONDS: u32 = 5;

/// Inputs longer than this find nothing that shorter ones do not.
const MAX_LENGTH: u32 = 4096;

/// One input that takes longer than this is a fault.
const TIMEOUT: u32 = 20;

/// Runs the targets one after another; a finding in one is an error.
pub(crate) fn run(args: &Args) -> Result<()> {
    if let Some(unknown) = args.only.iter().find(|name| !TARGETS.contains(&name.as_str())) {
        bail!("no target is called `{unknown}`; there are: {}", TARGETS.join(", "));
    }
    if let Some(what) = missing() {
        bail!("{what}");
    }
    for target in TARGETS {
        if args.only.is_empty() || args.only.iter().any(|only| only == target) {
            fuzz(target, args.seconds)?;
        }
    }
    Ok(())
}

/// A short run of every target, or a line that says why there is none.
pub(crate) fn ci() -> Result<()> {
    match missing() {
        Some(what) => println!("skipped: {what}"),
        None => TARGETS.iter().try_for_each(|target| fuzz(target, CI_SECONDS))?,
    }
    Ok(())
}

/// What fuzzing needs and is not there.
fn missing() -> Option<String> {
    let works = |command: &mut Command| command.output().is_ok_and(|out| out.status.success());
    if !works(nightly().arg("--version")) {
        return Some("fuzzing needs a nightly toolchain: rustup toolchain install nightly".into());
    }
    if !works(nightly().args(["fuzz", "--version"])) {
        return Some("fuzzing needs cargo-fuzz: cargo install cargo-fuzz --locked".into());
    }
    None
}

/// The nightly toolchain's cargo, whichever one runs this.
fn nightly() -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").current_dir(crate::root());
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    // A setting for the short build of CI, which would leave the targets without optimisation
    // across crates.
    command.env_remove("CARGO_PROFILE_RELEASE_LTO");
    // cargo-fuzz adds its own.
    command.env("RUSTFLAGS", levels::without_idle());
    command
}

fn fuzz(target: &str, seconds: u32) -> Result<()> {
    let start = Instant::now();
    let corpus = seeds(target)?;
    let mut command = nightly();
    command.args(["fuzz", "run", "--fuzz-dir", "crates/fuzz", target]);
    command.args(corpus).arg("--");
    command.arg(format!("-max_total_time={seconds}"));
    command.arg(format!("-max_len={MAX_LENGTH}")).arg(format!("-timeout={TIMEOUT}"));
    command.args(["-print_final_stats=1", "-verbosity=0"]);
    if target == "obj" {
        command.arg("-dict=crates/fuzz/obj.dict");
    }
    println!("$ {}", line_of(&command));
    run_command(&mut command).with_context(|| {
        format!("{target}: what it found lies in crates/fuzz/artifacts/{target}")
    })?;
    println!("{target}: nothing found, {:.0} s with the build", start.elapsed().as_secs_f64());
    Ok(())
}

/// The folders that a target starts from: what it found before, and files of the project.
fn seeds(target: &str) -> Result<Vec<String>> {
    let corpus = format!("crates/fuzz/corpus/{target}");
    std::fs::create_dir_all(crate::root().join(&corpus)).with_context(|| corpus.clone())?;
    let mut folders = vec![corpus];
    if target == "obj" {
        folders.push("crates/cli/tests/data".into());
    }
    for folder in &folders {
        ensure!(crate::root().join(folder).is_dir(), "{folder} is no folder");
    }
    Ok(folders)
}
