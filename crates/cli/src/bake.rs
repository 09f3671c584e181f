//! `hitscan bake`: builds a mesh's tree once, for all the times it is opened.

use std::io::{BufWriter, Write};
use std::path::Path;

use anstream::eprintln;
use anyhow::Context;
use serde::Serialize;

use crate::args::BakeArgs;
use crate::failure::Usage;
use crate::mesh_file;
use crate::milliseconds::Milliseconds;
use crate::number::{bytes, grouped};
use crate::output::WholeFile;
use crate::progress::Stage;
use crate::values::LayoutName;

pub(crate) fn run(args: &BakeArgs) -> anyhow::Result<()> {
    let (mesh, out) = (&args.mesh.mesh, &args.out);
    let to_stdout = out == Path::new("-");
    if !to_stdout && is_same_file(mesh, out) {
        let out = out.display();
        return Err(Usage(format!("--out {out}: that is the mesh, which would be lost")).into());
    }
    if mesh_file::is_baked(mesh) {
        return Err(Usage(format!("{}: is a baked tree already", mesh.display())).into());
    }
    let built = mesh_file::read_and_build(&args.mesh, args.format)?;
    let stage = Stage::spinner("saving tree");
    let (result, save_ms) = Milliseconds::of(|| -> anyhow::Result<u64> {
        if to_stdout {
            let mut count = Counted(BufWriter::new(std::io::stdout().lock()), 0);
            built.bvh.write_to(&mut count).context("stdout")?;
            return Ok(count.1);
        }
        // Not by `Bvh::save`, whose file nobody could remove if this is interrupted.
        let mut count = Counted(WholeFile::create(out)?, 0);
        let told = || format!("{}: cannot be written", out.display());
        built.bvh.write_to(&mut count).with_context(told)?;
        count.0.finish_for_good()?;
        Ok(count.1)
    });
    let file_bytes = result?;
    stage.done();
    let summary = Summary {
        schema: 1,
        mesh: mesh.display().to_string(),
        out: out.display().to_string(),
        triangles: built.bvh.mesh().triangle_count(),
        bytes: file_bytes,
        quality: args.mesh.quality_name().name(),
        layout: LayoutName::of(built.bvh.layout()).name(),
        load_ms: built.load_ms,
        build_ms: built.build_ms,
        save_ms,
    };
    match (args.json, to_stdout) {
        (true, false) => {
            writeln!(std::io::stdout(), "{}", serde_json::to_string(&summary)?)
                .context("stdout")?;
        }
        (true, true) => eprintln!("{}", serde_json::to_string(&summary)?),
        (false, _) => eprintln!(
            "{} triangles, {}: loaded in {load_ms}, built in {build_ms}, saved in {save_ms}",
            grouped(summary.triangles as u64),
            bytes(summary.bytes),
            load_ms = summary.load_ms,
            build_ms = summary.build_ms,
        ),
    }
    Ok(())
}

/// What `bake` tells.
#[derive(Debug, Serialize)]
struct Summary {
    schema: u32,
    mesh: String,
    out: String,
    triangles: usize,
    bytes: u64,
    quality: &'static str,
    layout: &'static str,
    load_ms: Milliseconds,
    build_ms: Milliseconds,
    save_ms: Milliseconds,
}

/// Whether two names are those of one file that is there.
fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(a).is_some_and(|a| Some(a) == real(b))
}

/// Counts what is written.
struct Counted<W>(W, u64);

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1 += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}
