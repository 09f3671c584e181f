//! Compiles tinybvh's header for this machine, or says why it cannot.

use std::path::{Path, PathBuf};
use std::process::Command;

const SHIM: &str = "src/foreign/tinybvh.cpp";

fn main() {
    println!("cargo::rerun-if-changed={SHIM}");
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rustc-check-cfg=cfg(tinybvh)");
    match header_folder().and_then(|folder| compile(&folder)) {
        Ok(()) => println!("cargo::rustc-cfg=tinybvh"),
        Err(why) => println!("cargo::rustc-env=TINYBVH_MISSING={}", why.replace('\n', " ")),
    }
}

/// Where the `tinybvh-rs` package keeps the header.
///
/// The package is a dependency for no target: its build script would stop ours where there is no
/// C++ compiler, and its 8-wide query is compiled only if all of this program may use AVX2. So
/// cargo fetches it when it is asked for its place.
fn header_folder() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked"])
        .output()
        .map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages
        .filter(|package| package["name"] == "tinybvh-rs")
        .find_map(|package| package["manifest_path"].as_str())
        .ok_or("there is no package tinybvh-rs")?;
    Ok(Path::new(manifest).with_file_name("ffi").join("tinybvh"))
}

fn compile(folder: &Path) -> Result<(), String> {
    let mut build = cc::Build::new();
    build.cpp(true).std("c++20").opt_level(3).flag("-march=native").warnings(false);
    build.include(folder).file(SHIM);
    build.try_compile("peers_tinybvh").map_err(|error| error.to_string())
}
