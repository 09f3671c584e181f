//! Charts of what the arena of the peers measured, as SVG.

mod builders;
mod engine;
mod labels;
mod lines;
mod panel;
mod rows;
mod scale;
mod sheet;
mod svg;

use std::path::PathBuf;

use anyhow::{Context, Result};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What to draw
    #[arg(value_name = "CHART")]
    kind: Kind,
    /// Rows that `cargo xtask peers` wrote with --json; several files count as one
    #[arg(value_name = "ROWS", required = true)]
    rows: Vec<PathBuf>,
    /// Where the picture goes
    #[arg(short, long, value_name = "SVG")]
    out: PathBuf,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Kind {
    /// Rays a second against the number of triangles: rows of `growth`
    Growth,
    /// Rays a second against the number of threads, at the largest mesh of each kind: rows of
    /// `growth` or `trace`
    Threads,
    /// Time of a build against rays a second through its tree: rows of `build`
    Builders,
}

/// Which of the rows are drawn, and what is said of them.
#[derive(Clone, Debug, Default, clap::Args)]
struct Choice {
    /// Rows of so many threads only; by default of the fewest that there are
    #[arg(long)]
    threads: Option<usize>,
    /// Ray sets; all by default, of which `builders` takes the geometric mean
    #[arg(long, value_delimiter = ',')]
    sets: Vec<String>,
    /// Said below the title: CPU, date, commit
    #[arg(long, default_value = "")]
    caption: String,
}

impl Choice {
    /// Rows of how many threads are drawn, of all that there are.
    fn threads(&self, all: impl Iterator<Item = usize>) -> usize {
        self.threads.or(all.min()).unwrap_or(1)
    }

    fn wants(&self, set: &str) -> bool {
        self.sets.is_empty() || self.sets.iter().any(|own| own == set)
    }
}

fn in_words(threads: usize) -> String {
    format!("{threads} thread{}", if threads == 1 { "" } else { "s" })
}

/// Draws one chart.
pub(crate) fn run(args: &Args) -> Result<()> {
    let picture = match args.kind {
        Kind::Growth => lines::growth(&rows::read(&args.rows)?, &args.choice),
        Kind::Threads => lines::threads(&rows::read(&args.rows)?, &args.choice),
        Kind::Builders => builders::draw(&rows::read(&args.rows)?, &args.choice),
    }?;
    std::fs::write(&args.out, picture).with_context(|| args.out.display().to_string())
}
