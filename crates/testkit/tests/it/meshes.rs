//! Closed meshes are closed and face outward, counts are as documented.

use hitscan_testkit::{meshes, volume};

#[test]
fn closed_meshes_are_closed_and_face_outward() {
    let closed = [
        ("uv sphere", meshes::uv_sphere(1.0, [0.1, 0.2, 0.3], 17), 2 * 17 * 7),
        ("smallest sphere", meshes::uv_sphere(1.0, [0.0; 3], 0), 6),
        ("icosphere", meshes::icosphere(2.0, [1.0; 3], 2), 320),
        ("torus", meshes::torus(1.0, 0.3, 24, 12), 576),
        ("knot", meshes::torus_knot(0.12, 120, 10), 2400),
        ("cuboid", meshes::cuboid([-1.0; 3], [1.0, 2.0, 3.0]), 12),
        ("tetrahedron", meshes::tetrahedron(), 4),
        ("slivers", meshes::slivers(50), 100),
        ("needle ball", meshes::needle_ball(16), 16 * 2 * 7),
        ("city", meshes::city(5, 1), 300),
    ];
    for (name, mesh, triangles) in closed {
        assert!(meshes::is_closed(&mesh), "{name} has an open edge");
        assert!(volume::by_divergence(&mesh) > 0.0, "{name} faces inward");
        assert_eq!(mesh.triangle_count(), triangles, "{name}");
        let snapped = meshes::snapped(&mesh, 1.0 / 256.0);
        assert!(meshes::is_closed(&snapped), "{name} has an open edge once snapped");
    }
}

#[test]
fn open_meshes_are_not_called_closed() {
    for mesh in [meshes::fan(7), meshes::terrain(4, 4, 1), meshes::soup(5, 0.1, 1)] {
        assert!(!meshes::is_closed(&mesh));
    }
}

#[test]
fn the_knot_winds_outward_everywhere() {
    // A whole tube could have the right volume with a few rings turned about.
    let mesh = meshes::torus_knot(0.12, 240, 8);
    let ring = 8;
    for prim in 0..mesh.triangle_count() as u32 {
        let first = (prim / 16 * ring) as usize;
        let points = &mesh.positions()[first..first + ring as usize];
        let center: [f32; 3] =
            std::array::from_fn(|axis| points.iter().map(|p| p[axis]).sum::<f32>() / ring as f32);
        let corner = mesh.triangle(prim)[0];
        let normal = mesh.normal(prim);
        let outward: f32 = (0..3).map(|axis| normal[axis] * (corner[axis] - center[axis])).sum();
        assert!(outward > 0.0, "triangle {prim}");
    }
}

#[test]
fn counts_are_as_documented() {
    assert_eq!(meshes::terrain_of(20_000, 1).triangle_count(), 20_000);
    assert_eq!(meshes::terrain(3, 5, 1).triangle_count(), 30);
    assert_eq!(meshes::forest(3, 1).triangle_count(), 3 * 512);
    assert_eq!(meshes::soup(100, 0.1, 1).triangle_count(), 100);
    assert_eq!(meshes::plate(2.0, [0.0; 3], [0.0, 0.0, 1.0], 5).triangle_count(), 50);
    assert_eq!(meshes::copies(9).triangle_count(), 9);
    assert_eq!(meshes::nested(9).triangle_count(), 9);
    assert_eq!(meshes::exponential(9, 1e-20, 10.0).triangle_count(), 9);
}

#[test]
fn equal_arguments_give_equal_meshes() {
    assert_eq!(meshes::forest(5, 3), meshes::forest(5, 3));
    assert_ne!(meshes::forest(5, 3), meshes::forest(5, 4));
    assert_eq!(meshes::terrain(9, 9, 3), meshes::terrain(9, 9, 3));
    assert_ne!(meshes::terrain(9, 9, 3), meshes::terrain(9, 9, 4));
}
