//! Rays aimed at the edges and vertices of a mesh, where triangle tests leak.

use hitscan_core::{Aabb, Ray, TriangleMesh};

use super::{between, corners, outside};
use crate::random::Random;
use crate::vector::{Vector, add, narrow, scale, wide};

/// What a ray is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// A vertex of a random triangle.
    Vertex,
    /// A random point of an edge of a random triangle.
    Edge,
    /// A random point of a random triangle.
    Face,
}

/// Rays aimed at features of the mesh, whose exact line usually just misses them by the rounding
/// to f32: from `origin`, or from points around the mesh if there is none.
#[must_use]
pub fn aimed(
    mesh: &TriangleMesh,
    aim: Aim,
    origin: Option<[f64; 3]>,
    count: usize,
    seed: u64,
) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let bounds = mesh.bounds();
    (0..count)
        .map(|_| {
            let target = target(mesh, aim, &mut random);
            let from = origin.unwrap_or_else(|| outside(bounds, &mut random));
            between(from, target)
        })
        .collect()
}

fn target(mesh: &TriangleMesh, aim: Aim, random: &mut Random) -> Vector {
    let prim = random.below(mesh.triangle_count()) as u32;
    let mut points = mesh.triangle(prim).map(wide);
    points.rotate_left(random.below(3));
    let [p, q, r] = points;
    let (s, t) = (random.unit(), random.unit());
    match aim {
        Aim::Vertex => p,
        Aim::Edge => add(scale(p, 1.0 - s), scale(q, s)),
        Aim::Face => {
            let s = s.sqrt();
            add(scale(p, 1.0 - s), add(scale(q, s * (1.0 - t)), scale(r, s * t)))
        }
    }
}

/// Rays whose exact line passes through a vertex exactly, with small whole directions. The mesh's
/// coordinates must be multiples of a power of two (see [`crate::meshes::snapped`]): a ray whose
/// origin f32 cannot hold is left out.
#[must_use]
pub fn exactly_through_vertices(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Ray> {
    exactly_through(mesh, count, seed, |[p, _, _]| p)
}

/// Rays whose exact line passes through the middle of an edge exactly; otherwise like
/// [`exactly_through_vertices`].
#[must_use]
pub fn exactly_through_edges(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Ray> {
    exactly_through(mesh, count, seed, |[p, q, _]| scale(add(p, q), 0.5))
}

fn exactly_through(
    mesh: &TriangleMesh,
    count: usize,
    seed: u64,
    target: impl Fn([Vector; 3]) -> Vector,
) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let extent = f64::from(mesh.bounds().extent().max_element());
    let mut rays = Vec::new();
    for _ in 0..count {
        let prim = random.below(mesh.triangle_count()) as u32;
        let mut points = mesh.triangle(prim).map(wide);
        points.rotate_left(random.below(3));
        let whole = [(); 3].map(|()| f64::from(random.whole(-4, 4)));
        // Far enough to start outside about every other time.
        let steps = f64::powi(2.0, (extent.log2().ceil() as i32) - random.whole(0, 4));
        let origin = add(target(points), scale(whole, -steps));
        let exact = wide(narrow(origin)) == origin;
        if exact && whole != [0.0; 3] {
            rays.push(Ray::new(narrow(origin), narrow(whole)));
        }
    }
    rays
}

/// Rays along the axes, with zeros of both signs: a third from random points, a third from points
/// that share two coordinates with a vertex, a third that share one.
#[must_use]
pub fn axis_aligned(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let bounds = mesh.bounds();
    let [low, high] = corners(bounds);
    (0..count)
        .map(|i| {
            let axis = random.below(3);
            let zero = |random: &mut Random| if random.coin() { 0.0 } else { -0.0 };
            let mut direction: [f32; 3] = [(); 3].map(|()| zero(&mut random));
            direction[axis] = if random.coin() { 1.0 } else { -1.0 };
            let mut origin = narrow(random.point(low, high));
            let vertex = mesh.positions()[random.below(mesh.positions().len())];
            if i % 3 > 0 && vertex.iter().all(|x| x.is_finite()) {
                let free = if i % 3 == 1 { axis } else { (axis + 1 + random.below(2)) % 3 };
                let kept = (origin[axis], origin[free]);
                origin = vertex;
                (origin[axis], origin[free]) = kept;
            }
            if random.coin() {
                let reach = (high[axis] - low[axis]) as f32;
                origin[axis] -= direction[axis] * (reach + 1.0);
            }
            Ray::new(origin, direction)
        })
        .collect()
}

/// Rays along whole directions from whole points in and around the box, for meshes with many
/// vertices at whole points.
#[must_use]
pub fn lattice_diagonals(bounds: Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let [low, high] = corners(bounds);
    let mut ray = || {
        let origin = random.point(low.map(|x| x - 2.0), high.map(|x| x + 2.0)).map(f64::round);
        let direction = [(); 3].map(|()| random.whole(-1, 1) as f32);
        Ray::new(narrow(origin), if direction == [0.0; 3] { [1.0; 3] } else { direction })
    };
    (0..count).map(|_| ray()).collect()
}
