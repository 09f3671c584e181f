//! Wall-clock time, told in milliseconds.

use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

/// A duration that serialises as milliseconds, to the microsecond.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Milliseconds(pub(crate) Duration);

impl Milliseconds {
    /// Runs `work` and tells how long it took.
    pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let start = Instant::now();
        let result = work();
        (result, Self(start.elapsed()))
    }
}

impl Serialize for Milliseconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_micros() as f64 / 1e3)
    }
}

impl std::fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.as_secs_f64();
        match seconds {
            _ if seconds < 0.01 => write!(f, "{:.2} ms", seconds * 1e3),
            _ if seconds < 1.0 => write!(f, "{:.0} ms", seconds * 1e3),
            _ => write!(f, "{seconds:.2} s"),
        }
    }
}
