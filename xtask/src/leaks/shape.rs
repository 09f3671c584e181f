//! Closed meshes of about unit size, and points that are certainly inside them.

use hitscan::TriangleMesh;
use hitscan_testkit::{Random, meshes};

/// A closed mesh of about unit size about zero.
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) mesh: fn() -> TriangleMesh,
    /// A random point inside.
    pub(super) inside: fn(&mut Random) -> [f64; 3],
    /// Every point that `inside` gives is at least this far from the surface.
    pub(super) margin: f64,
}

pub(super) static SHAPES: [Shape; 8] = [
    Shape { name: "icosphere", mesh: icosphere, inside: |r| ball(r, 0.8), margin: 0.1 },
    Shape {
        name: "grid sphere",
        mesh: || meshes::snapped(&icosphere(), 1.0 / 256.0),
        inside: |r| ball(r, 0.8),
        margin: 0.1,
    },
    Shape {
        name: "uv sphere",
        mesh: || meshes::uv_sphere(1.0, [0.0; 3], 96),
        inside: |r| ball(r, 0.8),
        margin: 0.1,
    },
    Shape { name: "tetrahedron", mesh: meshes::tetrahedron, inside: |r| ball(r, 0.4), margin: 0.1 },
    Shape {
        name: "torus",
        mesh: || meshes::torus(1.0, 0.4, 96, 48),
        inside: |random| {
            // Within 0.2 of the circle about which the tube runs.
            let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
            let [out, up, _] = ball(random, 0.2);
            [(1.0 + out) * cos, (1.0 + out) * sin, up]
        },
        margin: 0.1,
    },
    Shape {
        name: "double cone",
        mesh: double_cone,
        inside: |r| diamond(r, 1.0, 0.25),
        margin: 0.05,
    },
    Shape {
        name: "slivers",
        mesh: || meshes::slivers(16),
        inside: |r| diamond(r, 1e-5, 1.0),
        margin: 2e-6,
    },
    Shape {
        name: "needle ball",
        mesh: || meshes::needle_ball(64),
        inside: |random| {
            let [x, y, z] = ball(random, 0.7);
            let shift = (x + y + z) * (0.999 / 3.0);
            [x - shift, y - shift, z - shift]
        },
        margin: 2e-4,
    },
];

fn icosphere() -> TriangleMesh {
    meshes::icosphere(1.0, [0.0; 3], 4)
}

/// Two fans of 64 triangles, base to base.
fn double_cone() -> TriangleMesh {
    const COUNT: u32 = 64;
    let rim = (0..COUNT).map(|i| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(i) / f64::from(COUNT)).sin_cos();
        [cos as f32, sin as f32, 0.0]
    });
    let positions = [[0.0, 0.0, 0.25], [0.0, 0.0, -0.25]].into_iter().chain(rim).collect();
    let sides = (0..COUNT).flat_map(|i| {
        let (p, q) = (i + 2, (i + 1) % COUNT + 2);
        [[0, p, q], [1, q, p]]
    });
    TriangleMesh::new(positions, sides.collect()).expect("it uses only its own vertices")
}

/// A point in a ball about zero.
fn ball(random: &mut Random, radius: f64) -> [f64; 3] {
    let far = radius * random.unit().cbrt();
    random.direction().map(|x| x * far)
}

/// A point well inside a double cone about zero.
fn diamond(random: &mut Random, radius: f64, height: f64) -> [f64; 3] {
    let up = random.between(-0.6, 0.6);
    let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    let out = (0.65 - up.abs()) * random.unit() * radius;
    [out * cos, out * sin, up * height]
}
