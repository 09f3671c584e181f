//! Rays are what they say.

use hitscan_core::{Hit, Ray};
use hitscan_testkit::rays::{self, Aim, Camera};
use hitscan_testkit::{Oracle, Rule, Sides, meshes};

fn closest(oracle: &Oracle) -> impl Fn(&Ray) -> Option<Hit> {
    |ray| {
        let hit = oracle.closest(ray, Sides::Both)?;
        let [u, v] = hit.weights.map(|x| x as f32);
        let (prim, front) = (hit.prim, hit.front);
        Some(Hit { t: hit.t as f32, u, v, prim, geometry: 0, instance: 0, front })
    }
}

#[test]
fn every_kind_of_ray_is_valid_and_repeatable() {
    let mesh = meshes::snapped(&meshes::torus(1.0, 0.3, 16, 8), 1.0 / 256.0);
    let bounds = mesh.bounds();
    let make = |seed| {
        let aimed = |aim, origin| rays::aimed(&mesh, aim, origin, 50, seed);
        [
            rays::inside_box(bounds, 50, seed),
            rays::towards_box(bounds, 50, seed),
            aimed(Aim::Vertex, None),
            aimed(Aim::Edge, None),
            aimed(Aim::Face, Some([1.0, 0.0, 0.0])),
            rays::exactly_through_vertices(&mesh, 50, seed),
            rays::exactly_through_edges(&mesh, 50, seed),
            rays::axis_aligned(&mesh, 50, seed),
            rays::lattice_diagonals(bounds, 50, seed),
            rays::random(bounds, 50, seed),
            rays::with_other_lengths(&rays::random(bounds, 50, seed), seed),
        ]
    };
    assert_eq!(make(5), make(5));
    assert_ne!(make(5), make(6));
    for set in make(5) {
        assert!(set.len() >= 20, "only {} rays", set.len());
        assert!(set.iter().all(Ray::is_valid));
    }
    assert!(rays::invalid().iter().all(|ray| !ray.is_valid()));
}

#[test]
fn exact_rays_pass_through_vertices_exactly() {
    let mesh = meshes::snapped(&meshes::torus(1.0, 0.3, 16, 8), 1.0 / 256.0);
    for ray in rays::exactly_through_vertices(&mesh, 50, 1) {
        let [o, d] = [ray.origin, ray.direction].map(|p| p.map(f64::from));
        let through = mesh.positions().iter().any(|p| {
            let e: [f64; 3] = std::array::from_fn(|axis| f64::from(p[axis]) - o[axis]);
            let pairs = [(0, 1), (1, 2), (2, 0)];
            pairs.iter().all(|&(j, k)| e[j] * d[k] == e[k] * d[j])
        });
        assert!(through, "{ray:?}");
    }
}

#[test]
fn the_camera_sees_the_mesh_in_morton_order() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    let oracle = Oracle::new(&mesh);
    let rays = rays::primary(&Camera::outside(mesh.bounds()), 5);
    assert_eq!(rays.len(), 1024);
    let hits = rays.iter().filter(|ray| oracle.any(ray, Sides::Both)).count();
    assert!((100..900).contains(&hits), "{hits} of 1024 rays hit");
    // The first four rays are a two-by-two block, so they differ less than the first row's ends.
    let apart = |i: usize, j: usize| {
        let [p, q] = [i, j].map(|i| rays[i].direction);
        (0..3).map(|axis| (p[axis] - q[axis]).powi(2)).sum::<f32>().sqrt()
    };
    assert!(apart(0, 3) < 2.0 * apart(0, 1));
}

#[test]
fn bounces_leave_the_surface_on_the_side_that_was_hit() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    let oracle = Oracle::new(&mesh);
    let primary = rays::primary(&Camera::outside(mesh.bounds()), 4);
    let bounces = rays::bounces(&mesh, &primary, &closest(&oracle), 300, 7);
    assert_eq!(bounces.len(), 300);
    // A convex body is not met again by a ray that leaves it.
    assert!(bounces.iter().all(|ray| oracle.count(ray, Sides::Both, Rule::Closed) == 0));
    let occlusion = rays::ambient_occlusion(&mesh, &primary, &closest(&oracle), 300, 7);
    assert!(occlusion.iter().all(|ray| (ray.t_max - 0.1 * 12f32.sqrt()).abs() < 0.05));
    let shuffled = rays::shuffled(&bounces, 7);
    assert_ne!(shuffled, bounces);
    let sorted = |mut rays: Vec<Ray>| {
        rays.sort_by(|p, q| p.direction.partial_cmp(&q.direction).unwrap());
        rays
    };
    assert_eq!(sorted(shuffled), sorted(bounces));
    assert!(rays::bounces(&mesh, &[], &closest(&oracle), 300, 7).is_empty());
}
