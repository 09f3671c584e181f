//! One ray, or one packet of rays, through a hitscan tree.

#![forbid(unsafe_code)]

pub mod bvh;
pub mod closed_form;
pub mod level;
pub mod options;
pub mod raycast;

pub use bvh::Bvh;
pub use level::{Level, UnknownLevel};
pub use options::{EdgeRule, Faces, QueryOptions};
pub use raycast::{Coherence, Filled, Raycast};
