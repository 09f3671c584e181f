//! From a mesh file, or a baked one, to a tree, with the warnings told and the time taken.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anstream::eprintln;
use anyhow::{Context, anyhow};
use hitscan::file::{self, MeshFormat, ReadError, ReadOptions};
use hitscan::{BuildOptions, BuildProgress, BuildWatch, Bvh, MeshReport, TriangleMesh, baked};

use crate::args::{MeshArgs, ReadingArgs, ThreadsArgs};
use crate::failure::Usage;
use crate::interrupt::{self, Interrupted};
use crate::milliseconds::Milliseconds;
use crate::progress::Stage;

/// How many warnings are told; the rest are counted.
const WARNINGS_TOLD: usize = 5;

/// A mesh as it was read.
#[derive(Debug)]
pub(crate) struct MeshFile {
    pub(crate) mesh: TriangleMesh,
    pub(crate) report: MeshReport,
    pub(crate) load_ms: Milliseconds,
}

/// Reads a mesh and tells its warnings on stderr. The format, if it is given, counts more than
/// the file's bytes and name.
pub(crate) fn read(
    path: &Path,
    format: Option<MeshFormat>,
    args: &ReadingArgs,
) -> anyhow::Result<MeshFile> {
    let stage = Stage::spinner("reading mesh");
    let options = ReadOptions { format, strict: args.strict, ..ReadOptions::default() };
    let (result, load_ms) = Milliseconds::of(|| file::read_file(path, &options));
    stage.done();
    let (mesh, report) = result.map_err(|error| match error {
        ReadError::UnknownFormat { .. } => anyhow!(
            "{error}; OBJ, STL, PLY, OFF, glTF and GLB can be read, and --format says which it is"
        ),
        error => error.into(),
    })?;
    tell_warnings(path, &report);
    Ok(MeshFile { mesh, report, load_ms })
}

fn tell_warnings(path: &Path, report: &MeshReport) {
    for warning in report.warnings.iter().take(WARNINGS_TOLD) {
        let line = if warning.line > 0 { format!(":{}", warning.line) } else { String::new() };
        let (path, message) = (path.display(), &warning.message);
        eprintln!("\u{1b}[1;33mwarning\u{1b}[0m: {path}{line}: {message}");
    }
    let told = report.warnings.len().min(WARNINGS_TOLD);
    if report.warning_count > told {
        let more = report.warning_count - told;
        let path = path.display();
        eprintln!("\u{1b}[1;33mwarning\u{1b}[0m: {path}: and {more} more");
    }
}

/// A mesh with its tree, and how long both took.
#[derive(Debug)]
pub(crate) struct BuiltMesh {
    pub(crate) bvh: Bvh,
    /// What its reader found; nothing for a baked file.
    pub(crate) report: MeshReport,
    /// Whether mesh and tree come from a baked file.
    pub(crate) is_baked: bool,
    pub(crate) load_ms: Milliseconds,
    pub(crate) build_ms: Milliseconds,
}

/// Reads a mesh and builds its tree, on as many threads as the caller wants; or opens both.
pub(crate) fn read_and_build(
    args: &MeshArgs,
    format: Option<MeshFormat>,
) -> anyhow::Result<BuiltMesh> {
    use_threads(&args.threads)?;
    if is_baked(&args.mesh) {
        for (name, is_given) in
            [("--quality", args.quality.is_some()), ("--layout", args.layout.is_some())]
        {
            if is_given {
                let path = args.mesh.display();
                let why = format!("{name}: {path} is a baked tree, which is built already");
                return Err(Usage(why).into());
            }
        }
        return open(&args.mesh, format, &args.reading);
    }
    let MeshFile { mesh, report, load_ms } = read(&args.mesh, format, &args.reading)?;
    let (bvh, build_ms) = build(mesh, &args.build_options())?;
    Ok(BuiltMesh { bvh, report, is_baked: false, load_ms, build_ms })
}

/// Builds a tree, and tells how far it is.
pub(crate) fn build(
    mesh: impl Into<Arc<TriangleMesh>>,
    options: &BuildOptions,
) -> Result<(Bvh, Milliseconds), Interrupted> {
    let mesh = mesh.into();
    let stage = Stage::building(mesh.triangle_count());
    let tell = |progress: BuildProgress| stage.tell(progress);
    let progress: Option<&(dyn Fn(BuildProgress) + Sync)> =
        if stage.is_shown() { Some(&tell) } else { None };
    let (bvh, build_ms) = Milliseconds::of(|| {
        interrupt::watched(|token| {
            Bvh::build_with(mesh, options, &BuildWatch { progress, cancel: Some(token) })
        })
    });
    stage.done();
    Ok((bvh?, build_ms))
}

/// Whether a file is a baked tree, by its first bytes.
pub(crate) fn is_baked(path: &Path) -> bool {
    // What comes through a pipe can be read only once, by a reader of meshes.
    let is_file = path.metadata().is_ok_and(|file| file.is_file());
    let mut first = Vec::new();
    let mut read = || File::open(path)?.take(8).read_to_end(&mut first);
    is_file && read().is_ok() && baked::is_baked(&first)
}

/// Opens a baked file: strictly by reading and checking every byte, else by mapping it.
pub(crate) fn open(
    path: &Path,
    format: Option<MeshFormat>,
    args: &ReadingArgs,
) -> anyhow::Result<BuiltMesh> {
    if format.is_some() {
        let why = format!("--format: {} is a baked tree, not a mesh file", path.display());
        return Err(Usage(why).into());
    }
    let stage = Stage::spinner("opening tree");
    let open = || if args.strict { Bvh::load(path) } else { Bvh::open(path) };
    let (bvh, load_ms) = Milliseconds::of(open);
    stage.done();
    let (report, build_ms) = (MeshReport::default(), Milliseconds::default());
    Ok(BuiltMesh { bvh: bvh?, report, is_baked: true, load_ms, build_ms })
}

/// Makes the global thread pool as large as asked for; to be called before any other work.
pub(crate) fn use_threads(args: &ThreadsArgs) -> anyhow::Result<()> {
    let Some(threads) = args.threads else { return Ok(()) };
    // Beyond this, a system runs out of threads before it runs out of work.
    const MOST: usize = 4096;
    if threads.get() > MOST {
        return Err(Usage(format!("--threads {threads} is more than {MOST}")).into());
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build_global()
        .with_context(|| format!("cannot start {threads} threads"))
}
