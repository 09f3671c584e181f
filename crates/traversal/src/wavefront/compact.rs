//! Moving chosen lanes to the front.

use fearless_simd::Simd;
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, prelude::*, u32x8};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_mm_cvtsi64_si128, _mm256_cvtepu8_epi32, _mm256_permutevar8x32_epi32};

/// The lanes in a set, the lowest first, a byte each; what follows is lane 0.
#[inline(always)]
pub(super) fn compacted(set: u32) -> u64 {
    static COMPACTED: [u64; 256] = {
        let mut table = [0; 256];
        let mut set = 0;
        while set < table.len() {
            let (mut lane, mut place) = (0, 0);
            while lane < 8 {
                if set >> lane & 1 == 1 {
                    table[set] |= lane << (8 * place);
                    place += 1;
                }
                lane += 1;
            }
            set += 1;
        }
        table
    };
    COMPACTED[set as usize & 255]
}

/// Values from other lanes: for each place a byte says from which.
#[inline(always)]
pub(super) fn moved<S: Simd>(simd: S, values: &[u32; 8], lanes: u64) -> [u32; 8] {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        return moved_avx2(avx2, values, lanes);
    }
    let _ = simd;
    lanes.to_le_bytes().map(|lane| values[lane as usize & 7])
}

// The portable `compress` takes the set as a mask and clears what follows: more instructions for
// each of the two vectors that go the same way here.
#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn moved_avx2(avx2: Avx2, values: &[u32; 8], lanes: u64) -> [u32; 8] {
        let lanes = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(lanes.cast_signed()));
        let values: u32x8<Avx2> = u32x8::load_array_ref(avx2, values);
        let moved: u32x8<Avx2> = _mm256_permutevar8x32_epi32(values.into(), lanes).simd_into(avx2);
        moved.to_array()
    }
);
