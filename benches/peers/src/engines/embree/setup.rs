//! Where Embree's shared library comes from: a Python wheel in a virtual environment of our own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// The wheel that carries Embree 4.4.
const WHEEL: &str = "embreex==4.4.0.post1";
/// The variable that names another library to use.
const VARIABLE: &str = "HITSCAN_EMBREE";

/// The path of the library; installs the wheel into `target/venv` on first use.
pub fn library() -> anyhow::Result<PathBuf> {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return Ok(path.into());
    }
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv");
    if let Some(library) = find(&venv) {
        return Ok(library);
    }
    eprintln!("  embree: installing {WHEEL} into {}", venv.display());
    run(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    run(Command::new(venv.join("bin/python")).args(pip).arg(WHEEL))?;
    find(&venv).with_context(|| format!("{WHEEL} carries no libembree4"))
}

fn find(venv: &Path) -> Option<PathBuf> {
    let inside = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path())
    };
    inside(venv.join("lib"))
        .flat_map(|python| inside(python.join("site-packages/embreex.libs")))
        .find(|file| {
            file.file_name().is_some_and(|n| n.to_string_lossy().starts_with("libembree4"))
        })
}

fn run(command: &mut Command) -> anyhow::Result<()> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{command:?}: {}", said.trim().lines().last().unwrap_or("failed"));
    }
    Ok(())
}
