//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use hitscan::{Level, Quality};

use crate::builders;
use crate::engines;
use crate::meshes;
use crate::rays::Set;

/// The arena in which hitscan meets other ray casters.
#[derive(Debug, Parser)]
#[command(name = "peers")]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Cast the same rays at the same meshes with every engine.
    Trace(TraceArgs),
    /// Cast the same rays at generated meshes of more and more triangles, on more and more threads.
    Growth(GrowthArgs),
    /// Build trees over the same meshes with every engine.
    Build(BuildArgs),
    /// How much memory one build takes, for `build`.
    #[command(hide = true)]
    Peak(PeakArgs),
}

#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// OBJ files and generated meshes: `terrain:N`, `soup:N` (N triangles), `forest`.
    #[arg(long, value_delimiter = ',', default_value = "terrain:100000")]
    pub meshes: Vec<String>,
    /// Camera position; by default one that frames the mesh.
    #[arg(long, value_parser = vector, allow_hyphen_values = true, requires = "target")]
    pub eye: Option<[f64; 3]>,
    /// The point that the camera looks at.
    #[arg(long, value_parser = vector, allow_hyphen_values = true, requires = "eye")]
    pub target: Option<[f64; 3]>,
    #[command(flatten)]
    casting: Casting,
}

#[derive(Debug, clap::Args)]
pub struct GrowthArgs {
    /// How many triangles the meshes have, about: `1k` is a thousand, `1M` a million.
    #[arg(long, value_delimiter = ',', value_parser = meshes::count)]
    #[arg(default_value = "1k,10k,100k,1M,10M")]
    triangles: Vec<u32>,
    /// Which meshes are generated.
    #[arg(long, value_delimiter = ',', default_value = "terrain,soup")]
    kinds: Vec<Kind>,
    #[command(flatten)]
    casting: Casting,
}

/// Meshes that can be had with any number of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Hills over a square grid.
    Terrain,
    /// Triangles anywhere in a cube, so large that they would just fill it.
    Soup,
}

/// What is cast, by whom, and how it is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Casting {
    /// Ray sets: primary, bounces in tile order, bounces shuffled, short any-hit, random. All by
    /// default; `growth` takes primary and random ones.
    #[arg(long, value_delimiter = ',')]
    pub sets: Vec<Set>,
    /// Engines whose names begin with one of these; all by default, Embree's two in `growth`.
    /// hitscan is always there.
    #[arg(long, value_delimiter = ',', value_parser = engine)]
    pub engines: Vec<String>,
    /// Rays a set; primary rays are rounded down to a power of four.
    #[arg(long, default_value = "1048576")]
    pub rays: NonZeroUsize,
    /// Thread counts, each measured by itself: 1 by default; in `growth` 1, 2, 4, … to all that
    /// this machine has.
    #[arg(long, value_delimiter = ',')]
    pub threads: Vec<NonZeroUsize>,
    /// Timed repetitions of each contestant, after one that warms up.
    #[arg(long, default_value = "5")]
    pub reps: NonZeroUsize,
    /// How hitscan builds its tree.
    #[arg(long, default_value = "high")]
    pub quality: QualityArg,
    /// The SIMD level of hitscan and of Embree, of those that this CPU has, such as `sse4.2` or
    /// `avx2`; by default each takes the best. Below `avx2`, tinybvh is left out.
    #[arg(long)]
    pub level: Option<Level>,
    /// What is measured: `cpu` is less disturbed by other processes, `wall` is what users see.
    #[arg(long, default_value = "wall")]
    pub clock: Clock,
    /// Write the rows as JSON, anew after each mesh.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Rank even if the machine is busy with something else.
    #[arg(long)]
    pub force: bool,
}

impl TraceArgs {
    /// What is cast, with this command's defaults.
    pub fn casting(&self) -> Casting {
        self.casting.or(&[Set::Prim, Set::Bnct, Set::Bncs, Set::Ao, Set::Rnd], &[], 1)
    }
}

impl GrowthArgs {
    /// What is cast, with this command's defaults.
    pub fn casting(&self) -> Casting {
        let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.casting.or(&[Set::Prim, Set::Rnd], &["embree"], all)
    }

    /// The meshes of one kind after those of the other, growing.
    pub fn meshes(&self) -> Vec<String> {
        let mut triangles = self.triangles.clone();
        triangles.sort_unstable();
        let name = |kind: &Kind| match kind {
            Kind::Terrain => "terrain",
            Kind::Soup => "soup",
        };
        let of_kind = |kind| triangles.iter().map(move |count| format!("{}:{count}", name(kind)));
        self.kinds.iter().flat_map(of_kind).collect()
    }
}

impl Casting {
    /// The same with these sets and engines, and 1, 2, 4, … to `threads` threads, where it does not
    /// say which.
    fn or(&self, sets: &[Set], engines: &[&str], threads: usize) -> Self {
        let mut casting = self.clone();
        if casting.sets.is_empty() {
            casting.sets = sets.to_vec();
        }
        if casting.engines.is_empty() {
            casting.engines = engines.iter().map(|&engine| engine.to_owned()).collect();
        }
        if casting.threads.is_empty() {
            let doubled = std::iter::successors(Some(1), |&count| Some(2 * count));
            let counts = doubled.take_while(|&count| count < threads).chain([threads]);
            casting.threads = counts.filter_map(NonZeroUsize::new).collect();
        }
        casting
    }

    /// Whether an engine takes part.
    pub fn wants(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|prefix| engine.starts_with(prefix))
    }
}

#[derive(Debug, clap::Args)]
pub struct BuildArgs {
    /// OBJ files and generated meshes: `terrain:N`, `soup:N` (N triangles), `forest`.
    #[arg(long, value_delimiter = ',', default_value = "terrain:100000")]
    pub meshes: Vec<String>,
    /// Builders whose names begin with one of these; all by default.
    #[arg(long, value_delimiter = ',', value_parser = builder)]
    pub builders: Vec<String>,
    /// Thread counts, each measured by itself.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    pub threads: Vec<NonZeroUsize>,
    /// Builds of each builder, after one that warms up.
    #[arg(long, default_value = "5")]
    pub reps: NonZeroUsize,
    /// Rays a set that are cast through each tree, one a call.
    #[arg(long, default_value = "65536")]
    pub rays: NonZeroUsize,
    /// What is measured: `cpu` is less disturbed by other processes, `wall` is what users see.
    #[arg(long, default_value = "wall")]
    pub clock: Clock,
    /// Write the rows as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct PeakArgs {
    /// The mesh.
    pub mesh: String,
    /// The builder's whole name.
    pub builder: String,
    /// How many threads build.
    pub threads: NonZeroUsize,
}

impl BuildArgs {
    /// Whether a builder takes part.
    pub fn wants(&self, name: &str) -> bool {
        self.builders.is_empty() || self.builders.iter().any(|prefix| name.starts_with(prefix))
    }
}

fn builder(prefix: &str) -> Result<String, String> {
    let known = builders::NAMES.iter().any(|name| name.starts_with(prefix));
    let names = || format!("no builder begins so; there are {}", builders::NAMES.join(", "));
    if known { Ok(prefix.to_owned()) } else { Err(names()) }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Clock {
    Wall,
    Cpu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum QualityArg {
    Fast,
    Balanced,
    High,
}

impl From<QualityArg> for Quality {
    fn from(quality: QualityArg) -> Self {
        match quality {
            QualityArg::Fast => Self::Fast,
            QualityArg::Balanced => Self::Balanced,
            QualityArg::High => Self::High,
        }
    }
}

fn engine(prefix: &str) -> Result<String, String> {
    let known = engines::NAMES.iter().any(|name| name.starts_with(prefix));
    let names = || format!("no engine begins so; there are {}", engines::NAMES.join(", "));
    if known { Ok(prefix.to_owned()) } else { Err(names()) }
}

fn vector(text: &str) -> Result<[f64; 3], String> {
    let number = |word: &str| word.trim().parse().map_err(|_| format!("`{word}` is not a number"));
    let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| "expected x,y,z".to_owned())
}
