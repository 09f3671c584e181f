//! The header of a PLY file: text in every encoding.

use super::element::{Element, Kind, Property, Role};
use super::scalar::Scalar;
use crate::file::fault::{Fault, Place};
use crate::file::words::{Words, excerpt, grouped};
use crate::text;

/// How the numbers behind the header are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    /// Little-endian.
    Little,
    /// Big-endian.
    Big,
}

impl Encoding {
    /// How a place behind the header is told.
    pub(super) fn place(self, offset: usize) -> Place {
        match self {
            Self::Text => Place::Text(offset),
            Self::Little | Self::Big => Place::Byte(offset),
        }
    }
}

/// What the header says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Where the items begin.
    pub(super) length: usize,
}

impl Header {
    /// Reads the header at the start of a file.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut words = Words { bytes, at: text::start(bytes), comment: None };
        if words.word() != b"ply" {
            return Err(words.expected("`ply`"));
        }
        words.at += 3;
        if !words.at_line_end() {
            return Err(words.expected("the end of the line"));
        }
        // In a file of CR alone, a LF behind the header is the first byte of the items.
        let cr_alone =
            bytes.get(words.at) == Some(&b'\r') && bytes.get(words.at + 1) != Some(&b'\n');
        words.skip_line();
        let mut header = Self { encoding: Encoding::Text, elements: Vec::new(), length: 0 };
        let mut has_format = false;
        while !header.ends(&mut words, &mut has_format)? {
            if !words.at_line_end() {
                return Err(words.expected("the end of the line"));
            }
        }
        if !words.at_line_end() {
            return Err(words.expected("the end of the line"));
        }
        let end = words.at;
        if !has_format {
            return Err(Fault::new(Place::Text(end), "the header has no line `format`"));
        }
        header.elements.iter().try_for_each(Element::check)?;
        header.length = match cr_alone {
            true => (end + 1).min(bytes.len()),
            false => text::next_line(bytes, end),
        };
        Ok(header)
    }

    /// Reads a line but for its end, and tells whether it is the last.
    fn ends(&mut self, words: &mut Words<'_>, has_format: &mut bool) -> Result<bool, Fault> {
        words.skip_space();
        let start = words.at;
        let fault = |message: &str| Err(Fault::new(Place::Text(start), message));
        match words.next_word() {
            b"format" => {
                self.encoding = read_format(words)?;
                *has_format = true;
            }
            b"comment" | b"obj_info" => words.at = text::line_end(words.bytes, words.at),
            b"element" => {
                let element = read_element(words, start)?;
                let is_vertex = |element: &Element| element.kind == Kind::Vertex;
                if is_vertex(&element) && self.elements.iter().any(is_vertex) {
                    return fault("the element `vertex` comes twice");
                }
                self.elements.push(element);
            }
            b"property" => match self.elements.last_mut() {
                Some(element) => element.properties.push(read_property(words, element.kind)?),
                None => return fault("a property must belong to an element"),
            },
            b"end_header" => return Ok(true),
            word => {
                words.at -= word.len();
                return Err(words.expected("`format`, `element`, `property` or `end_header`"));
            }
        }
        Ok(false)
    }
}

fn read_format(words: &mut Words<'_>) -> Result<Encoding, Fault> {
    let start = next_in_line(words, "`ascii`, `binary_little_endian` or `binary_big_endian`")?;
    let encoding = match words.next_word() {
        b"ascii" => Encoding::Text,
        b"binary_little_endian" => Encoding::Little,
        b"binary_big_endian" => Encoding::Big,
        _ => {
            words.at = start;
            return Err(words.expected("`ascii`, `binary_little_endian` or `binary_big_endian`"));
        }
    };
    let start = next_in_line(words, "the version 1.0")?;
    if words.next_word() != b"1.0" {
        words.at = start;
        return Err(words.expected("the version 1.0"));
    }
    Ok(encoding)
}

fn read_element(words: &mut Words<'_>, start: usize) -> Result<Element, Fault> {
    next_in_line(words, "the name of an element")?;
    let name = words.next_word();
    let kind = match name {
        b"vertex" => Kind::Vertex,
        b"face" => Kind::Face,
        b"tristrips" => Kind::Strips,
        _ => Kind::Other,
    };
    let place = next_in_line(words, "how many there are")?;
    let count = words.integer()?;
    let most = if kind == Kind::Vertex { i64::from(u32::MAX) - 1 } else { i64::MAX - 1 };
    if !(0..=most).contains(&count) {
        let message = match count {
            ..0 => format!("{count} of `{}` cannot be", excerpt(name)),
            _ => format!("32-bit indices cannot number {} vertices", grouped(count as u128)),
        };
        return Err(Fault::new(Place::Text(place), message));
    }
    Ok(Element {
        kind,
        name: excerpt(name),
        count: count as u64,
        properties: Vec::new(),
        offset: start,
    })
}

fn read_property(words: &mut Words<'_>, kind: Kind) -> Result<Property, Fault> {
    let (scalar, start) = read_type(words, true)?;
    let (list, scalar, start) = match scalar {
        Some(scalar) => (None, scalar, start),
        None => {
            let (count, start) = read_type(words, false)?;
            let count = count.filter(|count| count.is_integer());
            let Some(count) = count else {
                return Err(Fault::new(Place::Text(start), "a count must be a whole number"));
            };
            let (scalar, start) = read_type(words, false)?;
            (Some(count), scalar.unwrap_or(Scalar::F64), start)
        }
    };
    next_in_line(words, "the name of a property")?;
    let role = match (kind, words.next_word(), list) {
        (Kind::Vertex, b"x", None) => Role::Coordinate(0),
        (Kind::Vertex, b"y", None) => Role::Coordinate(1),
        (Kind::Vertex, b"z", None) => Role::Coordinate(2),
        (Kind::Face | Kind::Strips, b"vertex_indices" | b"vertex_index", Some(_)) => {
            if !scalar.is_integer() {
                return Err(Fault::new(Place::Text(start), "an index must be a whole number"));
            }
            Role::Corners
        }
        _ => Role::None,
    };
    Ok(Property { role, list, scalar })
}

/// Reads the name of a type, and gives where it stands; no type if `list` may stand there and
/// does.
fn read_type(words: &mut Words<'_>, or_list: bool) -> Result<(Option<Scalar>, usize), Fault> {
    let start = next_in_line(words, "a type")?;
    let word = words.next_word();
    if or_list && word == b"list" {
        return Ok((None, start));
    }
    let Some(scalar) = Scalar::of_name(word) else {
        words.at = start;
        return Err(words.expected("a type such as `float`"));
    };
    Ok((Some(scalar), start))
}

/// Where the next word of the line begins.
fn next_in_line(words: &mut Words<'_>, what: &str) -> Result<usize, Fault> {
    if words.at_line_end() {
        return Err(words.expected(what));
    }
    Ok(words.at)
}
