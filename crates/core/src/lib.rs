//! Meshes, bounds, SAH builders and tree layouts of the hitscan raycasting engine.
//!
//! This crate knows triangles and trees; it casts no rays. Most users want the `hitscan` crate,
//! which re-exports what they need from here.

#![deny(unsafe_code)]

pub mod aabb;
pub mod baked;
pub mod build;
pub mod bvh2;
pub mod bvh8;
mod cancel;
mod checksum;
pub mod counter;
mod cut;
pub mod file;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod hit;
pub mod memory;
pub mod mesh;
pub mod obj;
mod off;
mod origin;
mod ply;
mod polygon;
pub mod ray;
mod simd;
mod stl;
mod text;

pub use aabb::Aabb;
pub use build::{BuildOptions, BuildProgress, BuildStage, BuildWatch, Quality};
pub use bvh2::Bvh2;
pub use bvh8::{Bvh8, TreeLayout};
pub use cancel::{CancelToken, Cancelled};
pub use hit::Hit;
pub use mesh::{MeshError, TriangleMesh};
pub use ray::{Ray, RayF64, Segment};
