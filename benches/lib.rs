//! What the criterion benches share: their meshes and their rays.

#![forbid(unsafe_code)]

use std::sync::Arc;

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Quality, Ray, TriangleMesh};
use hitscan_testkit::meshes::{forest, terrain_of, torus_knot};
use hitscan_testkit::rays::{self, Camera};

/// A mesh by name.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What figures are filed under.
    pub name: &'static str,
    /// Tens of thousands of triangles.
    pub mesh: Arc<TriangleMesh>,
}

/// A closed surface, an open one and a heap of leaves.
#[must_use]
pub fn subjects() -> [Subject; 3] {
    [
        ("knot", torus_knot(0.12, 500, 50)),
        ("terrain", terrain_of(50_000, 1)),
        ("forest", forest(100, 1)),
    ]
    .map(|(name, mesh)| Subject { name, mesh: Arc::new(mesh) })
}

/// What is asked of each ray of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The nearest hit.
    Closest,
    /// Whether there is any.
    Any,
    /// All of them, near to far.
    All,
}

/// Rays of one kind.
#[derive(Clone, Debug)]
pub struct RaySet {
    /// `prim`, `bnct` (bounces in tile order), `bncs` (shuffled), `ao` (short), `rnd` or
    /// `all` (those of `rnd`).
    pub name: &'static str,
    /// What is asked of them.
    pub query: Query,
    /// The rays.
    pub rays: Vec<Ray>,
}

impl Subject {
    /// The tree that rays are cast at: the best one.
    #[must_use]
    pub fn tree(&self) -> Bvh {
        Bvh::build(self.mesh.clone(), &BuildOptions::from(Quality::High))
    }

    /// `4^order` rays of each kind.
    #[must_use]
    pub fn ray_sets(&self, bvh: &Bvh, order: u32) -> [RaySet; 6] {
        let (mesh, count) = (&*self.mesh, 1 << (2 * order));
        let primary = rays::primary(&Camera::outside(mesh.bounds()), order);
        let closest = |ray: &Ray| bvh.closest_hit(ray);
        let bounces = rays::bounces(mesh, &primary, &closest, count, 1);
        let shuffled = rays::shuffled(&bounces, 2);
        let short = rays::ambient_occlusion(mesh, &primary, &closest, count, 3);
        let random = rays::random(mesh.bounds(), count, 4);
        [
            ("prim", Query::Closest, primary),
            ("bnct", Query::Closest, bounces),
            ("bncs", Query::Closest, shuffled),
            ("ao", Query::Any, short),
            ("rnd", Query::Closest, random.clone()),
            ("all", Query::All, random),
        ]
        .map(|(name, query, rays)| RaySet { name, query, rays })
    }
}
