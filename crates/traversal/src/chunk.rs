//! A slice of rays, one after another or in packets, whichever suits them.

use fearless_simd::{Simd, SimdBase};
use hitscan_core::Ray;

use crate::bvh::Errand;
use crate::packet::{LANES, PACKET, Packet, Togetherness};
use crate::query::{Admit, Query};
use crate::raycast::Coherence;
use crate::slab::SlabRay;
use crate::walk::Walk;

/// Packets pay while at least this many of the eight rays in a test meet the box.
const WORTH_IT: f32 = 2.0;

/// Packets that are cast before looking whether they pay.
const TRIAL: usize = 4;

/// A slice of rays, how to start each one's query, and where its answer goes.
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
    Finish: Fn(&Q, &Ray) -> Answer,
{
    #[inline(always)]
    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A>) {
        let mut packet = Packet::UNSET;
        let mut trial = Trial::new(self.coherence);
        for (rays, answers) in self.rays.chunks(PACKET).zip(self.answers.chunks_mut(PACKET)) {
            let mut queries = [(self.start)(&rays[0]); PACKET];
            for (query, ray) in queries.iter_mut().zip(rays) {
                *query = (self.start)(ray);
            }
            // The first condition is known when compiled, so that the scalar kernels hold no packets.
            if const { is_wide::<S>() }
                && trial.packets_pay()
                && packet.set(rays, walk.tree).is_some()
            {
                trial.note(walk.run_packet(simd, rays, &mut packet, &mut queries));
            } else {
                trial.note_apart();
                for (ray, query) in rays.iter().zip(&mut queries) {
                    if ray.is_valid() {
                        let slab = SlabRay::new(ray, walk.tree.reach());
                        walk.run_apart(simd, walk.tree.root(), ray, &slab, query);
                    }
                }
            }
            for ((query, ray), answer) in queries.iter().zip(rays).zip(answers) {
                *answer = (self.finish)(query, ray);
            }
        }
    }
}

/// Whether registers hold the eight lanes of a packet's group; where they do not, packets gain
/// nothing.
const fn is_wide<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN >= LANES
}

/// Finds out from the rays themselves whether packets pay.
struct Trial {
    coherence: Coherence,
    tried: usize,
    tests: f32,
    met: f32,
}

impl Trial {
    fn new(coherence: Coherence) -> Self {
        Self { coherence, tried: 0, tests: 0.0, met: 0.0 }
    }

    fn packets_pay(&self) -> bool {
        match self.coherence {
            Coherence::Coherent => true,
            Coherence::Incoherent => false,
            Coherence::Auto => self.tried < TRIAL || self.met >= WORTH_IT * self.tests,
        }
    }

    fn note(&mut self, seen: Togetherness) {
        self.tried += 1;
        self.tests += seen.tests as f32;
        self.met += seen.met as f32;
    }

    /// Rays that could not even start together: as good as tests that no ray met.
    fn note_apart(&mut self) {
        self.tried += 1;
        self.tests += 1.0;
    }
}
