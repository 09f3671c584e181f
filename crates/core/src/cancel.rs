//! Ending long work early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends long work early, from another thread or from a progress callback: the build of a tree, or
/// a batch of rays.
///
/// Clones share one state: cancelling any of them cancels all. There is no way back; new work
/// takes a new token.
///
/// ```
/// use hitscan_core::{CancelToken, Cancelled};
///
/// let token = CancelToken::new();
/// let work = |token: &CancelToken| if token.is_cancelled() { Err(Cancelled) } else { Ok(1) };
/// assert_eq!(work(&token), Ok(1));
/// token.clone().cancel();
/// assert_eq!(work(&token), Err(Cancelled));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that has not been cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all work that holds this token to end. What is under way in small parts, such as a
    /// chunk of rays, is finished first: a few milliseconds for most meshes.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`Self::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error if there is a token and it was cancelled.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline]
    pub fn check(token: Option<&Self>) -> Result<(), Cancelled> {
        if token.is_some_and(Self::is_cancelled) { Err(Cancelled) } else { Ok(()) }
    }
}

/// The work was cancelled before all of it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled before all of it was done")]
pub struct Cancelled;
