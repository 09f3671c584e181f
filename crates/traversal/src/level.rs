//! Which SIMD instructions the walk uses: found at run time, or forced by `HITSCAN_SIMD`.

use std::fmt;
use std::str::FromStr;

use fearless_simd::{Fallback, Simd};

use crate::chunk::is_wide;

/// A set of SIMD instructions that this CPU has.
#[derive(Clone, Copy, Debug)]
pub struct Level(fearless_simd::Level);

/// A level that is not known or that this CPU does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SIMD level `{0}` is unknown or not available here; available: {1}")]
pub struct UnknownLevel(String, String);

impl Level {
    /// The best level that this CPU has, or the one that `HITSCAN_SIMD` names.
    ///
    /// An unknown or unavailable `HITSCAN_SIMD` is ignored here; [`Level::from_env`] reports it.
    #[must_use]
    pub fn detect() -> Self {
        Self::from_env().unwrap_or_else(|_| Self(fearless_simd::Level::new()))
    }

    /// The level that `HITSCAN_SIMD` names, or the best one if it is not set.
    ///
    /// # Errors
    /// [`UnknownLevel`] if `HITSCAN_SIMD` is set to something that cannot be had.
    pub fn from_env() -> Result<Self, UnknownLevel> {
        match std::env::var("HITSCAN_SIMD") {
            Ok(name) if !name.is_empty() => name.parse(),
            _ => Ok(Self(fearless_simd::Level::new())),
        }
    }

    /// The plain scalar level, there on every CPU.
    #[must_use]
    pub fn scalar() -> Self {
        Self(fearless_simd::Level::fallback())
    }

    /// Every level that this CPU has, the plainest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        let best = fearless_simd::Level::new();
        let mut levels = vec![Self::scalar()];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            use fearless_simd::Level as Simd;
            levels.extend(best.as_sse4_2().map(|token| Self(Simd::Sse4_2(token))));
            levels.extend(best.as_avx2().map(|token| Self(Simd::Avx2(token))));
            levels.extend(best.as_avx512().map(|token| Self(Simd::Avx512(token))));
        }
        #[cfg(target_arch = "aarch64")]
        levels.extend(best.as_neon().map(|token| Self(fearless_simd::Level::Neon(token))));
        levels
    }

    /// The level's name, as `HITSCAN_SIMD` takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        use fearless_simd::Level as Simd;
        match self.0 {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Sse4_2(_) => "sse4.2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Avx2(_) => "avx2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Simd::Neon(_) => "neon",
            _ => "scalar",
        }
    }

    /// Whether batches go other ways than one ray after another.
    pub(crate) fn is_wide(self) -> bool {
        self.with_simd(IsWide)
    }

    /// Runs something at the level.
    // `fearless_simd::dispatch!` lends what it runs; here it is moved in, by registers if it is two
    // pointers: 2 % of a short ray's time.
    #[inline(always)]
    pub(crate) fn with_simd<R: WithSimd>(self, run: R) -> R::Answer {
        use fearless_simd::Level as Simd;
        match self.0 {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(disable_dispatch_avx512)
            ))]
            Simd::Avx512(simd) => run_at(simd, run),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Avx2(simd) => run_at(simd, run),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Simd::Sse4_2(simd) => run_at(simd, run),
            #[cfg(target_arch = "aarch64")]
            Simd::Neon(simd) => run_at(simd, run),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Simd::WasmSimd128(simd) => run_at(simd, run),
            _ => run_at(Fallback::new(), run),
        }
    }

    /// Runs something that is not worth code for every level: on x86 with AVX2, or with nothing;
    /// elsewhere with what there is.
    #[inline(always)]
    pub(crate) fn with_few<R: WithSimd>(self, run: R) -> R::Answer {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        return match self.0.as_avx2() {
            Some(avx2) => run_at(avx2, run),
            None => run_at(Fallback::new(), run),
        };
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        self.with_simd(run)
    }
}

/// Runs something with the instructions that a token stands for.
#[inline(always)]
fn run_at<S: Simd, R: WithSimd>(simd: S, run: R) -> R::Answer {
    simd.vectorize(
        #[inline(always)]
        move || run.run(simd),
    )
}

/// Whether [`is_wide`] at a level.
struct IsWide;

impl WithSimd for IsWide {
    type Answer = bool;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> bool {
        is_wide::<S>()
    }
}

/// Something to run with SIMD instructions.
pub(crate) trait WithSimd {
    type Answer;

    fn run<S: Simd>(self, simd: S) -> Self::Answer;
}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        let available = Self::available();
        available.iter().copied().find(|level| level.name() == name).ok_or_else(|| {
            let names: Vec<&str> = available.iter().map(|level| level.name()).collect();
            UnknownLevel(name.into(), names.join(", "))
        })
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
