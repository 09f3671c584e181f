//! A slice of rays, cast in whichever way suits them.

use std::ops::Range;
use std::time::Instant;

use fearless_simd::{Simd, SimdBase};
use hitscan_core::Ray;

use crate::errand::Errand;
use crate::options::EdgeRule;
use crate::packet::{PACKET, can_be_together};
use crate::query::{Admit, Batched, LANES, Listed, Lists, Packed, Query};
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

/// How many rays a trial takes. Those of a wavefront come in two halves, before the packets and
/// after them: the first rays of a chunk find the caches cold.
const PACKET_TRIAL: usize = 2 * PACKET;
const WAVEFRONT_TRIAL: usize = 128;

/// Packets that gain this much over the first half need not wait for the other.
const CLEAR_GAIN: f64 = 1.5;

/// Below this many rays a wavefront is hardly up before it ebbs away.
const WORTH_A_WAVEFRONT: usize = 128;

/// Below this many rays the trials would be a large part of them.
const WORTH_TRIALS: usize = 1024;

/// A slice of rays, and where their answers go.
pub(crate) struct Chunk<'a, Q: Batched> {
    pub(crate) rays: &'a [Ray],
    pub(crate) coherence: Coherence,
    pub(crate) answers: &'a mut [Q::Answer],
}

impl<Q: Packed> Errand for Chunk<'_, Q> {
    const EDGE_RULE: EdgeRule = Q::EDGE_RULE;

    type Answer = ();

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
            Coherence::Auto if self.rays.len() < WORTH_A_WAVEFRONT => {
                self.cast(simd, walk, all, Way::Single);
            }
            Coherence::Auto if self.rays.len() < WORTH_TRIALS => {
                self.cast(simd, walk, all, Way::Wavefront);
            }
            Coherence::Auto => {
                let (way, rest) = self.fastest(simd, walk);
                self.cast(simd, walk, rest, way);
            }
        }
    }
}

impl<Q: Packed> Chunk<'_, Q> {
    /// Finds the fastest way, by trials with the first rays if packets may be it; gives the rays
    /// that are left, too.
    ///
    /// Which way is fastest depends on the rays, the mesh and the caches together, so no look at
    /// the rays tells it as surely as the clock.
    #[inline(always)]
    fn fastest<S: Simd, A: Admit>(&mut self, simd: S, walk: &Walk<'_, A>) -> (Way, Range<usize>) {
        let mut left = 0..self.rays.len();
        if !can_be_together(&self.rays[WAVEFRONT_TRIAL / 2..][..PACKET_TRIAL]) {
            return (Way::Wavefront, left);
        }
        let before = self.trial(simd, walk, Way::Wavefront, &mut left, WAVEFRONT_TRIAL / 2);
        let packets = self.trial(simd, walk, Way::Packets, &mut left, PACKET_TRIAL);
        if packets * CLEAR_GAIN < before {
            return (Way::Packets, left);
        }
        let after = self.trial(simd, walk, Way::Wavefront, &mut left, WAVEFRONT_TRIAL / 2);
        let way =
            if packets < f64::midpoint(before, after) { Way::Packets } else { Way::Wavefront };
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

/// A slice of rays for a query that packets do not know.
pub(crate) struct UnpackedChunk<'a, Q: Batched>(pub(crate) Chunk<'a, Q>);

impl<Q: Batched> Errand for UnpackedChunk<'_, Q> {
    const EDGE_RULE: EdgeRule = Q::EDGE_RULE;

    type Answer = ();

    #[inline(always)]
    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A>) {
        let Self(Chunk { rays, coherence, answers }) = self;
        simd.vectorize(
            #[inline(always)]
            || {
                if const { !is_wide::<S>() } || is_alone(rays, coherence) {
                    walk.run_singly::<S, Q>(simd, rays, answers);
                } else {
                    walk.run_wavefront::<S, Q>(simd, rays, answers);
                }
            },
        );
    }
}

/// A slice of rays whose hits are listed; only for levels that are wide.
pub(crate) struct ListChunk<'a> {
    pub(crate) rays: &'a [Ray],
    pub(crate) lists: &'a mut Lists,
}

impl Errand for ListChunk<'_> {
    const EDGE_RULE: EdgeRule = Listed::EDGE_RULE;

    type Answer = ();

    #[inline(always)]
    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A>) {
        debug_assert!(is_wide::<S>(), "rays at narrow levels go one after another");
        if const { is_wide::<S>() } {
            simd.vectorize(
                #[inline(always)]
                || walk.run_wavefront::<S, Listed>(simd, self.rays, self.lists),
            );
        }
    }
}

/// Whether rays that packets do not know are cast one after another.
#[inline(always)]
pub(crate) fn is_alone(rays: &[Ray], coherence: Coherence) -> bool {
    rays.len() < WORTH_A_WAVEFRONT || coherence == Coherence::Coherent
}

/// Whether registers hold the eight lanes that the other ways count on; where they do not, these
/// gain nothing.
pub(crate) const fn is_wide<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN >= LANES
}
