//! What went wrong in a test of many rays: the first few in full, the rest as a number.

use std::fmt::Display;

/// What went wrong so far.
#[derive(Default)]
pub(crate) struct Failures {
    first: Vec<String>,
    count: usize,
    checks: usize,
}

impl Failures {
    const SHOWN: usize = 12;

    /// Notes a failure unless `right`.
    pub(crate) fn check<Message: Display>(&mut self, right: bool, message: impl Fn() -> Message) {
        self.checks += 1;
        if right {
            return;
        }
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(message().to_string());
        }
    }

    /// Fails the test if anything went wrong, or if next to nothing was looked at.
    pub(crate) fn finish(self) {
        assert!(self.checks >= 100, "only {} checks were made", self.checks);
        let Self { first, count, checks } = self;
        assert!(count == 0, "{count} of {checks} checks failed:\n{}", first.join("\n"));
    }
}
