//! SIMD operations that were left as functions.
//!
//! Code that is compiled without a kernel's target feature cannot inline its operations: each one
//! becomes a call, and vectors go through memory. It happens to helpers that forgot to be
//! `#[inline(always)]` and to closures, and costs several times what it looks like.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// How mangled names begin.
const MANGLED: [&str; 2] = ["_ZN", "_R"];

/// What the mangled name of such a function has in it.
const LIBRARY: &str = "fearless_simd";
const OPERATION: &str = "6kernel";

/// Builders grow boxes outside of their kernels, too, some times a node. A kernel that is left
/// without its level leaves other operations as well.
const OF_BUILDERS: &str = "9min_f32x8";

/// Fails if the program has functions for single SIMD operations.
pub(super) fn check(program: &Path) -> Result<()> {
    let bytes = std::fs::read(program).with_context(|| program.display().to_string())?;
    // Symbols are NUL-terminated in every object format in use.
    let names = bytes.split(|&byte| byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    let mut entries = 0;
    let mut calls = BTreeSet::new();
    let is_mangled = |name: &str| MANGLED.iter().any(|mangled| name.starts_with(mangled));
    for name in names.filter(|name| is_mangled(name) && name.contains(LIBRARY)) {
        entries += 1;
        if name.contains(OPERATION) && !name.contains(OF_BUILDERS) {
            calls.insert(name);
        }
    }
    ensure!(entries > 0, "{} has no symbols to look at", program.display());
    for name in &calls {
        println!("left as a function: {name}");
    }
    ensure!(calls.is_empty(), "{} SIMD operations were not inlined", calls.len());
    println!("codegen: SIMD operations are inlined");
    Ok(())
}
