//! What does this ray hit in this mesh? Exact answers, fast.

#![forbid(unsafe_code)]

pub mod camera;
pub mod scene;
pub mod transform;

pub use camera::{Camera, CameraError, ClipSpace};
pub use hitscan_batch::{AllHits, BatchOptions, BatchRaycast, CancelToken, Cancelled};
pub use hitscan_core::mesh::{MeshReport, Part, PartNames, Parts, Warning};
pub use hitscan_core::{
    Aabb, BuildOptions, Hit, MeshError, Quality, Ray, RayF64, Segment, TriangleMesh, obj,
};
pub use hitscan_traversal::{
    Bvh, Coherence, EdgeRule, Faces, Filled, Level, QueryOptions, Raycast, UnknownLevel,
    closed_form,
};
pub use scene::{Instance, Scene, SceneError};
pub use transform::Transform;

/// The traits that carry the queries: `use hitscan::prelude::*`.
pub mod prelude {
    pub use hitscan_batch::BatchRaycast;
    pub use hitscan_traversal::Raycast;
}

/// The README's example, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
