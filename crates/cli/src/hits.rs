//! Hits to files, a chunk of rays at a time.

mod csv;
mod npy;

use std::path::Path;

use hitscan::RayF64;

use crate::args::{Query, TableFormat};
use crate::failure::Usage;
use crate::output::{TextOutput, WholeFile};
use crate::query::{Answers, PlacedMesh};

/// A chunk of rays and the answers to them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered<'a> {
    /// How many rays came before these.
    pub(crate) first_ray: u64,
    pub(crate) rays: &'a [RayF64],
    pub(crate) answers: &'a Answers,
    pub(crate) mesh: &'a PlacedMesh,
}

/// Somewhere that hits go to.
pub(crate) trait HitSink {
    /// Writes the answers to a chunk of rays.
    fn write_chunk(&mut self, chunk: &Answered<'_>) -> anyhow::Result<()>;

    /// Ends the output; a file takes its name.
    fn finish(self: Box<Self>) -> anyhow::Result<()>;
}

/// Where hits go.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target<'a> {
    /// CSV to stdout.
    Stdout,
    /// A file.
    File(&'a Path, TableFormat),
}

impl<'a> Target<'a> {
    /// The target of `--out`, checked before any work is done.
    pub(crate) fn new(path: Option<&'a Path>, format: Option<TableFormat>) -> Result<Self, Usage> {
        let Some(path) = path.filter(|&path| path != Path::new("-")) else {
            return match format {
                Some(TableFormat::Npy) => {
                    Err(Usage("--out -: hits on stdout are CSV; .npy needs a file".into()))
                }
                _ => Ok(Self::Stdout),
            };
        };
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
        let format = match (format, extension.as_ref().and_then(|extension| extension.to_str())) {
            (Some(format), _) => format,
            (None, Some("csv")) => TableFormat::Csv,
            (None, Some("npy")) => TableFormat::Npy,
            (None, _) => {
                let path = path.display();
                let message =
                    format!("--out {path}: neither .csv nor .npy; say which with --out-format");
                return Err(Usage(message));
            }
        };
        Ok(Self::File(path, format))
    }

    pub(crate) fn is_stdout(self) -> bool {
        matches!(self, Self::Stdout)
    }

    /// Begins the output.
    pub(crate) fn open(self, query: Query) -> anyhow::Result<Box<dyn HitSink>> {
        Ok(match self {
            Self::Stdout => Box::new(csv::CsvHits::new(TextOutput::create(None)?, query)),
            Self::File(path, TableFormat::Csv) => {
                Box::new(csv::CsvHits::new(TextOutput::create(Some(path))?, query))
            }
            Self::File(path, TableFormat::Npy) => {
                Box::new(npy::NpyHits::new(WholeFile::create(path)?, query)?)
            }
        })
    }
}
