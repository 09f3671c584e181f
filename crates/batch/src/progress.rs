//! How far a batch has come: counts finished rays, reports them in order, and asks whether to go
//! on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use crate::cancel::{CancelToken, Cancelled};
use crate::options::BatchOptions;

pub(crate) struct Progress<'a> {
    options: &'a BatchOptions<'a>,
    all: usize,
    done: AtomicUsize,
    /// The number last reported. Whoever holds the lock reports for everyone.
    reported: Mutex<usize>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(all: usize, options: &'a BatchOptions<'a>) -> Self {
        Self { options, all, done: AtomicUsize::new(0), reported: Mutex::new(0) }
    }

    /// Runs one chunk's work, unless the batch was cancelled.
    pub(crate) fn chunk<Answer>(
        &self,
        rays: usize,
        work: impl FnOnce() -> Answer,
    ) -> Result<Answer, Cancelled> {
        if self.options.cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(Cancelled);
        }
        let answer = work();
        if let Some(report) = self.options.progress {
            self.done.fetch_add(rays, Ordering::Relaxed);
            self.report(report);
        }
        Ok(answer)
    }

    /// Reports what is done, or leaves it to the thread that is reporting now.
    ///
    /// Nobody waits for the lock: a callback that itself runs on the pool may be handed another
    /// chunk of this very batch, and would wait for itself. Instead the holder looks again after
    /// letting go. The fences make sure that of "my rays are counted, the lock is taken" and "the
    /// lock is free, nothing new is counted" at least one side sees the other.
    fn report(&self, report: &(dyn Fn(usize, usize) + Sync)) {
        loop {
            fence(Ordering::SeqCst);
            let Ok(mut reported) = self.reported.try_lock() else { return };
            let done = self.done.load(Ordering::Relaxed);
            if done > *reported {
                *reported = done;
                report(done, self.all);
            }
            drop(reported);
            fence(Ordering::SeqCst);
            if self.done.load(Ordering::Relaxed) == done {
                return;
            }
        }
    }
}
