//! Watching a build, and ending it early.

use super::Quality;
use crate::cancel::{CancelToken, Cancelled};
use crate::counter::Counter;

/// Who watches a build and may end it. The default is nobody.
#[derive(Clone, Copy, Default)]
pub struct BuildWatch<'a> {
    /// Called with how far the build is; not at all by default.
    ///
    /// The calls come from the threads that build, but one at a time, with rising stages and
    /// fractions. The last one says that all is done, before the build returns. A slow callback
    /// holds up one thread, not all. A build over an empty mesh makes no call.
    pub progress: Option<&'a (dyn Fn(BuildProgress) + Sync)>,
    /// Looked at every few thousand triangles, and between passes over all of them; none by
    /// default.
    pub cancel: Option<&'a CancelToken>,
}

impl std::fmt::Debug for BuildWatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BuildWatch")
            .field("progress", &self.progress.map(|_| ".."))
            .field("cancel", &self.cancel)
            .finish()
    }
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildProgress {
    /// What is being done.
    pub stage: BuildStage,
    /// How much of the whole build is done, about, from 0 to 1.
    pub fraction: f64,
}

/// What a build does, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BuildStage {
    /// Looks at all triangles.
    Triangles,
    /// Sorts them along a curve and makes leaves of neighbours; in [`Quality::Fast`] only.
    Leaves,
    /// Splits them again and again.
    Splits,
    /// Moves subtrees to where they cost least; in [`Quality::High`] only.
    Moves,
    /// Chooses the wide tree's nodes and writes them.
    Blocks,
}

impl BuildStage {
    /// All stages, in order.
    pub const ALL: [Self; 5] =
        [Self::Triangles, Self::Leaves, Self::Splits, Self::Moves, Self::Blocks];

    /// Whether a quality has this stage.
    #[must_use]
    pub fn is_in(self, quality: Quality) -> bool {
        match self {
            Self::Leaves => quality == Quality::Fast,
            Self::Moves => quality == Quality::High,
            Self::Triangles | Self::Splits | Self::Blocks => true,
        }
    }

    /// What part of a build's time is over when the stage begins, and when it ends, as measured
    /// with scans of some hundred thousand triangles.
    fn share(self, quality: Quality) -> [f64; 2] {
        let ends = match quality {
            Quality::Fast => [0.12, 0.47, 0.58, 0.58, 1.0],
            Quality::Balanced => [0.05, 0.05, 0.78, 0.78, 1.0],
            Quality::High => [0.02, 0.02, 0.50, 0.88, 1.0],
        };
        let index = self as usize;
        [if index == 0 { 0.0 } else { ends[index - 1] }, ends[index]]
    }
}

/// What the stages of one build have in common.
#[derive(Clone, Copy, Debug)]
pub struct Meter<'a> {
    quality: Quality,
    watch: BuildWatch<'a>,
}

impl<'a> Meter<'a> {
    /// For a build of a quality.
    #[must_use]
    pub fn new(quality: Quality, watch: BuildWatch<'a>) -> Self {
        Self { quality, watch }
    }

    /// For a build that nobody watches.
    pub(crate) fn unwatched() -> Self {
        Self::new(Quality::default(), BuildWatch::default())
    }

    /// Begins a stage of `all` steps, unless the build was cancelled.
    pub(crate) fn stage(self, stage: BuildStage, all: usize) -> Result<Steps<'a>, Cancelled> {
        CancelToken::check(self.watch.cancel)?;
        Ok(Steps { meter: self, stage, all, counter: Counter::default() })
    }
}

/// The steps of one stage.
pub(crate) struct Steps<'a> {
    meter: Meter<'a>,
    stage: BuildStage,
    all: usize,
    counter: Counter,
}

impl Steps<'_> {
    /// Does some steps, unless the build was cancelled.
    #[inline]
    pub(crate) fn part<T>(&self, steps: usize, work: impl FnOnce() -> T) -> Result<T, Cancelled> {
        self.check()?;
        let result = work();
        self.add(steps);
        Ok(result)
    }

    /// An error if the build was cancelled.
    #[inline]
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        CancelToken::check(self.meter.watch.cancel)
    }

    /// Says that all steps are done, whatever was left out.
    pub(crate) fn finish(&self) {
        self.add(self.all.saturating_sub(self.counter.count()));
    }

    /// Says that some more steps are done.
    #[inline]
    pub(crate) fn add(&self, steps: usize) {
        if let Some(progress) = self.meter.watch.progress {
            self.counter.add(steps, |done| {
                let [start, end] = self.stage.share(self.meter.quality);
                let part = done as f64 / self.all as f64;
                let fraction = if done < self.all { start + (end - start) * part } else { end };
                progress(BuildProgress { stage: self.stage, fraction });
            });
        }
    }
}
