//! obvhs: its compressed 8-wide tree from its slowest build, over precomputed triangles in the
//! tree's order.

use std::ops::Range;
use std::time::Duration;

use glam::Vec3A;
use hitscan::TriangleMesh;
use obvhs::BvhBuildParams;
use obvhs::cwbvh::CwBvh;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::ray::{Ray, RayHit};
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;

use super::{Answer, Caster, Chunked, Contestant};
use crate::arena::timed;
use crate::rays::Query;

pub fn contestant(mesh: &TriangleMesh) -> Box<dyn Contestant> {
    let triangles: Vec<Triangle> = (0..mesh.triangle_count() as u32)
        .map(|prim| {
            let [v0, v1, v2] = mesh.triangle(prim).map(Vec3A::from_array);
            Triangle { v0, v1, v2 }
        })
        .collect();
    let params = BvhBuildParams::very_slow_build();
    let mut time = Duration::ZERO;
    let bvh = timed("obvhs", || build_cwbvh_from_tris(&triangles, params, &mut time));
    single(Obvhs::new(bvh, &triangles))
}

/// One ray a call.
pub fn single(tree: Obvhs) -> Box<dyn Contestant> {
    Chunked::boxed(tree)
}

/// A tree and its triangles in the tree's order.
pub struct Obvhs {
    bvh: CwBvh,
    triangles: Vec<RtTriangle>,
    rays: Vec<Ray>,
}

impl Obvhs {
    pub fn new(bvh: CwBvh, triangles: &[Triangle]) -> Self {
        let order = bvh.primitive_indices.iter();
        let triangles = order.map(|&prim| RtTriangle::from(&triangles[prim as usize])).collect();
        Self { bvh, triangles, rays: Vec::new() }
    }

    /// What the tree takes with its triangles.
    pub fn bytes(&self) -> usize {
        let Self { bvh, triangles, .. } = self;
        size_of_val(&*bvh.nodes) + size_of_val(&*bvh.primitive_indices) + size_of_val(&**triangles)
    }
}

impl Caster for Obvhs {
    fn engine(&self) -> &'static str {
        "obvhs"
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        let vector = Vec3A::from_array;
        let own = |ray: &hitscan::Ray| {
            Ray::new(vector(ray.origin), vector(ray.direction), ray.t_min, ray.t_max)
        };
        self.rays = rays.iter().map(own).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            let mut hit = RayHit::none();
            let found = self
                .bvh
                .ray_traverse(*ray, &mut hit, |ray, index| self.triangles[index].intersect(ray));
            *answer = if found {
                let prim = self.bvh.primitive_indices[hit.primitive_id as usize];
                Answer { t: hit.t, prim }
            } else {
                Answer::MISS
            };
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            let missed =
                self.bvh.ray_traverse_miss(*ray, |ray, index| self.triangles[index].intersect(ray));
            *answer = Answer::any(!missed);
        }
    }
}
