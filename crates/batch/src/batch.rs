//! Whole slices of rays at once.

use hitscan_core::{Cancelled, Hit, Ray};
use hitscan_traversal::Raycast;
use rayon::prelude::*;

use crate::all_hits::AllHits;
use crate::options::BatchOptions;
use crate::progress::Progress;

/// Whole slices of rays at once, on the rayon pool that the caller is in.
///
/// Outside of any pool that is rayon's global one; `ThreadPool::install` chooses another. Answers
/// come in the order of the rays and equal those of the single-ray queries bit for bit, whatever
/// the number of threads. An invalid ray misses and does not disturb its neighbours.
///
/// ```
/// use hitscan_batch::BatchRaycast;
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::Bvh;
///
/// let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 2.0], [9.0, 0.0, 2.0], [0.0, 9.0, 2.0]]])?;
/// let tree = Bvh::build(mesh, &BuildOptions::default());
/// let rays: Vec<Ray> = (0..1000)
///     .map(|i| Ray::new([0.01 * i as f32, 1.0, 0.0], [0.0, 0.0, 1.0]))
///     .collect();
/// let hits = tree.closest_hits(&rays);
/// assert_eq!(hits[500].map(|hit| hit.t), Some(2.0));
/// assert_eq!(hits[999], None);
/// assert_eq!(hits.iter().flatten().count(), tree.any_hits(&rays).iter().filter(|&&hit| hit).count());
/// # Ok::<(), hitscan_core::MeshError>(())
/// ```
pub trait BatchRaycast: Raycast {
    /// The nearest hit of each ray.
    #[doc(alias = "raycast_batch", alias = "intersect_many")]
    fn closest_hits(&self, rays: &[Ray]) -> Vec<Option<Hit>> {
        uncancelled(self.closest_hits_with(rays, &BatchOptions::default()))
    }

    /// Whether each ray hits anything.
    #[doc(alias = "occluded_batch")]
    fn any_hits(&self, rays: &[Ray]) -> Vec<bool> {
        uncancelled(self.any_hits_with(rays, &BatchOptions::default()))
    }

    /// How many hits each ray has.
    #[doc(alias = "count_hits")]
    fn count_hits_of(&self, rays: &[Ray]) -> Vec<usize> {
        uncancelled(self.count_hits_of_with(rays, &BatchOptions::default()))
    }

    /// All hits of each ray, near to far.
    #[doc(alias = "all_hits", alias = "csr")]
    fn all_hits_of(&self, rays: &[Ray]) -> AllHits {
        uncancelled(self.all_hits_of_with(rays, &BatchOptions::default()))
    }

    /// The nearest hit of each ray.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began.
    fn closest_hits_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<Option<Hit>>, Cancelled> {
        let mut hits = vec![None; rays.len()];
        self.closest_hits_into(rays, options, &mut hits)?;
        Ok(hits)
    }

    /// The nearest hit of each ray, into memory of yours.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began; some hits are
    /// then as they were.
    ///
    /// # Panics
    /// If `hits` is not as long as `rays`.
    fn closest_hits_into(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
        hits: &mut [Option<Hit>],
    ) -> Result<(), Cancelled> {
        answer_chunks(rays, options, hits, |rays, hits| {
            self.closest_hits_chunk(rays, &options.query, options.coherence, hits);
        })
    }

    /// Whether each ray hits anything.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began.
    fn any_hits_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<bool>, Cancelled> {
        let mut hits = vec![false; rays.len()];
        self.any_hits_into(rays, options, &mut hits)?;
        Ok(hits)
    }

    /// Whether each ray hits anything, into memory of yours.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began; some answers
    /// are then as they were.
    ///
    /// # Panics
    /// If `hits` is not as long as `rays`.
    fn any_hits_into(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
        hits: &mut [bool],
    ) -> Result<(), Cancelled> {
        answer_chunks(rays, options, hits, |rays, hits| {
            self.any_hits_chunk(rays, &options.query, options.coherence, hits);
        })
    }

    /// How many hits each ray has.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began.
    fn count_hits_of_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<Vec<usize>, Cancelled> {
        let mut counts = vec![0; rays.len()];
        answer_chunks(rays, options, &mut counts, |rays, counts| {
            self.count_hits_chunk(rays, &options.query, options.coherence, counts);
        })?;
        Ok(counts)
    }

    /// All hits of each ray, near to far.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the last chunk of rays began.
    fn all_hits_of_with(
        &self,
        rays: &[Ray],
        options: &BatchOptions<'_>,
    ) -> Result<AllHits, Cancelled> {
        let mut counts = vec![0; rays.len()];
        let progress = Progress::new(rays.len(), options);
        let size = chunk_size(rays.len());
        let pairs = rays.par_chunks(size).zip(counts.par_chunks_mut(size));
        let cast = |rays: &[Ray], counts: &mut [usize]| {
            let mut hits = Vec::new();
            self.all_hits_chunk(rays, &options.query, options.coherence, counts, &mut hits);
            hits
        };
        let chunks: Result<Vec<Vec<Hit>>, Cancelled> =
            pairs.map(|(rays, counts)| progress.chunk(rays.len(), || cast(rays, counts))).collect();
        Ok(AllHits::from_counts(&counts, chunks?.concat()))
    }
}

impl<T: Raycast + ?Sized> BatchRaycast for T {}

/// Runs `cast` over chunks of rays and the answers beside them.
fn answer_chunks<Answer: Send>(
    rays: &[Ray],
    options: &BatchOptions<'_>,
    answers: &mut [Answer],
    cast: impl Fn(&[Ray], &mut [Answer]) + Sync,
) -> Result<(), Cancelled> {
    assert_eq!(rays.len(), answers.len(), "one answer a ray");
    let progress = Progress::new(rays.len(), options);
    let size = chunk_size(rays.len());
    let pairs = rays.par_chunks(size).zip(answers.par_chunks_mut(size));
    pairs.try_for_each(|(rays, answers)| progress.chunk(rays.len(), || cast(rays, answers)))
}

/// How many rays one task casts: few enough that all threads have work to the end, enough that the
/// trials at a chunk's beginning are a small part of it. A multiple of every packet's width.
fn chunk_size(rays: usize) -> usize {
    let share = rays / rayon::current_num_threads();
    let least = share.clamp(256, 1024);
    (share / 8).clamp(least, 8192).next_multiple_of(64)
}

fn uncancelled<T>(result: Result<T, Cancelled>) -> T {
    result.unwrap_or_else(|Cancelled| unreachable!("no token was given"))
}
