//! Something wrong at a place in a file, and how it is told.

use super::ReadError;
use crate::mesh::MeshReport;
use crate::text;

/// Where something is wrong.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// In text, so many bytes from the start of the file: told as a line and a column.
    Text(usize),
    /// In binary data, so many bytes from the start of the file.
    Byte(usize),
    /// In a part of a document.
    #[cfg_attr(not(feature = "gltf"), expect(dead_code, reason = "glTF alone is a document"))]
    Part(String),
}

impl Place {
    /// What warnings are sorted by. Parts of a document stay in the order they are found in.
    fn offset(&self) -> usize {
        match self {
            Self::Text(offset) | Self::Byte(offset) => *offset,
            Self::Part(_) => 0,
        }
    }
}

/// Something wrong at a place.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) place: Place,
    /// What, in words.
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

/// A file being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    /// What errors call it.
    pub(crate) name: &'a str,
    /// Whether a warning is an error.
    pub(crate) strict: bool,
}

impl Source<'_> {
    pub(crate) fn error(&self, fault: Fault) -> ReadError {
        let Fault { place, message } = fault;
        let file = self.name.into();
        match place {
            Place::Text(offset) => {
                let (line, column) = text::Places::new(self.bytes).of(offset);
                ReadError::Syntax { file, line, column, message }
            }
            Place::Byte(byte) => ReadError::Data { file, byte, message },
            Place::Part(part) => ReadError::Document { file, part, message },
        }
    }
}

/// Things that look wrong, found in any order.
#[derive(Debug)]
pub(crate) struct Warnings {
    strict: bool,
    /// The first [`MeshReport::MAX_WARNINGS`] that were found.
    kept: Vec<Fault>,
    count: usize,
}

impl Warnings {
    pub(crate) fn new(strict: bool) -> Self {
        Self { strict, kept: Vec::new(), count: 0 }
    }

    /// Counts a warning; an error in strict mode.
    #[cold]
    pub(crate) fn add(
        &mut self,
        place: Place,
        message: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        self.count += 1;
        if self.strict {
            return Err(Fault::new(place, message()));
        }
        if self.kept.len() < MeshReport::MAX_WARNINGS {
            self.kept.push(Fault::new(place, message()));
        }
        Ok(())
    }

    /// Puts the warnings, and what was found once all was read, into a report, in the order of the
    /// file; in strict mode the first of what was found is an error.
    pub(crate) fn tell(
        mut self,
        mut found: Vec<Fault>,
        source: &Source<'_>,
        report: &mut MeshReport,
    ) -> Result<(), ReadError> {
        found.sort_by_key(|fault| fault.place.offset());
        if self.strict && !found.is_empty() {
            return Err(source.error(found.swap_remove(0)));
        }
        self.count += found.len();
        self.kept.extend(found);
        self.kept.sort_by_key(|fault| fault.place.offset());
        let mut places = text::Places::new(source.bytes);
        for Fault { place, message } in self.kept {
            match place {
                Place::Text(offset) => report.warn(places.of(offset).0, message),
                Place::Byte(byte) => report.warn(0, format!("at byte {byte}: {message}")),
                Place::Part(part) => report.warn(0, format!("{part}: {message}")),
            }
        }
        report.warning_count = self.count;
        Ok(())
    }
}
