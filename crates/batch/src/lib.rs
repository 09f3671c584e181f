//! Many rays at a hitscan tree, in parallel over rayon.
//!
//! [`BatchRaycast`] is there on everything that answers single rays: a tree, or a scene of trees.

#![forbid(unsafe_code)]

pub mod all_hits;
pub mod batch;
pub mod options;
mod progress;

pub use all_hits::AllHits;
pub use batch::BatchRaycast;
pub use hitscan_core::{CancelToken, Cancelled};
pub use options::BatchOptions;
