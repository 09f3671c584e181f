//! Rays at a closed mesh: a third at random, a third at edges, a third at vertices.

use hitscan::{Ray, TriangleMesh};
use hitscan_testkit::{Random, meshes};

use super::shape::Shape;

/// A closed mesh, and what is known of where its inside is.
pub(crate) struct Cell<'a> {
    pub(super) mesh: TriangleMesh,
    pub(super) name: String,
    /// Nothing where no point is certainly inside.
    inside: Option<Inside<'a>>,
    /// The lowest and the highest corner of the mesh's box.
    corners: [[f64; 3]; 2],
    center: [f64; 3],
    /// Further out than this, no point is in the mesh's box.
    radius: f64,
}

/// Where a shape was put.
struct Inside<'a> {
    shape: &'a Shape,
    scale: f64,
    offset: [f64; 3],
    /// Origins are on multiples of this where that helps, so that rays can be aimed without error.
    step: f64,
}

/// A ray, and whether it starts inside.
#[derive(Clone, Copy)]
pub(super) struct Aimed {
    pub(super) ray: Ray,
    pub(super) inside: bool,
    /// Whether it is aimed at nothing.
    pub(super) is_random: bool,
}

/// How many rays share an origin, or a kind of origin: as many as a packet holds.
const GROUP: usize = 64;

impl<'a> Cell<'a> {
    /// A shape in its place.
    pub(super) fn new(shape: &'a Shape, offset: f64, scale: i32) -> Self {
        let name = format!("{} at offset {offset:e} and scale 2^{scale}", shape.name);
        let scale = f64::powi(2.0, scale);
        let offset = [offset, -offset, 0.5 * offset];
        let mesh = meshes::transformed(&(shape.mesh)(), scale, offset);
        let far = offset[0].abs() + 2.0 * scale;
        let last_place = far * f64::from(f32::EPSILON);
        let margin = shape.margin * scale;
        let step = f64::powi(2.0, (margin / 4.0).log2().floor() as i32);
        // Rounding to f32 may leave no point that is certainly inside.
        let has_inside = margin > 8.0 * last_place;
        let inside = has_inside.then_some(Inside { shape, scale, offset, step });
        Self { inside, ..Cell::around(mesh, name) }
    }

    /// Any closed mesh, with rays from outside only.
    pub(crate) fn around(mesh: TriangleMesh, name: String) -> Self {
        let bounds = mesh.bounds();
        let corners = [bounds.min, bounds.max].map(|p| p.to_array().map(f64::from));
        let center = bounds.center().to_array().map(f64::from);
        let farthest = [bounds.min, bounds.max].map(|p| p.abs().max_element());
        let last_place = f64::from(farthest[0].max(farthest[1]) * f32::EPSILON);
        let radius = f64::from(bounds.extent().length()) + 16.0 * last_place;
        Self { mesh, name, inside: None, corners, center, radius }
    }

    /// Whether rounding to f32 left a triangle that can be hit.
    pub(super) fn can_be_hit(&self) -> bool {
        let mut prims = 0..self.mesh.triangle_count() as u32;
        prims.any(|prim| self.mesh.normal(prim) != [0.0; 3])
    }

    /// The mesh.
    pub(crate) fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// A point on a ray from inside, well outside.
    pub(super) fn beyond(&self, ray: &Ray) -> [f32; 3] {
        let length = ray.direction.iter().fold(0.0, |length: f64, &x| length.hypot(x.into()));
        let far = 3.0 * self.radius / length;
        let along =
            |axis: usize| f64::from(ray.origin[axis]) + far * f64::from(ray.direction[axis]);
        narrow(std::array::from_fn(along))
    }

    /// `count` rays of all kinds, in turn by groups.
    pub(super) fn rays(&self, count: usize, random: &mut Random) -> Vec<Aimed> {
        (0..count.div_ceil(GROUP)).flat_map(|group| self.group(group, random)).take(count).collect()
    }

    fn group(&self, group: usize, random: &mut Random) -> Vec<Aimed> {
        let inside = self.inside.as_ref().filter(|_| (group / 3).is_multiple_of(2));
        // Half of the groups are bundles of rays that go much the same way.
        let is_bundle = (group / 6).is_multiple_of(2);
        let first = random.below(self.mesh.triangle_count());
        let shared = self.origin(inside, random);
        let way = random.direction();
        (0..GROUP)
            .map(|i| {
                let origin = if is_bundle { shared } else { self.origin(inside, random) };
                let prim = if is_bundle { first + i } else { random.below(usize::MAX) };
                let prim = (prim % self.mesh.triangle_count()) as u32;
                let ray = match group % 3 {
                    0 if inside.is_some() && is_bundle => {
                        let aside = random.direction();
                        let direction = std::array::from_fn(|axis| way[axis] + 0.1 * aside[axis]);
                        Ray::new(origin, narrow(direction))
                    }
                    0 => self.random(origin, inside.is_some(), random),
                    1 => aimed(origin, self.on_edge(prim, random), random),
                    _ if inside.is_none() && !is_bundle && i % 8 == 0 => {
                        self.along_axis(prim, random)
                    }
                    _ => aimed(origin, self.mesh.triangle(prim)[random.below(3)], random),
                };
                Aimed { ray, inside: inside.is_some(), is_random: group.is_multiple_of(3) }
            })
            .collect()
    }

    fn origin(&self, inside: Option<&Inside<'_>>, random: &mut Random) -> [f32; 3] {
        let Some(inside) = inside else {
            let far = self.radius * random.between(0.75, 2.0);
            let way = random.direction();
            return narrow(std::array::from_fn(|axis| self.center[axis] + far * way[axis]));
        };
        let mut point = (inside.shape.inside)(random).map(|x| x * inside.scale);
        if random.coin() {
            point = point.map(|x| (x / inside.step).round() * inside.step);
        }
        narrow(std::array::from_fn(|axis| point[axis] + inside.offset[axis]))
    }

    /// Mostly in any direction, sometimes along an axis.
    fn random(&self, origin: [f32; 3], inside: bool, random: &mut Random) -> Ray {
        if random.below(8) == 0 {
            let mut direction = [0.0, -0.0, 0.0];
            direction[random.below(3)] = if random.coin() { 1.0 } else { -1.0 };
            return Ray::new(origin, direction);
        }
        if inside {
            return Ray::new(origin, narrow(random.direction()));
        }
        let [low, high] = self.corners;
        aimed(origin, narrow(random.point(low, high)), random)
    }

    /// A point on an edge, often one that f32 can hold.
    fn on_edge(&self, prim: u32, random: &mut Random) -> [f32; 3] {
        let mut corners = self.mesh.triangle(prim).map(|p| p.map(f64::from));
        corners.rotate_left(random.below(3));
        let [p, q, _] = corners;
        let s = if random.coin() { 0.25 * f64::from(random.whole(1, 3)) } else { random.unit() };
        narrow(std::array::from_fn(|axis| p[axis] + s * (q[axis] - p[axis])))
    }

    /// From outside along an axis, exactly through a vertex.
    fn along_axis(&self, prim: u32, random: &mut Random) -> Ray {
        let mut origin = self.mesh.triangle(prim)[random.below(3)];
        let (axis, sign) = (random.below(3), if random.coin() { 1.0 } else { -1.0 });
        origin[axis] = (self.center[axis] - 1.5 * sign * self.radius) as f32;
        let mut direction = [0.0; 3];
        direction[axis] = sign as f32;
        Ray::new(origin, direction)
    }
}

/// From one point towards another; without any error where their difference is an f32.
fn aimed(origin: [f32; 3], target: [f32; 3], random: &mut Random) -> Ray {
    let way: [f64; 3] =
        std::array::from_fn(|axis| f64::from(target[axis]) - f64::from(origin[axis]));
    let length = way.iter().fold(0.0_f64, |length, x| length.hypot(*x));
    let length = if random.coin() { 1.0 } else { length };
    let direction = narrow(way.map(|x| x / length));
    Ray::new(origin, if direction == [0.0; 3] { [1.0, 0.0, 0.0] } else { direction })
}

fn narrow(p: [f64; 3]) -> [f32; 3] {
    p.map(|x| x as f32)
}
