//! Which triangles can be hit at all.

use hitscan_core::TriangleMesh;

fn can_be_hit(corners: [[f32; 3]; 3]) -> bool {
    TriangleMesh::from_soup(&[corners]).is_ok_and(|mesh| mesh.can_be_hit(0))
}

/// Corners on one line whose differences are no f32: rounded, they make an area.
#[test]
fn corners_on_one_line_have_no_area_however_edges_round() {
    for shift in 1_u8..40 {
        for scale in [1.0, 1.0 / (1 << 24) as f32, (1 << 24) as f32] {
            let tiny = f32::from(shift) / (1 << 28) as f32;
            let point = |x: f32| [x, 3.0 * x, 5.0 * x].map(|x| x * scale);
            for (b, c) in [(1.0, 5.0), (3.0, 7.0), (-3.0, 11.0), (13.0, 6.0)] {
                assert!(!can_be_hit([point(tiny), point(b), point(c)]), "{tiny} {scale} {b} {c}");
            }
        }
    }
}

#[test]
fn the_slightest_bend_is_an_area() {
    for size in [f32::MIN_POSITIVE, 1e-30, 1.0, 1e30, f32::MAX] {
        let corners = [[0.0; 3], [size / 2.0, size / 2.0, 0.0], [size, size, 0.0]];
        assert!(!can_be_hit(corners));
        for (corner, axis) in [(0, 0), (1, 1), (2, 0), (1, 2)] {
            let mut bent = corners;
            let moved = &mut bent[corner][axis];
            *moved = if *moved > 0.0 { moved.next_down() } else { moved.next_up() };
            assert!(can_be_hit(bent), "{bent:?}");
        }
    }
}

/// No corner is at infinity, though one beside finite ones may make an area of infinity.
#[test]
fn corners_that_are_not_finite_are_never_hit() {
    for odd in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        for place in 0..9 {
            let mut corners = [[0.0, 0.0, 1.0], [1.0, 0.0, 2.0], [0.0, 1.0, 3.0]];
            corners.as_flattened_mut()[place] = odd;
            assert!(!can_be_hit(corners), "{corners:?}");
        }
    }
}
