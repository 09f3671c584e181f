//! Seeded random numbers (`SplitMix64`: Steele, Lea and Flood 2014), the same on every platform.

use crate::vector::{Vector, dot};

/// A stream of random numbers; equal seeds give equal streams.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// An index in `0..count`; 0 if `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + self.unit() * (high - low)
    }

    /// A whole number in `low..=high`.
    pub fn whole(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// One of two, evenly.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// A point in the box from `low` to `high`.
    pub fn point(&mut self, low: [f64; 3], high: [f64; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| self.between(low[axis], high[axis]))
    }

    /// A point on the unit sphere, evenly: a point in the ball, pushed out.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let p: Vector = self.point([-1.0; 3], [1.0; 3]);
            let square = dot(p, p);
            if square <= 1.0 && square > 1e-6 {
                return p.map(|x| x / square.sqrt());
            }
        }
    }

    /// Puts a slice into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A bijection of 64 bits in which every input bit reaches every output bit.
pub(crate) fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}
