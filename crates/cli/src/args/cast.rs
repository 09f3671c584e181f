//! The arguments of `hitscan cast`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::TypedValueParser;
use hitscan::file::MeshFormat;

use super::{MESH_FORMATS, MeshArgs};
use crate::values::{self, EdgesName, FacesName};

/// Cast rays at a mesh and write what they hit
#[derive(Debug, clap::Args)]
#[command(after_help = "See `hitscan cast --help` for the file formats and for examples.")]
#[command(after_long_help = "\
Rays, P = origin + t·direction with t_min ≤ t ≤ t_max:
  .csv  the header ox,oy,oz,dx,dy,dz and, if wanted, t_min,t_max (0 and inf otherwise);
        inf, -inf and nan are allowed; an invalid ray misses
  .npy  an array of float32 or float64 of shape (N,6) or (N,8), the columns in that order
  -     CSV from stdin
Directions need not have unit length: t is in units of the direction's length.

Hits, in the order of the rays:
  closest  ray,hit,t,prim,u,v,x,y,z,nx,ny,nz,front,object; after a miss hit is 0, the rest empty
  any      ray,hit
  count    ray,count
  all      the columns of closest, hits only, near to far, `ray` repeated
prim is the triangle's index in file order; the point is (1-u-v)·A + u·B + v·C of its corners;
nx,ny,nz is its unit normal, facing as wound; front is 1 if the ray met the side from which the
corners run counter-clockwise; object is the triangle's object (else group) in the file.
  .npy     one structured array. closest: t (inf after a miss), prim (4294967295 after a miss),
           u, v, x, y, z, nx, ny, nz, front; any: hit; count: count; all: ray, then as closest
A file appears under its name only when it is whole.

Examples:
  hitscan cast bunny.obj --rays rays.csv --out hits.csv
  hitscan cast bunny.obj --rays rays.npy --out hits.npy --query any --threads 8
  generate-rays | hitscan cast bunny.obj --rays - --query count > counts.csv
  hitscan cast bunny.obj --origin 0,0,5 --direction 0,0,-1
  hitscan cast bunny.obj --origin -1,0,0 --direction 1,0,0 --query all --json
  hitscan cast bunny.obj --rays rays.csv --transform 2,0,0,0,0,2,0,0,0,0,2,10")]
#[command(override_usage = "hitscan cast <MESH> --rays <RAYS> [OPTIONS]
       hitscan cast <MESH> --origin <x,y,z> --direction <x,y,z> [OPTIONS]")]
#[command(group(clap::ArgGroup::new("what").required(true).args(["rays", "origin"])))]
pub(crate) struct CastArgs {
    /// The rays, as .csv or .npy; - is CSV from stdin
    #[arg(long, value_name = "RAYS")]
    pub(crate) rays: Option<PathBuf>,

    /// One ray's origin, instead of --rays
    #[arg(long, value_name = "x,y,z", value_parser = values::point, allow_hyphen_values = true)]
    #[arg(requires = "direction")]
    pub(crate) origin: Option<[f64; 3]>,

    /// One ray's direction, of any length but zero
    #[arg(long, value_name = "x,y,z", value_parser = values::point, allow_hyphen_values = true)]
    #[arg(requires = "origin")]
    pub(crate) direction: Option<[f64; 3]>,

    /// The least t that counts for the one ray [default: 0]
    #[arg(long, value_name = "T", allow_hyphen_values = true, requires = "origin")]
    pub(crate) t_min: Option<f64>,

    /// The greatest t that counts for the one ray [default: inf]
    #[arg(long, value_name = "T", allow_hyphen_values = true, requires = "origin")]
    pub(crate) t_max: Option<f64>,

    /// Where hits go, as .csv or .npy; - or nothing is CSV to stdout
    #[arg(long, value_name = "HITS")]
    pub(crate) out: Option<PathBuf>,

    /// What to ask of each ray
    #[arg(long, value_enum, default_value = "closest", hide_possible_values = true)]
    #[arg(value_name = "closest|any|all|count")]
    pub(crate) query: Query,

    /// Which sides of a triangle can be hit; a side that cannot be hit hides nothing
    #[arg(long, value_enum, default_value = "both", hide_possible_values = true)]
    #[arg(value_name = "both|front|back")]
    pub(crate) faces: FacesName,

    /// On a shared edge, count the crossing once or every triangle touched
    /// [default: once for all and count, closed for closest and any]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "once|closed")]
    pub(crate) edges: Option<EdgesName>,

    /// Place the mesh: a 3×4 matrix, row by row, 12 numbers with commas between them
    #[arg(long, value_name = "MATRIX", value_parser = values::transform)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) transform: Option<[f64; 12]>,

    /// The kind of MESH (obj, stl, ply, off or gltf), whatever its bytes and name say, or of RAYS
    /// (csv or npy), where the extension does not tell; may be given once for each
    #[arg(long, value_parser = input_format(), hide_possible_values = true, value_name = "KIND")]
    pub(crate) format: Vec<InputFormat>,

    /// The kind of HITS, where its extension does not tell
    #[arg(long, value_enum, hide_possible_values = true, value_name = "csv|npy")]
    #[arg(requires = "out")]
    pub(crate) out_format: Option<TableFormat>,

    /// Print the summary as JSON: to stdout, or to stderr when hits go to stdout. One ray's
    /// answer is JSON too
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}

/// What to ask of each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Query {
    /// The nearest hit
    Closest,
    /// Whether anything is hit
    Any,
    /// Every hit, near to far
    All,
    /// How many hits there are
    Count,
}

impl Query {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Closest => "closest",
            Self::Any => "any",
            Self::All => "all",
            Self::Count => "count",
        }
    }
}

/// The kind of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputFormat {
    /// What MESH is
    Mesh(MeshFormat),
    /// What RAYS are
    Rays(TableFormat),
}

/// Takes the name of a format of meshes or rays.
fn input_format() -> impl TypedValueParser<Value = InputFormat> {
    let [obj, stl, ply, off, gltf] =
        MESH_FORMATS.map(|(name, format)| (name, InputFormat::Mesh(format)));
    let [csv, npy] = [("csv", TableFormat::Csv), ("npy", TableFormat::Npy)]
        .map(|(name, format)| (name, InputFormat::Rays(format)));
    values::named([obj, stl, ply, off, gltf, csv, npy])
}

/// The kind of a table of rays or hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Comma-separated values with a header
    Csv,
    /// A numpy array
    Npy,
}
