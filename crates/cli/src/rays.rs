//! Rays from files, some at a time, so that a file may be larger than memory.

mod csv;
mod npy;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use hitscan::RayF64;

use crate::args::TableFormat;
use crate::failure::Usage;

/// Rays that one reading gives.
pub(crate) const CHUNK: usize = 1 << 18;

/// Somewhere that rays come from.
pub(crate) trait RaySource {
    /// Replaces `rays` by the next ones, [`CHUNK`] at most; none when there are no more.
    fn read_chunk(&mut self, rays: &mut Vec<RayF64>) -> anyhow::Result<()>;

    /// How many rays there are in all, as far as is known.
    fn expected(&self) -> Option<u64>;
}

/// Opens a file of rays; `-` is CSV from stdin.
pub(crate) fn open(path: &Path, format: Option<TableFormat>) -> anyhow::Result<Box<dyn RaySource>> {
    let stdin = path == Path::new("-");
    let extension = path.extension().map(|extension| extension.to_ascii_lowercase());
    let format = match (format, extension.as_ref().and_then(|extension| extension.to_str())) {
        (Some(format), _) => format,
        (None, _) if stdin => TableFormat::Csv,
        (None, Some("csv")) => TableFormat::Csv,
        (None, Some("npy")) => TableFormat::Npy,
        (None, _) if !path.exists() => {
            anyhow::bail!("{}: no such file", path.display());
        }
        (None, _) => {
            let path = path.display();
            let message = format!("{path}: neither .csv nor .npy; say which with --format");
            return Err(Usage(message).into());
        }
    };
    let name = if stdin { "stdin".into() } else { path.display().to_string() };
    let (reader, size): (Box<dyn Read>, _) = if stdin {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).with_context(|| name.clone())?;
        let metadata = file.metadata().with_context(|| name.clone())?;
        if metadata.is_dir() {
            anyhow::bail!("{name}: is a folder");
        }
        (Box::new(file), metadata.is_file().then_some(metadata.len()))
    };
    let reader = BufReader::with_capacity(1 << 20, reader);
    Ok(match format {
        TableFormat::Csv => Box::new(csv::CsvRays::new(reader, name, size)?),
        TableFormat::Npy => Box::new(npy::NpyRays::new(reader, name, size)?),
    })
}

/// The rays that the command line itself holds.
#[derive(Debug)]
pub(crate) struct GivenRays(pub(crate) Vec<RayF64>);

impl RaySource for GivenRays {
    fn read_chunk(&mut self, rays: &mut Vec<RayF64>) -> anyhow::Result<()> {
        rays.clear();
        rays.append(&mut self.0);
        Ok(())
    }

    fn expected(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }
}

/// A ray of the numbers `ox, oy, oz, dx, dy, dz, t_min, t_max`.
fn ray_of(numbers: [f64; 8]) -> RayF64 {
    let [ox, oy, oz, dx, dy, dz, t_min, t_max] = numbers;
    RayF64 { origin: [ox, oy, oz], direction: [dx, dy, dz], t_min, t_max }
}
