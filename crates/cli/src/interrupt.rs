//! Ctrl-C, or the system's wish that the program end: nothing half-written stays behind.
//!
//! Work that looks at the [`CancelToken`] ends by itself and tells so. Everything else, such as
//! waiting for the next byte of a pipe, is ended where it is, by the thread that hears the signal.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use anstream::eprintln;
use hitscan::{CancelToken, Cancelled};

use crate::progress;

/// What shells call the end by Ctrl-C: 128 and the number of the signal.
const STATUS: u8 = 130;

static STATE: Mutex<State> =
    Mutex::new(State { is_interrupted: false, is_watched: false, unfinished: Vec::new() });

static TOKEN: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);

/// The user wants the work to end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Begins to listen.
pub(crate) fn listen() {
    let hear = || {
        let mut state = state();
        TOKEN.cancel();
        if state.hear() == Next::End {
            // The lock is kept to the end, so that no file begins and none takes its name.
            for file in &state.unfinished {
                let _ = std::fs::remove_file(file);
            }
            progress::clear();
            let _ = report();
            std::process::exit(STATUS.into());
        }
    };
    // Whoever had these signals ignored, as `nohup` does, goes on having them ignored.
    let _ = ctrlc::try_set_handler(hear);
}

/// Does work that looks at the token now and then.
pub(crate) fn watched<T>(
    work: impl FnOnce(&CancelToken) -> Result<T, Cancelled>,
) -> Result<T, Interrupted> {
    state().watch(true)?;
    let result = work(&TOKEN);
    state().watch(false)?;
    result.map_err(|Cancelled| Interrupted)
}

/// Tells it and gives the exit code.
pub(crate) fn report() -> ExitCode {
    eprintln!("\u{1b}[1;31merror\u{1b}[0m: {Interrupted}");
    ExitCode::from(STATUS)
}

/// Begins a file that is removed should the program end before [`end_file`].
pub(crate) fn begin_file<T, E>(
    path: &Path,
    create: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, E> {
    let mut state = state();
    let file = create(path)?;
    state.unfinished.push(path.into());
    Ok(file)
}

/// Renames or removes a file that [`begin_file`] began.
pub(crate) fn end_file<T>(path: &Path, end: impl FnOnce(&Path) -> T) -> T {
    let mut state = state();
    let result = end(path);
    state.unfinished.retain(|unfinished| unfinished != path);
    result
}

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug, Default)]
struct State {
    is_interrupted: bool,
    /// Whether the work under way looks at the token.
    is_watched: bool,
    /// Files that have not got their names yet.
    unfinished: Vec<PathBuf>,
}

/// What is to be done about a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Nothing: the work sees that it is cancelled.
    Wait,
    /// End the program.
    End,
}

impl State {
    /// Hears a signal. The second one is from somebody who will not wait.
    fn hear(&mut self) -> Next {
        let is_second = std::mem::replace(&mut self.is_interrupted, true);
        if self.is_watched && !is_second { Next::Wait } else { Next::End }
    }

    /// Begins or ends watched work.
    fn watch(&mut self, is_watched: bool) -> Result<(), Interrupted> {
        self.is_watched = is_watched;
        if self.is_interrupted { Err(Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watched_work_ends_itself_at_the_first_signal_and_is_ended_at_the_second() {
        let mut state = State::default();
        assert!(state.watch(true).is_ok());
        assert_eq!([state.hear(), state.hear()], [Next::Wait, Next::End]);
    }

    #[test]
    fn unwatched_work_is_ended_at_the_first_signal() {
        assert_eq!(State::default().hear(), Next::End);
        let mut state = State::default();
        assert!(state.watch(true).is_ok() && state.watch(false).is_ok());
        assert_eq!(state.hear(), Next::End);
    }

    #[test]
    fn a_signal_at_the_last_moment_of_watched_work_is_not_lost() {
        let mut state = State::default();
        assert!(state.watch(true).is_ok());
        assert_eq!(state.hear(), Next::Wait);
        assert!(state.watch(false).is_err() && state.watch(true).is_err());
    }
}
