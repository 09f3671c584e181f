//! Seeded random numbers: the same on every machine.

use glam::Vec3;

/// `SplitMix64` (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f32 {
        unit(self.bits())
    }

    /// Below `limit`, which must not be 0; as good as even for lists.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// A unit vector, even over the sphere.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let z = 1.0 - 2.0 * self.unit();
        let (sin, cos) = (std::f32::consts::TAU * self.unit()).sin_cos();
        let r = (1.0 - z * z).max(0.0).sqrt();
        Vec3::new(r * cos, r * sin, z)
    }
}

/// Scrambles bits: every output bit depends on every input bit.
pub(crate) fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// The upper bits as a number in [0, 1).
pub(crate) fn unit(bits: u64) -> f32 {
    (bits >> 40) as f32 / (1_u64 << 24) as f32
}

/// A unit vector around `normal`, as often as the cosine to it, from two numbers in [0, 1).
pub(crate) fn cosine_direction(normal: Vec3, [a, b]: [f32; 2]) -> Vec3 {
    let (sin, cos) = (std::f32::consts::TAU * b).sin_cos();
    let r = a.sqrt();
    let (tangent, bitangent) = normal.any_orthonormal_pair();
    (tangent * (r * cos) + bitangent * (r * sin) + normal * (1.0 - a).max(0.0).sqrt())
        .normalize_or(normal)
}
