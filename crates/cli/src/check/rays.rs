//! Rays to check the engine with: at random, and aimed where triangle tests go wrong.

use glam::DVec3;
use hitscan::{Ray, TriangleMesh};

use crate::random::Random;

/// What a ray is aimed at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Nothing,
    Edge,
    Vertex,
}

/// The aims of rays, in turn.
pub(super) const AIMS: [Aim; 3] = [Aim::Nothing, Aim::Edge, Aim::Vertex];

/// A ray's aim, by its number.
pub(super) fn aim(ray: usize) -> Aim {
    AIMS[ray % AIMS.len()]
}

/// Rays at a mesh: in turn at random, aimed at an edge, and aimed at a vertex; every other one of
/// each kind from around the mesh, the rest from within its box or just beside. Some of those aimed at vertices
/// run along an axis, so that they pass through exactly.
pub(super) fn aimed(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    let mut prims: Vec<u32> = Vec::new();
    prims.extend((0..mesh.triangle_count() as u32).filter(|&prim| mesh.can_be_hit(prim)));
    let bounds = mesh.bounds();
    let [low, high] = if bounds.is_empty() {
        [DVec3::ZERO, DVec3::ONE]
    } else {
        [bounds.min.as_dvec3(), bounds.max.as_dvec3()]
    };
    let (middle, radius) = ((low + high) / 2.0, (high - low).length().max(1e-30));
    // A little more than the box: in a flat one, every ray would lie in the triangles' plane.
    let [low, high] = [low - radius / 64.0, high + radius / 64.0];
    let one = |i: usize| {
        let within = |random: &mut Random| {
            let part = [(); 3].map(|()| f64::from(random.unit()));
            low + (high - low) * DVec3::from(part)
        };
        let from_around = (i / AIMS.len()).is_multiple_of(2);
        let origin = if from_around {
            middle + random.direction().as_dvec3() * radius
        } else {
            within(&mut random)
        };
        let mut corners = [DVec3::ZERO; 3];
        if !prims.is_empty() {
            let triangle = mesh.triangle(prims[random.below(prims.len())]);
            corners = triangle.map(|corner| DVec3::from(corner.map(f64::from)));
            corners.rotate_left(random.below(3));
        }
        let target = match aim(i) {
            Aim::Nothing => within(&mut random),
            Aim::Edge => corners[0].lerp(corners[1], f64::from(random.unit())),
            Aim::Vertex => corners[0],
        };
        if aim(i) == Aim::Vertex && random.below(4) == 0 {
            return along_axis(origin, target, random.below(3));
        }
        towards(origin, target)
    };
    (0..count).map(one).collect()
}

/// The ray from one point towards another, both rounded to f32 first.
fn towards(origin: DVec3, target: DVec3) -> Ray {
    let origin = origin.as_vec3();
    let way = target.as_vec3().as_dvec3() - origin.as_dvec3();
    // Some ray or other, should the two be one.
    let direction = way.normalize_or(DVec3::X).as_vec3();
    Ray::new(origin, direction)
}

/// The ray from a point's place along an axis, exactly through a target that f32 can hold.
fn along_axis(origin: DVec3, target: DVec3, axis: usize) -> Ray {
    let mut from = target;
    from[axis] = origin[axis];
    let mut direction = glam::Vec3::ZERO;
    direction[axis] = if from[axis] <= target[axis] { 1.0 } else { -1.0 };
    Ray::new(from.as_vec3(), direction)
}
