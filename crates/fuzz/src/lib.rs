//! What the fuzz targets share: scenes made of bytes, and all ways to ask for the same answer.

#![forbid(unsafe_code)]

pub mod answers;
pub mod bytes;
pub mod scene;

pub use bytes::Bytes;
pub use scene::Scene;

/// Three corners.
pub type Triangle = [[f32; 3]; 3];
