//! A place in the text, and how to move on from it by words and lines.

use crate::text;

/// A place in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    /// The text; its end counts as the end of a line.
    pub(super) bytes: &'a [u8],
    /// The place, in bytes from the start.
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    /// The text from the cursor on.
    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The byte at the cursor; a line end at the end of the text.
    #[inline]
    pub(super) fn peek(&self) -> u8 {
        self.peek_after(0)
    }

    #[inline]
    pub(super) fn peek_after(&self, distance: usize) -> u8 {
        self.bytes.get(self.at + distance).copied().unwrap_or(b'\n')
    }

    /// Whether the data of the statement ends at the cursor.
    #[inline]
    pub(super) fn at_end(&self) -> bool {
        matches!(self.peek(), b'\n' | b'\r' | b'#')
    }

    /// Whether a word can end `distance` bytes after the cursor.
    #[inline]
    pub(super) fn delimits(&self, distance: usize) -> bool {
        let byte = self.peek_after(distance);
        text::is_blank(byte)
            || matches!(byte, b'\n' | b'\r')
            || matches!(byte, b'#' | b'\\') && self.delimits_rarely(distance)
    }

    /// A comment may follow directly, but `1.#IND` and its like are no number with a comment: that
    /// is how NaN and infinity were once printed.
    #[cold]
    fn delimits_rarely(&self, distance: usize) -> bool {
        let at = self.at + distance;
        match self.bytes[at] {
            b'#' => !self.bytes[at + 1..].first().is_some_and(u8::is_ascii_uppercase),
            _ => text::continuation(self.bytes, at) > 0,
        }
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        loop {
            let byte = self.peek();
            if text::is_blank(byte) {
                self.at += 1;
            } else if byte == b'\\' && text::continuation(self.bytes, self.at) > 0 {
                self.at += text::continuation(self.bytes, self.at);
            } else {
                return;
            }
        }
    }

    /// Moves to the next line.
    #[inline]
    pub(super) fn skip_line(&mut self) {
        if self.peek() != b'\n' {
            self.at = text::line_end(self.bytes, self.at);
        }
        self.at = text::next_line(self.bytes, self.at);
    }

    /// Moves to the next line that is no continuation. A comment is not continued.
    pub(super) fn skip_statement(&mut self) {
        while self.at < self.bytes.len() {
            let line = self.at;
            let end = text::line_end(self.bytes, line);
            self.at = text::next_line(self.bytes, end);
            let line = &self.bytes[line..end];
            if line.last() != Some(&b'\\') || memchr::memchr(b'#', line).is_some() {
                return;
            }
        }
    }

    pub(super) fn keyword(&self) -> &'a [u8] {
        let word = self.word(self.at);
        word.split(|&byte| byte == b'#').next().unwrap_or(word)
    }

    /// The bytes from `start` to the next blank, comment or line end.
    pub(super) fn word(&self, start: usize) -> &'a [u8] {
        let rest = &self.bytes[start..];
        let ends = |i: &usize| {
            text::is_blank(rest[*i])
                || matches!(rest[*i], b'\n' | b'\r')
                || text::continuation(rest, *i) > 0
        };
        &rest[..(0..rest.len()).find(ends).unwrap_or(rest.len())]
    }
}
