//! Lines of bytes: where they end, where to cut between them, and what place an offset is.

use std::ops::Range;

use memchr::memchr2;

/// The UTF-8 byte order mark, which some editors put before the first line.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Where the text begins: after a byte order mark.
pub(crate) fn start(bytes: &[u8]) -> usize {
    if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Where the line that holds `at` ends: at its LF or CR, or at the end of the text.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |length| at + length)
}

/// Where the next line begins, given where one ends; CR LF is one line end.
pub(crate) fn next_line(bytes: &[u8], end: usize) -> usize {
    match bytes.get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([b'\n' | b'\r', ..]) => end + 1,
        _ => bytes.len(),
    }
}

/// How many bytes a continuation takes (a backslash and the line end behind it, or the end of the
/// text); 0 if there is none at `at`.
pub(crate) fn continuation(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at..) {
        Some([b'\\', b'\r', b'\n', ..]) => 3,
        Some([b'\\', b'\n' | b'\r', ..]) => 2,
        Some([b'\\']) => 1,
        _ => 0,
    }
}

/// Whether a byte separates words within a line.
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)
}

/// Cuts the text into pieces of whole statements, each at least `piece_length` bytes but the last.
pub(crate) fn pieces(bytes: &[u8], piece_length: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut from = start(bytes);
    while from < bytes.len() {
        let to = cut(bytes, from.saturating_add(piece_length.max(1) - 1));
        pieces.push(from..to);
        from = to;
    }
    pieces
}

/// The first start of a statement after `at`. A line that follows a backslash never counts: at
/// worst that line follows a comment, and the piece grows by a line.
fn cut(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        let end = line_end(bytes, at);
        at = next_line(bytes, end);
        // A cut at the LF of a CR LF: the backslash stands before the CR.
        let before = if end > 0 && bytes.get(end) == Some(&b'\n') && bytes[end - 1] == b'\r' {
            end - 1
        } else {
            end
        };
        if before == 0 || bytes[before - 1] != b'\\' {
            return at;
        }
    }
    bytes.len()
}

/// Turns offsets into lines and columns; offsets must not fall.
pub(crate) struct Places<'a> {
    bytes: &'a [u8],
    line: usize,
    line_start: usize,
}

impl<'a> Places<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, line: 1, line_start: start(bytes) }
    }

    /// The line and the column in bytes, both counted from 1.
    pub(crate) fn of(&mut self, offset: usize) -> (usize, usize) {
        loop {
            let next = next_line(self.bytes, line_end(self.bytes, self.line_start));
            if next > offset || next == self.bytes.len() {
                break;
            }
            self.line += 1;
            self.line_start = next;
        }
        (self.line, offset.saturating_sub(self.line_start) + 1)
    }
}

/// A name or a word as text: UTF-8 where it is, else Latin-1, in which every byte is a letter.
pub(crate) fn decode(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes)
        .map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned)
}

/// A name as it stands behind its keyword: blanks around it are no part of it, and a continuation
/// in it is one blank.
pub(crate) fn decode_name(bytes: &[u8]) -> String {
    let mut joined = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match continuation(bytes, at) {
            0 => {
                joined.push(bytes[at]);
                at += 1;
            }
            length => {
                joined.push(b' ');
                at += length;
            }
        }
    }
    decode(joined.trim_ascii())
}
