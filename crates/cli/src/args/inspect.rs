//! The arguments of `hitscan inspect`.

use std::path::PathBuf;

use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};

/// Tell what is in a mesh and how good its tree is
#[derive(Debug, clap::Args)]
#[command(after_help = "\
SAH cost: the nodes and leaves that a random ray through the mesh's box is expected to visit.
Overlap: the nodes and leaves that a point of the surface lies in on average without being one of
theirs (end-point overlap), so that a ray that ends there visits them for nothing; taken at 16,384
points.
By level: the nodes and the leaves below 0, 1, 2, ... others. By size: the leaves with 0, 1, 2, 3
and 4 triangles.

--levels writes the tree's boxes as a mesh of boxes that any viewer shows: to an .obj with an
object for each level, or to a .ply with a color and a property `level` for each vertex. Level 0 is
the box around everything. Without --level the first levels are written, as long as none of them has
more than 4,096 boxes.

Examples:
  hitscan inspect bunny.obj
  hitscan inspect bunny.obj --quality high --json | jq .sah_cost
  hitscan inspect bunny.obj --levels boxes.obj
  hitscan inspect bunny.obj --levels boxes.ply --level 5
  HITSCAN_SIMD=avx2 hitscan inspect bunny.obj")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) mesh: MeshArgs,

    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the boxes of the tree's levels, as .obj or .ply
    #[arg(long, value_name = "BOXES")]
    pub(crate) levels: Option<PathBuf>,

    /// Which level to write; 0 is the box around everything
    #[arg(long, value_name = "N", requires = "levels")]
    pub(crate) level: Option<usize>,
}
