//! Hills of value noise.

use hitscan_core::TriangleMesh;

use super::made;
use super::surfaces::grid_indices;
use crate::random::mix;

/// Hills of `2 · columns · rows` triangles, one cell a unit wide, up to about an eighth of
/// `columns` high, z up, from zero to (columns, rows).
#[must_use]
pub fn terrain(columns: u32, rows: u32, seed: u64) -> TriangleMesh {
    let (columns, rows) = (columns.max(1), rows.max(1));
    let mut positions = Vec::with_capacity((columns as usize + 1) * (rows as usize + 1));
    for row in 0..=rows {
        for column in 0..=columns {
            let [x, y] = [column, row].map(f64::from);
            positions.push([x as f32, y as f32, height(x, y, f64::from(columns), seed) as f32]);
        }
    }
    made(positions, grid_indices(columns, rows))
}

/// Hills of as many triangles as a square grid of at most `triangles` has.
#[must_use]
pub fn terrain_of(triangles: u32, seed: u64) -> TriangleMesh {
    let side = (triangles / 2).isqrt();
    terrain(side, side, seed)
}

/// The sum of octaves of noise, each half as wide and half as high as the one before.
fn height(x: f64, y: f64, width: f64, seed: u64) -> f64 {
    let mut height = 0.0;
    let (mut wave, mut swing) = (width / 4.0, width / 16.0);
    for octave in 0..6 {
        height += swing * noise(x / wave, y / wave, seed.wrapping_add(octave));
        wave *= 0.5;
        swing *= 0.5;
    }
    height
}

/// Random values at whole coordinates, smoothly interpolated, in [0, 1).
fn noise(x: f64, y: f64, seed: u64) -> f64 {
    let [left, low] = [x, y].map(f64::floor);
    let at = |dx: i64, dy: i64| {
        let (column, row) = ((left as i64 + dx) as u64, (low as i64 + dy) as u64);
        let bits = mix(column.wrapping_add(mix(row.wrapping_add(mix(seed)))));
        (bits >> 11) as f64 / (1u64 << 53) as f64
    };
    let [u, v] = [x - left, y - low].map(|s| s * s * (3.0 - 2.0 * s));
    let mix = |p: f64, q: f64, s: f64| p + (q - p) * s;
    mix(mix(at(0, 0), at(1, 0), u), mix(at(0, 1), at(1, 1), u), v)
}
