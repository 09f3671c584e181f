//! bvh: candidates from its tree, tested by Möller and Trumbore's test in f32, which it lacks for
//! both sides of a triangle.

use std::ops::Range;

use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::bvh::{Bvh, BvhNode};
use bvh::ray::Ray;
use glam::Vec3;
use hitscan::TriangleMesh;
use nalgebra::{Point3, Vector3};

use super::{Answer, Caster, Chunked, Contestant};
use crate::arena::timed;
use crate::rays::Query;

/// The greatest depth that the tree's own iterator has a stack for.
const MAX_DEPTH: usize = 31;

pub fn contestant(mesh: &TriangleMesh) -> anyhow::Result<Box<dyn Contestant>> {
    let mut triangles: Vec<Triangle> = (0..mesh.triangle_count() as u32)
        .map(|prim| {
            let [a, b, c] = mesh.triangle(prim).map(Vec3::from_array);
            let point = |p: Vec3| Point3::from(p.to_array());
            let bounds = Aabb::with_bounds(point(a.min(b).min(c)), point(a.max(b).max(c)));
            Triangle { bounds, corner: a, edges: [b - a, c - a], prim, node: 0 }
        })
        .collect();
    let bvh = timed(Boxes::NAME, || Bvh::build_par(&mut triangles));
    let depth = depth(&bvh);
    anyhow::ensure!(depth <= MAX_DEPTH, "its tree is {depth} deep, its iterator takes {MAX_DEPTH}");
    Ok(Chunked::boxed(Boxes { bvh, triangles, rays: Vec::new() }))
}

fn depth(bvh: &Bvh<f32, 3>) -> usize {
    let mut deepest = 0;
    let mut stack: Vec<(usize, usize)> =
        (0..bvh.nodes.len().min(1)).map(|root| (root, 0)).collect();
    while let Some((node, depth)) = stack.pop() {
        deepest = deepest.max(depth);
        if let BvhNode::Node { child_l_index, child_r_index, .. } = bvh.nodes[node] {
            stack.extend([(child_l_index, depth + 1), (child_r_index, depth + 1)]);
        }
    }
    deepest
}

struct Triangle {
    bounds: Aabb<f32, 3>,
    corner: Vec3,
    edges: [Vec3; 2],
    prim: u32,
    node: usize,
}

impl Bounded<f32, 3> for Triangle {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Triangle {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl Triangle {
    /// The distance of the crossing, on either side.
    fn cross(&self, origin: Vec3, direction: Vec3) -> Option<f32> {
        let [e1, e2] = self.edges;
        let across = direction.cross(e2);
        let inverse = 1.0 / e1.dot(across);
        let from = origin - self.corner;
        let u = from.dot(across) * inverse;
        let up = from.cross(e1);
        let v = direction.dot(up) * inverse;
        // A determinant of zero makes all of them infinite or NaN, which fails here.
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then(|| e2.dot(up) * inverse)
    }
}

struct Boxes {
    bvh: Bvh<f32, 3>,
    triangles: Vec<Triangle>,
    rays: Vec<(Ray<f32, 3>, hitscan::Ray)>,
}

impl Boxes {
    const NAME: &str = "bvh";

    /// The hits of a ray within its interval, in no particular order.
    fn hits<'a>(
        &'a self,
        (ray, own): &'a (Ray<f32, 3>, hitscan::Ray),
    ) -> impl Iterator<Item = Answer> + 'a {
        let (origin, direction) = (own.origin.into(), own.direction.into());
        self.bvh.traverse_iterator(ray, &self.triangles).filter_map(move |triangle| {
            let t = triangle.cross(origin, direction)?;
            (t >= own.t_min && t <= own.t_max).then_some(Answer { t, prim: triangle.prim })
        })
    }
}

impl Caster for Boxes {
    fn engine(&self) -> &'static str {
        Self::NAME
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        let own = |ray: &hitscan::Ray| {
            (Ray::new(Point3::from(ray.origin), Vector3::from(ray.direction)), *ray)
        };
        self.rays = rays.iter().map(own).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            let nearer = |a: Answer, b: Answer| if b.t < a.t { b } else { a };
            *answer = self.hits(ray).fold(Answer::MISS, nearer);
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            *answer = Answer::any(self.hits(ray).next().is_some());
        }
    }
}
