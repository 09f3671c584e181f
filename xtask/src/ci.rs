//! Everything that CI checks, step by step, each with its time.

mod readme;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::command::{command, line_of, release_build, release_chores, run, target_folder};
use crate::{codegen, fuzz};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the steps with these names
    #[arg(value_name = "STEP")]
    only: Vec<String>,
}

/// What a step is called, and what it does.
type Step = (&'static str, fn() -> Result<()>);

// The cheap ones first; the two commands of the README come word for word from the README.
const STEPS: [Step; 9] = [
    ("fmt", || cargo(&["fmt", "--all", "--check"])),
    ("clippy", || {
        cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"])
    }),
    ("test", readme::test),
    ("cast", readme::cast),
    ("examples", examples),
    ("doc", doc),
    ("leaks", leaks),
    ("codegen", codegen::ci),
    ("fuzz", fuzz::ci),
];

/// Runs the steps to the end, also past a failed one, and fails if one did.
pub(crate) fn run_steps(args: &Args) -> Result<()> {
    let names = STEPS.map(|(name, _)| name);
    if let Some(unknown) = args.only.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("no step is called `{unknown}`; there are: {}", names.join(", "));
    }
    let start = Instant::now();
    let _ahead = args.only.is_empty().then(Ahead::begin).transpose()?;
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    for (name, step) in STEPS {
        if !args.only.is_empty() && !args.only.iter().any(|only| only == name) {
            continue;
        }
        println!("== {name}");
        let begin = Instant::now();
        let result = step();
        if let Err(error) = &result {
            println!("{error:#}");
            failed.push(name);
        }
        let line = timing(name, begin.elapsed(), result.is_ok());
        println!("{line}\n");
        lines.push(line);
    }
    println!("{}\n{}", lines.join("\n"), timing("all", start.elapsed(), failed.is_empty()));
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// The release build of the tool and the chores, begun beside the first steps: a build has one
/// crate in work much of the time, and leaves the other cores idle. The steps that need it wait for
/// it, as cargo does for any build into the same folder.
struct Ahead(Child);

impl Ahead {
    fn begin() -> Result<Self> {
        let mut build = release_build(&[]);
        println!("$ {} &\n", line_of(&build));
        let child = build.arg("--quiet").stdin(Stdio::null()).spawn();
        Ok(Self(child.context("the release build could not be started")?))
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // Its outcome is that of the steps that need it.
        let _ = self.0.wait();
    }
}

fn timing(name: &str, time: Duration, fine: bool) -> String {
    let verdict = if fine { "ok" } else { "FAILED" };
    format!("== {name:<9} {verdict:<7} {:6.1} s", time.as_secs_f64())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let mut command = command("cargo", arguments.iter().copied());
    println!("$ {}", line_of(&command));
    run(&mut command)
}

/// Rays in every kind of query, and ten million in one or two kinds each.
fn leaks() -> Result<()> {
    let program = release_chores(&[])?;
    for rays in [&["--rays", "400000"][..], &["--lean", "--rays", "10000000"]] {
        let mut leaks = Command::new(&program);
        leaks.arg("leaks").args(rays);
        println!("$ {}", line_of(&leaks));
        run(&mut leaks)?;
    }
    Ok(())
}

/// Runs every example of the library, as the tests' step has built it.
fn examples() -> Result<()> {
    let folder = crate::root().join("crates/hitscan/examples");
    let mut names = Vec::new();
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    if names.is_empty() {
        bail!("{} holds no example", folder.display());
    }
    names.sort();
    // All packages, as the tests: fewer would have other features of what they depend on.
    cargo(&["build", "--locked", "--workspace", "--examples"])?;
    let programs = target_folder().join("debug/examples");
    for name in &names {
        println!("$ {name}");
        run(Command::new(programs.join(name)).current_dir(crate::root()))?;
    }
    Ok(())
}

/// Builds the libraries' documentation; a broken link is an error. (Not the binary's: it has the
/// library's name, and their pages would overwrite each other.)
fn doc() -> Result<()> {
    let mut command = command("cargo", ["doc", "--workspace", "--no-deps", "--lib"]);
    println!("$ RUSTDOCFLAGS=\"-D warnings\" {}", line_of(&command));
    run(command.env("RUSTDOCFLAGS", "-D warnings"))
}
