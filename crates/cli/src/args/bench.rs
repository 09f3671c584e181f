//! The arguments of `hitscan bench`.

use std::path::PathBuf;

use hitscan::file::MeshFormat;

use super::{ReadingArgs, ThreadsArgs, mesh_format};
use crate::values;

/// Measure build time, tree and speed
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Rays, the same for every run:
  primary   from a camera that sees the whole mesh, in Morton order
  diffuse   one bounce off what primary rays hit, in the order of those
  shuffled  the same rays in no order
  ao        from the same points, any hit within a tenth of the mesh's diagonal
  random    from anywhere in the mesh's box and 20 % around it, in any direction
`single` casts ray by ray on one thread, `batch` all rays at once on all threads.

What a ray visits is counted in a pass of its own, each ray by itself: nodes (up to eight boxes),
leaves (up to four triangles), the bytes that both take in memory, and triangles that were decided
exactly.

Examples:
  hitscan bench bunny.obj
  hitscan bench bunny.obj dragon.obj --seconds 2 --json > bench.json")]
pub(crate) struct BenchArgs {
    /// The meshes: files of OBJ, STL, PLY, OFF, glTF or GLB, of which every quality is measured,
    /// or baked ones, which are measured as they are
    #[arg(value_name = "MESH", required = true)]
    pub(crate) meshes: Vec<PathBuf>,

    /// The kind of all the meshes, whatever their bytes and names say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    /// How long to measure each kind of rays
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = values::seconds)]
    pub(crate) seconds: f64,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
