//! The arguments of `hitscan render`.

use std::path::PathBuf;

use clap::ValueEnum;
use hitscan::file::MeshFormat;

use super::{MeshArgs, mesh_format};
use crate::values;

/// Draw a mesh as a PNG picture
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Shades:
  lit      a soft key light, a sky and the shadows of both
  normals  the direction that triangles face, as wound: x is red, y is green, z is blue
  depth    the distance along each ray, with a legend
  prim     a colour for each triangle
  ao       how much of the sky each point sees
  cost     nodes and leaves of the tree that each ray visits, with a legend

Without --eye the camera looks from the front, right and above, and the whole mesh is in the
picture. For the inside of a building give --eye and --target.

Examples:
  hitscan render bunny.obj --out bunny.png
  hitscan render bunny.obj --out cost.png --shade cost --size 1920x1080
  hitscan render room.obj --out room.png --eye -12,3,0 --target 0,4,0 --fov 60 --samples 64
  hitscan render terrain.obj --out terrain.png --up z")]
pub(crate) struct RenderArgs {
    /// The mesh's kind, whatever its bytes and name say
    #[arg(long, value_parser = mesh_format(), hide_possible_values = true)]
    #[arg(value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// The picture, a .png file
    #[arg(long, value_name = "IMG.png")]
    pub(crate) out: PathBuf,

    /// What to show
    #[arg(long, value_enum, default_value = "lit", hide_possible_values = true)]
    #[arg(value_name = "lit|normals|depth|prim|ao|cost")]
    pub(crate) shade: Shade,

    /// The picture's width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "960x720", value_parser = values::size)]
    pub(crate) size: [u32; 2],

    /// Where the camera stands [default: where the whole mesh is seen]
    #[arg(long, value_name = "x,y,z", value_parser = values::finite_point)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) eye: Option<[f64; 3]>,

    /// What the camera looks at [default: the middle of the mesh]
    #[arg(long, value_name = "x,y,z", value_parser = values::finite_point)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) target: Option<[f64; 3]>,

    /// The vertical field of view in degrees
    #[arg(long, value_name = "DEGREES", default_value = "40", value_parser = values::field_of_view)]
    pub(crate) fov: f64,

    /// The axis that points up
    #[arg(long, value_enum, default_value = "y", hide_possible_values = true)]
    #[arg(value_name = "x|y|z")]
    pub(crate) up: UpAxis,

    /// Rays from the camera for each pixel
    #[arg(long, value_name = "N", default_value = "32")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub(crate) samples: u32,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shade {
    /// Light and shadow
    Lit,
    /// Normals as colours
    Normals,
    /// Distance
    Depth,
    /// A colour for each triangle
    Prim,
    /// Ambient occlusion
    Ao,
    /// Traversal steps
    Cost,
}

/// The axis that points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpAxis {
    X,
    Y,
    Z,
}
