//! Where a node's children are, kept in the lowest bits of its planes.
//!
//! ```text
//! number     bits 0 to 27: the place of the first child; the others come after it, nodes first
//!            bits 28 to 31: 8 − how many of them are nodes
//! child i    number + i · 0x1000_0001: the place of a child in the lower bits, and the highest one
//!            is set if it is a leaf, since 8 − nodes + i then reaches 8
//! kept       four bits in each of the eight low planes along x
//! ```

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Avx2, Sse4_2, u32x4};
use fearless_simd::{Simd, prelude::*, u32x8};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm_and_si128, _mm_movemask_epi8, _mm_mullo_epi32, _mm_set1_epi32, _mm256_and_si256,
    _mm256_movemask_epi8, _mm256_mullo_epi32, _mm256_set1_epi32,
};

use super::{ChildAt, ChildRef};

/// Where a node's children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Children(u32);

/// What is added for each lane.
const LANE: u32 = 0x1000_0001;

/// The same for all lanes.
static LANES: [u32; 8] = [0, LANE, 2 * LANE, 3 * LANE, 4 * LANE, 5 * LANE, 6 * LANE, 7 * LANE];

/// The bits of a plane in which a part of the number is kept.
const KEPT: u32 = 15;

/// Four bits times this number are in the highest bits of four bytes.
const TO_BYTES: u32 = 1 << 7 | 1 << 14 | 1 << 21 | 1 << 28;

impl Children {
    /// Children that lie one behind the other from a place on, the first ones nodes.
    ///
    /// # Panics
    /// If the places do not fit 28 bits.
    #[inline(always)]
    #[must_use]
    pub fn new(first: usize, nodes: usize) -> Self {
        assert!(first + 8 <= ChildRef::PLACES && nodes <= 8, "the tree is too large");
        Self(first as u32 | (8 - nodes as u32) << 28)
    }

    /// The place of the first child.
    #[inline(always)]
    #[must_use]
    pub fn first(self) -> usize {
        ChildRef::of_bits(self.0).place()
    }

    /// How many of them are nodes; `None` if the number says that of no children.
    pub(crate) fn nodes(self) -> Option<usize> {
        8_usize.checked_sub((self.0 >> 28) as usize)
    }

    /// The child in a lane. Of a lane without one, nothing is there, or another node's.
    #[inline(always)]
    #[must_use]
    pub fn child(self, lane: usize) -> ChildRef {
        ChildRef::of_bits(self.0.wrapping_add((lane as u32).wrapping_mul(LANE)))
    }

    /// The same child, to go on with at once.
    #[inline(always)]
    #[must_use]
    pub fn child_at(self, lane: usize) -> ChildAt {
        ChildAt::in_lane(self.0, lane)
    }

    /// The children in lanes that `pick` gives the numbers of.
    #[inline(always)]
    pub fn picked<S: Simd>(
        self,
        simd: S,
        pick: impl FnOnce(&[u32; 8]) -> [u32; 8],
    ) -> [ChildRef; 8] {
        let lanes = u32x8::load_array(simd, pick(&LANES));
        bytemuck::cast((lanes + u32x8::splat(simd, self.0)).to_array())
    }

    /// The number that eight planes keep.
    #[inline(always)]
    pub(super) fn kept_in<S: Simd>(simd: S, planes: &[f32; 8]) -> Self {
        let planes: &[u32; 8] = bytemuck::cast_ref(planes);
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = simd.level().as_avx2() {
            return Self(kept_in_avx2(avx2, planes));
        } else if let Some(sse) = simd.level().as_sse4_2() {
            return Self(kept_in_sse(sse, planes));
        }
        let _ = simd;
        let pairs: &[[u32; 2]; 4] = bytemuck::cast_ref(planes);
        let bytes = pairs.map(|[even, odd]| (even & KEPT | (odd & KEPT) << 4) as u8);
        Self(u32::from_le_bytes(bytes))
    }

    /// Keeps the number in eight low planes that are [lowered](lowered).
    #[inline(always)]
    pub(super) fn keep_in(self, planes: &mut [f32; 8]) {
        for lane in 0..8 {
            planes[lane] = with_bits(planes[lane], self.0 >> (4 * lane) & KEPT);
        }
    }
}

/// The least magnitude that is not taken for zero.
const LEAST: u32 = f32::MIN_POSITIVE.to_bits();
/// From this magnitude on, a number is as low as any.
const GREATEST: u32 = f32::MAX.to_bits() & !KEPT;
const SIGN: u32 = 1 << 31;

/// A low plane along x as nodes have it: no greater, and with bits to spare for where children are, so
/// that boxes are the same wherever these are.
///
/// It is less by fifteen units in the last place at the most, and around zero minus
/// [`f32::MIN_POSITIVE`].
#[inline(always)]
#[must_use]
pub fn lowered(plane: f32) -> f32 {
    let bits = plane.to_bits();
    let magnitude = (bits & !SIGN).min(f32::MAX.to_bits());
    let above = if magnitude > LEAST + KEPT { magnitude & !KEPT } else { SIGN | LEAST };
    let below = least_from(SIGN | ((magnitude + KEPT) & !KEPT).max(LEAST));
    f32::from_bits(if bits & SIGN == 0 { above } else { below })
}

/// The bits of a lowered plane below zero; of all that nothing is below, those of the least number.
#[inline(always)]
fn least_from(bits: u32) -> u32 {
    if bits >= SIGN | GREATEST { f32::MIN.to_bits() } else { bits }
}

/// A number no greater than a lowered plane, with these lowest bits.
///
/// Of [`f32::MIN`] it is greater, by fifteen units in the last place at the most; the slab test knows
/// that of meshes so large.
#[inline(always)]
fn with_bits(lowered: f32, bits: u32) -> f32 {
    let plane = lowered.to_bits();
    let below = if plane & SIGN == 0 { plane - (KEPT + 1) } else { plane & !KEPT };
    f32::from_bits(below | bits)
}

/// The lowered plane that [`with_bits`] was given.
#[inline(always)]
pub(super) fn without_bits(plane: f32) -> f32 {
    let plane = plane.to_bits() & !KEPT;
    f32::from_bits(if plane & SIGN == 0 { plane + KEPT + 1 } else { least_from(plane) })
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    /// The lowest four bits of each number, put together.
    #[inline(always)]
    fn kept_in_avx2(avx2: Avx2, planes: &[u32; 8]) -> u32 {
        let planes: u32x8<Avx2> = u32x8::load_array_ref(avx2, planes);
        let kept = _mm256_and_si256(planes.into(), _mm256_set1_epi32(KEPT.cast_signed()));
        let bytes = _mm256_mullo_epi32(kept, _mm256_set1_epi32(TO_BYTES.cast_signed()));
        _mm256_movemask_epi8(bytes).cast_unsigned()
    }
);

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    /// The same.
    #[inline(always)]
    fn kept_in_sse(sse: Sse4_2, planes: &[u32; 8]) -> u32 {
        let [low, high] = bytemuck::cast_ref::<_, [[u32; 4]; 2]>(planes).map(|planes| {
            let planes: u32x4<Sse4_2> = u32x4::load_array(sse, planes);
            let kept = _mm_and_si128(planes.into(), _mm_set1_epi32(KEPT.cast_signed()));
            let bytes = _mm_mullo_epi32(kept, _mm_set1_epi32(TO_BYTES.cast_signed()));
            _mm_movemask_epi8(bytes).cast_unsigned()
        });
        low | high << 16
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_found_in_the_planes_that_keep_them() {
        for (first, nodes) in [(1, 0), (1, 8), (7, 3), (0x0ABC_DEF1, 5), ((1 << 28) - 9, 1)] {
            let children = Children::new(first, nodes);
            let mut planes =
                [1.0, -1.0, 0.0, 1e-30, f32::MAX, f32::MIN, f32::INFINITY, 3.5].map(lowered);
            children.keep_in(&mut planes);
            for simd in levels() {
                assert_eq!(
                    fearless_simd::dispatch!(simd, simd => Children::kept_in(simd, &planes)),
                    children
                );
            }
            assert_eq!((children.first(), children.nodes()), (first, Some(nodes)));
            for lane in 0..8 {
                let child = children.child(lane);
                assert_eq!((child.place(), child.is_leaf()), (first + lane, lane >= nodes));
                for at in [children.child_at(lane), ChildAt::from(child)] {
                    assert_eq!((at.place(), at.is_leaf()), (child.place(), child.is_leaf()));
                }
            }
        }
    }

    fn levels() -> [fearless_simd::Level; 2] {
        [fearless_simd::Level::fallback(), fearless_simd::Level::new()]
    }

    #[test]
    fn planes_are_lowered_by_little() {
        let tiny = f32::MIN_POSITIVE;
        let planes = [0.0, -0.0, 1.0, -1.0, 1.000_001, -0.999_999, tiny, -tiny, 1e-45, -1e-45];
        let more = [1e30, -1e30, f32::MAX, f32::MIN + 1e33, 2.0, -2.0, 1.999_999_9, -1.999_999_9];
        for plane in planes.into_iter().chain(more) {
            let lowered = lowered(plane);
            let step = plane.abs() / (1 << 19) as f32 + 2.1 * tiny;
            assert!((plane - step..=plane).contains(&lowered), "{plane:e} became {lowered:e}");
            assert_eq!(super::lowered(lowered), lowered);
            for bits in 0..16 {
                let kept = with_bits(lowered, bits);
                assert_eq!((kept.to_bits() & 15, without_bits(kept)), (bits, lowered));
                assert!((plane - 2.0 * step..=plane).contains(&kept), "{plane:e} became {kept:e}");
            }
        }
        for bits in 0..16 {
            for lowest in [f32::MIN, f32::MIN.next_up(), f32::from_bits(f32::MIN.to_bits() - 15)] {
                assert_eq!(lowered(lowest), f32::MIN);
            }
            let least = with_bits(f32::MIN, bits);
            assert!(least.is_finite() && least <= f32::MIN * 0.999_999);
            assert_eq!(without_bits(least), f32::MIN);
            let greatest = with_bits(lowered(f32::INFINITY), bits);
            assert!(greatest.is_finite() && greatest >= f32::MAX * 0.999_99);
        }
    }

    #[test]
    fn lower_planes_stay_lower() {
        let planes = (0..2000).map(|i| f32::from_bits(0x80FF_FF00 - 11 * i));
        let planes = planes.chain((0..2000).map(|i| f32::from_bits(0x007F_FF00 + 11 * i)));
        let lowered: Vec<f32> = planes.map(lowered).collect();
        assert!(lowered.is_sorted());
    }
}
