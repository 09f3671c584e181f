//! Spheres, tori, boxes and plates.

use std::collections::HashMap;
use std::f64::consts::{PI, TAU};

use hitscan_core::TriangleMesh;

use super::made;
use crate::vector::{add, cross, narrow, scale, sub, tangents, unit};

/// A closed sphere of `segments` slices and half as many stacks; at least 3 and 2 of them.
#[must_use]
pub fn uv_sphere(radius: f64, center: [f64; 3], segments: u32) -> TriangleMesh {
    let (slices, stacks) = (segments.max(3), (segments / 2).max(2));
    let mut positions = vec![narrow(add(center, [0.0, 0.0, radius]))];
    for stack in 1..stacks {
        let (sin, cos) = (PI * f64::from(stack) / f64::from(stacks)).sin_cos();
        for slice in 0..slices {
            let (y, x) = (TAU * f64::from(slice) / f64::from(slices)).sin_cos();
            positions.push(narrow(add(center, scale([x * sin, y * sin, cos], radius))));
        }
    }
    positions.push(narrow(add(center, [0.0, 0.0, -radius])));
    let (last, at) =
        (positions.len() as u32 - 1, |stack, slice| stack * slices + slice % slices + 1);
    let mut indices = Vec::new();
    for slice in 0..slices {
        indices.push([0, at(0, slice), at(0, slice + 1)]);
        for stack in 0..stacks - 2 {
            let [p, q] = [at(stack, slice), at(stack, slice + 1)];
            let [r, s] = [at(stack + 1, slice), at(stack + 1, slice + 1)];
            indices.extend([[p, r, q], [q, r, s]]);
        }
        indices.push([at(stacks - 2, slice), last, at(stacks - 2, slice + 1)]);
    }
    made(positions, indices)
}

/// A closed sphere of `20 · 4^subdivisions` triangles of much the same size.
#[must_use]
pub fn icosphere(radius: f64, center: [f64; 3], subdivisions: u32) -> TriangleMesh {
    let g = (1.0 + f64::sqrt(5.0)) / 2.0;
    let mut points: Vec<[f64; 3]> = Vec::new();
    for axis in 0..3 {
        for [p, q] in [[1.0, g], [-1.0, g], [-1.0, -g], [1.0, -g]] {
            let mut point = [0.0; 3];
            (point[(axis + 1) % 3], point[(axis + 2) % 3]) = (p, q);
            points.push(unit(point));
        }
    }
    // A face is three points that are pairwise nearest neighbours.
    let near = |i: usize, j: usize| {
        let [x, y, z] = sub(points[i], points[j]);
        x * x + y * y + z * z < 1.2
    };
    let mut faces: Vec<[u32; 3]> = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(i, k) {
                    let normal = cross(sub(points[j], points[i]), sub(points[k], points[i]));
                    let outward = crate::vector::dot(normal, points[i]) > 0.0;
                    let [i, j, k] = [i, j, k].map(|corner| corner as u32);
                    faces.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    for _ in 0..subdivisions {
        let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
        let mut middle = |p: u32, q: u32| {
            *middles.entry([p.min(q), p.max(q)]).or_insert_with(|| {
                points.push(unit(add(points[p as usize], points[q as usize])));
                points.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(split).collect();
    }
    made(points.iter().map(|&p| narrow(add(center, scale(p, radius)))).collect(), faces)
}

/// A closed tube around a closed curve, with `along` rings of `around` vertices.
fn tube(curve: impl Fn(f64) -> [f64; 3], radius: f64, along: u32, around: u32) -> TriangleMesh {
    let (along, around) = (along.max(3), around.max(3));
    let mut positions = Vec::new();
    for ring in 0..along {
        let turn = TAU * f64::from(ring) / f64::from(along);
        let center = curve(turn);
        let ahead = unit(sub(curve(turn + 1e-4), curve(turn - 1e-4)));
        // Seen from the axis of the knot, so that the last ring meets the first.
        let side = unit(cross([0.0, 0.0, 1.0], ahead));
        let up = cross(ahead, side);
        for step in 0..around {
            let (sin, cos) = (TAU * f64::from(step) / f64::from(around)).sin_cos();
            let offset = add(scale(side, cos * radius), scale(up, sin * radius));
            positions.push(narrow(add(center, offset)));
        }
    }
    let at = |ring: u32, step: u32| (ring % along) * around + step % around;
    let mut indices = Vec::new();
    for ring in 0..along {
        for step in 0..around {
            let [p, q] = [at(ring, step), at(ring, step + 1)];
            let [r, s] = [at(ring + 1, step), at(ring + 1, step + 1)];
            indices.extend([[p, r, q], [q, r, s]]);
        }
    }
    // The rings run counter-clockwise about the way ahead, so these triangles face inward.
    indices.iter_mut().for_each(|corners| corners.swap(1, 2));
    made(positions, indices)
}

/// A closed ring of `2 · along · around` triangles in the xy plane about zero.
#[must_use]
pub fn torus(major: f64, minor: f64, along: u32, around: u32) -> TriangleMesh {
    tube(|turn| [major * turn.cos(), major * turn.sin(), 0.0], minor, along, around)
}

/// A closed tube of `2 · along · around` triangles around a (2, 3) torus knot of about unit size.
#[must_use]
pub fn torus_knot(radius: f64, along: u32, around: u32) -> TriangleMesh {
    let curve = |turn: f64| {
        let reach = 0.65 + 0.3 * (3.0 * turn).cos();
        let (sin, cos) = (2.0 * turn).sin_cos();
        [reach * cos, reach * sin, 0.3 * (3.0 * turn).sin()]
    };
    tube(curve, radius, along, around)
}

/// A closed box of 12 triangles.
#[must_use]
pub fn cuboid(low: [f32; 3], high: [f32; 3]) -> TriangleMesh {
    let corner =
        |i: u32| std::array::from_fn(|axis| if i >> axis & 1 == 0 { low } else { high }[axis]);
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    made((0..8).map(corner).collect(), halves.collect())
}

/// A square plate of `2 · cells²` triangles, exactly flat, through `center` and facing `normal`.
///
/// Flat exactly only where `normal` is an axis; otherwise flat up to the rounding to f32.
#[must_use]
pub fn plate(side: f64, center: [f64; 3], normal: [f64; 3], cells: u32) -> TriangleMesh {
    let cells = cells.max(1);
    let [right, up] = tangents(unit(normal));
    let place = |i: u32| side * (f64::from(i) / f64::from(cells) - 0.5);
    let mut positions = Vec::new();
    for row in 0..=cells {
        for column in 0..=cells {
            let offset = add(scale(right, place(column)), scale(up, place(row)));
            positions.push(narrow(add(center, offset)));
        }
    }
    made(positions, grid_indices(cells, cells))
}

/// Two triangles for each cell of a grid whose vertices are stored row by row.
pub(super) fn grid_indices(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut indices = Vec::with_capacity(2 * columns as usize * rows as usize);
    for row in 0..rows {
        for column in 0..columns {
            let [p, r] = [row, row + 1].map(|row| row * (columns + 1) + column);
            indices.extend([[p, p + 1, r + 1], [p, r + 1, r]]);
        }
    }
    indices
}
