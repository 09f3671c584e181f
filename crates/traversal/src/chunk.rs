//! A slice of rays, cast in whichever way suits them.

use std::ops::Range;
use std::time::Instant;

use fearless_simd::{Simd, SimdBase};
use hitscan_core::Ray;

use crate::bvh::Errand;
use crate::packet::{PACKET, can_be_together};
use crate::query::{Admit, Batched, LANES};
use crate::raycast::Coherence;
use crate::walk::Walk;

/// Ways of casting a slice of rays. Answers are the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// One ray after another.
    Single,
    /// Packets of rays that go much the same way.
    Packets,
    /// Many rays in flight, a step each in turn.
    Wavefront,
}

/// How many rays each way gets to show how fast it is. Those cast one after another come in two
/// halves, before the packets and after them: the first rays of a chunk find the caches cold.
const SINGLE_TRIAL: usize = 128;
const PACKET_TRIAL: usize = 2 * PACKET;
const WAVEFRONT_TRIAL: usize = 512;

/// Rays that gain this much by packets go much the same way, and such rays gain nothing by a
/// wavefront.
const CLEAR_GAIN: f64 = 1.15;

/// Below this many rays the trials would be a large part of them.
const WORTH_TRIALS: usize = 1024;

/// A slice of rays, and where their answers go.
pub(crate) struct Chunk<'a, Q: Batched> {
    pub(crate) rays: &'a [Ray],
    pub(crate) coherence: Coherence,
    pub(crate) answers: &'a mut [Q::Answer],
}

impl<Q: Batched> Errand for Chunk<'_, Q> {
    #[inline(always)]
    fn run<S: Simd, A: Admit>(mut self, simd: S, walk: &Walk<'_, A>) {
        let all = 0..self.rays.len();
        // Known when compiled, so that kernels for narrow registers hold nothing else.
        if const { !is_wide::<S>() } {
            return self.cast(simd, walk, all, Way::Single);
        }
        match self.coherence {
            Coherence::Coherent => self.cast(simd, walk, all, Way::Packets),
            Coherence::Incoherent => self.cast(simd, walk, all, Way::Wavefront),
            Coherence::Auto if self.rays.len() < WORTH_TRIALS => {
                self.cast(simd, walk, all, Way::Single);
            }
            Coherence::Auto => {
                let (way, rest) = self.fastest(simd, walk);
                self.cast(simd, walk, rest, way);
            }
        }
    }
}

impl<Q: Batched> Chunk<'_, Q> {
    /// Casts the first rays in every way; gives the fastest way, and which rays are left.
    ///
    /// Which way is fastest depends on the rays, the mesh and the caches together, so no look at
    /// the rays tells it as surely as the clock.
    #[inline(always)]
    fn fastest<S: Simd, A: Admit>(&mut self, simd: S, walk: &Walk<'_, A>) -> (Way, Range<usize>) {
        let mut left = 0..self.rays.len();
        let before = self.trial(simd, walk, Way::Single, &mut left, SINGLE_TRIAL / 2);
        let packets = if can_be_together(&self.rays[left.start..][..PACKET_TRIAL]) {
            self.trial(simd, walk, Way::Packets, &mut left, PACKET_TRIAL)
        } else {
            f64::INFINITY
        };
        let after = self.trial(simd, walk, Way::Single, &mut left, SINGLE_TRIAL / 2);
        let single = (before + after) / 2.0;
        if packets * CLEAR_GAIN < single {
            return (Way::Packets, left);
        }
        let wavefront = self.trial(simd, walk, Way::Wavefront, &mut left, WAVEFRONT_TRIAL);
        let way = if wavefront < packets.min(single) {
            Way::Wavefront
        } else if packets < single {
            Way::Packets
        } else {
            Way::Single
        };
        (way, left)
    }

    /// Casts the next few rays in one way; gives the seconds that one took.
    #[inline(always)]
    fn trial<S: Simd, A: Admit>(
        &mut self,
        simd: S,
        walk: &Walk<'_, A>,
        way: Way,
        left: &mut Range<usize>,
        count: usize,
    ) -> f64 {
        let range = left.start..left.start + count;
        left.start = range.end;
        let start = Instant::now();
        self.cast(simd, walk, range, way);
        start.elapsed().as_secs_f64() / count as f64
    }

    /// Casts some of the rays in one way.
    #[inline(always)]
    fn cast<S: Simd, A: Admit>(
        &mut self,
        simd: S,
        walk: &Walk<'_, A>,
        range: Range<usize>,
        way: Way,
    ) {
        simd.vectorize(
            #[inline(always)]
            || {
                let (rays, answers) = (&self.rays[range.clone()], &mut self.answers[range]);
                match way {
                    Way::Wavefront if const { is_wide::<S>() } => {
                        walk.run_wavefront::<S, Q>(simd, rays, answers);
                    }
                    Way::Packets if const { is_wide::<S>() } => {
                        walk.run_packets::<S, Q>(simd, rays, answers);
                    }
                    _ => walk.run_singly::<S, Q>(simd, rays, answers),
                }
            },
        );
    }
}

/// Whether registers hold the eight lanes that the other ways count on; where they do not, these
/// gain nothing.
const fn is_wide<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN >= LANES
}
