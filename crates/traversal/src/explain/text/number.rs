//! Numbers for people: few digits, and an exponent only where it is shorter to read.

use std::fmt;

/// A number with six significant digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number(pub(super) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digits(f, self.0, 6)
    }
}

/// A number with four significant digits, where the size is all that matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded(pub(super) f64);

impl fmt::Display for Rounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digits(f, self.0, 4)
    }
}

/// An f32 with all the digits that it takes to tell it from others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole(pub(super) f32);

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        let plain = size == 0.0 || !size.is_finite() || (1e-4..1e9).contains(&size);
        if plain { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
    }
}

/// A point, told in the coordinates of the mesh's file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// Relative to the origin.
    pub(super) coordinates: [f64; 3],
    pub(super) origin: [f64; 3],
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for axis in 0..3 {
            if axis > 0 {
                f.write_str(" ")?;
            }
            // What lies far out needs the digits that f32 does not have.
            let digits = if self.origin[axis] == 0.0 { 6 } else { 12 };
            write_digits(f, self.coordinates[axis] + self.origin[axis], digits)?;
        }
        Ok(())
    }
}

fn write_digits(f: &mut fmt::Formatter<'_>, number: f64, digits: usize) -> fmt::Result {
    if number == 0.0 || !number.is_finite() {
        // The sum makes 0 of −0.
        return write!(f, "{}", number + 0.0);
    }
    let scientific = format!("{number:.*e}", digits - 1);
    let rounded: f64 = scientific.parse().unwrap_or(number);
    let size = rounded.abs();
    if (1e-4..10_f64.powi(digits as i32 + 3)).contains(&size) {
        write!(f, "{rounded}")
    } else {
        write!(f, "{rounded:e}")
    }
}

/// A count and its noun: `1 box`, `1,234 boxes`.
pub(super) fn plural(count: usize, noun: &str) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let ending = match (count, noun.ends_with('x')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{text} {noun}{ending}")
}
