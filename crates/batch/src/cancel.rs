//! Ending a batch early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends a batch early, from another thread or from a progress callback.
///
/// Clones share one state: cancelling any of them cancels all. There is no way back; a new batch
/// takes a new token.
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
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that has not been cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks every batch that holds this token to end. Chunks of rays that are under way are
    /// finished first: a few milliseconds for most meshes.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Self::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The batch was cancelled before all its rays were cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled before all rays were cast")]
pub struct Cancelled;
