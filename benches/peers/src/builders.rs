//! Those who build: each a builder of an engine, all behind one trait.
//!
//! What makes the comparison fair: everyone has the mesh in its own layout before the clock starts,
//! and ends with a tree that it can cast rays at.

use std::time::Duration;

use anyhow::Context;
use glam::Vec3A;
use hitscan::{BuildOptions, Bvh, Quality, TriangleMesh};
use obvhs::BvhBuildParams;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::triangle::Triangle;
use parry3d::shape::TriMesh;
use std::sync::Arc;

use crate::engines::{self, Contestant};
use crate::foreign::embree::{Embree, Quality as EmbreeQuality};

/// All builders, whether they can be had or not.
pub const NAMES: [&str; 12] = [
    "hitscan-fast",
    "hitscan-balanced",
    "hitscan-high",
    "embree-low",
    "embree-medium",
    "embree-high",
    "embree-compact",
    "tinybvh",
    "tinybvh-hq",
    "obvhs-fastest",
    "obvhs-slowest",
    "parry3d",
];

/// What is known of a tree that was built.
pub struct Built {
    /// Nodes, and triangles as the tree has them; not the corners where it takes those of the mesh.
    pub bytes: Option<usize>,
    /// The expected number of nodes and leaves that a random ray meets.
    pub sah_cost: Option<f64>,
    /// Who casts one ray a call through the tree.
    pub single: Box<dyn Contestant>,
}

/// A builder of an engine, with a mesh.
pub trait Builder: Sync {
    fn name(&self) -> &'static str;
    /// Does what is not to be timed; gives what is. On the pool that it is called in.
    fn prepare(&self, threads: usize) -> anyhow::Result<Work<'_>>;
}

/// What is timed.
pub type Work<'a> = Box<dyn FnOnce() -> anyhow::Result<Built> + Send + 'a>;

/// Every builder that was asked for and can be had. What cannot be had is said on stderr.
pub fn all(mesh: &Arc<TriangleMesh>, wants: impl Fn(&str) -> bool) -> Vec<Box<dyn Builder>> {
    let mut builders: Vec<Box<dyn Builder>> = Vec::new();
    let qualities = [Quality::Fast, Quality::Balanced, Quality::High];
    for (name, quality) in NAMES.into_iter().zip(qualities) {
        builders.push(Box::new(Hitscan { name, quality, mesh: mesh.clone() }));
    }
    match engines::embree::load() {
        Err(why) => eprintln!("  embree: left out: {why:#}"),
        Ok(embree) => {
            use EmbreeQuality::{High, Low, Medium};
            let kinds = [(Low, false), (Medium, false), (High, false), (Medium, true)];
            for (&name, (quality, compact)) in NAMES[3..].iter().zip(kinds) {
                let (mesh, embree) = (mesh.clone(), embree.clone());
                builders.push(Box::new(OfEmbree { name, quality, compact, embree, mesh }));
            }
        }
    }
    #[cfg(tinybvh)]
    for (name, high_quality) in [("tinybvh", false), ("tinybvh-hq", true)] {
        builders.push(Box::new(Tinybvh { name, high_quality, mesh: mesh.clone() }));
    }
    #[cfg(not(tinybvh))]
    eprintln!("  tinybvh: left out: {}", env!("TINYBVH_MISSING"));
    for name in ["obvhs-fastest", "obvhs-slowest"] {
        builders.push(Box::new(Obvhs { name, mesh: mesh.clone() }));
    }
    builders.push(Box::new(Parry { mesh: mesh.clone() }));
    builders.retain(|builder| wants(builder.name()));
    builders
}

struct Hitscan {
    name: &'static str,
    quality: Quality,
    mesh: Arc<TriangleMesh>,
}

impl Builder for Hitscan {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, _: usize) -> anyhow::Result<Work<'_>> {
        Ok(Box::new(|| {
            let bvh = Bvh::build(self.mesh.clone(), &BuildOptions::from(self.quality));
            let statistics = bvh.statistics();
            Ok(Built {
                bytes: Some(statistics.bytes()),
                sah_cost: Some(statistics.sah_cost),
                single: engines::hitscan::single(&bvh),
            })
        }))
    }
}

struct OfEmbree {
    name: &'static str,
    quality: EmbreeQuality,
    compact: bool,
    embree: Embree,
    mesh: Arc<TriangleMesh>,
}

impl Builder for OfEmbree {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, threads: usize) -> anyhow::Result<Work<'_>> {
        let arrays = (self.mesh.positions(), self.mesh.indices());
        let config = format!("threads={threads},hugepages=1");
        let prepared = self.embree.prepare(arrays, self.quality, self.compact, &config)?;
        Ok(Box::new(|| {
            let scene = prepared.commit()?;
            let single = engines::embree::single(self.name, &scene);
            Ok(Built { bytes: Some(scene.bytes()), sah_cost: None, single })
        }))
    }
}

#[cfg(tinybvh)]
struct Tinybvh {
    name: &'static str,
    high_quality: bool,
    mesh: Arc<TriangleMesh>,
}

#[cfg(tinybvh)]
impl Builder for Tinybvh {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, _: usize) -> anyhow::Result<Work<'_>> {
        let corners: Vec<[[f32; 4]; 3]> = (0..self.mesh.triangle_count() as u32)
            .map(|prim| self.mesh.triangle(prim).map(|[x, y, z]| [x, y, z, 0.0]))
            .collect();
        Ok(Box::new(move || {
            let tree = crate::foreign::tinybvh::Tree::build(corners, self.high_quality);
            let bytes = Some(tree.bytes());
            let single = engines::tinybvh::single(self.name, tree);
            Ok(Built { bytes, sah_cost: None, single })
        }))
    }
}

struct Obvhs {
    name: &'static str,
    mesh: Arc<TriangleMesh>,
}

impl Builder for Obvhs {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, _: usize) -> anyhow::Result<Work<'_>> {
        let triangle = |prim| {
            let [v0, v1, v2] = self.mesh.triangle(prim).map(Vec3A::from_array);
            Triangle { v0, v1, v2 }
        };
        let triangles: Vec<Triangle> =
            (0..self.mesh.triangle_count() as u32).map(triangle).collect();
        let params = if self.name == "obvhs-fastest" {
            BvhBuildParams::fastest_build()
        } else {
            BvhBuildParams::very_slow_build()
        };
        Ok(Box::new(move || {
            let mut time = Duration::ZERO;
            let bvh = build_cwbvh_from_tris(&triangles, params, &mut time);
            let tree = engines::obvhs::Obvhs::new(bvh, &triangles);
            let bytes = Some(tree.bytes());
            Ok(Built { bytes, sah_cost: None, single: engines::obvhs::single(tree) })
        }))
    }
}

struct Parry {
    mesh: Arc<TriangleMesh>,
}

impl Builder for Parry {
    fn name(&self) -> &'static str {
        "parry3d"
    }

    fn prepare(&self, _: usize) -> anyhow::Result<Work<'_>> {
        let positions =
            self.mesh.positions().iter().copied().map(parry3d::math::Vec3::from_array).collect();
        let indices = self.mesh.indices().to_vec();
        Ok(Box::new(|| {
            let mesh = TriMesh::new(positions, indices).context("cannot build")?;
            // Its triangles are those of the mesh.
            let bytes = Some(mesh.bvh().heap_memory_size());
            Ok(Built { bytes, sah_cost: None, single: engines::parry::single(mesh) })
        }))
    }
}
