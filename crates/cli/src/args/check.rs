//! The arguments of `hitscan check`.

use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};

/// List what is wrong with a mesh, and check the engine on it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Defects, with their first places:
  open edges          of one triangle only: the mesh ends there, or has a hole
  non-manifold edges  of three triangles or more
  inconsistent edges  along which two triangles run the same way
  flipped faces       the fewest triangles to turn so that no edge is inconsistent
  duplicate faces     whose corners lie where those of an earlier one do
  degenerate faces    without area; never hit
  non-finite          vertices, and faces that use them; never hit
  coarse faces        that span fewer than 16 steps of single precision at their place, so that
                      it takes double precision to tell their corners apart well
  collapsed faces     with corners that differ in the file and not in single precision
  skipped faces       of fewer than three corners
Vertices at exactly the same position are one vertex, unless --indexed is given.

Then rays, a third of them at random, a third aimed at edges and a third at vertices, are cast in
every way: nearest, any, all and count, one by one and as a batch. The answers must agree with each
other and, for as many rays as some seconds allow, with a test of every triangle. From outside a
closed mesh each ray must cross the surface an even number of times.

A baked file is first checked in every byte, and then whether it is a tree over its mesh.

Exit codes: 0 if the engine agrees, whatever the mesh's defects; 1 if not, or if --strict is given
and the mesh has a defect, or if a baked file is damaged.

Examples:
  hitscan check bunny.obj
  hitscan check bunny.obj --rays 1000000 --seed 7
  hitscan check bunny.obj --json | jq .defects")]
pub(crate) struct CheckArgs {
    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// How many rays to cast
    #[arg(long, value_name = "N", default_value = "10000")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
    pub(crate) rays: u32,

    /// Other rays of the same kinds
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,

    /// Take only vertices with the same index for the same
    #[arg(long)]
    pub(crate) indexed: bool,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}
