//! Where the sections of a baked file come from: a stream, or memory that is shared.

use std::io::Read;

use bytemuck::Pod;

use super::BakedFault;
use super::header::{ALIGNMENT, Header, Part, fill};
use crate::checksum::Checksum;
use crate::memory::{Buffer, SharedBytes, in_huge_pages};

/// Gives the sections of a file, to be asked for in their order.
pub(super) trait Source {
    /// Whether all is read in any case, so that looking at it once more costs little.
    const READS_ALL: bool;

    fn section<T: Pod>(&mut self, header: &Header, part: Part) -> Result<Buffer<T>, BakedFault>;
}

/// How many values of a type a section holds.
fn count<T>(header: &Header, part: Part) -> Result<usize, BakedFault> {
    let bytes = usize::try_from(header.section(part).bytes).map_err(|_| BakedFault::TooLarge)?;
    if !bytes.is_multiple_of(size_of::<T>()) {
        return Err(BakedFault::invalid(part, "there is a part of one"));
    }
    Ok(bytes / size_of::<T>())
}

/// Memory that is shared: sections stay where they are.
pub(super) struct View {
    bytes: SharedBytes,
    /// Where the header begins.
    first: usize,
}

impl View {
    pub(super) fn new(bytes: SharedBytes, first: usize) -> Self {
        Self { bytes, first }
    }
}

impl Source for View {
    const READS_ALL: bool = false;

    fn section<T: Pod>(&mut self, header: &Header, part: Part) -> Result<Buffer<T>, BakedFault> {
        let len = count::<T>(header, part)? * size_of::<T>();
        let place = header.place_of(part).and_then(|place| usize::try_from(place).ok());
        let first = place.and_then(|place| place.checked_add(self.first));
        let range = first.and_then(|first| Some(first..first.checked_add(len)?));
        range.and_then(|range| Buffer::shared(&self.bytes, range)).ok_or(BakedFault::Misaligned)
    }
}

/// A stream behind its header: sections are read into memory of their own, and their checksums
/// compared.
pub(super) struct Stream<R> {
    reader: R,
    /// How many bytes there are for certain: room for so many is made at once.
    certain: u64,
}

/// How many bytes are read at a time, so that they are still in the cache when they are summed.
const STEP: usize = 1 << 18;

impl<R: Read> Stream<R> {
    pub(super) fn new(reader: R, certain: u64) -> Self {
        Self { reader, certain }
    }
}

impl<R: Read> Source for Stream<R> {
    const READS_ALL: bool = true;

    fn section<T: Pod>(&mut self, header: &Header, part: Part) -> Result<Buffer<T>, BakedFault> {
        let damaged = || BakedFault::Damaged { part: part.name() };
        let size = size_of::<T>();
        let count = count::<T>(header, part)?;
        let [filling, place] = header.filling_before(part);
        let mut read = Exactly { reader: &mut self.reader, place, end: header.file_bytes() };
        let mut zeros = [0; ALIGNMENT as usize];
        let zeros = &mut zeros[..filling as usize];
        read.fill(zeros)?;
        if zeros.iter().any(|&byte| byte != 0) {
            return Err(damaged());
        }
        let certain = usize::try_from(self.certain).unwrap_or(usize::MAX).max(STEP);
        let mut values = in_huge_pages(count.min(certain / size));
        let mut sum = Checksum::default();
        while values.len() < count {
            let first = values.len();
            values.resize((first + STEP / size).min(count), T::zeroed());
            let bytes = bytemuck::cast_slice_mut(&mut values[first..]);
            read.fill(bytes)?;
            sum.add(bytes);
        }
        if sum.finish() != header.section(part).checksum {
            Err(damaged())
        } else {
            Ok(values.into())
        }
    }
}

/// Reads bytes, all of them or none.
struct Exactly<'a, R> {
    reader: &'a mut R,
    /// How many came before.
    place: u64,
    /// How many there should be.
    end: u64,
}

impl<R: Read> Exactly<'_, R> {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), BakedFault> {
        let found = fill(self.reader, bytes)?;
        self.place += found as u64;
        if found < bytes.len() {
            return Err(BakedFault::Length { found: self.place, expected: self.end });
        }
        Ok(())
    }
}
