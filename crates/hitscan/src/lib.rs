//! What does this ray hit in this mesh? Exact answers, fast.
//!
//! ```
//! use hitscan::file::{self, ReadOptions};
//! use hitscan::prelude::*;
//! use hitscan::{BuildOptions, Bvh, Ray, Scene, Transform};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A mesh, from a file (`file::read_file`), from bytes, or from `TriangleMesh::new`.
//! let text = b"v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4";
//! let (mesh, report) = file::read_bytes(text, "floor.obj", &ReadOptions::default())?;
//! assert_eq!(report.triangles, 2);
//!
//! // A tree over it answers for one ray, or for millions on all cores.
//! let floor = Bvh::build(mesh, &BuildOptions::default());
//! let ray = Ray::new([1.0, 2.0, 5.0], [0.0, 0.0, -2.0]);
//! let hit = floor.closest_hit(&ray).ok_or("the floor is below")?;
//! assert_eq!((hit.t, ray.at(hit.t), hit.front), (2.5, [1.0, 2.0, 0.0], true));
//! assert_eq!(floor.any_hits(&[ray; 1000]), [true; 1000]);
//! assert!(!floor.line_of_sight([1.0, 2.0, 5.0], [1.0, 2.0, -5.0]));
//!
//! // A scene places trees in a world.
//! let mut scene = Scene::new();
//! let upstairs = scene.add(floor, Transform::translation([0.0, 0.0, 3.0]))?;
//! let hit = scene.closest_hit(&ray).ok_or("the upper floor")?;
//! assert_eq!((hit.instance, hit.t, scene.normal(&hit)), (upstairs, 1.0, [0.0, 0.0, 1.0]));
//! # Ok(())
//! # }
//! ```
//!
//! | to | use |
//! |---|---|
//! | read or make a mesh | [`mod@file`] (OBJ, STL, PLY, OFF, glTF), [`obj`], [`TriangleMesh`] |
//! | cast single rays | [`Bvh`] and the trait [`Raycast`] |
//! | cast many rays | the trait [`BatchRaycast`], with progress and cancellation |
//! | watch a long build, or end it early | [`Bvh::build_with`] |
//! | cull, mask, skip or filter | [`QueryOptions`] |
//! | move a mesh, add and remove triangles | [`Bvh::refit`], [`DynamicBvh`] |
//! | read a glTF scene as placed meshes | feature `gltf`: `gltf::read_file`, `Scene::from_gltf`, `Scene::from_gltf_with` |
//! | place meshes in a world | [`Scene`], [`Instance`], [`Transform`] |
//! | cast rays in f64 | [`RayF64::relative_to`], [`Instance::ray_to_object`] |
//! | pick what is on the screen | [`Camera`] |
//! | keep a tree on disk, or in a file of assets | [`Bvh::save`], [`Bvh::load`], [`Bvh::view`], [`mod@baked`] |
//! | learn why a ray hits or misses | [`Bvh::explain`] |
//! | find what is wrong with a mesh | [`Defects`] |
//! | test one plane, sphere, box or triangle | [`closed_form`] |
//!
//! # What an answer means
//!
//! - The point is `origin + t · direction`. Directions are never normalised: `t` is in units of
//!   their length, through transforms too.
//! - Nearest and any hits treat triangles as closed: no ray slips between two that share an edge.
//!   All hits and counts report each crossing of the surface once ([`EdgeRule`]).
//! - The answers are the same, bit for bit, for single rays and batches, for every number of
//!   threads, every [`Quality`] and every SIMD [`Level`].
//! - An invalid ray misses ([`Ray::is_valid`]), and nothing panics after construction.
//! - Points and directions go in as anything that becomes `[f32; 3]`, and come out as that.

#![forbid(unsafe_code)]

pub mod camera;
pub mod scene;
pub mod transform;

pub use camera::{Camera, CameraError, ClipSpace};
pub use hitscan_batch::{AllHits, BatchOptions, BatchRaycast, CancelToken, Cancelled};
pub use hitscan_core::bvh2::InvalidTree;
pub use hitscan_core::bvh8::TreeProfile;
#[cfg(feature = "gltf")]
pub use hitscan_core::gltf;
#[cfg(feature = "mmap")]
pub use hitscan_core::memory::MappedFile;
pub use hitscan_core::memory::SharedBytes;
pub use hitscan_core::mesh::{
    Defects, Duplicate, Edge, EditError, MeshReport, Part, PartNames, Parts, Topology, Warning,
    Weld,
};
pub use hitscan_core::{
    Aabb, BuildOptions, BuildProgress, BuildStage, BuildWatch, Hit, MeshError, Quality, Ray,
    RayF64, Segment, TreeLayout, TriangleMesh, baked, file, obj,
};
pub use hitscan_traversal::{
    Bvh, Coherence, Cost, DynamicBvh, EdgeRule, Explanation, Faces, Filled, Level, QueryOptions,
    Raycast, TreeQuality, UnknownLevel, closed_form, explain,
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
