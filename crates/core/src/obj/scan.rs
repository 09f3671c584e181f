//! The scanner: one piece of an OBJ file to vertices, faces and names.
//!
//! It counts no lines and allocates nothing for what it skips. Whatever depends on the rest of the
//! file (relative indices, indices that are too big) is kept for when all pieces are read.

use std::ops::Range;

use super::{digits, text};
use crate::mesh::MeshReport;

/// Something wrong at a place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Where, in bytes from the start of the file.
    pub(super) offset: usize,
    /// What, in words.
    pub(super) message: String,
}

/// What a scan knows of the file around its piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// Whether a warning stops the scan.
    pub(super) strict: bool,
    /// Vertices before the piece and in the whole file; `None` while they are not counted yet.
    pub(super) vertices: Option<(usize, usize)>,
}

/// A polygon of more than three corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    /// How many triangle faces stand before it in the piece.
    pub(super) triangles_before: usize,
    /// Where its corners end in [`Piece::corners`]; they begin where the previous ones end.
    pub(super) corners_end: usize,
}

/// Which of the three names a statement sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Object,
    Group,
    Material,
}

/// A name that holds for the triangles after it.
#[derive(Clone, Debug)]
pub(super) struct NameChange {
    pub(super) kind: NameKind,
    /// How many triangles of the piece come before it.
    pub(super) triangles_before: usize,
    /// Where the name stands in the file, blanks around it included.
    pub(super) text: Range<usize>,
}

/// Corners given relative to the vertices read so far: right up to adding the number of vertices
/// before the piece.
#[derive(Debug, Default)]
pub(super) struct Relative {
    /// Places in the flattened [`Piece::triangles`].
    pub(super) in_triangles: Vec<usize>,
    /// Places in [`Piece::corners`].
    pub(super) in_corners: Vec<usize>,
    /// The least of them; below zero where it reaches before the piece.
    pub(super) least: i64,
}

/// What one piece of the file holds.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) positions: Vec<[f64; 3]>,
    /// The greatest magnitude of a finite coordinate.
    pub(super) reach: f64,
    /// Faces of three corners, in order.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Faces of more corners, in order.
    pub(super) polygons: Vec<Polygon>,
    /// The corners of the faces of more than three corners.
    pub(super) corners: Vec<u32>,
    pub(super) relative: Relative,
    /// The greatest index, counted from 1.
    pub(super) greatest: u64,
    /// How many triangles all the faces make.
    pub(super) triangle_count: usize,
    pub(super) names: Vec<NameChange>,
    pub(super) skipped: usize,
    /// The first [`MeshReport::MAX_WARNINGS`].
    pub(super) warnings: Vec<Fault>,
    pub(super) warning_count: usize,
}

impl Piece {
    /// How many faces made triangles.
    pub(super) fn face_count(&self) -> usize {
        self.triangles.len() + self.polygons.len()
    }
}

/// Reads one piece: `range` of `bytes`, which begins and ends between statements.
pub(super) fn scan(bytes: &[u8], range: Range<usize>, context: Context) -> Result<Piece, Fault> {
    let mut scanner = Scanner::new(bytes, range, context);
    while scanner.at < scanner.bytes.len() {
        scanner.statement()?;
    }
    Ok(scanner.piece)
}

/// Where the face stands that is number `face` of those in a piece that make triangles.
pub(super) fn face_offset(bytes: &[u8], range: Range<usize>, face: usize) -> Option<usize> {
    let context = Context { strict: false, vertices: None };
    let mut scanner = Scanner::new(bytes, range, context);
    while scanner.at < scanner.bytes.len() {
        scanner.skip_blanks();
        let start = scanner.at;
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
    while scanner.at < scanner.bytes.len() {
        scanner.skip_blanks();
        count += usize::from(scanner.keyword() == b"v");
        scanner.skip_statement();
    }
    count
}

struct Scanner<'a> {
    /// The file up to the end of the piece.
    bytes: &'a [u8],
    at: usize,
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
            bytes: &bytes[..range.end],
            at: range.start,
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
        self.skip_blanks();
        let start = self.at;
        match (self.peek(), self.peek_after(1), self.peek_after(2)) {
            (b'v', b' ' | b'\t', _) => {
                self.at += 1;
                self.vertex()
            }
            (b'f', b' ' | b'\t', _) => {
                self.at += 1;
                self.face(start)
            }
            (b'v', b'n' | b't', b' ' | b'\t') => {
                self.skip_statement();
                Ok(())
            }
            (b'#' | b'\n' | b'\r', ..) => {
                self.skip_line();
                Ok(())
            }
            _ => self.other_statement(start),
        }
    }

    #[cold]
    fn other_statement(&mut self, start: usize) -> Result<(), Fault> {
        let keyword = self.keyword();
        let name = match keyword {
            b"v" => {
                self.at += keyword.len();
                return self.vertex();
            }
            // `fo` is what faces were called before version 3 of the format.
            b"f" | b"fo" => {
                self.at += keyword.len();
                return self.face(start);
            }
            b"o" => NameKind::Object,
            b"g" => NameKind::Group,
            b"usemtl" => NameKind::Material,
            _ => {
                if !KNOWN.contains(&keyword) {
                    self.warn(start, || format!("unknown statement `{}`", excerpt(keyword)))?;
                }
                self.skip_statement();
                return Ok(());
            }
        };
        let from = start + keyword.len();
        self.skip_statement();
        let triangles_before = self.piece.triangle_count;
        self.piece.names.push(NameChange { kind: name, triangles_before, text: from..self.at });
        Ok(())
    }

    fn vertex(&mut self) -> Result<(), Fault> {
        let start = self.at - 1;
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            *coordinate = self.number()?;
        }
        self.skip_blanks();
        // A weight or a colour: no part of the shape, but no place for nonsense either.
        while !self.at_end() {
            self.number()?;
            self.skip_blanks();
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
        self.skip_line();
        Ok(())
    }

    #[inline]
    fn number(&mut self) -> Result<f64, Fault> {
        self.skip_blanks();
        if let Some((number, length)) = digits::decimal(&self.bytes[self.at..])
            && matches!(self.peek_after(length), b' ' | b'\n' | b'\r')
        {
            self.at += length;
            return Ok(number);
        }
        self.number_of_any_form()
    }

    fn number_of_any_form(&mut self) -> Result<f64, Fault> {
        match fast_float2::parse_partial(&self.bytes[self.at..]) {
            Ok((number, length)) if self.delimits(length) => {
                self.at += length;
                Ok(number)
            }
            _ => Err(self.expected("a number")),
        }
    }

    fn face(&mut self, start: usize) -> Result<(), Fault> {
        self.face.clear();
        loop {
            self.skip_blanks();
            if self.at_end() {
                break;
            }
            let corner = match self.plain_corner() {
                Some(corner) => corner,
                None => self.corner()?,
            };
            self.face.push(corner);
        }
        self.skip_line();
        let relative = &mut self.piece.relative;
        match self.face[..] {
            [a, b, c] => {
                let first = 3 * self.piece.triangles.len();
                relative.in_triangles.extend(self.face_relative.drain(..).map(|i| first + i));
                self.piece.triangles.push([a, b, c]);
                self.piece.triangle_count += 1;
            }
            [] | [_] | [_, _] => {
                self.face_relative.clear();
                self.piece.skipped += 1;
                let corners = self.face.len();
                self.warn(start, || match corners {
                    0 => "a face without corners is skipped".into(),
                    1 => "a face of 1 corner is skipped".into(),
                    _ => format!("a face of {corners} corners is skipped"),
                })?;
            }
            _ => {
                let first = self.piece.corners.len();
                relative.in_corners.extend(self.face_relative.drain(..).map(|i| first + i));
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

    /// Reads a corner as nearly all are: a positive index of up to seven digits, in range.
    #[inline(always)]
    fn plain_corner(&mut self) -> Option<u32> {
        let (index, length) = digits::leading(&self.bytes[self.at..])?;
        let mut end = self.at + length;
        if length == 8 || index == 0 || index > self.greatest {
            return None;
        }
        for _ in 0..2 {
            if self.bytes.get(end) == Some(&b'/') {
                let (_, length) = digits::leading(&self.bytes[end + 1..])?;
                end += 1 + length;
            }
        }
        if !matches!(self.bytes.get(end), Some(b' ' | b'\n' | b'\r')) {
            return None;
        }
        self.at = end;
        self.piece.greatest = self.piece.greatest.max(index);
        Some((index - 1) as u32)
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`; only `v` matters to the shape.
    fn corner(&mut self) -> Result<u32, Fault> {
        let start = self.at;
        let negative = self.peek() == b'-';
        if negative || self.peek() == b'+' {
            self.at += 1;
        }
        let first_digit = self.at;
        let mut index = 0_u64;
        while self.peek().is_ascii_digit() {
            index = index.wrapping_mul(10).wrapping_add(u64::from(self.peek() - b'0'));
            self.at += 1;
        }
        let digits = first_digit..self.at;
        if self.peek() == b'/' {
            self.skip_attribute();
            if self.peek() == b'/' {
                self.skip_attribute();
            }
        }
        if digits.is_empty() || !self.delimits(0) {
            self.at = start;
            return Err(self.expected("a vertex index like 1, 1/2, 1//3 or 1/2/3"));
        }
        if digits.len() > 19 {
            index = self.bytes[digits].iter().fold(0, |index: u64, digit| {
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
        self.at += 1;
        if matches!(self.peek(), b'-' | b'+') && self.peek_after(1).is_ascii_digit() {
            self.at += 1;
        }
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
    }

    #[cold]
    fn bad_index(&self, start: usize) -> Fault {
        let word = excerpt(self.word(start));
        let vertices = self.context.vertices.map_or(0, |(_, all)| all);
        let so_far = self.context.vertices.map_or(0, |(before, _)| before);
        let so_far = so_far + self.piece.positions.len();
        let digits = self.word(start).split(|&byte| byte == b'/').next().unwrap_or_default();
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
        let message = if self.at_end() {
            format!("expected {what}, but the line ends here")
        } else {
            format!("expected {what}, found `{}`", excerpt(self.word(self.at)))
        };
        Fault { offset: self.at, message }
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

    /// The byte at the cursor; a line end at the end of the text.
    #[inline]
    fn peek(&self) -> u8 {
        self.peek_after(0)
    }

    #[inline]
    fn peek_after(&self, distance: usize) -> u8 {
        self.bytes.get(self.at + distance).copied().unwrap_or(b'\n')
    }

    /// Whether the data of the statement ends at the cursor.
    #[inline]
    fn at_end(&self) -> bool {
        matches!(self.peek(), b'\n' | b'\r' | b'#')
    }

    /// Whether a word can end `distance` bytes after the cursor.
    #[inline]
    fn delimits(&self, distance: usize) -> bool {
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
    fn skip_blanks(&mut self) {
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
    fn skip_line(&mut self) {
        if self.peek() != b'\n' {
            self.at = text::line_end(self.bytes, self.at);
        }
        self.at = text::next_line(self.bytes, self.at);
    }

    /// Moves to the next line that is no continuation.
    fn skip_statement(&mut self) {
        while self.at < self.bytes.len() {
            let line = self.at;
            let end = text::line_end(self.bytes, line);
            self.at = text::next_line(self.bytes, end);
            let line = &self.bytes[line..end];
            if line.last() != Some(&b'\\') || text::has_comment(line) {
                return;
            }
        }
    }

    fn keyword(&self) -> &'a [u8] {
        let word = self.word(self.at);
        word.split(|&byte| byte == b'#').next().unwrap_or(word)
    }

    /// The bytes from `start` to the next blank, comment or line end.
    fn word(&self, start: usize) -> &'a [u8] {
        let rest = &self.bytes[start..];
        let ends = |i: &usize| {
            text::is_blank(rest[*i])
                || matches!(rest[*i], b'\n' | b'\r')
                || text::continuation(rest, *i) > 0
        };
        &rest[..(0..rest.len()).find(ends).unwrap_or(rest.len())]
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
