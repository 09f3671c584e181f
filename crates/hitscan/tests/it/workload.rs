//! Meshes and the rays that are hard on them.

use hitscan::{Ray, TriangleMesh};
use hitscan_testkit::rays::{self, Aim};
use hitscan_testkit::{Random, meshes};

/// A mesh and rays for it.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) mesh: TriangleMesh,
    pub(crate) rays: Vec<Ray>,
}

impl Workload {
    /// `count` rays of every kind.
    pub(crate) fn new(name: &'static str, mesh: TriangleMesh, count: usize) -> Self {
        let bounds = mesh.bounds();
        let center = bounds.center().to_array().map(f64::from);
        let extent = bounds.extent().to_array().map(f64::from);
        let inside = std::array::from_fn(|axis| center[axis] + 0.07 * extent[axis]);
        let mut rays = [
            rays::towards_box(bounds, count, 1),
            rays::random(bounds, count, 2),
            rays::aimed(&mesh, Aim::Vertex, None, count, 3),
            rays::aimed(&mesh, Aim::Vertex, Some(inside), count, 4),
            rays::aimed(&mesh, Aim::Edge, None, count, 5),
            rays::aimed(&mesh, Aim::Edge, Some(inside), count, 6),
            rays::aimed(&mesh, Aim::Face, None, count, 7),
            rays::exactly_through_vertices(&mesh, count, 8),
            rays::exactly_through_edges(&mesh, count, 9),
            rays::axis_aligned(&mesh, 2 * count, 10),
        ]
        .concat();
        rays.extend(rays::with_other_lengths(&rays[..rays.len() / 4], 11));
        rays.extend(rays::invalid());
        // Whole lines and bounded rays.
        let mut random = Random::new(12);
        let reach = bounds.extent().length();
        for ray in rays.iter_mut().step_by(5) {
            let length = ray.direction.iter().fold(0.0f32, |sum, x| sum.hypot(*x));
            let far = reach / length * random.unit() as f32;
            *ray = match random.below(3) {
                0 => ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
                1 => ray.with_interval(-far, far),
                _ => ray.with_interval(0.25 * far, 4.0 * far),
            };
        }
        Self { name, mesh, rays }
    }
}

/// Small meshes of every kind.
pub(crate) fn workloads(count: usize) -> Vec<Workload> {
    let grid = |mesh: &TriangleMesh| meshes::snapped(mesh, 1.0 / 256.0);
    let torus = || meshes::torus(1.0, 0.4, 24, 12);
    vec![
        Workload::new("one triangle", meshes::copies(1), count),
        Workload::new("tetrahedron", meshes::tetrahedron(), count),
        Workload::new("cuboid", meshes::cuboid([-1.0; 3], [1.0; 3]), count),
        Workload::new("uv sphere", meshes::uv_sphere(1.0, [0.1, 0.2, 0.3], 24), count),
        Workload::new("sphere on a grid", grid(&meshes::icosphere(1.0, [0.0; 3], 2)), count),
        Workload::new("torus", torus(), count),
        Workload::new("torus on a grid", grid(&torus()), count),
        Workload::new("unshared torus", meshes::unshared(&torus()), count),
        Workload::new("knot", meshes::torus_knot(0.12, 90, 9), count),
        Workload::new("terrain", meshes::terrain(24, 24, 1), count),
        Workload::new("plate", meshes::plate(8.0, [0.0, 0.0, 1.0], [0.0, 0.0, 1.0], 16), count),
        Workload::new("askew plate", meshes::plate(1.0, [3.0; 3], [1.0, 2.0, 3.0], 12), count),
        Workload::new("city", meshes::city(6, 1), count),
        Workload::new("forest", meshes::forest(3, 1), count),
        Workload::new("soup", meshes::soup(800, 0.3, 1), count),
        Workload::new("beams", meshes::beams(800, 1), count),
        Workload::new("stack", meshes::stack(60), count),
        Workload::new("fan", meshes::fan(200), count),
        Workload::new("slivers", meshes::slivers(100), count),
        Workload::new("needle ball", meshes::needle_ball(24), count),
        Workload::new("copies", meshes::copies(300), count),
        Workload::new("nested", meshes::nested(300), count),
        Workload::new("exponential", meshes::exponential(60, 1e-15, 3.2), count),
        Workload::new("broken triangles", meshes::with_broken_triangles(&torus()), count),
        Workload::new("tiny", meshes::transformed(&torus(), 1e-30, [0.0; 3]), count),
        Workload::new("huge", meshes::transformed(&torus(), 1e30, [0.0; 3]), count),
        Workload::new("far off", meshes::transformed(&torus(), 1.0, [1e6, -2e5, 3e4]), count),
    ]
}
