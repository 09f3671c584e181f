//! Running other programs from the workspace's folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::levels;

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
    levels::with_all(&mut again);
    again.arg(crate::root().join("Cargo.toml")).arg("--").args(std::env::args_os().skip(1));
    Some(run(&mut again))
}

/// The release build of the chores and the tool. Alone, the chores would have other features of
/// their dependencies, and build the engine anew.
pub(crate) fn release_build(settings: &[(&str, &str)]) -> Command {
    let arguments = ["--locked", "--package", "hitscan-cli", "--package", "xtask"];
    let mut build = command("cargo", ["build", "--release"].into_iter().chain(arguments));
    build.envs(settings.iter().copied());
    levels::with_all(&mut build);
    build
}

/// Builds the chores for release and gives their program.
pub(crate) fn release_chores(settings: &[(&str, &str)]) -> Result<PathBuf> {
    let mut build = release_build(settings);
    println!("$ {}", line_of(&build));
    run(&mut build)?;
    Ok(target_folder().join("release/xtask"))
}

/// Where cargo puts what it builds.
pub(crate) fn target_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    crate::root().join(target)
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
