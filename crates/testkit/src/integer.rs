//! Whole numbers of any size: every finite f32 is one, times 2⁻¹⁴⁹.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Sub};

/// A whole number of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Integer {
    negative: bool,
    /// Base 2⁶⁴, the least first, the last never 0; zero is empty and not negative.
    limbs: Vec<u64>,
}

impl Integer {
    /// `value · 2¹⁴⁹`, exactly.
    ///
    /// # Panics
    /// If `value` is not finite.
    #[must_use]
    pub fn of_f32(value: f32) -> Self {
        assert!(value.is_finite(), "only finite numbers are whole multiples of 2^-149");
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 23) & 0xFF, u64::from(bits & 0x7F_FFFF));
        let magnitude = match exponent {
            0 => Self::of_limbs(false, vec![fraction]),
            _ => Self::of_limbs(false, vec![fraction | 0x80_0000]).shifted(exponent as usize - 1),
        };
        Self { negative: value < 0.0, ..magnitude }
    }

    /// `self · 2^bits`.
    #[must_use]
    pub fn shifted(&self, bits: usize) -> Self {
        let (whole, part) = (bits / 64, bits % 64);
        let mut limbs = vec![0; whole];
        let mut carry = 0;
        for &limb in &self.limbs {
            let wide = u128::from(limb) << part;
            limbs.push(wide as u64 | carry);
            carry = (wide >> 64) as u64;
        }
        limbs.push(carry);
        Self::of_limbs(self.negative, limbs)
    }

    /// −1, 0 or 1.
    #[must_use]
    pub fn sign(&self) -> i32 {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    /// `self / other` as an f64, within 1.5 units in the last place; NaN or infinite if `other`
    /// is 0.
    #[must_use]
    pub fn ratio(&self, other: &Self) -> f64 {
        let ((p, p_limbs), (q, q_limbs)) = (self.rounded(), other.rounded());
        let mut ratio = p / q;
        let step = if p_limbs > q_limbs { 64 } else { -64 };
        for _ in 0..p_limbs.abs_diff(q_limbs) {
            ratio *= f64::powi(2.0, step);
        }
        ratio
    }

    /// A correctly rounded f64, to be multiplied by 2⁶⁴ as often as the second number says.
    fn rounded(&self) -> (f64, usize) {
        let skipped = self.limbs.len().saturating_sub(2);
        let (low, top) = self.limbs.split_at(skipped);
        let top = top.iter().rev().fold(0u128, |sum, &limb| (sum << 64) | u128::from(limb));
        // What was skipped only matters to a tie, so one bit stands for all of it.
        let rest = u128::from(low.iter().any(|&limb| limb != 0));
        let value = (top | rest) as f64;
        (if self.negative { -value } else { value }, skipped)
    }

    fn of_limbs(negative: bool, mut limbs: Vec<u64>) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self { negative: negative && !limbs.is_empty(), limbs }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let by_length = self.limbs.len().cmp(&other.limbs.len());
        by_length.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }

    /// `self` plus `other`, whose sign is taken to be `negative`.
    fn plus(&self, other: &Self, negative: bool) -> Self {
        if self.negative == negative {
            return Self::of_limbs(negative, add_limbs(&self.limbs, &other.limbs));
        }
        match self.compare_magnitude(other) {
            Ordering::Less => Self::of_limbs(negative, sub_limbs(&other.limbs, &self.limbs)),
            _ => Self::of_limbs(self.negative, sub_limbs(&self.limbs, &other.limbs)),
        }
    }
}

impl Add for &Integer {
    type Output = Integer;

    fn add(self, other: Self) -> Integer {
        self.plus(other, other.negative)
    }
}

impl Sub for &Integer {
    type Output = Integer;

    fn sub(self, other: Self) -> Integer {
        self.plus(other, !other.negative)
    }
}

impl Mul for &Integer {
    type Output = Integer;

    fn mul(self, other: Self) -> Integer {
        let mut limbs = vec![0u64; self.limbs.len() + other.limbs.len()];
        for (i, &p) in self.limbs.iter().enumerate() {
            // Scaled floats are mostly zero limbs.
            if p == 0 {
                continue;
            }
            let mut carry = 0u128;
            for (j, &q) in other.limbs.iter().enumerate() {
                carry += u128::from(p) * u128::from(q) + u128::from(limbs[i + j]);
                limbs[i + j] = carry as u64;
                carry >>= 64;
            }
            limbs[i + other.limbs.len()] = carry as u64;
        }
        Integer::of_limbs(self.negative != other.negative, limbs)
    }
}

fn add_limbs(p: &[u64], q: &[u64]) -> Vec<u64> {
    let mut carry = 0u128;
    let mut limbs = Vec::with_capacity(p.len().max(q.len()) + 1);
    for i in 0..p.len().max(q.len()) {
        carry += [p, q].iter().map(|x| u128::from(x.get(i).copied().unwrap_or(0))).sum::<u128>();
        limbs.push(carry as u64);
        carry >>= 64;
    }
    limbs.push(carry as u64);
    limbs
}

/// `p − q`, where `p ≥ q`.
fn sub_limbs(p: &[u64], q: &[u64]) -> Vec<u64> {
    let mut borrow = false;
    let mut limbs = Vec::with_capacity(p.len());
    for (i, &limb) in p.iter().enumerate() {
        let (once, first) = limb.overflowing_sub(q.get(i).copied().unwrap_or(0));
        let (twice, second) = once.overflowing_sub(u64::from(borrow));
        limbs.push(twice);
        borrow = first || second;
    }
    limbs
}

#[cfg(test)]
mod tests {
    use super::Integer;
    use crate::random::Random;

    /// Small whole numbers, where i128 can check every operation.
    #[test]
    fn agrees_with_i128() {
        let mut random = Random::new(1);
        let unit = Integer::of_f32(1.0);
        for _ in 0..2000 {
            let bits = 1 + random.below(24);
            let [p, q, r]: [i128; 3] =
                std::array::from_fn(|_| i128::from((random.bits() as i64) >> (63 - bits)));
            let [a, b, c] = [p, q, r].map(|x| Integer::of_f32(x as f32));
            let product = &(&a * &b) * &c;
            let sum = &(&(&a * &b) * &unit) - &(&(&c * &unit) * &unit);
            assert_eq!(product.sign(), (p * q * r).signum() as i32);
            assert_eq!(sum.sign(), (p * q - r).signum() as i32);
            assert_eq!((&a + &b).sign(), (p + q).signum() as i32);
            if q != 0 {
                assert_eq!(a.ratio(&b), p as f64 / q as f64);
            }
            let cube = &(&unit * &unit) * &unit;
            assert_eq!(product.ratio(&cube), (p * q * r) as f64);
        }
    }

    #[test]
    fn holds_the_extremes_of_f32() {
        let [tiny, huge] = [f32::from_bits(1), f32::MAX].map(Integer::of_f32);
        assert_eq!((&(&huge + &tiny) - &huge), tiny);
        assert_eq!((&(&huge * &huge) - &(&huge * &huge)).sign(), 0);
        assert_eq!(tiny.ratio(&huge), f64::from(f32::from_bits(1)) / f64::from(f32::MAX));
        assert_eq!(Integer::of_f32(-0.0), Integer::of_f32(0.0));
        assert_eq!(Integer::of_f32(-1.5).ratio(&Integer::of_f32(0.5)), -3.0);
    }
}
