//! Meshes on which builders and triangle tests go wrong.

use std::f64::consts::TAU;

use hitscan_core::TriangleMesh;

use super::{joined, made, transformed, uv_sphere};
use crate::vector::{narrow, scale};

/// A closed tetrahedron about zero, with corners at alternate corners of the cube ±1.
#[must_use]
pub fn tetrahedron() -> TriangleMesh {
    let corners = vec![[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
    made(corners, vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
}

/// `count` triangles about one vertex, on a shallow cone with its tip at zero and z up.
#[must_use]
pub fn fan(count: u32) -> TriangleMesh {
    let count = count.max(3);
    let rim = (0..count).map(|i| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
        narrow([cos, sin, -0.25])
    });
    let positions = std::iter::once([0.0; 3]).chain(rim).collect();
    made(positions, (0..count).map(|i| [0, i + 1, (i + 1) % count + 1]).collect())
}

/// A closed double cone of `2 · count` triangles as thin as needles: 2 long, `1e-5` high.
#[must_use]
pub fn slivers(count: u32) -> TriangleMesh {
    let count = count.max(3);
    let rim = (0..count).map(|i| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
        narrow([1e-5 * cos, 1e-5 * sin, 0.0])
    });
    let positions = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]].into_iter().chain(rim).collect();
    let sides = (0..count).flat_map(|i| {
        let (p, q) = (i + 2, (i + 1) % count + 2);
        [[0, p, q], [1, q, p]]
    });
    made(positions, sides.collect())
}

/// A closed sphere flattened to a thousandth along x + y + z: long thin triangles askew.
#[must_use]
pub fn needle_ball(segments: u32) -> TriangleMesh {
    let ball = uv_sphere(1.0, [0.0; 3], segments);
    super::with_each_position(&ball, |[x, y, z]| {
        let shift = (x + y + z) * (0.999 / 3.0);
        [x - shift, y - shift, z - shift]
    })
}

/// `count` triangles with the same corners.
#[must_use]
pub fn copies(count: u32) -> TriangleMesh {
    let corners = vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    made(corners, vec![[0, 1, 2]; count as usize])
}

/// `count` triangles across the x axis, at x = `low · ratio^i`, each as wide as it is far.
#[must_use]
pub fn exponential(count: u32, low: f64, ratio: f64) -> TriangleMesh {
    let mut triangles = Vec::new();
    for i in 0..count {
        let x = low * ratio.powf(f64::from(i));
        triangles.extend(
            [[1.0, -0.5, -0.5], [1.0, 0.5, -0.5], [1.0, 0.0, 0.5]].map(|p| narrow(scale(p, x))),
        );
    }
    made(triangles, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// `count` triangles with the same centroid, zero, each 1 % larger than the one before, in turn in
/// three planes.
#[must_use]
pub fn nested(count: u32) -> TriangleMesh {
    let mut positions = Vec::new();
    for i in 0..count {
        let size = 1.01f64.powf(f64::from(i % 4000));
        for [p, q] in [[2.0, 0.0], [-1.0, 1.5], [-1.0, -1.5]] {
            let mut corner = [0.0; 3];
            (corner[i as usize % 3], corner[(i as usize + 1) % 3]) = (p * size, q * size);
            positions.push(narrow(corner));
        }
    }
    made(positions, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// The mesh, followed by triangles without area and triangles that are not finite, followed by the
/// mesh again at half its size.
#[must_use]
pub fn with_broken_triangles(mesh: &TriangleMesh) -> TriangleMesh {
    let [nan, infinite] = [f32::NAN, f32::INFINITY];
    let broken = vec![
        [0.0; 3],
        [0.5, 0.5, 0.5],
        [1.0, 1.0, 1.0],
        [nan, 0.0, 0.0],
        [0.0, infinite, 0.0],
        [0.0, 0.0, -infinite],
        [1.0, 0.0, 0.0],
    ];
    let triangles =
        vec![[0, 1, 2], [0, 0, 0], [1, 1, 6], [0, 1, 3], [0, 6, 4], [5, 4, 3], [6, 1, 5]];
    joined(&[mesh.clone(), made(broken, triangles), transformed(mesh, 0.5, [0.0; 3])])
}
