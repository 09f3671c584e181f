//! Sample positions that fill their space evenly, other ones for each pixel.
//!
//! Roberts' additive recurrence: sample s of dimension d is at `frac(offset + s·g⁻ᵈ)` with g the
//! root of g⁷ = g + 1, so that six dimensions stay even together (Martin Roberts: The Unreasonable
//! Effectiveness of Quasirandom Sequences, 2018). The offset is the pixel's own.

use crate::random::{mix, unit};

/// g⁻¹ to g⁻⁶.
const STEPS: [f64; 6] = [
    0.898_653_712_628_699_3,
    0.807_578_495_220_913_2,
    0.725_733_393_150_274_5,
    0.652_183_008_063_305_1,
    0.586_086_681_516_494_7,
    0.526_688_972_417_148_6,
];

/// What a pair of dimensions is used for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Where in its pixel a ray goes through.
    Pixel,
    /// Where on the lamp a shadow ray goes to.
    Lamp,
    /// Where in the sky an ambient ray goes to.
    Sky,
}

/// One sample of one pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) pixel: u32,
    pub(crate) number: u32,
}

impl Sample {
    /// Two numbers in [0, 1).
    pub(crate) fn pair(self, purpose: Purpose) -> [f32; 2] {
        let first = 2 * purpose as usize;
        [first, first + 1].map(|dimension| {
            let offset = unit(mix(u64::from(self.pixel) << 3 | dimension as u64));
            let step = f64::from(self.number) * STEPS[dimension];
            // Below 1, also after rounding to f32.
            ((f64::from(offset) + step).fract() as f32).min(1.0 - f32::EPSILON)
        })
    }
}

/// From [0, 1) to a tent over [-1, 1]: the filter that makes edges smooth.
pub(crate) fn tent(x: f32) -> f32 {
    if x < 0.5 { (2.0 * x).sqrt() - 1.0 } else { 1.0 - (2.0 - 2.0 * x).sqrt() }
}
