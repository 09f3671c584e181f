//! Sorting keys by buckets, and those of a bucket digit by digit.

use super::Key;

/// Fewer keys than this are compared.
const FEW: usize = 128;

/// Up to this many triangles are sorted by fewer bits.
const SOME: usize = 1 << 20;

/// The highest bits of a key say in which bucket it is; by the next ones it is sorted there, digit
/// by digit. So many places can be written to in turn within the first cache: with three digits of
/// eleven bits and no buckets sorting took half as long again.
#[derive(Clone, Copy)]
pub(super) struct Radix {
    bucket_bits: u32,
    many: bool,
}

impl Radix {
    /// For so many triangles. Bits that would part hardly any of them are not sorted by: neighbours
    /// in the mesh's own order are mostly neighbours in space.
    pub(super) fn of_count(count: usize) -> Self {
        let bucket_bits = count.max(1).ilog2().saturating_sub(10).clamp(3, 9);
        Self { bucket_bits, many: count > SOME }
    }

    pub(super) fn buckets(self) -> usize {
        1 << self.bucket_bits
    }

    #[inline(always)]
    pub(super) fn bucket(self, key: Key) -> usize {
        (key >> (Key::BITS - self.bucket_bits)) as usize
    }

    /// Sorts the keys of one bucket, which are in the mesh's own order. Where all bits that are
    /// sorted by agree, they stay in it.
    pub(super) fn sort(self, keys: &mut Vec<Key>, spare: &mut Vec<Key>) {
        let bits = Key::BITS - self.bucket_bits;
        if self.many {
            sort::<256, 3>(keys, spare, bits - 24);
        } else {
            sort::<1024, 2>(keys, spare, bits - 20);
        }
    }
}

/// Sorts keys by some digits, above so many bits.
fn sort<const DIGITS: usize, const PASSES: usize>(
    keys: &mut Vec<Key>,
    spare: &mut Vec<Key>,
    bits_below: u32,
) {
    if keys.len() < FEW {
        keys.sort_unstable();
        return;
    }
    let digit = |key: Key, pass: usize| {
        (key >> (bits_below + pass as u32 * DIGITS.trailing_zeros())) as usize % DIGITS
    };
    let mut counts = [[0_u32; DIGITS]; PASSES];
    for &key in keys.iter() {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(key, pass)] += 1;
        }
    }
    spare.resize(keys.len(), 0);
    for (pass, places) in counts.iter_mut().enumerate() {
        if places[digit(keys[0], pass)] as usize == keys.len() {
            continue;
        }
        let mut next = 0;
        for place in places.iter_mut() {
            next += std::mem::replace(place, next);
        }
        for &key in keys.iter() {
            let place = &mut places[digit(key, pass)];
            spare[*place as usize] = key;
            *place += 1;
        }
        std::mem::swap(keys, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_order_and_equal_ones_stay_in_theirs() {
        for count in [1, 2000, 70_000, SOME + 1] {
            let radix = Radix::of_count(count);
            let below = Key::BITS - radix.bucket_bits - if radix.many { 24 } else { 20 };
            for length in [0, 1, FEW - 1, FEW, 5000] {
                // Some cells come often, and the lowest bits number the keys, as indices do.
                let cell = |index: u64| (index * index % 61).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let key = |index: u64| cell(index) >> radix.bucket_bits >> below << below | index;
                let keys: Vec<Key> = (0..length as u64).map(key).collect();
                let mut expected = keys.clone();
                expected.sort_by_key(|key| key >> below);
                let mut sorted = keys;
                radix.sort(&mut sorted, &mut Vec::new());
                assert_eq!(sorted, expected, "{length} keys of {count}");
            }
        }
    }

    #[test]
    fn buckets_ascend_with_keys() {
        let radix = Radix::of_count(70_000);
        assert_eq!(radix.buckets(), 64);
        assert_eq!(radix.bucket(0), 0);
        assert_eq!(radix.bucket(Key::MAX), 63);
        assert_eq!(radix.bucket(1 << 63), 32);
    }
}
