//! How fast rays of one kind are cast.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hitscan::Bvh;
use hitscan::prelude::*;

use super::workload::Workload;
use crate::args::Query;
use crate::summary;

/// Rays between two looks at the clock.
const BETWEEN_LOOKS: usize = 4096;

/// How rays are cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Ray by ray on one thread.
    Single,
    /// All at once on all threads.
    Batch,
}

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Batch => "batch",
        }
    }
}

/// Casts the rays again and again until `time` is over; at least some of them.
pub(crate) fn mrays_per_second(bvh: &Bvh, workload: &Workload, mode: Mode, time: Duration) -> f64 {
    if workload.rays.is_empty() {
        return 0.0;
    }
    let mut chunks = workload.rays.chunks(BETWEEN_LOOKS).cycle();
    let mut cast = 0_usize;
    let start = Instant::now();
    loop {
        match (mode, workload.query) {
            (Mode::Batch, Query::Any) => drop(black_box(bvh.any_hits(&workload.rays))),
            (Mode::Batch, _) => drop(black_box(bvh.closest_hits(&workload.rays))),
            (Mode::Single, query) => {
                let Some(chunk) = chunks.next() else { return 0.0 };
                for ray in chunk {
                    match query {
                        Query::Any => drop(black_box(bvh.any_hit(ray))),
                        _ => drop(black_box(bvh.closest_hit(ray))),
                    }
                }
                cast += chunk.len();
            }
        }
        if mode == Mode::Batch {
            cast += workload.rays.len();
        }
        let spent = start.elapsed();
        if spent >= time {
            return summary::mrays_per_second(cast as u64, spent);
        }
    }
}
