//! The items behind a PLY header, as text or as bytes.

use super::element::{Element, Property};
use super::scalar::Scalar;
use crate::file::fault::{Fault, Place};
use crate::file::words::{Words, grouped};

/// Numbers, one after the other.
pub(super) trait Body {
    /// How many bytes are left.
    fn left(&self) -> usize;

    /// The place of the next number.
    fn place(&self) -> Place;

    /// Moves to item `number` of an element, and gives its place.
    fn start_item(&mut self, element: &Element, number: u64) -> Result<Place, Fault>;

    /// Checks that the item ends here.
    fn end_item(&mut self) -> Result<(), Fault>;

    /// Takes a number.
    fn value(&mut self, scalar: Scalar) -> Result<f64, Fault>;

    /// Takes how long a list is; the numbers themselves may turn out to be missing.
    fn count(&mut self, scalar: Scalar) -> Result<usize, Fault>;

    /// Takes a property and forgets it.
    fn skip(&mut self, property: &Property) -> Result<(), Fault>;
}

/// Items as text, each of which ends with a line.
pub(super) struct TextBody<'a> {
    words: Words<'a>,
}

impl<'a> TextBody<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { words: Words { bytes, at, comment: None } }
    }
}

impl Body for TextBody<'_> {
    fn left(&self) -> usize {
        self.words.bytes[self.words.at..].trim_ascii().len()
    }

    fn place(&self) -> Place {
        let mut words = self.words;
        words.skip_space();
        Place::Text(words.at)
    }

    fn start_item(&mut self, element: &Element, number: u64) -> Result<Place, Fault> {
        self.words.skip_space();
        if self.words.at_end() && !element.properties.is_empty() {
            return Err(Fault::new(self.place(), ends_within(element, number)));
        }
        Ok(Place::Text(self.words.at))
    }

    fn end_item(&mut self) -> Result<(), Fault> {
        if !self.words.at_line_end() {
            return Err(self.words.expected("the end of the line"));
        }
        self.words.skip_line();
        Ok(())
    }

    fn value(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        if !scalar.is_integer() {
            return self.words.number();
        }
        self.words.skip_space();
        let start = self.words.at;
        let value = self.words.integer()?;
        if !scalar.holds(value) {
            let message = format!("{value} is beyond the type of its property");
            return Err(Fault::new(Place::Text(start), message));
        }
        Ok(value as f64)
    }

    fn count(&mut self, scalar: Scalar) -> Result<usize, Fault> {
        let place = self.place();
        length(self.value(scalar)?, place)
    }

    fn skip(&mut self, property: &Property) -> Result<(), Fault> {
        let count = property.list.map_or(Ok(1), |count| self.count(count))?;
        (0..count).try_for_each(|_| self.value(property.scalar).map(drop))
    }
}

/// Items as bytes, big-endian or little-endian, one behind the other.
pub(super) struct BinaryBody<'a, const BIG: bool> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a, const BIG: bool> BinaryBody<'a, BIG> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    #[cold]
    fn ends(&self, needed: usize) -> Fault {
        let message = format!(
            "{} bytes must follow here, but there are {}",
            grouped(needed as u128),
            grouped(self.left() as u128)
        );
        Fault::new(Place::Byte(self.at), message)
    }
}

impl<const BIG: bool> Body for BinaryBody<'_, BIG> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn place(&self) -> Place {
        Place::Byte(self.at)
    }

    #[inline]
    fn start_item(&mut self, element: &Element, number: u64) -> Result<Place, Fault> {
        if self.left() < element.least_bytes(true) {
            return Err(Fault::new(self.place(), ends_within(element, number)));
        }
        Ok(self.place())
    }

    #[inline]
    fn end_item(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    #[inline]
    fn value(&mut self, scalar: Scalar) -> Result<f64, Fault> {
        let Some(bytes) = self.bytes.get(self.at..self.at + scalar.size()) else {
            return Err(self.ends(scalar.size()));
        };
        self.at += scalar.size();
        Ok(scalar.decode::<BIG>(bytes))
    }

    #[inline]
    fn count(&mut self, scalar: Scalar) -> Result<usize, Fault> {
        let place = self.place();
        length(self.value(scalar)?, place)
    }

    fn skip(&mut self, property: &Property) -> Result<(), Fault> {
        let count = property.list.map_or(Ok(1), |count| self.count(count))?;
        let length = count.saturating_mul(property.scalar.size());
        if length > self.left() {
            return Err(self.ends(length));
        }
        self.at += length;
        Ok(())
    }
}

/// The length of a list.
#[inline]
fn length(count: f64, place: Place) -> Result<usize, Fault> {
    if count < 0.0 {
        return Err(Fault::new(place, format!("a list of {count} numbers cannot be")));
    }
    Ok(count as usize)
}

#[cold]
fn ends_within(element: &Element, number: u64) -> String {
    format!(
        "the file ends, but {} of {} `{}` are still to come",
        grouped((element.count - number).into()),
        grouped(element.count.into()),
        element.name
    )
}
