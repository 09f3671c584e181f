//! The scanner: one piece of an OBJ file to vertices, faces and names.
//!
//! It counts no lines and allocates nothing for what it skips. Whatever depends on the rest of the
//! file (relative indices, indices that are too big) is kept for when all pieces are read.

mod face;

use std::ops::Range;

use super::cursor::Cursor;
use super::digits;
use super::piece::{Context, Fault, NameChange, NameKind, Piece};
use crate::mesh::MeshReport;
use crate::text;

/// Reads one piece: `range` of `bytes`, which begins and ends between statements.
pub(super) fn scan(bytes: &[u8], range: Range<usize>, context: Context) -> Result<Piece, Fault> {
    // Here and not over the whole file at once: so the piece is in the cache when it is scanned.
    if let Some(fault) = nul(bytes, range.clone()) {
        return Err(fault);
    }
    let mut scanner = Scanner::new(bytes, range, context);
    while scanner.cursor.at < scanner.cursor.bytes.len() {
        scanner.statement()?;
    }
    Ok(scanner.piece)
}

/// The first byte in a range that no text has.
pub(super) fn nul(bytes: &[u8], range: Range<usize>) -> Option<Fault> {
    let offset = range.start + memchr::memchr(0, &bytes[range])?;
    let message = "the file is not text: it holds a NUL byte".into();
    Some(Fault { offset, message })
}

/// Where the face stands that is number `face` of those in a piece that make triangles.
pub(super) fn face_offset(bytes: &[u8], range: Range<usize>, face: usize) -> Option<usize> {
    let context = Context { strict: false, vertices: None };
    let mut scanner = Scanner::new(bytes, range, context);
    while scanner.cursor.at < scanner.cursor.bytes.len() {
        scanner.cursor.skip_blanks();
        let start = scanner.cursor.at;
        scanner.statement().ok()?;
        if scanner.piece.face_count() > face {
            return Some(start);
        }
    }
    None
}

/// How many `v` statements a piece holds, right or wrong.
pub(super) fn count_vertices(bytes: &[u8], range: Range<usize>) -> usize {
    let mut scanner = Scanner::new(bytes, range, Context { strict: false, vertices: None });
    let mut count = 0;
    while scanner.cursor.at < scanner.cursor.bytes.len() {
        scanner.cursor.skip_blanks();
        count += usize::from(scanner.cursor.keyword() == b"v");
        scanner.cursor.skip_statement();
    }
    count
}

struct Scanner<'a> {
    /// In the file up to the end of the piece.
    cursor: Cursor<'a>,
    context: Context,
    /// The greatest index that can be right, counted from 1.
    greatest: u64,
    /// The corners of the face being read, and which of them are relative.
    face: Vec<u32>,
    face_relative: Vec<usize>,
    piece: Piece,
}

impl<'a> Scanner<'a> {
    fn new(bytes: &'a [u8], range: Range<usize>, context: Context) -> Self {
        let greatest = context.vertices.map_or(u64::from(u32::MAX) - 1, |(_, all)| all as u64);
        Self {
            cursor: Cursor { bytes: &bytes[..range.end], at: range.start },
            context,
            greatest,
            face: Vec::new(),
            face_relative: Vec::new(),
            piece: Piece::default(),
        }
    }

    /// Reads one line, or several where they are continued.
    #[inline]
    fn statement(&mut self) -> Result<(), Fault> {
        self.cursor.skip_blanks();
        let start = self.cursor.at;
        match (self.cursor.peek(), self.cursor.peek_after(1), self.cursor.peek_after(2)) {
            (b'v', b' ' | b'\t', _) => {
                self.cursor.at += 1;
                self.vertex()
            }
            (b'f', b' ' | b'\t', _) => {
                self.cursor.at += 1;
                self.face(start)
            }
            (b'v', b'n' | b't', b' ' | b'\t') => {
                self.cursor.skip_statement();
                Ok(())
            }
            (b'#' | b'\n' | b'\r', ..) => {
                self.cursor.skip_line();
                Ok(())
            }
            _ => self.other_statement(start),
        }
    }

    #[cold]
    fn other_statement(&mut self, start: usize) -> Result<(), Fault> {
        let keyword = self.cursor.keyword();
        let name = match keyword {
            b"v" => {
                self.cursor.at += keyword.len();
                return self.vertex();
            }
            // `fo` is what faces were called before version 3 of the format.
            b"f" | b"fo" => {
                self.cursor.at += keyword.len();
                return self.face(start);
            }
            b"o" => NameKind::Object,
            b"g" => NameKind::Group,
            b"usemtl" => NameKind::Material,
            _ => {
                if !KNOWN.contains(&keyword) {
                    self.warn(start, || format!("unknown statement `{}`", excerpt(keyword)))?;
                }
                self.cursor.skip_statement();
                return Ok(());
            }
        };
        let from = start + keyword.len();
        self.cursor.skip_statement();
        let triangles_before = self.piece.triangle_count;
        self.piece.names.push(NameChange {
            kind: name,
            triangles_before,
            text: from..self.cursor.at,
        });
        Ok(())
    }

    fn vertex(&mut self) -> Result<(), Fault> {
        let start = self.cursor.at - 1;
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = self.number()?;
        }
        self.cursor.skip_blanks();
        // A weight or a colour: no part of the shape, but no place for nonsense either.
        while !self.cursor.at_end() {
            self.number()?;
            self.cursor.skip_blanks();
        }
        let reach = position.iter().fold(0.0, |reach: f64, x| reach.max(x.abs()));
        if !position.iter().all(|x| x.abs() <= GREATEST_COORDINATE) {
            let message = || {
                let [x, y, z] = position;
                format!("the vertex ({x}, {y}, {z}) is not finite in single precision")
            };
            self.warn(start, message)?;
        } else if reach > self.piece.reach {
            self.piece.reach = reach;
        }
        self.piece.positions.push(position);
        self.cursor.skip_line();
        Ok(())
    }

    #[inline]
    fn number(&mut self) -> Result<f64, Fault> {
        self.cursor.skip_blanks();
        if let Some((number, length)) = digits::decimal(self.cursor.rest())
            && matches!(self.cursor.peek_after(length), b' ' | b'\n' | b'\r')
        {
            self.cursor.at += length;
            return Ok(number);
        }
        self.number_of_any_form()
    }

    fn number_of_any_form(&mut self) -> Result<f64, Fault> {
        match fast_float2::parse_partial(self.cursor.rest()) {
            Ok((number, length)) if self.cursor.delimits(length) => {
                self.cursor.at += length;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    #[cold]
    fn expected(&self, what: &str) -> Fault {
        let message = if self.cursor.at_end() {
            format!("expected {what}, but the line ends here")
        } else {
            format!("expected {what}, found `{}`", excerpt(self.cursor.word(self.cursor.at)))
        };
        Fault { offset: self.cursor.at, message }
    }

    /// Counts a warning; an error in strict mode.
    #[cold]
    fn warn(&mut self, offset: usize, message: impl FnOnce() -> String) -> Result<(), Fault> {
        self.piece.warning_count += 1;
        if self.context.strict {
            return Err(Fault { offset, message: message() });
        }
        if self.piece.warnings.len() < MeshReport::MAX_WARNINGS {
            self.piece.warnings.push(Fault { offset, message: message() });
        }
        Ok(())
    }
}

/// The greatest magnitude that rounds to a finite f32: halfway from the greatest f32 to 2¹²⁸, the
/// tie itself excluded.
const GREATEST_COORDINATE: f64 = 340_282_356_779_733_620_000_000_000_000_000_000_000.0;

/// Statements that say nothing about triangles: those of the format, and two that programs add
/// for colours and weights.
const KNOWN: &[&[u8]] = &[
    b"vn",
    b"vt",
    b"vp",
    b"p",
    b"l",
    b"s",
    b"mtllib",
    b"mg",
    b"cstype",
    b"deg",
    b"bmat",
    b"step",
    b"curv",
    b"curv2",
    b"surf",
    b"parm",
    b"trim",
    b"hole",
    b"scrv",
    b"sp",
    b"end",
    b"con",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"lod",
    b"shadow_obj",
    b"trace_obj",
    b"ctech",
    b"stech",
    b"maplib",
    b"usemap",
    b"call",
    b"csh",
    b"bsp",
    b"bzp",
    b"cdc",
    b"cdp",
    b"res",
    b"vc",
    b"vw",
];

/// A word for a message, cut where it is long.
fn excerpt(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = text::decode(&word[..word.len().min(4 * LONGEST)]);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
