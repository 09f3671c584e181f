//! The mesh and how to read and build it, as commands take it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::TypedValueParser;
use hitscan::BuildOptions;
use hitscan::file::MeshFormat;

use crate::values::{self, LayoutName, QualityName};

/// The mesh and how to read and build it: what every command takes.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MeshArgs {
    /// The mesh: a file of OBJ, STL, PLY, OFF, glTF or GLB, or one that `hitscan bake` made
    #[arg(value_name = "MESH")]
    pub(crate) mesh: PathBuf,

    #[command(flatten)]
    pub(crate) reading: ReadingArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,

    /// How much time to spend on the tree; answers are the same for all [default: balanced]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "fast|balanced|high")]
    pub(crate) quality: Option<QualityName>,

    /// What the tree is made of: speed, or little memory; answers are the same for both
    /// [default: fast]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "fast|compact")]
    pub(crate) layout: Option<LayoutName>,
}

impl MeshArgs {
    pub(crate) fn build_options(&self) -> BuildOptions {
        let layout = self.layout.unwrap_or(LayoutName::Fast).layout();
        BuildOptions { layout, ..BuildOptions::from(self.quality_name().quality()) }
    }

    pub(crate) fn quality_name(&self) -> QualityName {
        self.quality.unwrap_or(QualityName::Balanced)
    }
}

/// How to read a mesh.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Make an error of anything in the mesh file that is a warning otherwise; read a baked file
    /// whole, and make an error of any byte that is not what it was
    #[arg(long)]
    pub(crate) strict: bool,
}

/// How many threads to use.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ThreadsArgs {
    /// How many threads to use [default: all cores]; answers are the same for any number
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}

/// The names of `--format` for meshes.
pub(crate) const MESH_FORMATS: [(&str, MeshFormat); 5] = [
    ("obj", MeshFormat::Obj),
    ("stl", MeshFormat::Stl),
    ("ply", MeshFormat::Ply),
    ("off", MeshFormat::Off),
    ("gltf", MeshFormat::Gltf),
];

/// Takes the name of a format of meshes.
pub(crate) fn mesh_format() -> impl TypedValueParser<Value = MeshFormat> {
    values::named(MESH_FORMATS)
}
