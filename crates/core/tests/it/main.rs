//! What users of this crate see, one module a subject.

mod baked;
mod build;
mod can_be_hit;
mod compact;
mod defects;
mod edit;
mod file;
mod obj;
mod profile;
mod refit;
mod topology;

use hitscan_core::build::build;
use hitscan_core::{BuildOptions, Bvh8, Quality, TriangleMesh};

fn tree(mesh: &TriangleMesh, quality: Quality) -> Bvh8 {
    Bvh8::from_bvh2(&build(mesh, &BuildOptions::from(quality)), mesh)
}
