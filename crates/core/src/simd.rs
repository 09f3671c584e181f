//! SIMD for builders: AVX2 or none on x86, so that their code is compiled twice, not for each of
//! five levels. The trees are the same whatever it is.

/// Evaluates an expression with a token for SIMD instructions that this CPU has.
macro_rules! with_simd {
    ($simd:ident => $run:expr) => {{
        let level = fearless_simd::Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            if let Some($simd) = level.as_avx2() {
                $run
            } else {
                let $simd = fearless_simd::Fallback::new();
                $run
            }
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        {
            fearless_simd::dispatch!(level, $simd => $run)
        }
    }};
}

pub(crate) use with_simd;
