//! The one place that calls code which is not Rust: opponents behind safe functions.

#![expect(unsafe_code, reason = "C functions are called through their addresses")]

pub mod embree;
pub mod heap;
#[cfg(tinybvh)]
pub mod tinybvh;
