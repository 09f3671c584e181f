//! The command line.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use hitscan::Quality;

use crate::builders;
use crate::engines;
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
    /// Build trees over the same meshes with every engine.
    Build(BuildArgs),
}

#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// OBJ files and generated meshes: `terrain:N`, `soup:N` (N triangles), `forest`.
    #[arg(long, value_delimiter = ',', default_value = "terrain:100000")]
    pub meshes: Vec<String>,
    /// Ray sets: primary, bounces in tile order, bounces shuffled, short any-hit, random.
    #[arg(long, value_delimiter = ',', default_value = "prim,bnct,bncs,ao,rnd")]
    pub sets: Vec<Set>,
    /// Engines whose names begin with one of these; all by default. hitscan is always there.
    #[arg(long, value_delimiter = ',', value_parser = engine)]
    pub engines: Vec<String>,
    /// Rays a set; primary rays are rounded down to a power of four.
    #[arg(long, default_value = "1048576")]
    pub rays: NonZeroUsize,
    /// Thread counts, each measured by itself.
    #[arg(long, value_delimiter = ',', default_value = "1")]
    pub threads: Vec<NonZeroUsize>,
    /// Timed repetitions of each contestant, after one that warms up.
    #[arg(long, default_value = "5")]
    pub reps: NonZeroUsize,
    /// How hitscan builds its tree.
    #[arg(long, default_value = "high")]
    pub quality: QualityArg,
    /// What is measured: `cpu` is less disturbed by other processes, `wall` is what users see.
    #[arg(long, default_value = "wall")]
    pub clock: Clock,
    /// Write the rows as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
    /// Rank even if the machine is busy with something else.
    #[arg(long)]
    pub force: bool,
    /// Camera position; by default one that frames the mesh.
    #[arg(long, value_parser = vector, allow_hyphen_values = true, requires = "target")]
    pub eye: Option<[f64; 3]>,
    /// The point that the camera looks at.
    #[arg(long, value_parser = vector, allow_hyphen_values = true, requires = "eye")]
    pub target: Option<[f64; 3]>,
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
    /// Rays a set that are cast through each tree of hitscan and of Embree, one a call.
    #[arg(long, default_value = "65536")]
    pub rays: NonZeroUsize,
    /// What is measured: `cpu` is less disturbed by other processes, `wall` is what users see.
    #[arg(long, default_value = "wall")]
    pub clock: Clock,
    /// Write the rows as JSON.
    #[arg(long)]
    pub json: Option<PathBuf>,
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

impl TraceArgs {
    /// Whether an engine takes part.
    pub fn wants(&self, engine: &str) -> bool {
        self.engines.is_empty() || self.engines.iter().any(|prefix| engine.starts_with(prefix))
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
