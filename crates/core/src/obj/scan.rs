//! The scanner: one piece of an OBJ file to vertices, faces and names.
//!
//! It counts no lines and allocates nothing for what it skips. Whatever depends on the rest of the
//! file (relative indices, indices that are too big) is kept for when all pieces are read.

use std::ops::Range;

use super::cursor::Cursor;
use super::digits;
use super::piece::{Context, Fault, NameChange, NameKind, Piece, Polygon};
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

    fn face(&mut self, start: usize) -> Result<(), Fault> {
        if let Some(corners) = self.plain_triangle() {
            self.piece.triangles.push(corners);
            self.piece.triangle_count += 1;
            return Ok(());
        }
        self.face.clear();
        loop {
            self.cursor.skip_blanks();
            if self.cursor.at_end() {
                break;
            }
            let corner = match self.plain_corner() {
                Some(corner) => corner,
                None => self.corner()?,
            };
            self.face.push(corner);
        }
        self.cursor.skip_line();
        if !self.face_relative.is_empty() {
            self.keep_relative();
        }
        match self.face[..] {
            [a, b, c] => {
                self.piece.triangles.push([a, b, c]);
                self.piece.triangle_count += 1;
            }
            [] | [_] | [_, _] => {
                self.piece.skipped += 1;
                let corners = self.face.len();
                self.warn(start, || match corners {
                    0 => "a face without corners is skipped".into(),
                    1 => "a face of 1 corner is skipped".into(),
                    _ => format!("a face of {corners} corners is skipped"),
                })?;
            }
            _ => {
                self.piece.corners.extend_from_slice(&self.face);
                self.piece.polygons.push(Polygon {
                    triangles_before: self.piece.triangles.len(),
                    corners_end: self.piece.corners.len(),
                });
                self.piece.triangle_count += self.face.len() - 2;
            }
        }
        Ok(())
    }

    /// Reads a whole line of three positive indices, each of up to seven digits, behind one blank
    /// each. Half of all lines are such; the general way takes twice as long over them.
    #[inline(always)]
    fn plain_triangle(&mut self) -> Option<[u32; 3]> {
        let mut rest = self.cursor.rest();
        let mut corners = [0; 3];
        for corner in &mut corners {
            let (index, length) = digits::leading(rest.strip_prefix(b" ")?)?;
            if length == 8 || index == 0 {
                return None;
            }
            *corner = index as u32;
            rest = &rest[1 + length..];
        }
        let greatest = u64::from(corners[0].max(corners[1]).max(corners[2]));
        let line_end = match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
        if greatest > self.greatest {
            return None;
        }
        self.cursor.at = self.cursor.bytes.len() - rest.len() + line_end;
        self.piece.greatest = self.piece.greatest.max(greatest);
        Some(corners.map(|index| index - 1))
    }

    /// Remembers which corners of the face about to be added are relative.
    fn keep_relative(&mut self) {
        let piece = &mut self.piece;
        let (first, places) = match self.face.len() {
            0..3 => (0, &mut Vec::new()),
            3 => (3 * piece.triangles.len(), &mut piece.relative.in_triangles),
            _ => (piece.corners.len(), &mut piece.relative.in_corners),
        };
        places.extend(self.face_relative.drain(..).map(|place| first + place));
    }

    /// Reads a corner as nearly all are: a positive index of up to seven digits, in range.
    #[inline(always)]
    fn plain_corner(&mut self) -> Option<u32> {
        let (index, length) = digits::leading(self.cursor.rest())?;
        let mut end = self.cursor.at + length;
        if length == 8 || index == 0 || index > self.greatest {
            return None;
        }
        for _ in 0..2 {
            if self.cursor.bytes.get(end) == Some(&b'/') {
                let (_, length) = digits::leading(&self.cursor.bytes[end + 1..])?;
                end += 1 + length;
            }
        }
        if !matches!(self.cursor.bytes.get(end), Some(b' ' | b'\n' | b'\r')) {
            return None;
        }
        self.cursor.at = end;
        self.piece.greatest = self.piece.greatest.max(index);
        Some((index - 1) as u32)
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`; only `v` matters to the shape.
    fn corner(&mut self) -> Result<u32, Fault> {
        let start = self.cursor.at;
        let negative = self.cursor.peek() == b'-';
        if negative || self.cursor.peek() == b'+' {
            self.cursor.at += 1;
        }
        let first_digit = self.cursor.at;
        let mut index = 0_u64;
        while self.cursor.peek().is_ascii_digit() {
            index = index.wrapping_mul(10).wrapping_add(u64::from(self.cursor.peek() - b'0'));
            self.cursor.at += 1;
        }
        let digits = first_digit..self.cursor.at;
        if self.cursor.peek() == b'/' {
            self.skip_attribute();
            if self.cursor.peek() == b'/' {
                self.skip_attribute();
            }
        }
        if digits.is_empty() || !self.cursor.delimits(0) {
            self.cursor.at = start;
            return Err(self.expected("a vertex index like 1, 1/2, 1//3 or 1/2/3"));
        }
        if digits.len() > 19 {
            index = self.cursor.bytes[digits].iter().fold(0, |index: u64, digit| {
                index.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
            });
        }
        if index == 0 || index > self.greatest {
            return Err(self.bad_index(start));
        }
        if !negative {
            self.piece.greatest = self.piece.greatest.max(index);
            return Ok((index - 1) as u32);
        }
        let before = self.context.vertices.map_or(0, |(before, _)| before);
        let absolute = (before + self.piece.positions.len()) as i64 - index as i64;
        if absolute < 0 && self.context.vertices.is_some() {
            return Err(self.bad_index(start));
        }
        self.face_relative.push(self.face.len());
        self.piece.relative.least = self.piece.relative.least.min(absolute);
        // Where this reaches before the piece it wraps, and wraps back when the vertices before
        // the piece are added.
        Ok(absolute as u32)
    }

    /// Skips a slash and the index behind it, if there is one. Whether the index is in range does
    /// not matter: nothing uses it.
    fn skip_attribute(&mut self) {
        self.cursor.at += 1;
        if matches!(self.cursor.peek(), b'-' | b'+') && self.cursor.peek_after(1).is_ascii_digit() {
            self.cursor.at += 1;
        }
        while self.cursor.peek().is_ascii_digit() {
            self.cursor.at += 1;
        }
    }

    #[cold]
    fn bad_index(&self, start: usize) -> Fault {
        let word = excerpt(self.cursor.word(start));
        let vertices = self.context.vertices.map_or(0, |(_, all)| all);
        let so_far = self.context.vertices.map_or(0, |(before, _)| before);
        let so_far = so_far + self.piece.positions.len();
        let digits = self.cursor.word(start).split(|&byte| byte == b'/').next().unwrap_or_default();
        let message = if digits.iter().all(|digit| matches!(digit, b'0' | b'+' | b'-')) {
            format!("the index `{word}` is zero, but indices count from 1")
        } else if digits.starts_with(b"-") {
            format!("the index `{word}` counts back too far: {so_far} vertices come before it")
        } else {
            format!("the index `{word}` is too big: the file has {vertices} vertices")
        };
        Fault { offset: start, message }
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
