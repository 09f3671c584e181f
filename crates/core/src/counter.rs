//! Counting what many threads have done, and telling it in order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// Counts what many threads have done, and tells it: one call at a time, with rising numbers.
#[derive(Debug, Default)]
pub struct Counter {
    done: AtomicUsize,
    /// The number last told. Whoever holds the lock tells for everyone.
    told: Mutex<usize>,
}

impl Counter {
    /// How many were counted.
    #[must_use]
    pub fn count(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// Counts some more, and tells how many there are now, or leaves that to the thread that is
    /// telling.
    ///
    /// Nobody waits for the lock: a callback that itself runs on the pool may be handed another
    /// part of this very work, and would wait for itself. Instead the holder looks again after
    /// letting go. The fences make sure that of "mine are counted, the lock is taken" and "the
    /// lock is free, nothing new is counted" at least one side sees the other.
    pub fn add(&self, count: usize, tell: impl Fn(usize)) {
        self.done.fetch_add(count, Ordering::Relaxed);
        loop {
            fence(Ordering::SeqCst);
            let Ok(mut told) = self.told.try_lock() else { return };
            let done = self.done.load(Ordering::Relaxed);
            if done > *told {
                *told = done;
                tell(done);
            }
            drop(told);
            fence(Ordering::SeqCst);
            if self.done.load(Ordering::Relaxed) == done {
                return;
            }
        }
    }
}
