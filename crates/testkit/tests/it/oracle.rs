//! The oracle agrees with what geometry says of closed meshes, and with answers worked by hand.

use hitscan_core::{Ray, TriangleMesh};
use hitscan_testkit::rays::{self, Aim};
use hitscan_testkit::{Oracle, Rule, Sides, meshes};

fn closed_meshes() -> Vec<(&'static str, TriangleMesh)> {
    vec![
        ("tetrahedron", meshes::tetrahedron()),
        ("cuboid", meshes::cuboid([-1.0; 3], [1.0; 3])),
        ("uv sphere", meshes::snapped(&meshes::uv_sphere(1.0, [0.0; 3], 16), 1.0 / 64.0)),
        ("torus", meshes::snapped(&meshes::torus(1.0, 0.4, 16, 12), 1.0 / 64.0)),
        ("slivers", meshes::slivers(40)),
        ("needle ball", meshes::snapped(&meshes::needle_ball(16), 1.0 / 1024.0)),
        ("city", meshes::city(3, 1)),
        ("far off", meshes::transformed(&meshes::torus(1.0, 0.4, 16, 12), 1.0, [1e6, -3e5, 7.0])),
        ("tiny", meshes::transformed(&meshes::icosphere(1.0, [0.0; 3], 2), 1e-30, [0.0; 3])),
        ("huge", meshes::transformed(&meshes::icosphere(1.0, [0.0; 3], 2), 1e30, [0.0; 3])),
    ]
}

fn outside_rays(mesh: &TriangleMesh) -> Vec<Ray> {
    let mut rays = rays::towards_box(mesh.bounds(), 100, 1);
    rays.extend(rays::aimed(mesh, Aim::Vertex, None, 100, 2));
    rays.extend(rays::aimed(mesh, Aim::Edge, None, 100, 3));
    let lines = [
        rays::exactly_through_vertices(mesh, 200, 4),
        rays::exactly_through_edges(mesh, 200, 5),
        rays::axis_aligned(mesh, 200, 6),
    ];
    // As whole lines these start outside, wherever their origins are.
    rays.extend(
        lines.concat().iter().map(|ray| ray.with_interval(f32::NEG_INFINITY, f32::INFINITY)),
    );
    rays
}

/// Both rules, both sides: from outside a closed mesh, as many crossings go in as come out.
#[test]
fn a_closed_mesh_is_entered_as_often_as_left() {
    for (name, mesh) in closed_meshes() {
        let oracle = Oracle::new(&mesh);
        let mut crossed = 0;
        for ray in outside_rays(&mesh) {
            let [front, back] =
                [Sides::Front, Sides::Back].map(|sides| oracle.count(&ray, sides, Rule::Once));
            assert_eq!(front, back, "{name}: {ray:?}");
            assert_eq!(front + back, oracle.count(&ray, Sides::Both, Rule::Once));
            let closed = oracle.count(&ray, Sides::Both, Rule::Closed);
            assert!(closed >= front + back, "{name}: {ray:?}");
            assert_eq!(closed > 0, oracle.any(&ray, Sides::Both));
            crossed += front;
        }
        assert!(crossed > 100, "{name}: only {crossed} crossings");
    }
}

/// Passing over blocks of triangles far from the ray changes nothing.
#[test]
fn blocks_hide_nothing() {
    for (name, mesh) in closed_meshes() {
        let whole = Oracle::new(&mesh);
        let prims = 0..mesh.triangle_count() as u32;
        let singles: Vec<Oracle> = prims
            .map(|prim| Oracle::new(&TriangleMesh::from_soup(&[mesh.triangle(prim)]).unwrap()))
            .collect();
        for ray in outside_rays(&mesh).iter().step_by(7) {
            let expected: usize =
                singles.iter().map(|one| one.count(ray, Sides::Both, Rule::Closed)).sum();
            assert_eq!(whole.count(ray, Sides::Both, Rule::Closed), expected, "{name}: {ray:?}");
        }
    }
}

#[test]
fn from_inside_a_convex_mesh_every_ray_hits() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    let oracle = Oracle::new(&mesh);
    for aim in [Aim::Vertex, Aim::Edge, Aim::Face] {
        for ray in rays::aimed(&mesh, aim, Some([0.1, -0.2, 0.3]), 200, 9) {
            assert!(oracle.any(&ray, Sides::Both), "{ray:?}");
            assert_eq!(oracle.count(&ray, Sides::Both, Rule::Once), 1, "{ray:?}");
            assert!(!oracle.any(&ray, Sides::Front), "{ray:?}");
        }
    }
}

#[test]
fn distances_are_those_of_a_sphere() {
    let mesh = meshes::icosphere(3.0, [0.0; 3], 5);
    let oracle = Oracle::new(&mesh);
    let [near, far] = [0, 1].map(|i| {
        oracle.all(&Ray::new([0.1, 0.2, 10.0], [0.0, 0.0, -2.0]), Sides::Both, Rule::Once)[i]
    });
    let half = f64::sqrt(9.0 - 0.05);
    assert!((near.t - (10.0 - half) / 2.0).abs() < 1e-3 && near.front);
    assert!((far.t - (10.0 + half) / 2.0).abs() < 1e-3 && !far.front);
}

/// The corner (0, 0, 0) of a fan, an edge of it, its rim, and coplanar rays.
#[test]
fn answers_worked_by_hand() {
    let mesh = TriangleMesh::new(
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
        vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]],
    )
    .unwrap();
    let oracle = Oracle::new(&mesh);
    let down = |x, y| Ray::new([x, y, 2.0], [0.0, 0.0, -1.0]);
    let prims = |ray: &Ray, rule| -> Vec<u32> {
        oracle.all(ray, Sides::Both, rule).iter().map(|hit| hit.prim).collect()
    };
    assert_eq!(prims(&down(0.0, 0.0), Rule::Closed), [0, 1, 2, 3]);
    // Moved by ε along x and ε² along y: into the first triangle.
    assert_eq!(prims(&down(0.0, 0.0), Rule::Once), [0]);
    assert_eq!(prims(&down(0.0, 0.5), Rule::Closed), [0, 1]);
    assert_eq!(prims(&down(0.0, 0.5), Rule::Once), [0]);
    assert_eq!(prims(&down(0.5, 0.0), Rule::Closed), [0, 3]);
    assert_eq!(prims(&down(0.5, 0.0), Rule::Once), [0]);
    assert_eq!(prims(&down(-0.5, 0.0), Rule::Once), [1]);
    // The outer corners: moved along +x, the right one misses and the left one hits.
    assert_eq!(prims(&down(1.0, 0.0), Rule::Closed), [0, 3]);
    assert!(prims(&down(1.0, 0.0), Rule::Once).is_empty());
    assert_eq!(prims(&down(-1.0, 0.0), Rule::Once), [1]);
    assert!(prims(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), Rule::Closed).is_empty());
    assert!(prims(&down(f32::from_bits(1), 1.0), Rule::Closed).is_empty());

    let hit = oracle.closest(&down(0.25, 0.5), Sides::Front).unwrap();
    assert_eq!((hit.t, hit.prim, hit.front, hit.weights), (2.0, 0, true, [0.25, 0.5]));
    assert_eq!(oracle.closest(&down(0.25, 0.5), Sides::Back), None);
    let interval =
        |t_min, t_max| oracle.any(&down(0.25, 0.5).with_interval(t_min, t_max), Sides::Both);
    assert!(interval(2.0, 2.0) && interval(0.0, 2.0) && interval(2.0, 3.0));
    assert!(!interval(0.0, 2.0f32.next_down()) && !interval(2.0f32.next_up(), 9.0));
    assert_eq!(oracle.nearest(&down(0.0, 0.0), Sides::Both, Rule::Closed, 1e-9).len(), 4);
}

#[test]
fn broken_triangles_and_invalid_rays_never_hit() {
    let mesh = meshes::with_broken_triangles(&meshes::tetrahedron());
    let oracle = Oracle::new(&mesh);
    let mut hits = 0;
    for ray in rays::inside_box(meshes::tetrahedron().bounds(), 500, 1) {
        for hit in oracle.all(&ray, Sides::Both, Rule::Closed) {
            assert!(!(4..11).contains(&hit.prim));
            hits += 1;
        }
    }
    assert!(hits > 500);
    assert!(rays::invalid().iter().all(|ray| !oracle.any(ray, Sides::Both)));
}

#[test]
fn lengths_of_directions_change_t_alone() {
    let mesh = meshes::torus(1.0, 0.4, 16, 12);
    let oracle = Oracle::new(&mesh);
    let rays = rays::aimed(&mesh, Aim::Edge, None, 200, 1);
    for (ray, other) in rays.iter().zip(rays::with_other_lengths(&rays, 2)) {
        let [p, q] = [ray, &other].map(|ray| oracle.all(ray, Sides::Both, Rule::Closed));
        let factor = f64::from(other.direction[0]) / f64::from(ray.direction[0]);
        assert_eq!(p.len(), q.len());
        for (p, q) in p.iter().zip(&q) {
            assert_eq!(p.prim, q.prim);
            assert!((q.t * factor / p.t - 1.0).abs() < 1e-9, "{ray:?} {other:?}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let mesh = meshes::torus(1.0, 0.4, 16, 12);
    let oracle = Oracle::new(&mesh);
    let rays = rays::random(mesh.bounds(), 101, 1);
    let answers =
        |threads| oracle.of_each(&rays, threads, |oracle, ray| oracle.closest(ray, Sides::Both));
    assert_eq!(answers(1), answers(3));
    assert_eq!(answers(1).len(), rays.len());
    assert!(oracle.of_each(&[], 4, |oracle, ray| oracle.any(ray, Sides::Both)).is_empty());
}
