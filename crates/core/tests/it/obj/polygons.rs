//! Polygons become triangles that cover them: no more, no less, and wound as they are.

use hitscan_core::TriangleMesh;
use hitscan_core::mesh::MeshReport;

use super::read;

/// One polygon over these corners.
pub(super) fn polygon_of(corners: &[[f32; 3]]) -> (TriangleMesh, MeshReport) {
    let vertices: String =
        corners.iter().map(|[x, y, z]| format!("v {x:?} {y:?} {z:?}\n")).collect();
    let face: String = (1..=corners.len()).map(|i| format!(" {i}")).collect();
    let (mesh, report) = read(format!("{vertices}f{face}\n"));
    assert_eq!(mesh.triangle_count(), corners.len() - 2);
    assert!((0..mesh.triangle_count() as u32).all(|prim| mesh.parts().polygon_of(prim) == 0));
    (mesh, report)
}

fn flat(corners: &[[f32; 2]]) -> Vec<[f32; 3]> {
    corners.iter().map(|&[x, y]| [x, y, 0.0]).collect()
}

/// Twice the signed area of a triangle seen along z.
fn doubled_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn triangles(mesh: &TriangleMesh) -> Vec<[[f64; 2]; 3]> {
    (0..mesh.triangle_count() as u32)
        .map(|prim| mesh.triangle(prim).map(|[x, y, _]| [f64::from(x), f64::from(y)]))
        .collect()
}

/// Whether a point lies inside, by crossings along x.
fn is_inside(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let edges = ring.iter().zip(ring.iter().cycle().skip(1));
    let crosses = |(a, b): &(&[f64; 2], &[f64; 2])| {
        (a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]
    };
    edges.filter(crosses).count() % 2 == 1
}

/// The triangles of a simple flat polygon must cover what it covers, once.
pub(super) fn assert_covers(corners: &[[f32; 2]]) {
    let (mesh, _) = polygon_of(&flat(corners));
    let ring: Vec<[f64; 2]> = corners.iter().map(|corner| corner.map(f64::from)).collect();
    let area: f64 =
        ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum();
    let triangles = triangles(&mesh);
    let covered: f64 = triangles.iter().map(|&triangle| doubled_area(triangle).abs()).sum();
    assert!((covered - area.abs()).abs() < 1e-5 * area.abs(), "{covered} instead of {area}");
    // Wound as the polygon: no triangle runs the other way round, but for rounding.
    let least = |&t: &[[f64; 2]; 3]| doubled_area(t) * area.signum() > -1e-5 * area.abs();
    assert!(triangles.iter().all(least));
    for i in 0..900 {
        // Points off every line between corners with short coordinates.
        let (column, row) = (f64::from(i % 30), f64::from(i / 30));
        let point = [-1.013 + column * 0.4471, -1.0071 + row * 0.4483];
        let hits = triangles.iter().filter(|triangle| is_inside(&triangle[..], point)).count();
        assert_eq!(hits, usize::from(is_inside(&ring, point)), "at {point:?}");
    }
}

/// The polygon from every first corner, in both directions.
fn assert_covers_from_everywhere(corners: &[[f32; 2]]) {
    let mut corners = corners.to_vec();
    for _ in 0..corners.len() {
        assert_covers(&corners);
        let reversed: Vec<[f32; 2]> = corners.iter().rev().copied().collect();
        assert_covers(&reversed);
        corners.rotate_left(1);
    }
}

#[test]
fn a_convex_quad_is_cut_from_its_first_corner() {
    let (mesh, _) = polygon_of(&flat(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]));
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
    let (mesh, _) = polygon_of(&flat(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]));
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn a_concave_quad_is_cut_inside() {
    assert_covers_from_everywhere(&[[0.0, 0.0], [4.0, 0.0], [1.0, 1.0], [0.0, 4.0]]);
}

#[test]
fn a_quad_with_a_corner_on_a_straight_line_has_no_triangle_without_area() {
    let (_, report) = polygon_of(&flat(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]));
    assert_eq!(report.degenerate, 0);
    assert_covers_from_everywhere(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0]]);
}

#[test]
fn a_bent_quad_is_cut_from_its_first_corner() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 0.0], [0.0, 1.0, 0.5]];
    assert_eq!(polygon_of(&corners).0.indices(), [[0, 1, 2], [0, 2, 3]]);
}

#[test]
fn a_convex_polygon_is_a_fan_around_its_first_corner() {
    let corners = [[2.0, 0.0], [1.0, 2.0], [-1.0, 2.0], [-2.0, 0.0], [-1.0, -2.0], [1.0, -2.0]];
    let (mesh, _) = polygon_of(&flat(&corners));
    assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]);
}

#[test]
fn a_concave_polygon_leaves_its_notch_open() {
    assert_covers_from_everywhere(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]]);
}

#[test]
fn small_notches_far_from_zero_stay_open() {
    // Two notches as deep as two steps of f32 there; no corner sees all others.
    let mut corners = [
        [0.0, 0.0],
        [12.0, 0.0],
        [12.0, 2.0],
        [10.0, 1.0],
        [8.0, 2.0],
        [4.0, 2.0],
        [2.0, 1.0],
        [0.0, 2.0],
    ]
    .map(|[x, y]| [6_378_137.0 + x, 4_000_000.0 + y]);
    for _ in 0..corners.len() {
        corners.rotate_left(1);
        let (mesh, _) = polygon_of(&flat(&corners));
        assert_eq!(mesh.origin(), [0.0; 3]);
        let areas: Vec<f64> = triangles(&mesh).into_iter().map(doubled_area).collect();
        assert!(areas.iter().all(|&area| area > 0.0), "{areas:?}");
        assert_eq!(areas.iter().sum::<f64>(), 2.0 * 20.0);
    }
}

#[test]
fn a_comb() {
    let mut comb = vec![[0.0, 0.0], [9.0, 0.0]];
    for tooth in (0..9).rev() {
        let x = tooth as f32;
        comb.extend([[x + 0.9, 8.0], [x + 0.1, 1.0]]);
    }
    assert_covers_from_everywhere(&comb);
}

#[test]
fn a_spiral() {
    let point = |i: usize, radius: f32| {
        let angle = i as f32 * 0.5;
        [5.0 + radius * angle.cos(), 5.0 + radius * angle.sin()]
    };
    let out = (0..40).map(|i| point(i, 0.5 + i as f32 * 0.1));
    let back = (0..40).rev().map(|i| point(i, 0.2 + i as f32 * 0.1));
    assert_covers(&out.chain(back).collect::<Vec<_>>());
}

#[test]
fn corners_on_straight_lines_and_repeated_corners() {
    let square = [
        [0.0, 0.0],
        [1.0, 0.0],
        [2.0, 0.0],
        [4.0, 0.0],
        [4.0, 2.0],
        [4.0, 4.0],
        [4.0, 4.0],
        [1.0, 4.0],
        [0.0, 4.0],
        [0.0, 4.0],
        [0.0, 4.0],
        [0.0, 1.0],
    ];
    assert_covers_from_everywhere(&square);
}

#[test]
fn every_edge_of_a_polygon_is_the_edge_of_one_triangle() {
    // A plus sign with corners on its straight lines and corners that are there twice: ear cutting
    // alone leaves those out.
    let outline = [
        [1.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [3.0, 1.0],
        [3.0, 2.0],
        [2.0, 2.0],
        [2.0, 3.0],
        [1.0, 3.0],
        [1.0, 2.0],
        [0.0, 2.0],
        [0.0, 1.0],
        [1.0, 1.0],
    ];
    let mut corners = Vec::new();
    for (i, a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        let between = |t: f32| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        corners.extend([0.0, 0.25, 0.5, 0.5].map(between));
    }
    let count = corners.len() as u32;
    for first in 0..corners.len() {
        corners.rotate_left(1);
        let (mesh, _) = polygon_of(&flat(&corners));
        let edges: Vec<(u32, u32)> =
            mesh.indices().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        for corner in 0..count {
            let edge = (corner, (corner + 1) % count);
            let users = edges.iter().filter(|&&other| other == edge).count();
            assert_eq!(users, 1, "edge {edge:?} from {first}");
        }
        let inner = edges.iter().filter(|(a, b)| (a + 1) % count != *b);
        assert!(inner.clone().all(|&(a, b)| edges.contains(&(b, a))));
        assert_covers(&corners);
    }
}

#[test]
fn a_hole_behind_a_bridge() {
    let keyhole = [
        [0.0, 0.0],
        [8.0, 0.0],
        [8.0, 8.0],
        [0.0, 8.0],
        [0.0, 0.0],
        [2.0, 2.0],
        [2.0, 6.0],
        [6.0, 6.0],
        [6.0, 2.0],
        [2.0, 2.0],
    ];
    assert_covers_from_everywhere(&keyhole);
    // The same through shared vertices.
    let (mesh, _) = read(
        "v 0 0 0\nv 8 0 0\nv 8 8 0\nv 0 8 0\nv 2 2 0\nv 2 6 0\nv 6 6 0\nv 6 2 0\n\
         f 1 2 3 4 1 5 6 7 8 5\n",
    );
    let area: f64 = triangles(&mesh).iter().map(|&triangle| doubled_area(triangle)).sum();
    assert_eq!((mesh.triangle_count(), area), (8, 2.0 * (64.0 - 16.0)));
}

#[test]
fn polygons_that_cross_themselves_have_triangles_of_their_own_corners() {
    for corners in [
        &[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]][..],
        &[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [-1.0, 1.0]],
        &[[0.0, 3.0], [2.0, -2.0], [-3.0, 1.0], [3.0, 1.0], [-2.0, -2.0]],
        &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.0], [3.0, 0.0]],
        &[[1.0, 1.0]; 7],
    ] {
        polygon_of(&flat(corners));
    }
}

#[test]
fn polygons_in_every_plane() {
    let notch = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0]];
    for (u, v) in [
        ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
        ([0.6, 0.0, 0.8], [0.0, 1.0, 0.0]),
        ([0.36, 0.48, 0.8], [0.8, -0.6, 0.0]),
    ] {
        let corners: Vec<[f32; 3]> = notch
            .iter()
            .map(|[x, y]| std::array::from_fn(|axis| x * u[axis] + y * v[axis]))
            .collect();
        let (mesh, _) = polygon_of(&corners);
        let area: f32 = (0..3)
            .map(|prim| {
                let [a, b, c] = mesh.triangle(prim);
                let [e, f] = [b, c].map(|p| <[f32; 3]>::from_fn(|axis| p[axis] - a[axis]));
                let normal = <[f32; 3]>::from_fn(|axis| {
                    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
                    e[x] * f[y] - e[y] * f[x]
                });
                0.5 * normal.iter().map(|x| x * x).sum::<f32>().sqrt()
            })
            .sum();
        assert!((area - 10.0).abs() < 1e-4, "{area}");
    }
}

/// `std::array::from_fn` as a method, so that the length need not be said twice.
trait FromFn {
    fn from_fn(make: impl FnMut(usize) -> f32) -> Self;
}

impl FromFn for [f32; 3] {
    fn from_fn(make: impl FnMut(usize) -> f32) -> Self {
        std::array::from_fn(make)
    }
}

#[test]
fn polygons_with_corners_that_are_not_finite() {
    let (_, report) = read("v 0 0 0\nv 1 0 0\nv nan 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5\nf 1 2 3 4");
    assert_eq!((report.triangles, report.polygons), (5, 2));
}

#[test]
fn a_hundred_thousand_corners() {
    let count = 100_000;
    let circle: Vec<[f32; 3]> = (0..count)
        .map(|i| {
            let angle = std::f64::consts::TAU * f64::from(i) / f64::from(count);
            [(1000.0 * angle.cos()) as f32, (1000.0 * angle.sin()) as f32, 0.0]
        })
        .collect();
    let (mesh, _) = polygon_of(&circle);
    let area: f64 = triangles(&mesh).iter().map(|&triangle| doubled_area(triangle)).sum();
    assert!((0.5 * area / (std::f64::consts::PI * 1e6) - 1.0).abs() < 1e-6);
}

#[test]
fn polygons_are_counted_over_the_faces_that_make_triangles() {
    let (mesh, report) =
        read("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 2\nf 1 2 3 4\nf 2 3 4\nf 1 2 3 4\n");
    let polygons: Vec<u32> = (0..6).map(|prim| mesh.parts().polygon_of(prim)).collect();
    assert_eq!(polygons, [0, 1, 1, 2, 3, 3]);
    assert_eq!((report.polygons, report.skipped), (4, 1));
}
