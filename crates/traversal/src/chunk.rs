//! A slice of rays, cast in whichever way suits them.

use std::ops::Range;
use std::time::Instant;

use fearless_simd::{Simd, SimdBase};
use hitscan_core::Ray;

use crate::bvh::Errand;
use crate::packet::{LANES, PACKET};
use crate::query::{Admit, Query};
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

/// How many rays each way gets to show how fast it is, where all are open.
const TRIALS: [(Way, usize); 3] =
    [(Way::Single, 128), (Way::Packets, 2 * PACKET), (Way::Wavefront, 512)];

/// Below this many rays the trials would be a large part of them.
const WORTH_TRIALS: usize = 2048;

/// A slice of rays, how to start each one's query, and how to make its answer.
pub(crate) struct Chunk<'a, Start, Finish, Answer> {
    pub(crate) rays: &'a [Ray],
    pub(crate) coherence: Coherence,
    pub(crate) start: Start,
    pub(crate) finish: Finish,
    pub(crate) answers: &'a mut [Answer],
}

impl<Q, Start, Finish, Answer> Errand for Chunk<'_, Start, Finish, Answer>
where
    Q: Query + Copy,
    Start: Fn(&Ray) -> Q,
    Finish: Fn(&Q, &Ray, &mut Answer),
{
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

impl<Q, Start, Finish, Answer> Chunk<'_, Start, Finish, Answer>
where
    Q: Query + Copy,
    Start: Fn(&Ray) -> Q,
    Finish: Fn(&Q, &Ray, &mut Answer),
{
    /// Casts the first rays in every way; gives the fastest way, and which rays are left.
    ///
    /// Which way is fastest depends on the rays, the mesh and the caches together, so no look at
    /// the rays tells it as surely as the clock.
    #[inline(always)]
    fn fastest<S: Simd, A: Admit>(&mut self, simd: S, walk: &Walk<'_, A>) -> (Way, Range<usize>) {
        let mut best = (f64::INFINITY, Way::Single);
        let mut first = 0;
        for (way, count) in TRIALS {
            let start = Instant::now();
            self.cast(simd, walk, first..first + count, way);
            let time = start.elapsed().as_secs_f64() / count as f64;
            if time < best.0 {
                best = (time, way);
            }
            first += count;
        }
        (best.1, first..self.rays.len())
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
                let (start, finish) = (&self.start, &self.finish);
                match way {
                    Way::Wavefront if const { is_wide::<S>() } => {
                        walk.run_wavefront(simd, rays, start, finish, answers);
                    }
                    Way::Packets if const { is_wide::<S>() } => {
                        walk.run_packets(simd, rays, start, finish, answers);
                    }
                    _ => walk.run_singly(simd, rays, start, finish, answers),
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
