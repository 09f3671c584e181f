//! What is going on, told on stderr while it goes on; on a terminal only.
//!
//! Drawn here and not by a crate: the cursor has to stay behind the text, for a terminal shows `^C`
//! where the cursor is, and at the end of a line that would begin another one.

mod line;

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hitscan::{BuildProgress, BuildStage};

use line::Line;

/// What is over sooner than this is not told: it would only flash.
const PATIENCE: Duration = Duration::from_millis(250);
/// The time between two looks.
const PERIOD: Duration = Duration::from_millis(100);

/// The columns of a terminal that does not say how many it has.
const WIDTH: usize = 80;
/// The columns of `^C`, which a terminal may add.
const ECHO: usize = 2;

/// How many there are, where nobody knows.
const UNKNOWN: u64 = u64::MAX;

/// The stage that is shown, for who ends the program in the midst of it.
static SHOWN: Mutex<Option<Arc<Work>>> = Mutex::new(None);

/// One stage of the work; it leaves no trace when it is done. Two do not go on at once.
#[derive(Debug)]
pub(crate) struct Stage(Option<Arc<Work>>);

/// What a stage is about, and how far it is.
#[derive(Debug)]
struct Work {
    doing: String,
    telling: Telling,
    begun: Instant,
    done: AtomicU64,
    all: AtomicU64,
    /// Which of the stages of a build it is at.
    building: AtomicUsize,
    screen: Mutex<Screen>,
    over: Condvar,
}

/// How to tell of a stage.
#[derive(Clone, Copy, Debug, Default)]
struct Telling {
    unit: &'static str,
    as_share: bool,
    is_build: bool,
}

/// What the terminal shows of it.
#[derive(Debug, Default)]
struct Screen {
    columns: usize,
    is_over: bool,
}

impl Stage {
    /// A stage that cannot tell how far it is.
    pub(crate) fn spinner(doing: &str) -> Self {
        Self::new(doing, None, Telling::default())
    }

    /// A stage of about `length` rays; `None` if nobody knows.
    pub(crate) fn rays(doing: &str, length: Option<u64>) -> Self {
        Self::new(doing, length, Telling { unit: "rays", ..Telling::default() })
    }

    /// A stage of nobody knows how many points; `quiet` where they go to stdout, which may be the
    /// same terminal.
    pub(crate) fn points(doing: &str, quiet: bool) -> Self {
        if quiet && std::io::stdout().is_terminal() {
            return Self::hidden();
        }
        Self::new(doing, None, Telling { unit: "points", ..Telling::default() })
    }

    /// The build of a tree over so many triangles.
    pub(crate) fn building(triangles: usize) -> Self {
        let telling = Telling { unit: "triangles", as_share: true, is_build: true };
        Self::new("building tree", Some(triangles as u64), telling)
    }

    /// A stage of `length` tiles of a picture.
    pub(crate) fn tiles(doing: &str, length: u64) -> Self {
        Self::new(doing, Some(length), Telling { as_share: true, ..Telling::default() })
    }

    /// A stage of `length` steps.
    pub(crate) fn steps(doing: &str, length: u64) -> Self {
        Self::new(doing, Some(length), Telling::default())
    }

    /// A stage that shows nothing.
    pub(crate) fn hidden() -> Self {
        Self(None)
    }

    fn new(doing: &str, length: Option<u64>, telling: Telling) -> Self {
        let is_dumb = std::env::var_os("TERM").map_or(cfg!(unix), |term| term == "dumb");
        if is_dumb || !std::io::stderr().is_terminal() {
            return Self::hidden();
        }
        let work = Arc::new(Work {
            doing: doing.into(),
            telling,
            begun: Instant::now(),
            done: AtomicU64::new(0),
            all: AtomicU64::new(length.unwrap_or(UNKNOWN)),
            building: AtomicUsize::new(0),
            screen: Mutex::default(),
            over: Condvar::new(),
        });
        let watched = Arc::clone(&work);
        let watcher = thread::Builder::new().name("progress".into());
        if watcher.spawn(move || watched.show()).is_err() {
            return Self::hidden();
        }
        *lock(&SHOWN) = Some(Arc::clone(&work));
        Self(Some(work))
    }

    /// Whether anybody sees it.
    pub(crate) fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Tells how far a build is.
    pub(crate) fn tell(&self, progress: BuildProgress) {
        let Some(work) = &self.0 else { return };
        work.building.store(progress.stage as usize, Ordering::Relaxed);
        let all = work.all.load(Ordering::Relaxed) as f64;
        work.done.store((progress.fraction * all) as u64, Ordering::Relaxed);
    }

    /// Says that `count` more are done.
    pub(crate) fn advance(&self, count: u64) {
        if let Some(work) = &self.0 {
            work.done.fetch_add(count, Ordering::Relaxed);
        }
    }

    /// Mends the guess of how many there are.
    pub(crate) fn set_length(&self, length: u64) {
        if let Some(work) = &self.0 {
            work.all.store(length, Ordering::Relaxed);
        }
    }

    /// Ends the stage.
    pub(crate) fn done(self) {}
}

impl Drop for Stage {
    fn drop(&mut self) {
        if self.is_shown() {
            clear();
        }
    }
}

/// Takes away what is shown.
pub(crate) fn clear() {
    if let Some(work) = lock(&SHOWN).take() {
        let mut screen = lock(&work.screen);
        screen.is_over = true;
        if screen.columns > 0 {
            let columns = (screen.columns + ECHO).min(width() - 1);
            write(&format!("\r{:columns$}\r", ""));
        }
        work.over.notify_all();
    }
}

impl Work {
    /// Draws the line again and again, until the stage is over.
    fn show(&self) {
        let mut wait = PATIENCE;
        let mut screen = lock(&self.screen);
        loop {
            let waited = self.over.wait_timeout_while(screen, wait, |screen| !screen.is_over);
            screen = waited.unwrap_or_else(PoisonError::into_inner).0;
            if screen.is_over {
                return;
            }
            // The last column stays free: terminals differ in what they do once it is filled.
            let width = width() - 1;
            let text = self.line(width);
            let columns = text.chars().count();
            // Spaces over what is left of the line before, as not every terminal knows codes for it,
            // and back again.
            let rest = screen.columns.min(width).saturating_sub(columns);
            write(&format!("\r{text}{:rest$}{}", "", "\u{8}".repeat(rest)));
            screen.columns = columns;
            wait = PERIOD;
        }
    }

    fn line(&self, width: usize) -> String {
        let all = self.all.load(Ordering::Relaxed);
        let line = Line {
            doing: &self.doing,
            unit: self.telling.unit,
            as_share: self.telling.as_share,
            done: self.done.load(Ordering::Relaxed),
            all: (all != UNKNOWN).then_some(all),
            step: if self.telling.is_build {
                name(self.building.load(Ordering::Relaxed))
            } else {
                ""
            },
            elapsed: self.begun.elapsed(),
        };
        line.text(width)
    }
}

fn write(text: &str) {
    // Who cannot be told is not told.
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The columns of the terminal, which may change at any time.
fn width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(WIDTH, |(width, _)| usize::from(width.0)).max(1)
}

/// What a build is at.
fn name(stage: usize) -> &'static str {
    match BuildStage::ALL.get(stage) {
        Some(BuildStage::Triangles) | None => "looking at triangles",
        Some(BuildStage::Leaves) => "making leaves",
        Some(BuildStage::Splits) => "splitting",
        Some(BuildStage::Moves) => "moving subtrees",
        Some(BuildStage::Blocks) => "writing nodes",
    }
}
