//! What a cast came to: counts, times and speed.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

use crate::milliseconds::Milliseconds;
use crate::number::grouped;

/// What a cast came to: counts, times and speed.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Summary {
    pub(crate) schema: u32,
    pub(crate) query: &'static str,
    pub(crate) rays: u64,
    /// Rays that hit; for all and count every single hit.
    pub(crate) hits: u64,
    /// Rays that f64 could hold and f32 cannot: they miss.
    pub(crate) unrepresentable_rays: u64,
    pub(crate) load_ms: Milliseconds,
    pub(crate) build_ms: Milliseconds,
    /// Reading rays.
    pub(crate) read_ms: Milliseconds,
    /// Casting rays, and nothing else.
    pub(crate) cast_ms: Milliseconds,
    /// Writing hits.
    pub(crate) write_ms: Milliseconds,
    pub(crate) mrays_per_second: f64,
}

/// Millions of rays a second, to four digits; 0 where no time passed.
pub(crate) fn mrays_per_second(rays: u64, time: Duration) -> f64 {
    let seconds = time.as_secs_f64();
    if seconds == 0.0 {
        return 0.0;
    }
    let speed = rays as f64 / seconds / 1e6;
    if speed >= 1.0 { (speed * 1e3).round() / 1e3 } else { (speed * 1e6).round() / 1e6 }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = |count, noun: &'static str| {
            format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
        };
        write!(
            f,
            "{}, {}: load {}, build {}, cast {} ({:.2} Mrays/s)",
            noun(self.rays, "ray"),
            noun(self.hits, "hit"),
            self.load_ms,
            self.build_ms,
            self.cast_ms,
            self.mrays_per_second,
        )
    }
}
