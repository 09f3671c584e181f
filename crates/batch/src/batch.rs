//! Whole slices of rays at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hitscan_core::{Hit, Ray};
use hitscan_traversal::{Coherence, QueryOptions, Raycast};
use rayon::prelude::*;

/// Rays that one task casts before it reports progress and looks for cancellation.
const CHUNK: usize = 4096;

/// How to cast a batch.
#[derive(Clone, Copy, Default)]
pub struct BatchOptions<'a> {
    /// What every ray's query is told.
    pub query: QueryOptions<'a>,
    /// Whether neighbouring rays go much the same way; found out from the rays by default.
    pub coherence: Coherence,
    /// Called with (rays done, rays in all), from whichever thread finished a chunk.
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
    /// Looked at before each chunk; none by default.
    pub cancel: Option<&'a CancelToken>,
}

impl std::fmt::Debug for BatchOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchOptions")
            .field("query", &self.query)
            .field("coherence", &self.coherence)
            .field("progress", &self.progress.map(|_| ".."))
            .field("cancel", &self.cancel)
            .finish()
    }
}

/// Ends a batch early, from another thread or from a progress callback.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that has not been cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every batch that holds this token to end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Self::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The batch was cancelled before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// The hits of many rays in one list: the hits of ray `i` are `hits[offsets[i]..offsets[i + 1]]`,
/// near to far (compressed sparse rows).
#[derive(Clone, Debug, PartialEq)]
pub struct AllHits {
    /// Where each ray's hits begin; one longer than the rays, the last is the number of hits.
    pub offsets: Vec<usize>,
    /// The hits, ray by ray.
    pub hits: Vec<Hit>,
}

impl AllHits {
    /// The hits of one ray, near to far.
    ///
    /// # Panics
    /// If there is no such ray.
    #[must_use]
    pub fn of_ray(&self, ray: usize) -> &[Hit] {
        &self.hits[self.offsets[ray]..self.offsets[ray + 1]]
    }

    /// How many rays there are.
    #[must_use]
    pub fn ray_count(&self) -> usize {
        self.offsets.len() - 1
    }
}

/// Whole slices of rays at once, on the rayon pool that the caller is in.
///
/// Answers come in the order of the rays and equal those of the single-ray queries bit for bit,
/// whatever the number of threads.
pub trait BatchRaycast: Raycast {
    /// The nearest hit of each ray.
    fn closest_hits(&self, rays: &[Ray]) -> Vec<Option<Hit>> {
        uncancelled(self.closest_hits_with(rays, &BatchOptions::default()))
    }

    /// Whether each ray hits anything.
    fn any_hits(&self, rays: &[Ray]) -> Vec<bool> {
        uncancelled(self.any_hits_with(rays, &BatchOptions::default()))
    }

    /// How many hits each ray has.
    fn count_hits_of(&self, rays: &[Ray]) -> Vec<usize> {
        uncancelled(self.count_hits_of_with(rays, &BatchOptions::default()))
    }

    /// All hits of each ray, near to far.
    fn all_hits_of(&self, rays: &[Ray]) -> AllHits {
        uncancelled(self.all_hits_of_with(rays, &BatchOptions::default()))
    }

    /// The nearest hit of each ray.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the end.
    fn closest_hits_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<Option<Hit>>, Cancelled> {
        let mut hits = vec![None; rays.len()];
        fill_chunks(rays, &mut hits, options, |rays, hits| {
            self.closest_hits_chunk(rays, &options.query, options.coherence, hits);
        })?;
        Ok(hits)
    }

    /// Whether each ray hits anything.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the end.
    fn any_hits_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<bool>, Cancelled> {
        let mut hits = vec![false; rays.len()];
        fill_chunks(rays, &mut hits, options, |rays, hits| {
            self.any_hits_chunk(rays, &options.query, options.coherence, hits);
        })?;
        Ok(hits)
    }

    /// How many hits each ray has.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the end.
    fn count_hits_of_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<usize>, Cancelled> {
        let mut counts = vec![0; rays.len()];
        fill_chunks(rays, &mut counts, options, |rays, counts| {
            for (ray, count) in rays.iter().zip(counts) {
                *count = self.count_hits_with(ray, &options.query);
            }
        })?;
        Ok(counts)
    }

    /// All hits of each ray, near to far.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the end.
    fn all_hits_of_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<AllHits, Cancelled> {
        let mut counts = vec![0; rays.len()];
        let mut chunks = vec![Vec::new(); rays.len().div_ceil(CHUNK)];
        let progress = Progress::new(rays.len(), options);
        rays.par_chunks(CHUNK).zip(counts.par_chunks_mut(CHUNK)).zip(&mut chunks).try_for_each(
            |((rays, counts), hits)| {
                for (ray, count) in rays.iter().zip(counts) {
                    let before = hits.len();
                    self.append_all_hits_with(ray, &options.query, hits);
                    *count = hits.len() - before;
                }
                progress.advance(rays.len())
            },
        )?;
        let mut offsets = Vec::with_capacity(rays.len() + 1);
        offsets.push(0);
        let mut sum = 0;
        offsets.extend(counts.iter().map(|count| {
            sum += count;
            sum
        }));
        Ok(AllHits { offsets, hits: chunks.concat() })
    }
}

impl<T: Raycast + ?Sized> BatchRaycast for T {}

/// Runs `cast` over chunks of rays and the answers beside them.
fn fill_chunks<Answer: Send>(
    rays: &[Ray],
    answers: &mut [Answer],
    options: &BatchOptions<'_>,
    cast: impl Fn(&[Ray], &mut [Answer]) + Sync,
) -> Result<(), Cancelled> {
    let progress = Progress::new(rays.len(), options);
    rays.par_chunks(CHUNK).zip(answers.par_chunks_mut(CHUNK)).try_for_each(|(rays, answers)| {
        cast(rays, answers);
        progress.advance(rays.len())
    })
}

struct Progress<'a> {
    done: AtomicUsize,
    all: usize,
    options: &'a BatchOptions<'a>,
}

impl<'a> Progress<'a> {
    fn new(all: usize, options: &'a BatchOptions<'a>) -> Self {
        Self { done: AtomicUsize::new(0), all, options }
    }

    /// Reports a finished chunk, and says whether to go on.
    fn advance(&self, rays: usize) -> Result<(), Cancelled> {
        let done = self.done.fetch_add(rays, Ordering::Relaxed) + rays;
        if let Some(report) = self.options.progress {
            report(done, self.all);
        }
        let cancelled = self.options.cancel.is_some_and(CancelToken::is_cancelled);
        if cancelled && done < self.all { Err(Cancelled) } else { Ok(()) }
    }
}

fn uncancelled<T>(result: Result<T, Cancelled>) -> T {
    result.unwrap_or_else(|Cancelled| unreachable!("no token was given"))
}
