//! The arguments of `hitscan bake`.

use std::path::PathBuf;

use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};

/// Build a mesh's tree and save both, to be opened at once
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every command takes the file in place of a mesh, whatever its name, and answers as it would for the
mesh. The file holds all that is needed of the mesh: vertices, triangles, and the names of objects
and groups. It is mapped into memory, not read: opening takes milliseconds, and checks that no
ray can go astray in it. With --strict it is read, and every byte is checked. A file that was baked
by a later version is refused, and so is one that was cut short.
Do not write into a baked file that something has open; baking over it is fine.

Examples:
  hitscan bake dragon.obj --out dragon.hscan
  hitscan bake dragon.obj --out dragon.hscan --quality high
  hitscan cast dragon.hscan --rays rays.csv --out hits.csv
  hitscan check dragon.hscan")]
pub(crate) struct BakeArgs {
    /// The file to write, called .hscan by custom; - is stdout
    #[arg(short, long, value_name = "X.hscan")]
    pub(crate) out: PathBuf,

    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// Print the summary as JSON: to stdout, or to stderr when the tree goes to stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}
