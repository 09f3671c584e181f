//! Meshes far from zero keep their detail in a local origin.

use super::read;

#[test]
fn a_small_triangle_at_a_northing_of_four_million() {
    let (mesh, report) = read(
        "v 500000.1 4649776.1 10\nv 500000.3 4649776.1 10\nv 500000.1 4649776.3 10\nf 1 2 3\n",
    );
    let [x, y, z] = mesh.origin();
    assert_ne!([x, y], [0.0, 0.0]);
    assert_eq!(report.degenerate, 0);
    let place = |vertex: usize| {
        let [dx, dy, dz] = mesh.positions()[vertex].map(f64::from);
        [x + dx, y + dy, z + dz]
    };
    let expected = [[500000.1, 4649776.1, 10.0], [500000.3, 4649776.1, 10.0]];
    for (vertex, expected) in expected.into_iter().enumerate() {
        for (found, expected) in place(vertex).into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-7, "{found} instead of {expected}");
        }
    }
}

/// A strip of triangles, moved.
fn strip(x: f64, y: f64) -> String {
    let vertices: String = (0..200)
        .map(|i| {
            let (dx, dy) = (f64::from(i) * 0.125 + 0.001, f64::from(i % 2) * 3.25);
            format!("v {:.3} {:.3} {:.3}\n", x + dx, y + dy, dy)
        })
        .collect();
    let faces: String = (1..198).map(|i| format!("f {i} {} {}\n", i + 1, i + 2)).collect();
    format!("{vertices}{faces}")
}

#[test]
fn a_moved_mesh_has_the_shape_of_its_twin() {
    let (near, _) = read(strip(0.0, 0.0));
    let (far, _) = read(strip(85_000.0, 447_000.0));
    assert_eq!(near.origin(), [0.0; 3]);
    assert_eq!(near.indices(), far.indices());
    let [x, y, z] = far.origin();
    assert_eq!(z, 0.0);
    assert!([x, y].iter().all(|x| x.fract() == 0.0), "{x} {y} are short numbers");
    for (near, far) in near.positions().iter().zip(far.positions()) {
        let place = [x + f64::from(far[0]) - 85_000.0, y + f64::from(far[1]) - 447_000.0];
        assert!((place[0] - f64::from(near[0])).abs() < 2e-6, "{near:?} {far:?}");
        assert!((place[1] - f64::from(near[1])).abs() < 2e-6, "{near:?} {far:?}");
    }
}

#[test]
fn coordinates_that_f32_holds_exactly_stay() {
    let (mesh, _) = read("v 6378137 0 0\nv 6378137 8 0\nv 6378137 0 8\nf 1 2 3\n");
    assert_eq!(mesh.origin(), [0.0; 3]);
    assert_eq!(mesh.positions()[0], [6_378_137.0, 0.0, 0.0]);
}

#[test]
fn a_mesh_around_zero_stays_however_large() {
    let (mesh, _) = read("v -3e38 -3e38 5.1\nv 3e38 -3e38 5.1\nv 0 3e38 5.1\nf 1 2 3\n");
    assert_eq!(mesh.origin(), [0.0; 3]);
}

#[test]
fn sixteen_extents_from_zero_is_the_limit() {
    let mesh = |x: f64| read(format!("v {x} 0 0\nv {} 0 0.1\nv {x} 1 0\nf 1 2 3\n", x - 1.0)).0;
    assert_eq!(mesh(16.0).origin(), [0.0; 3]);
    assert_eq!(mesh(16.5).origin(), [16.0, 1.0, 0.0]);
}

#[test]
fn vertices_that_no_face_uses_do_not_count() {
    let (mesh, _) = read(
        format!("v 0 0 0\nv nan 0 0\nv 1e300 0 0\n{}", strip(1e6, 1e6).replace("f ", "#f "))
            + "f 4 5 6\n",
    );
    assert!(mesh.origin()[0] > 9e5);
    let (mesh, _) = read("v 0.1 0 0\nv 1 0 0\nv 0 1 0\nv 1e30 1e30 1\nf 1 2 3\n");
    assert_eq!(mesh.origin(), [0.0; 3]);
}

#[test]
fn a_single_point_far_away() {
    let (mesh, report) = read("v 1000000.1 0 0\nf 1 1 1\n");
    assert_eq!(report.degenerate, 1);
    assert!(mesh.positions()[0].iter().all(|x| x.is_finite()));
    assert!(mesh.origin().iter().all(|x| x.is_finite()));
}
