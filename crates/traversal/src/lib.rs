//! One ray, or one packet of rays, through a hitscan tree.

#![forbid(unsafe_code)]

mod baked;
mod blocks;
pub mod bvh;
mod cast;
mod chunk;
pub mod closed_form;
pub mod dynamic;
mod errand;
mod exact;
pub mod explain;
mod leaf;
pub mod level;
pub mod moving;
mod open;
pub mod options;
mod packet;
mod prepared;
mod query;
pub mod raycast;
mod slab;
mod walk;
mod wavefront;

pub use bvh::{Bvh, Cost};
pub use dynamic::DynamicBvh;
pub use explain::Explanation;
pub use level::{Level, UnknownLevel};
pub use moving::TreeQuality;
pub use options::{EdgeRule, Faces, QueryOptions};
pub use raycast::{Coherence, Filled, Raycast};
