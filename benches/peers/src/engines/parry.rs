//! parry3d: its triangle mesh, one ray a call.

use std::ops::Range;

use anyhow::Context;
use hitscan::TriangleMesh;
use parry3d::math::Vec3;
use parry3d::query::Ray;
use parry3d::shape::{CompositeShapeRef, TriMesh};

use super::{Answer, Caster, Chunked, Contestant};
use crate::arena::timed;
use crate::rays::Query;

pub fn contestant(mesh: &TriangleMesh) -> anyhow::Result<Box<dyn Contestant>> {
    let positions = mesh.positions().iter().copied().map(Vec3::from_array).collect();
    let indices = mesh.indices().to_vec();
    let mesh = timed(Parry::NAME, || TriMesh::new(positions, indices));
    Ok(single(mesh.context("cannot build")?))
}

/// One ray a call.
pub fn single(mesh: TriMesh) -> Box<dyn Contestant> {
    Chunked::boxed(Parry { mesh, rays: Vec::new() })
}

struct Parry {
    mesh: TriMesh,
    rays: Vec<(Ray, f32)>,
}

impl Parry {
    const NAME: &str = "parry3d";

    fn cast(&self, (ray, t_max): &(Ray, f32)) -> Answer {
        // A filled body would be hit at 0 from inside; rays ask for the surface.
        let hit = CompositeShapeRef(&self.mesh).cast_local_ray(ray, *t_max, false);
        hit.map_or(Answer::MISS, |(prim, t)| Answer { t, prim })
    }
}

impl Caster for Parry {
    fn engine(&self) -> &'static str {
        Self::NAME
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        let own = |ray: &hitscan::Ray| {
            let (origin, direction) = (ray.origin, ray.direction);
            (Ray::new(Vec3::from_array(origin), Vec3::from_array(direction)), ray.t_max)
        };
        self.rays = rays.iter().map(own).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            *answer = self.cast(ray);
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        // It has no query that ends at the first hit found: the nearest has to do.
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            *answer = Answer::any(self.cast(ray).is_hit());
        }
    }
}
