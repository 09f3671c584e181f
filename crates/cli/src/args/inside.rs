//! The arguments of `hitscan inside`.

use std::path::PathBuf;

use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};

/// Tell which points lie inside a closed mesh
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The mesh must be closed: every edge shared by two triangles. A point is inside if a ray from it
crosses the surface an odd number of times; crossings on edges and vertices count once, so the
answer never depends on luck.

Example:
  hitscan inside bunny.obj --points points.csv --out inside.csv")]
pub(crate) struct InsideArgs {
    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// The points, CSV with the header x,y,z; - is stdin
    #[arg(long, value_name = "P.csv")]
    pub(crate) points: PathBuf,

    /// Where answers go: CSV with the columns point,inside (1 or 0); - or nothing is stdout
    #[arg(long, value_name = "O.csv")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}
