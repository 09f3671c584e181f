//! Faces: corners to the indices of their vertices.

use super::{Scanner, excerpt};
use crate::obj::digits;
use crate::obj::piece::{Fault, Polygon};

impl Scanner<'_> {
    pub(super) fn face(&mut self, start: usize) -> Result<(), Fault> {
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
}
