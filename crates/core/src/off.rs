//! The OFF reader.
//!
//! ```text
//! OFF                      or COFF, NOFF, STOFF and their combinations, or nothing
//! VERTICES FACES [EDGES]
//! X Y Z [normal] [colour] [texture coordinates]      for each vertex
//! N I1 … IN [colour]                                 for each face
//! ```
//!
//! `#` begins a comment anywhere. What stands on a line behind a position or behind a face's
//! corners belongs to colours and the like, and must be numbers.

use crate::file::ReadError;
use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source};
use crate::file::words::{Words, excerpt, grouped};
use crate::mesh::{MeshReport, TriangleMesh};
use crate::text;

/// Whether text begins with the keyword of a form of OFF, known or not.
pub(crate) fn has_keyword(text: &[u8]) -> bool {
    let mut words = Words { bytes: text, at: 0, comment: Some(b'#') };
    words.skip_space();
    keyword(words.word()).is_some()
}

/// How long the keyword at the start of a word is. Digits may follow it without a blank: widely
/// used collections have such files.
fn keyword(word: &[u8]) -> Option<usize> {
    let mut prefix = word;
    for part in [&b"ST"[..], b"C", b"N", b"4", b"n"] {
        prefix = prefix.strip_prefix(part).unwrap_or(prefix);
    }
    let after = prefix.strip_prefix(b"OFF")?;
    after.first().is_none_or(u8::is_ascii_digit).then_some(word.len() - after.len())
}

/// Reads a file.
pub(crate) fn read(source: &Source<'_>) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let bytes = source.bytes;
    Draft::read(source, Place::Text(bytes.len()), |draft, wanted| {
        let words = Words { bytes, at: text::start(bytes), comment: Some(b'#') };
        Reader { words, draft, corners: Vec::new() }.file(wanted)
    })
}

struct Reader<'a, 'd> {
    words: Words<'a>,
    draft: &'d mut Draft,
    /// The corners of the face being read.
    corners: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Reads all; or up to the face of a number, of which it gives the place.
    fn file(&mut self, wanted: Option<usize>) -> Result<Option<Place>, Fault> {
        if let Some(offset) = memchr::memchr(0, self.words.bytes) {
            let message = "the file is not text: it holds a NUL byte";
            return Err(Fault::new(Place::Text(offset), message));
        }
        self.keyword()?;
        let vertices = self.count("vertices", 6)?;
        let faces = self.count("faces", 2)?;
        // The number of edges, which some programs leave out, is not used by any.
        self.rest_of_line()?;
        self.draft.reserve(vertices, faces);
        for _ in 0..vertices {
            self.words.skip_space();
            let place = Place::Text(self.words.at);
            let position = [self.words.number()?, self.words.number()?, self.words.number()?];
            self.rest_of_line()?;
            self.draft.vertex(position, || place)?;
        }
        for _ in 0..faces {
            self.words.skip_space();
            let start = self.words.at;
            self.face(vertices)?;
            if wanted.is_some_and(|face| self.draft.faces() > face) {
                return Ok(Some(Place::Text(start)));
            }
        }
        self.words.skip_space();
        if !self.words.at_end() {
            let message = || "the file goes on behind its last face".into();
            self.draft.warnings.add(Place::Text(self.words.at), message)?;
        }
        Ok(None)
    }

    fn keyword(&mut self) -> Result<(), Fault> {
        self.words.skip_space();
        let start = self.words.at;
        let word = self.words.word();
        let Some(length) = keyword(word) else { return Ok(()) };
        let known = &word[..length];
        if known.contains(&b'4') || known.contains(&b'n') {
            let message = format!("`{}` has other than three dimensions", excerpt(known));
            return Err(Fault::new(Place::Text(start), message));
        }
        self.words.at += length;
        if !self.words.at_line_end() && self.words.word().eq_ignore_ascii_case(b"BINARY") {
            return Err(Fault::new(Place::Text(self.words.at), "binary OFF is not supported"));
        }
        Ok(())
    }

    /// Reads how many things of a kind there are, each of which takes at least so many bytes.
    fn count(&mut self, what: &str, least_bytes: usize) -> Result<usize, Fault> {
        self.words.skip_space();
        let start = self.words.at;
        let count = self.words.integer()?;
        let left = self.words.bytes.len() - self.words.at;
        match usize::try_from(count) {
            Ok(count) if count.saturating_mul(least_bytes) <= left + 1 => Ok(count),
            Ok(count) => {
                let message = format!(
                    "{} {what} take at least {} bytes, but only {} follow",
                    grouped(count as u128),
                    grouped(count as u128 * least_bytes as u128),
                    grouped(left as u128),
                );
                Err(Fault::new(Place::Text(start), message))
            }
            Err(_) => Err(Fault::new(Place::Text(start), format!("{count} {what} cannot be"))),
        }
    }

    fn face(&mut self, vertices: usize) -> Result<(), Fault> {
        let start = self.words.at;
        let count = self.words.integer()?;
        if count < 0 {
            let message = format!("a face of {count} corners cannot be");
            return Err(Fault::new(Place::Text(start), message));
        }
        self.corners.clear();
        for _ in 0..count {
            self.words.skip_space();
            let place = self.words.at;
            let index = self.words.integer()?;
            let Some(index) = usize::try_from(index).ok().filter(|&index| index < vertices) else {
                let message = format!("there is no vertex {index}: the file has {vertices}");
                return Err(Fault::new(Place::Text(place), message));
            };
            self.corners.push(index as u32);
        }
        self.rest_of_line()?;
        self.draft.face(&self.corners, || Place::Text(start))
    }

    /// Takes what is left of the line, which must be numbers.
    fn rest_of_line(&mut self) -> Result<(), Fault> {
        while !self.words.at_line_end() {
            self.words.number()?;
        }
        self.words.skip_line();
        Ok(())
    }
}
