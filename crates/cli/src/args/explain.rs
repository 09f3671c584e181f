//! The arguments of `hitscan explain`.

use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};
use crate::values::{self, EdgesName, FacesName};

/// Tell why a ray hits what it hits, or why it misses
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The first line is the verdict, the rest is why: what the ray's line hits before, within and beyond
the interval of t; the boxes of the tree that it enters; the triangles tested, and what became of
each; the nearest miss and how far off it is; what a test of every triangle says; and what is
wrong with the mesh near by. A, B and C are a triangle's corners in file order, and the weights
of the three say where in the triangle's plane the line passes: one that is negative lies outside
of the opposite edge.

Examples:
  hitscan explain bunny.obj --origin 0,0,5 --direction 0,0,-1
  hitscan explain bunny.obj --origin 0,0,5 --direction 0,0,-1 --triangle 4711
  hitscan explain bunny.obj --origin 0,0,5 --direction 0,0,-1 --full | less")]
pub(crate) struct ExplainArgs {
    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// The ray's origin
    #[arg(long, value_name = "x,y,z", value_parser = values::point, allow_hyphen_values = true)]
    pub(crate) origin: [f64; 3],

    /// The ray's direction, of any length but zero
    #[arg(long, value_name = "x,y,z", value_parser = values::point, allow_hyphen_values = true)]
    pub(crate) direction: [f64; 3],

    /// The least t that counts
    #[arg(long, value_name = "T", allow_hyphen_values = true, default_value = "0")]
    pub(crate) t_min: f64,

    /// The greatest t that counts
    #[arg(long, value_name = "T", allow_hyphen_values = true, default_value = "inf")]
    pub(crate) t_max: f64,

    /// Which sides of a triangle can be hit
    #[arg(long, value_enum, default_value = "both", hide_possible_values = true)]
    #[arg(value_name = "both|front|back")]
    pub(crate) faces: FacesName,

    /// On a shared edge, count the crossing once or every triangle touched
    #[arg(long, value_enum, default_value = "closed", hide_possible_values = true)]
    #[arg(value_name = "once|closed")]
    pub(crate) edges: EdgesName,

    /// Tell what becomes of this triangle too, wherever it is
    #[arg(long, value_name = "N")]
    pub(crate) triangle: Option<u32>,

    /// List every box and every triangle on the ray's way
    #[arg(long)]
    pub(crate) full: bool,

    /// Print JSON, with every box and every triangle
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}
