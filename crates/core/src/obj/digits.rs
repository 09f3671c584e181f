//! The common forms of numbers, read eight digits at a time (after Lemire's `fast_float`).
//!
//! Whatever is not common is left to the general way: each function here may say `None`.

/// The digits at the start of `bytes`, at most eight of them: their value, and how many they are.
#[inline(always)]
pub(super) fn leading(bytes: &[u8]) -> Option<(u64, usize)> {
    const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
    let digits = u64::from_le_bytes(*bytes.first_chunk()?) ^ ZEROS;
    // A byte is a digit if it is below ten. A carry only disturbs bytes behind one that is none.
    let others = (digits | digits.wrapping_add(0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0;
    let count = (others.trailing_zeros() / 8) as usize;
    if count == 0 {
        return Some((0, 0));
    }
    // To the top, so that zeros stand before them; then pairs, fours and eights.
    let digits = digits << (64 - 8 * count);
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let (even, odd) = (pairs & 0xFF_0000_00FF, pairs >> 16 & 0xFF_0000_00FF);
    let sum = even.wrapping_mul(100 + (1_000_000 << 32));
    let sum = sum.wrapping_add(odd.wrapping_mul(1 + (10_000 << 32)));
    Some((sum >> 32, count))
}

/// A number like `-12.345` at the start of `bytes`, right to the last bit: its value, and how
/// many bytes it takes.
#[inline(always)]
pub(super) fn decimal(bytes: &[u8]) -> Option<(f64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let (whole, whole_digits) = leading(&bytes[at..])?;
    at += whole_digits;
    if !(1..8).contains(&whole_digits) || bytes.get(at) != Some(&b'.') {
        return None;
    }
    at += 1;
    let (fraction, fraction_digits) = leading(&bytes[at..])?;
    at += fraction_digits;
    // At most 15 digits: both the integer and the power of ten are exact, so that the quotient is
    // rounded once.
    if fraction_digits == 8 && bytes.get(at).is_none_or(u8::is_ascii_digit) {
        return None;
    }
    let power = POWERS_OF_TEN[fraction_digits];
    let number = (whole * power + fraction) as f64 / power as f64;
    Some((if negative { -number } else { number }, at))
}

const POWERS_OF_TEN: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
