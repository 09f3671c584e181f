//! Rays as comma-separated values.

use std::io::BufRead;

use hitscan::RayF64;

use super::{CHUNK, RaySource};
use crate::table::{Columns, Lines};

/// What a ray can hold, in the order of [`super::ray_of`]'s numbers.
const NAMES: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
const REQUIRED: usize = 6;

/// Rays as comma-separated values.
pub(super) struct CsvRays<Reader> {
    lines: Lines<Reader>,
    columns: Columns<8>,
    size: Option<u64>,
    rays_read: u64,
}

impl<Reader: BufRead> CsvRays<Reader> {
    pub(super) fn new(reader: Reader, name: String, size: Option<u64>) -> anyhow::Result<Self> {
        let mut lines = Lines::new(reader, name);
        let columns = Columns::read(&mut lines, NAMES, REQUIRED)?;
        Ok(Self { lines, columns, size, rays_read: 0 })
    }
}

impl<Reader: BufRead> RaySource for CsvRays<Reader> {
    fn read_chunk(&mut self, rays: &mut Vec<RayF64>) -> anyhow::Result<()> {
        *rays = self.lines.parse_block(CHUNK, |line| {
            let mut numbers = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, f64::INFINITY];
            self.columns.parse(line, &mut numbers)?;
            Ok(super::ray_of(numbers))
        })?;
        self.rays_read += rays.len() as u64;
        Ok(())
    }

    fn expected(&self) -> Option<u64> {
        let read = self.lines.bytes_read().max(1) as f64;
        let guess = self.size? as f64 / read * self.rays_read as f64;
        (self.rays_read > 0).then_some(guess as u64)
    }
}
