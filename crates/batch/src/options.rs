//! How to cast a batch.

use hitscan_core::CancelToken;
use hitscan_traversal::{Coherence, QueryOptions};

/// How to cast a batch. The default asks for nothing special.
///
/// ```
/// use hitscan_batch::BatchOptions;
/// use hitscan_traversal::{Faces, QueryOptions};
/// let fronts = QueryOptions { faces: Faces::Front, ..QueryOptions::DEFAULT };
/// let progress = |done, all| eprintln!("{done} of {all} rays");
/// let options =
///     BatchOptions { query: fronts, progress: Some(&progress), ..BatchOptions::default() };
/// # let _ = options;
/// ```
///
/// A batch ends early where its token is cancelled, here from the callback:
///
/// ```
/// use hitscan_batch::{BatchOptions, BatchRaycast, CancelToken, Cancelled};
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::Bvh;
///
/// let tree = Bvh::build(TriangleMesh::default(), &BuildOptions::default());
/// let rays = vec![Ray::new([0.0; 3], [0.0, 0.0, 1.0]); 100_000];
/// let token = CancelToken::new();
/// let enough = |done, _all| {
///     if done >= 10_000 {
///         token.cancel();
///     }
/// };
/// let options = BatchOptions {
///     progress: Some(&enough),
///     cancel: Some(&token),
///     ..BatchOptions::default()
/// };
/// # // On one thread, so that no other can finish the batch before the callback is through.
/// # rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| {
/// assert_eq!(tree.any_hits_with(&rays, &options), Err(Cancelled));
/// # });
/// # Ok::<(), rayon::ThreadPoolBuildError>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct BatchOptions<'a> {
    /// What every ray's query is told; see [`QueryOptions`] for the defaults.
    pub query: QueryOptions<'a>,
    /// Whether neighbouring rays go much the same way; found out from the rays by default. It
    /// changes speed, never answers.
    pub coherence: Coherence,
    /// Called with (rays done, rays in all); not at all by default.
    ///
    /// The calls come from the threads that cast, but one at a time and with rising numbers. The
    /// last one is (all, all), before the batch returns. A slow callback holds up one thread, not
    /// all; what is done meanwhile is told in the next call. An empty batch makes no call.
    pub progress: Option<&'a (dyn Fn(usize, usize) + Sync)>,
    /// Looked at before each chunk of rays; none by default.
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
