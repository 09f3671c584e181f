//! Tables of numbers as comma-separated values: a header of names, then a number for each.
//!
//! Read in blocks of lines, so that a block can be parsed on all cores. The `csv` crate was not
//! taken because it counts a blank line to the row after it, so that errors name a wrong line.

use std::fmt;
use std::io::BufRead;

use anyhow::{Context, anyhow, bail};
use rayon::prelude::*;

/// The lines of a text that are not blank, block by block, with their numbers.
#[derive(Debug)]
pub(crate) struct Lines<Reader> {
    reader: Reader,
    name: String,
    block: Block,
    line_number: u64,
    bytes_read: u64,
}

/// Some lines of a text.
#[derive(Debug, Default)]
struct Block {
    bytes: Vec<u8>,
    lines: Vec<Line>,
}

/// Where a line is in its block and in its file.
#[derive(Clone, Copy, Debug)]
struct Line {
    start: usize,
    end: usize,
    number: u64,
}

impl Block {
    fn text(&self, line: &Line) -> &[u8] {
        &self.bytes[line.start..line.end]
    }
}

impl<Reader: BufRead> Lines<Reader> {
    pub(crate) fn new(reader: Reader, name: String) -> Self {
        Self { reader, name, block: Block::default(), line_number: 0, bytes_read: 0 }
    }

    /// How many bytes were read so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// The next lines, `count` at most; none at the end.
    fn read_block(&mut self, count: usize) -> anyhow::Result<&Block> {
        let Block { bytes, lines } = &mut self.block;
        bytes.clear();
        lines.clear();
        while lines.len() < count {
            let start = bytes.len();
            let read = self.reader.read_until(b'\n', bytes).with_context(|| self.name.clone())?;
            if read == 0 {
                break;
            }
            self.bytes_read += read as u64;
            self.line_number += 1;
            if self.line_number == 1 && bytes.starts_with(b"\xEF\xBB\xBF") {
                bytes.drain(..3);
            }
            if bytes[start..].trim_ascii().is_empty() {
                bytes.truncate(start);
            } else {
                lines.push(Line { start, end: bytes.len(), number: self.line_number });
            }
        }
        Ok(&self.block)
    }

    /// Parses the next lines on all cores, `count` at most; the error is that of the first line
    /// that is wrong.
    pub(crate) fn parse_block<Row: Send>(
        &mut self,
        count: usize,
        parse: impl Fn(&[u8]) -> Result<Row, String> + Sync,
    ) -> anyhow::Result<Vec<Row>> {
        self.read_block(count)?;
        let block = &self.block;
        let row = |line: &Line| parse(block.text(line));
        let rows: Result<Vec<Row>, String> = block.lines.par_iter().map(row).collect();
        rows.map_err(|_| {
            let first = block.lines.iter().find_map(|line| Some((line, row(line).err()?)));
            first.map_or_else(
                || anyhow!("{}: cannot be read", self.name),
                |(line, message)| self.error_at(line, &message),
            )
        })
    }

    /// An error at a line: `file:line: message`.
    fn error_at(&self, line: &Line, message: &impl fmt::Display) -> anyhow::Error {
        anyhow!("{}:{}: {message}", self.name, line.number)
    }
}

/// Which column holds which number.
#[derive(Clone, Debug)]
pub(crate) struct Columns<const N: usize> {
    names: [&'static str; N],
    /// For each column of the file, which of the names it is.
    meanings: Vec<usize>,
}

impl<const N: usize> Columns<N> {
    /// Reads the header; the first `required` of the names must be there, in any order.
    pub(crate) fn read<Reader: BufRead>(
        lines: &mut Lines<Reader>,
        names: [&'static str; N],
        required: usize,
    ) -> anyhow::Result<Self> {
        let mut expected = names[..required].join(",");
        if required < N {
            expected.push_str(&format!("[,{}]", names[required..].join(",")));
        }
        lines.read_block(1)?;
        let Some(line) = lines.block.lines.first() else {
            bail!("{}: is empty; the first line must be {expected}", lines.name);
        };
        let wrong = |message: String| {
            lines.error_at(line, &format!("{message}; the first line must be {expected}"))
        };
        let mut meanings = Vec::new();
        for field in fields(lines.block.text(line)) {
            let field = String::from_utf8_lossy(field);
            let Some(meaning) = names.iter().position(|name| name.eq_ignore_ascii_case(&field))
            else {
                return Err(wrong(format!("`{field}` is no column that is known here")));
            };
            if meanings.contains(&meaning) {
                return Err(wrong(format!("column {} is there twice", names[meaning])));
            }
            meanings.push(meaning);
        }
        if let Some(missing) = (0..required).find(|meaning| !meanings.contains(meaning)) {
            return Err(wrong(format!("column {} is missing", names[missing])));
        }
        Ok(Self { names, meanings })
    }

    /// Reads a row's numbers; those that have no column stay what they are.
    pub(crate) fn parse(&self, text: &[u8], numbers: &mut [f64; N]) -> Result<(), String> {
        let mut columns = self.meanings.iter();
        for (i, field) in fields(text).enumerate() {
            let Some(&meaning) = columns.next() else {
                let found = fields(text).count();
                return Err(format!("{found} columns, not {}", self.meanings.len()));
            };
            numbers[meaning] = number(field).ok_or_else(|| {
                let (name, field) = (self.names[meaning], String::from_utf8_lossy(field));
                format!("column {} ({name}): `{field}` is not a number", i + 1)
            })?;
        }
        match columns.len() {
            0 => Ok(()),
            missing => {
                let expected = self.meanings.len();
                Err(format!("{} columns, not {expected}", expected - missing))
            }
        }
    }
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b',').map(|field| {
        let field = field.trim_ascii();
        // Some programs put every field in quotes.
        field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).unwrap_or(field)
    })
}

/// Rust's own parser knows `inf`, `infinity` and `nan`, in any case and with a sign.
fn number(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(header: &str) -> anyhow::Result<Columns<3>> {
        Columns::read(&mut Lines::new(header.as_bytes(), "t.csv".into()), ["a", "b", "c"], 2)
    }

    #[test]
    fn headers_name_their_columns() -> anyhow::Result<()> {
        let mut numbers = [0.0, 0.0, 7.0];
        columns("B, a\n")?.parse(b"1,-INF\r\n", &mut numbers).map_err(anyhow::Error::msg)?;
        assert_eq!(numbers, [f64::NEG_INFINITY, 1.0, 7.0]);
        for wrong in ["", "\n\n", "a\n", "a,b,a\n", "a,b,d\n", "1,2\n"] {
            assert!(columns(wrong).is_err(), "{wrong:?}");
        }
        Ok(())
    }

    #[test]
    fn blank_lines_count_as_lines() -> anyhow::Result<()> {
        let mut lines = Lines::new(&b"\xEF\xBB\xBFx\r\n\r\n \ny\n\nz"[..], "t.csv".into());
        let block = lines.read_block(10)?;
        let found: Vec<_> = block.lines.iter().map(|l| (l.number, block.text(l))).collect();
        assert_eq!(found, [(1, &b"x\r\n"[..]), (4, b"y\n"), (6, b"z")]);
        Ok(())
    }
}
