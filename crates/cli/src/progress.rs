//! What is going on, told on stderr while it goes on; on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use hitscan::{BuildProgress, BuildStage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// One stage of the work; it leaves no trace when it is done.
#[derive(Debug)]
pub(crate) struct Stage(ProgressBar);

impl Stage {
    /// A stage that cannot tell how far it is.
    pub(crate) fn spinner(name: &'static str) -> Self {
        Self::with_style(None, name, "{spinner} {msg} {elapsed}")
    }

    /// A stage of about `length` rays; `None` if nobody knows.
    pub(crate) fn rays(name: &'static str, length: Option<u64>) -> Self {
        let style = match length {
            Some(_) => {
                "{spinner} {msg} [{bar:32}] {human_pos}/{human_len} rays, {per_sec}, {eta} left"
            }
            None => "{spinner} {msg} {human_pos} rays, {per_sec}",
        };
        Self::with_style(length, name, style)
    }

    /// A stage of nobody knows how many points; `quiet` where they go to stdout, which may be the
    /// same terminal.
    pub(crate) fn points(name: &'static str, quiet: bool) -> Self {
        if quiet && std::io::stdout().is_terminal() {
            return Self::hidden();
        }
        Self::with_style(None, name, "{spinner} {msg} {human_pos} points, {per_sec}")
    }

    /// The build of a tree over so many triangles.
    pub(crate) fn building(triangles: usize) -> Self {
        let style = "{spinner} {msg} [{bar:32}] {human_pos}/{human_len} triangles, {per_sec}, \
                     {eta} left";
        Self::with_style(Some(triangles as u64), "building tree", style)
    }

    /// Tells how far a build is.
    pub(crate) fn tell(&self, progress: BuildProgress) {
        let doing = match progress.stage {
            BuildStage::Triangles => "building tree: looking at triangles",
            BuildStage::Leaves => "building tree: making leaves",
            BuildStage::Splits => "building tree: splitting",
            BuildStage::Moves => "building tree: moving subtrees",
            BuildStage::Blocks => "building tree: writing nodes",
        };
        if self.0.message() != doing {
            self.0.set_message(doing);
        }
        let length = self.0.length().unwrap_or(0) as f64;
        self.0.set_position((progress.fraction * length) as u64);
    }

    /// Whether anybody sees it.
    pub(crate) fn is_shown(&self) -> bool {
        !self.0.is_hidden()
    }

    /// A stage of `length` tiles of a picture.
    pub(crate) fn tiles(name: &'static str, length: u64) -> Self {
        Self::with_style(Some(length), name, "{spinner} {msg} [{bar:32}] {percent} %, {eta} left")
    }

    /// A stage of `length` steps.
    pub(crate) fn steps(name: &'static str, length: u64) -> Self {
        Self::with_style(Some(length), name, "{spinner} {msg} [{bar:32}] {pos}/{len}, {eta} left")
    }

    fn with_style(length: Option<u64>, name: &'static str, template: &str) -> Self {
        let hidden = !std::io::stderr().is_terminal();
        let target = if hidden {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(10)
        };
        let bar = ProgressBar::with_draw_target(length, target).with_message(name);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// A stage that shows nothing.
    pub(crate) fn hidden() -> Self {
        Self(ProgressBar::hidden())
    }

    /// Says that `count` more are done.
    pub(crate) fn advance(&self, count: u64) {
        self.0.inc(count);
    }

    /// Mends the guess of how many there are.
    pub(crate) fn set_length(&self, length: u64) {
        self.0.set_length(length);
    }

    /// Ends the stage.
    pub(crate) fn done(self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
