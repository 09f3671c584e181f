//! Words and numbers of text, one after the other, with the place of whatever is wrong.

use super::fault::{Fault, Place};
use crate::text;

/// A place in text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub(crate) bytes: &'a [u8],
    /// In bytes from the start.
    pub(crate) at: usize,
    /// The byte that begins a comment, which ends with its line.
    pub(crate) comment: Option<u8>,
}

impl<'a> Words<'a> {
    /// The byte at this place; a line end at the end of the text.
    #[inline]
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(b'\n')
    }

    pub(crate) fn at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Whether the line, but for blanks and a comment, ends here.
    #[inline]
    pub(crate) fn at_line_end(&mut self) -> bool {
        self.skip_blanks();
        matches!(self.peek(), b'\n' | b'\r') || Some(self.peek()) == self.comment
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while text::is_blank(self.peek()) {
            self.at += 1;
        }
    }

    /// Moves to the next line.
    pub(crate) fn skip_line(&mut self) {
        self.at = text::next_line(self.bytes, text::line_end(self.bytes, self.at));
    }

    /// Moves to the next word, over line ends and comments.
    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while self.at_line_end() && !self.at_end() {
            self.skip_line();
        }
    }

    /// The word at this place; empty at the end of the line.
    pub(crate) fn word(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at.min(self.bytes.len())..];
        let ends = |&byte: &u8| {
            text::is_blank(byte) || matches!(byte, b'\n' | b'\r') || Some(byte) == self.comment
        };
        &rest[..rest.iter().position(ends).unwrap_or(rest.len())]
    }

    /// Takes the next word, on whichever line it is; empty at the end of the text.
    pub(crate) fn next_word(&mut self) -> &'a [u8] {
        self.skip_space();
        let word = self.word();
        self.at += word.len();
        word
    }

    /// Takes the rest of the line as a name.
    pub(crate) fn rest_of_line(&mut self) -> String {
        let end = text::line_end(self.bytes, self.at);
        let name = text::decode(self.bytes[self.at..end].trim_ascii());
        self.at = text::next_line(self.bytes, end);
        name
    }

    /// Takes a number, on whichever line it is.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<f64, Fault> {
        self.skip_space();
        match fast_float2::parse_partial(&self.bytes[self.at..]) {
            Ok((number, length)) if self.delimits(length) => {
                self.at += length;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    /// Takes a whole number, on whichever line it is. One beyond i64 comes out as the nearest.
    #[inline]
    pub(crate) fn integer(&mut self) -> Result<i64, Fault> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let negative = rest.first() == Some(&b'-');
        let sign = usize::from(negative || rest.first() == Some(&b'+'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit());
        let (mut value, mut length) = (0_i64, sign);
        for digit in digits {
            let digit = i64::from(digit - b'0');
            value = value.saturating_mul(10).saturating_add(if negative { -digit } else { digit });
            length += 1;
        }
        if length == sign || !self.delimits(length) {
            return Err(self.expected("a whole number"));
        }
        self.at += length;
        Ok(value)
    }

    /// Whether a word can end `distance` bytes from here.
    #[inline]
    fn delimits(&self, distance: usize) -> bool {
        let byte = self.bytes.get(self.at + distance).copied().unwrap_or(b'\n');
        text::is_blank(byte) || matches!(byte, b'\n' | b'\r') || Some(byte) == self.comment
    }

    /// What stands here is not what was expected.
    #[cold]
    pub(crate) fn expected(&self, what: &str) -> Fault {
        let message = match self.word() {
            [] if self.at_end() => format!("expected {what}, but the file ends here"),
            [] => format!("expected {what}, but the line ends here"),
            word => format!("expected {what}, found `{}`", excerpt(word)),
        };
        Fault::new(Place::Text(self.at), message)
    }
}

/// A word for a message, cut where it is long.
pub(crate) fn excerpt(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = text::decode(&word[..word.len().min(4 * LONGEST)]);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A count with commas between each three digits, as in 4,000,000,000.
pub(crate) fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
