//! The command line, as `--help` tells it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use hitscan::{BuildOptions, file};

use crate::values::{self, EdgesName, FacesName, LayoutName, QualityName};

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

stdout is data, stderr is progress and errors. Exit codes: 0 fine, 1 failed, 2 wrong usage.
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

/// The kind of an input file, where its extension does not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputFormat {
    /// MESH is Wavefront OBJ
    Obj,
    /// MESH is STL
    Stl,
    /// MESH is PLY
    Ply,
    /// MESH is OFF
    Off,
    /// MESH is glTF or GLB
    Gltf,
    /// RAYS are CSV
    Csv,
    /// RAYS are a numpy array
    Npy,
}

/// The kind of a table of rays or hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// Comma-separated values with a header
    Csv,
    /// A numpy array
    Npy,
}

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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "KIND")]
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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
    pub(crate) format: Option<MeshFormat>,

    /// Print the summary as JSON: to stdout, or to stderr when the tree goes to stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) mesh: MeshArgs,
}

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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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

/// The kind of a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeshFormat {
    /// Wavefront OBJ
    Obj,
    /// STL, text or binary
    Stl,
    /// PLY, text or binary
    Ply,
    /// OFF
    Off,
    /// glTF or GLB
    Gltf,
}

impl MeshFormat {
    pub(crate) fn of_file(self) -> file::MeshFormat {
        match self {
            Self::Obj => file::MeshFormat::Obj,
            Self::Stl => file::MeshFormat::Stl,
            Self::Ply => file::MeshFormat::Ply,
            Self::Off => file::MeshFormat::Off,
            Self::Gltf => file::MeshFormat::Gltf,
        }
    }
}

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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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

Examples:
  hitscan bench bunny.obj
  hitscan bench bunny.obj dragon.obj --seconds 2 --json > bench.json")]
pub(crate) struct BenchArgs {
    /// The meshes: files of OBJ, STL, PLY, OFF, glTF or GLB, of which every quality is measured,
    /// or baked ones, which are measured as they are
    #[arg(value_name = "MESH", required = true)]
    pub(crate) meshes: Vec<PathBuf>,

    /// The kind of all the meshes, whatever their bytes and names say
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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
    #[arg(long, value_enum, hide_possible_values = true, value_name = "obj|stl|ply|off|gltf")]
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
