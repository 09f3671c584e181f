//! The command line, as `--help` tells it: what commands there are. What each takes has a file of
//! its own.

mod bake;
mod bench;
mod cast;
mod check;
mod explain;
mod inside;
mod inspect;
mod mesh;
mod render;

use clap::{Parser, Subcommand};

pub(crate) use bake::BakeArgs;
pub(crate) use bench::BenchArgs;
pub(crate) use cast::{CastArgs, InputFormat, Query, TableFormat};
pub(crate) use check::CheckArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use inside::InsideArgs;
pub(crate) use inspect::InspectArgs;
pub(crate) use mesh::{MESH_FORMATS, MeshArgs, ReadingArgs, ThreadsArgs, mesh_format};
pub(crate) use render::{RenderArgs, Shade, UpAxis};

/// What does this ray hit in this mesh?
#[derive(Debug, Parser)]
#[command(
    name = "hitscan",
    version,
    about = "What does this ray hit in this mesh?",
    long_about = "What does this ray hit in this mesh? Casts rays at triangle meshes: exactly, \
                  and fast.",
    after_help = "\
Examples:
  hitscan cast bunny.obj --rays rays.csv --out hits.csv
  hitscan cast bunny.obj --origin 0,0,5 --direction 0,0,-1
  hitscan bake bunny.obj --out bunny.hscan --quality high
  hitscan inspect bunny.hscan
  hitscan render bunny.obj --out bunny.png
  hitscan bench bunny.ply
  hitscan inside bunny.obj --points points.csv --out inside.csv
  hitscan explain bunny.obj --origin 0,0,5 --direction 0,0,-1
  hitscan check bunny.obj

stdout is data, stderr is progress and errors. Exit codes: 0 fine, 1 failed, 2 wrong usage,
130 ended by Ctrl-C.
HITSCAN_SIMD=scalar|sse4.2|avx2|avx512|neon forces a SIMD level (`inspect` shows it); answers
are the same at every level.",
    max_term_width = 100
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Cast(CastArgs),
    Bake(BakeArgs),
    Inspect(InspectArgs),
    Render(RenderArgs),
    Bench(BenchArgs),
    Inside(InsideArgs),
    Explain(ExplainArgs),
    Check(CheckArgs),
}
