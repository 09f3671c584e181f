//! A file's bytes where the system keeps them, without reading them first.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

/// A file's bytes, mapped into memory: they are read when they are looked at.
///
/// The file must stay as it is while it is mapped. Who writes into it, or cuts it short, changes
/// memory that this program takes for constant, and the program may answer anything or be ended by
/// the system. Replacing a file by another one under its name, as [`crate::baked::save`] does, is
/// fine: the old bytes stay for those who have them mapped. That is a promise about the whole
/// machine that no type can check, which is why this needs the cargo feature `mmap`.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a file that nobody writes into.
    ///
    /// # Errors
    /// If the file cannot be opened or mapped.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(path)?;
        // SAFETY: the caller sees to it that the file stays as it is, as told above.
        Ok(Self(unsafe { Mmap::map(&file) }?))
    }
}

impl AsRef<[u8]> for MappedFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
