//! A mesh with a tree over it, ready for rays.

use std::sync::Arc;

use hitscan_core::{BuildOptions, Hit, Ray, TriangleMesh};

use crate::level::Level;
use crate::options::{Faces, QueryOptions};
use crate::raycast::Raycast;

/// A mesh with a tree over it, ready for rays.
#[derive(Clone, Debug)]
pub struct Bvh {
    mesh: Arc<TriangleMesh>,
    level: Level,
}

impl Bvh {
    /// Builds a tree over a mesh.
    #[must_use]
    pub fn build(mesh: impl Into<Arc<TriangleMesh>>, options: &BuildOptions) -> Self {
        let _ = options;
        Self { mesh: mesh.into(), level: Level::detect() }
    }

    /// The same tree, walked at another SIMD level.
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// The SIMD level that the tree is walked at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Arc<TriangleMesh> {
        &self.mesh
    }

    // Placeholder until the walk lands: every triangle, in f64.
    fn every_hit(&self, ray: &Ray, options: &QueryOptions<'_>) -> Vec<Hit> {
        use glam::DVec3;
        let mut hits = Vec::new();
        if !ray.is_valid() {
            return hits;
        }
        let [o, d] = [ray.origin, ray.direction].map(|p| DVec3::from(p.map(f64::from)));
        for prim in 0..self.mesh.triangle_count() as u32 {
            let [a, b, c] = self.mesh.triangle(prim).map(|p| DVec3::from(p.map(f64::from)) - o);
            let (u, v, w) = (d.dot(a.cross(c)), d.dot(b.cross(a)), d.dot(c.cross(b)));
            let det = u + v + w;
            let inside = u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0;
            let n = (b - a).cross(c - a);
            let t = (a.dot(n) / d.dot(n)) as f32;
            let front = det > 0.0;
            let side = match options.faces {
                Faces::Both => true,
                Faces::Front => front,
                Faces::Back => !front,
            };
            if inside && det != 0.0 && side && t >= ray.t_min && t <= ray.t_max {
                let (u, v) = ((u / det) as f32, (v / det) as f32);
                let hit = Hit { t, u, v, prim, geometry: 0, instance: 0, front };
                if options.skip != Some(prim) && options.filter.is_none_or(|keep| keep(&hit)) {
                    hits.push(hit);
                }
            }
        }
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.prim.cmp(&b.prim)));
        hits
    }
}

impl Raycast for Bvh {
    fn closest_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> Option<Hit> {
        self.every_hit(ray, options).first().copied()
    }
    fn any_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> bool {
        !self.every_hit(ray, options).is_empty()
    }
    fn count_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> usize {
        self.every_hit(ray, options).len()
    }
    fn append_all_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>, hits: &mut Vec<Hit>) {
        hits.extend(self.every_hit(ray, options));
    }
}
