//! The tests of the copy, built once, and run with one mutant awake.

use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::copy::VARIABLE;
use super::table::{CORE, ENGINE, Mutant, TRAVERSAL};
use crate::command::{command, line_of};
use crate::levels;

/// The packages whose tests are run, in turn, until one is red.
const PACKAGES: [&str; 3] = [TRAVERSAL, ENGINE, CORE];

/// Tests that run longer than this never end: a mutant may go round in circles.
const LONGEST: Duration = Duration::from_secs(1800);

/// What became of a mutant.
pub(super) enum Fate {
    /// The tests that failed.
    Killed(Vec<String>),
    Survived,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Killed(tests) => {
                write!(f, "killed by {}", tests[..tests.len().min(3)].join(", "))?;
                match tests.len() {
                    0..=3 => Ok(()),
                    count => write!(f, " and {} more", count - 3),
                }
            }
            Self::Survived => f.write_str("SURVIVED"),
        }
    }
}

/// The programs that run the tests.
pub(super) struct Tests {
    programs: Vec<Program>,
    log: PathBuf,
}

struct Program {
    package: &'static str,
    path: PathBuf,
    /// Where its package lies.
    folder: PathBuf,
}

impl Tests {
    /// Builds the tests of a copy.
    pub(super) fn build(tree: &Path) -> Result<Self> {
        let mut arguments = vec!["test", "--no-run", "--message-format", "json-render-diagnostics"];
        arguments.extend(PACKAGES.into_iter().flat_map(|package| ["--package", package]));
        let mut command = command("cargo", arguments.into_iter().chain(["--test", "it"]));
        command
            .current_dir(tree)
            .env("CARGO_TARGET_DIR", tree.with_file_name("target"))
            .env("RUSTFLAGS", levels::without_idle())
            // Debug information doubles the time of a build and is not looked at.
            .env("CARGO_PROFILE_DEV_DEBUG", "0");
        println!("$ {}", line_of(&command));
        // Mutants make the compiler warn of many things.
        let output = command.output().context("cargo is needed")?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the copy does not build:\n{errors}");
        let mut programs = Vec::new();
        for line in String::from_utf8(output.stdout)?.lines() {
            let message: Value = serde_json::from_str(line)?;
            let (Some(path), Some(manifest)) =
                (message["executable"].as_str(), message["manifest_path"].as_str())
            else {
                continue;
            };
            let folder = PathBuf::from(manifest).parent().map(PathBuf::from).unwrap_or_default();
            let named = |package: &&str| folder.ends_with(package.trim_start_matches("hitscan-"));
            if let Some(package) = PACKAGES.into_iter().find(|package| named(package)) {
                programs.push(Program { package, path: path.into(), folder });
            }
        }
        ensure!(programs.len() == PACKAGES.len(), "cargo does not tell where the tests are");
        Ok(Self { programs, log: tree.with_file_name("tests.log") })
    }

    /// Runs the test that is to kill a mutant, and all the others if it does not.
    pub(super) fn try_mutant(&self, number: usize, mutant: &Mutant) -> Result<Fate> {
        let (package, test) = mutant.killed_by;
        match self.run(package, &["--exact", test], Some(number))? {
            Fate::Survived => self.run_all(Some(number)),
            fate => Ok(fate),
        }
    }

    /// Runs all tests until those of a package are red.
    pub(super) fn run_all(&self, mutant: Option<usize>) -> Result<Fate> {
        for package in PACKAGES {
            match self.run(package, &[], mutant)? {
                Fate::Survived => {}
                fate => return Ok(fate),
            }
        }
        Ok(Fate::Survived)
    }

    fn run(&self, package: &str, arguments: &[&str], mutant: Option<usize>) -> Result<Fate> {
        let program = self.programs.iter().find(|program| program.package == package);
        let program = program.context("no such package")?;
        let mut command = Command::new(&program.path);
        command
            .args(arguments)
            .current_dir(&program.folder)
            .env(VARIABLE, mutant.map_or_else(String::new, |number| number.to_string()))
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .stdout(File::create(&self.log)?)
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().with_context(|| line_of(&command))?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > LONGEST {
                child.kill()?;
                child.wait()?;
                return Ok(Fate::Killed(vec![format!("`{package}`, whose tests do not end")]));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let log = fs::read_to_string(&self.log)?;
        let mut tests = log.lines().filter_map(|line| line.strip_prefix("test "));
        if status.success() {
            ensure!(tests.next().is_some(), "{package} has no test {}", arguments.join(" "));
            return Ok(Fate::Survived);
        }
        let failed = tests.filter_map(|test| test.strip_suffix(" ... FAILED"));
        let mut failed: Vec<String> = failed.map(str::to_owned).collect();
        if failed.is_empty() {
            failed.push(format!("`{package}`, whose tests broke off with {status}"));
        }
        Ok(Fate::Killed(failed))
    }
}
