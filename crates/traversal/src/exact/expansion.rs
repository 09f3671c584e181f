//! Sums of f64 without rounding.
//!
//! Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates",
//! 1997: a number is kept as a sum of parts that do not overlap, the smallest first.

/// A sum of at most `CAPACITY` numbers, exact as long as nothing overflows.
///
/// Products of three f32 stay far within the range of f64, so nothing here does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion<const CAPACITY: usize> {
    parts: [f64; CAPACITY],
    len: usize,
}

impl<const CAPACITY: usize> Expansion<CAPACITY> {
    pub(super) const ZERO: Self = Self { parts: [0.0; CAPACITY], len: 0 };

    /// Adds a number. Of all that were added, at most `CAPACITY` may be non-zero.
    pub(super) fn add(&mut self, number: f64) {
        let mut carry = number;
        let mut kept = 0;
        for read in 0..self.len {
            let (sum, error) = two_sum(self.parts[read], carry);
            carry = sum;
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
        }
        if carry != 0.0 {
            self.parts[kept] = carry;
            kept += 1;
        }
        self.len = kept;
    }

    /// Adds the product of a product of two f32 and an f32; counts as two numbers.
    pub(super) fn add_product(&mut self, product: f64, factor: f64) {
        // Veltkamp's split: either half times 24 bits is exact, with or without a fused multiply.
        let scaled = product * f64::from((1 << 27) + 1);
        let high = scaled - (scaled - product);
        self.add((product - high) * factor);
        self.add(high * factor);
    }

    /// −1, 0 or 1.
    pub(super) fn sign(&self) -> i32 {
        // The last part outweighs all others together, and no part is zero.
        let largest = self.parts[..self.len].last().copied().unwrap_or(0.0);
        super::sign(largest)
    }

    /// The value, off by a few units in the last place at most; zero only if it is zero.
    pub(super) fn estimate(&self) -> f64 {
        self.parts[..self.len].iter().sum()
    }
}

/// A sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_rounded = sum - a;
    (sum, (a - (sum - b_rounded)) + (b - b_rounded))
}
