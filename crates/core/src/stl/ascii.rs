//! STL as text: `solid`, and for each facet a loop of vertices.
//!
//! ```text
//! solid NAME
//!   facet normal X Y Z
//!     outer loop
//!       vertex X Y Z      three of them; more make a polygon, fewer are skipped
//!     endloop
//!   endfacet
//! endsolid NAME
//! ```
//!
//! Keywords count in any case, and line ends as blanks but behind a name.

use super::weld::Weld;
use crate::file::ReadError;
use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source};
use crate::file::words::Words;
use crate::mesh::{MeshReport, TriangleMesh};
use crate::text;

/// Reads a file.
pub(super) fn read(source: &Source<'_>) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let bytes = source.bytes;
    Draft::read(source, Place::Text(bytes.len()), |draft, wanted| {
        let words = Words { bytes, at: text::start(bytes), comment: None };
        Reader { words, draft, weld: Weld::new(), corners: Vec::new() }.file(wanted)
    })
}

struct Reader<'a, 'd> {
    words: Words<'a>,
    draft: &'d mut Draft,
    weld: Weld,
    /// The vertices of the loop being read.
    corners: Vec<u32>,
}

impl Reader<'_, '_> {
    /// Reads all; or up to the face of a number, of which it gives the place.
    fn file(&mut self, wanted: Option<usize>) -> Result<Option<Place>, Fault> {
        // Where the solid begins that has not ended yet.
        let mut open = None;
        loop {
            self.words.skip_space();
            if self.words.at_end() {
                break;
            }
            let start = self.words.at;
            if self.takes("solid") {
                open = Some(start);
                let name = self.words.rest_of_line();
                self.draft.object(&name);
            } else if self.takes("endsolid") {
                open = None;
                self.words.skip_line();
            } else if self.takes("facet") {
                self.facet(start)?;
                if wanted.is_some_and(|face| self.draft.faces() > face) {
                    return Ok(Some(Place::Text(start)));
                }
            } else {
                return Err(self.words.expected("`facet`, `endsolid` or `solid`"));
            }
        }
        if let Some(start) = open {
            let message = || "this solid has no `endsolid`: the file may be cut off".into();
            self.draft.warnings.add(Place::Text(start), message)?;
        }
        Ok(None)
    }

    /// Reads a facet from behind its keyword, which stands at `start`.
    fn facet(&mut self, start: usize) -> Result<(), Fault> {
        if self.takes("normal") {
            // Not used, and not always numbers: some programs write `-nan(ind)`.
            for _ in 0..3 {
                self.words.next_word();
            }
        }
        self.take("outer")?;
        self.take("loop")?;
        self.corners.clear();
        while !self.takes("endloop") {
            if !self.takes("vertex") {
                return Err(self.words.expected("`vertex` or `endloop`"));
            }
            self.words.skip_space();
            let place = Place::Text(self.words.at);
            let position = [self.words.number()?, self.words.number()?, self.words.number()?];
            self.corners.push(self.weld.vertex(position, self.draft, || place)?);
        }
        self.take("endfacet")?;
        self.draft.face(&self.corners, || Place::Text(start))
    }

    /// Takes the next word if it is this one.
    fn takes(&mut self, keyword: &str) -> bool {
        self.words.skip_space();
        let word = self.words.word();
        let is_it = word.eq_ignore_ascii_case(keyword.as_bytes());
        if is_it {
            self.words.at += word.len();
        }
        is_it
    }

    fn take(&mut self, keyword: &str) -> Result<(), Fault> {
        if self.takes(keyword) {
            return Ok(());
        }
        Err(self.words.expected(&format!("`{keyword}`")))
    }
}
