//! SIMD levels that nothing here enters, and how to build without them.

use std::process::Command;

/// Leaves out the kernels for AVX-512.
const NO_AVX512: &str = " --cfg disable_dispatch_avx512";

/// Gives a release build the kernels that CI leaves out of its debug builds because this CPU cannot
/// enter them.
pub(crate) fn with_all(build: &mut Command) {
    if let Ok(flags) = std::env::var("RUSTFLAGS") {
        build.env("RUSTFLAGS", flags.replace(NO_AVX512, ""));
    }
}

/// Compiler flags that leave out the kernels for SIMD levels which no test enters on this machine:
/// they are two of five, and most of a build is kernels.
pub(crate) fn without_idle() -> String {
    // No level of ours is SSE2 alone.
    let mut flags = String::from("--cfg disable_dispatch_sse2");
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx512f") {
        flags += NO_AVX512;
    }
    flags
}
