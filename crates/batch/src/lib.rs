//! Many rays at a hitscan tree, in parallel over rayon.

#![forbid(unsafe_code)]

mod batch;

pub use batch::{AllHits, BatchOptions, BatchRaycast, CancelToken, Cancelled};
