//! Rays as a NumPy array of floats, one row a ray.

use std::io::Read;

use anyhow::{Context, anyhow, bail};
use hitscan::RayF64;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use rayon::prelude::*;

use super::{CHUNK, RaySource};

/// A header longer than this is none that describes an array of floats.
const LONGEST_HEADER: u64 = 2048;

/// Rays as a NumPy array of floats, one row a ray.
pub(super) struct NpyRays<Reader> {
    reader: Reader,
    name: String,
    layout: Layout,
    rays_read: u64,
    /// Everything, where the file goes column by column.
    by_column: Option<Vec<u8>>,
    buffer: Vec<u8>,
}

/// How the numbers of the rays lie in the file.
#[derive(Clone, Copy, Debug)]
struct Layout {
    rays: u64,
    /// 6, or 8 with `t_min` and `t_max`.
    columns: usize,
    /// 4 or 8 bytes a number.
    float_size: usize,
    big_endian: bool,
    order: Order,
}

impl<Reader: Read> NpyRays<Reader> {
    pub(super) fn new(mut reader: Reader, name: String, size: Option<u64>) -> anyhow::Result<Self> {
        let header = NpyHeader::from_reader(reader.by_ref().take(LONGEST_HEADER))
            .map_err(|error| anyhow!("{name}: not a NumPy array: {error}"))?;
        let layout = Layout::new(&header).with_context(|| name.clone())?;
        let bytes = layout.bytes().filter(|&bytes| size.is_none_or(|size| bytes <= size));
        let Some(bytes) = bytes else {
            bail!("{name}: ends before the {} rays that its header tells of", layout.rays);
        };
        let by_column = match layout.order {
            Order::C => None,
            Order::Fortran => {
                let mut all = Vec::new();
                reader.by_ref().take(bytes).read_to_end(&mut all).with_context(|| name.clone())?;
                if (all.len() as u64) < bytes {
                    bail!("{name}: ends before the {} rays that its header tells of", layout.rays);
                }
                Some(all)
            }
        };
        Ok(Self { reader, name, layout, rays_read: 0, by_column, buffer: Vec::new() })
    }
}

impl<Reader: Read> RaySource for NpyRays<Reader> {
    fn read_chunk(&mut self, rays: &mut Vec<RayF64>) -> anyhow::Result<()> {
        let layout = self.layout;
        let count = (layout.rays - self.rays_read).min(CHUNK as u64) as usize;
        let first = self.rays_read as usize;
        self.rays_read += count as u64;
        let (bytes, row_stride, column_stride) = match &self.by_column {
            Some(all) => {
                let column = layout.rays as usize * layout.float_size;
                (&all[first * layout.float_size..], layout.float_size, column)
            }
            None => {
                let row = layout.columns * layout.float_size;
                self.buffer.resize(count * row, 0);
                self.reader.read_exact(&mut self.buffer).with_context(|| {
                    let (name, rays) = (&self.name, layout.rays);
                    format!("{name}: ends before the {rays} rays that its header tells of")
                })?;
                (&self.buffer[..], row, layout.float_size)
            }
        };
        let ray = |row: usize| {
            let mut numbers = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, f64::INFINITY];
            for (column, number) in numbers[..layout.columns].iter_mut().enumerate() {
                *number = layout.float_at(bytes, row * row_stride + column * column_stride);
            }
            super::ray_of(numbers)
        };
        (0..count).into_par_iter().map(ray).collect_into_vec(rays);
        Ok(())
    }

    fn expected(&self) -> Option<u64> {
        Some(self.layout.rays)
    }
}

impl Layout {
    fn new(header: &NpyHeader) -> anyhow::Result<Self> {
        let &[rays, columns @ (6 | 8)] = header.shape() else {
            bail!("shape {:?}, not (N, 6) or (N, 8)", header.shape());
        };
        let dtype = header.dtype();
        let DType::Plain(plain) = &dtype else {
            bail!("an array of records, not of float32 or float64");
        };
        let (4 | 8, TypeChar::Float) = (plain.size_field(), plain.type_char()) else {
            bail!("an array of {}, not of float32 or float64", dtype.descr());
        };
        Ok(Self {
            rays,
            columns: columns as usize,
            float_size: plain.size_field() as usize,
            big_endian: plain.endianness() == Endianness::Big,
            order: header.order(),
        })
    }

    /// How many bytes all rays take, if that can be told in 64 bits.
    fn bytes(self) -> Option<u64> {
        self.rays.checked_mul((self.columns * self.float_size) as u64)
    }

    fn float_at(self, bytes: &[u8], at: usize) -> f64 {
        if self.float_size == 4 {
            let bytes = array_at(bytes, at);
            f64::from(if self.big_endian {
                f32::from_be_bytes(bytes)
            } else {
                f32::from_le_bytes(bytes)
            })
        } else {
            let bytes = array_at(bytes, at);
            if self.big_endian { f64::from_be_bytes(bytes) } else { f64::from_le_bytes(bytes) }
        }
    }
}

fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes[at + i])
}
