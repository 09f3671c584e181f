//! Running other programs from the workspace's folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A program to be run in the workspace's folder; `cargo` is the one that runs this.
pub(crate) fn command<'a>(program: &str, arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = match program {
        "cargo" => Command::new(cargo()),
        program => Command::new(program),
    };
    command.args(arguments).current_dir(crate::root());
    command
}

/// Runs a program to its end; an exit status other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let name = line_of(command);
    let status = command.status().with_context(|| format!("`{name}` could not be started"))?;
    ensure!(status.success(), "`{name}` ended with {status}");
    Ok(())
}

/// Runs this very chore again as a release build, where this is a debug build: for chores that
/// cast millions of rays.
pub(crate) fn in_release() -> Option<Result<()>> {
    if !cfg!(debug_assertions) {
        return None;
    }
    // Not in the workspace's folder: files are named from where the caller stands.
    let mut again = Command::new(cargo());
    again.args(["run", "--quiet", "--release", "--package", "xtask", "--manifest-path"]);
    again.arg(crate::root().join("Cargo.toml")).arg("--").args(std::env::args_os().skip(1));
    Some(run(&mut again))
}

/// Builds the examples and the chores for release, in one go: each on its own would have other
/// features of its dependencies, and build the engine anew. Gives the folder of the programs.
pub(crate) fn release_programs(settings: &[(&str, &str)]) -> Result<PathBuf> {
    let arguments = ["--package", "hitscan", "--package", "xtask", "--examples", "--bins"];
    let mut build = command("cargo", ["build", "--release"].into_iter().chain(arguments));
    build.envs(settings.iter().copied());
    println!("$ {}", line_of(&build));
    run(&mut build)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(crate::root().join(target).join("release"))
}

/// The cargo that runs this.
fn cargo() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The command as one would type it.
pub(crate) fn line_of(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
