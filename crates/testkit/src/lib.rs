//! Procedural meshes, seeded rays and the exact oracle that hitscan is tested against.
//!
//! Nothing here shares code with the engine: only the shared types of `hitscan-core` are used, so
//! that the oracle can judge what it is compared with.

#![forbid(unsafe_code)]

pub mod data;
pub mod files;
pub mod integer;
pub mod meshes;
pub mod obj_text;
pub mod oracle;
pub mod random;
pub mod rays;
mod vector;
pub mod volume;
pub mod whole;

pub use oracle::{Oracle, OracleHit, Rule, Sides};
pub use random::Random;
