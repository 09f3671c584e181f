//! How far a batch has come, and whether it is to go on.

use hitscan_core::counter::Counter;
use hitscan_core::{CancelToken, Cancelled};

use crate::options::BatchOptions;

pub(crate) struct Progress<'a> {
    options: &'a BatchOptions<'a>,
    all: usize,
    counter: Counter,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(all: usize, options: &'a BatchOptions<'a>) -> Self {
        Self { options, all, counter: Counter::default() }
    }

    /// Runs one chunk's work, unless the batch was cancelled.
    pub(crate) fn chunk<Answer>(
        &self,
        rays: usize,
        work: impl FnOnce() -> Answer,
    ) -> Result<Answer, Cancelled> {
        CancelToken::check(self.options.cancel)?;
        let answer = work();
        if let Some(tell) = self.options.progress {
            self.counter.add(rays, |done| tell(done, self.all));
        }
        Ok(answer)
    }
}
