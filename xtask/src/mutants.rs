//! Faults put into the engine on purpose, one at a time: each must turn a test red.
//!
//! They go into a copy of the tracked files under target/mutants, which has a target directory of
//! its own. What survives there shows a test that is missing.

mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{command, line_of};
use table::{MUTANTS, Mutant};

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

/// The tests that are run, in turn, until one is red.
const TESTS: [&str; 3] = [
    "test --package hitscan-traversal --test it",
    "test --package hitscan --test it",
    "test --package hitscan-core --test it",
];

/// What became of a mutant.
enum Fate {
    /// The first tests that failed.
    Killed(Vec<String>),
    /// It does not compile, which proves nothing.
    Unbuilt(String),
    Survived,
}

/// Tries every mutant, and fails if one survives.
pub(crate) fn run(args: &Args) -> Result<()> {
    let wanted = |mutant: &&Mutant| {
        args.only.is_empty() || args.only.iter().any(|only| mutant.name.contains(only.as_str()))
    };
    let mutants: Vec<&Mutant> = MUTANTS.iter().filter(wanted).collect();
    ensure!(!mutants.is_empty(), "no mutant has such a name");
    for mutant in &mutants {
        mutated(&crate::root(), mutant)?;
        if args.list {
            println!("{:<32} {}", mutant.name, mutant.file);
        }
    }
    if args.list {
        return Ok(());
    }
    let tree = copied_tree()?;
    if !args.skip_unmutated {
        println!("the tests without a mutant");
        match fate(&tree)? {
            Fate::Survived => {}
            Fate::Killed(tests) => bail!("red already: {}", tests.join(", ")),
            Fate::Unbuilt(error) => bail!("the copy does not build: {error}"),
        }
    }
    let mut bad = Vec::new();
    for mutant in mutants {
        let start = Instant::now();
        let path = tree.join(mutant.file);
        let original = fs::read_to_string(&path)?;
        fs::write(&path, mutated(&tree, mutant)?)?;
        let fate = fate(&tree);
        fs::write(&path, original)?;
        let verdict = match fate? {
            Fate::Killed(tests) => {
                let more = tests.len().saturating_sub(3);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("killed by {}{more}", tests[..tests.len().min(3)].join(", "))
            }
            Fate::Unbuilt(error) => {
                bad.push(mutant.name);
                format!("DOES NOT BUILD: {error}")
            }
            Fate::Survived => {
                bad.push(mutant.name);
                "SURVIVED".into()
            }
        };
        println!("{:<32} {verdict} ({:.0} s)", mutant.name, start.elapsed().as_secs_f64());
    }
    if bad.is_empty() { Ok(()) } else { bail!("not killed: {}", bad.join(", ")) }
}

/// The text of the mutant's file with the fault in it.
fn mutated(root: &Path, mutant: &Mutant) -> Result<String> {
    let path = root.join(mutant.file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let places = text.matches(mutant.from).count();
    ensure!(
        places == 1,
        "{}: `{}` is {places} times in {}, not once",
        mutant.name,
        mutant.from,
        mutant.file
    );
    Ok(text.replace(mutant.from, mutant.to))
}

/// Copies the tracked files, as they are now; only what changed is written, so that the copy's
/// builds stay usable.
fn copied_tree() -> Result<PathBuf> {
    let tree = crate::root().join("target/mutants/tree");
    let listing = command("git", ["ls-files", "-z"]).output().context("git is needed")?;
    ensure!(listing.status.success(), "git does not list the files");
    for name in String::from_utf8(listing.stdout)?.split_terminator('\0') {
        let (from, to) = (crate::root().join(name), tree.join(name));
        // A tracked file may have been deleted; a link to a folder is no file.
        if !from.is_file() {
            continue;
        }
        let bytes = fs::read(&from)?;
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(to.parent().unwrap_or(&tree))?;
            fs::write(&to, bytes)?;
        }
    }
    Ok(tree)
}

/// Runs the tests in the copy until one is red.
fn fate(tree: &Path) -> Result<Fate> {
    for line in TESTS {
        let mut command: Command = command("cargo", line.split(' '));
        command
            .current_dir(tree)
            .env("CARGO_TARGET_DIR", tree.with_file_name("target"))
            // Debug information doubles the time of a build and is not looked at.
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0");
        let output = command.output().with_context(|| line_of(&command))?;
        if output.status.success() {
            continue;
        }
        let (out, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let failed: Vec<String> = out
            .lines()
            .filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
            .map(str::to_owned)
            .collect();
        if !failed.is_empty() {
            return Ok(Fate::Killed(failed));
        }
        if out.contains("running ") {
            return Ok(Fate::Killed(vec![format!("`cargo {line}`, which broke off")]));
        }
        let error = errors.lines().find(|line| line.starts_with("error")).unwrap_or("no message");
        return Ok(Fate::Unbuilt(error.into()));
    }
    Ok(Fate::Survived)
}
