//! Numbers as text: the fewest digits that read back as the same bits, and thousands set apart.

use std::fmt;
use std::io::Write;

/// A float with the fewest digits that read back as the same bits; very large and very small ones
/// with an exponent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shortest<Float>(pub(crate) Float);

macro_rules! shortest {
    ($float:ty) => {
        impl fmt::Display for Shortest<$float> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let size = self.0.abs();
                let plain = size == 0.0 || !size.is_finite() || (1e-5..1e16).contains(&size);
                if plain { write!(f, "{}", self.0) } else { write!(f, "{:e}", self.0) }
            }
        }

        impl Shortest<$float> {
            /// Appends the text to `bytes`.
            pub(crate) fn append(self, bytes: &mut Vec<u8>) {
                // Writing to memory does not fail.
                let _ = write!(bytes, "{self}");
            }
        }
    };
}

shortest!(f32);
shortest!(f64);

/// An integer with its thousands set apart: `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the unit that reads best.
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = number as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{size:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_reads_back_as_the_same_bits() {
        for bits in (0..u32::MAX - 0x0080_0000).step_by(1_234_567) {
            let number = f32::from_bits(bits);
            if number.is_nan() {
                continue;
            }
            let text = Shortest(number).to_string();
            assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(bits), "{text}");
        }
        assert_eq!(Shortest(0.1_f32).to_string(), "0.1");
        assert_eq!(Shortest(-1e-30_f32).to_string(), "-1e-30");
        assert_eq!(Shortest(f32::INFINITY).to_string(), "inf");
        assert_eq!(Shortest(500_000.25_f64).to_string(), "500000.25");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
