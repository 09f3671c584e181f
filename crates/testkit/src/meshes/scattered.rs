//! Many separate things: triangle soup, beams, a stack of sheets, a city of boxes, a forest.

use std::f64::consts::TAU;

use hitscan_core::TriangleMesh;

use super::{cuboid, joined, made};
use crate::random::Random;
use crate::vector::{add, narrow, scale, tangents};

/// `count` random triangles, about `size` wide, in the unit cube.
#[must_use]
pub fn soup(count: u32, size: f64, seed: u64) -> TriangleMesh {
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(3 * count as usize);
    for _ in 0..count {
        let center = random.point([0.0; 3], [1.0; 3]);
        let corner = |random: &mut Random| random.point([-size / 2.0; 3], [size / 2.0; 3]);
        positions.extend([(); 3].map(|()| narrow(add(center, corner(&mut random)))));
    }
    made(positions, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// `count` triangles, nearly all small; one in ten is long, thin and askew, so that its box is
/// nearly empty.
#[must_use]
pub fn beams(count: u32, seed: u64) -> TriangleMesh {
    let mut random = Random::new(seed);
    let mut positions = Vec::with_capacity(3 * count as usize);
    for i in 0..count {
        let from = random.point([0.0; 3], [10.0; 3]);
        let length = if i % 10 == 0 { 3.0 } else { 0.1 };
        let along = [(); 3].map(|()| if random.below(2) == 0 { length } else { -length });
        let to = add(from, along);
        positions.extend([from, to, add(to, [0.0, 0.0, 0.02])].map(narrow));
    }
    made(positions, (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// `count` long triangles askew, half a unit apart, each shifted against the last, and twelve small
/// ones beside each.
#[must_use]
pub fn stack(count: u32) -> TriangleMesh {
    let long = |i: u32| {
        let (x, z) = (i as f32, 1.5 * i as f32);
        [[x, 0.0, z], [x + 40.0, 0.0, z + 40.0], [x, 8.0, z]]
    };
    let small = |i: u32| {
        let z = 0.125 * i as f32;
        [[-1.0, 9.0, z], [-1.25, 9.0, z], [-1.0, 9.25, z]]
    };
    let positions = (0..count).map(long).chain((0..12 * count).map(small)).flatten().collect();
    made(positions, (0..13 * count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// `side²` closed boxes on a square grid of streets, z up, all coordinates multiples of 1/8: every
/// wall is flat and many lie in one plane.
#[must_use]
pub fn city(side: u32, seed: u64) -> TriangleMesh {
    let mut random = Random::new(seed);
    let eighth = |x: f64| ((x * 8.0).round() / 8.0) as f32;
    let mut houses = Vec::new();
    for row in 0..side {
        for column in 0..side {
            let [x, y] = [column, row].map(|i| 16.0 * f64::from(i));
            let [width, depth] = [(); 2].map(|()| random.between(6.0, 12.0));
            let height = 6.0 + 60.0 * random.unit().powi(3);
            houses.push(cuboid(
                [eighth(x), eighth(y), 0.0],
                [eighth(x + width), eighth(y + depth), eighth(height)],
            ));
        }
    }
    joined(&houses)
}

/// `trees` trees, each a closed trunk of 24 triangles under 488 loose leaves: 512 triangles a tree.
#[must_use]
pub fn forest(trees: u32, seed: u64) -> TriangleMesh {
    const SIDES: u32 = 6;
    const LEAVES: usize = 488;
    let mut random = Random::new(seed);
    let side = 4.0 * f64::from(trees).sqrt();
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for _ in 0..trees {
        let foot = random.point([0.0; 3], [side, side, 0.0]);
        let (height, radius) = (random.between(3.0, 7.0), random.between(0.15, 0.35));
        let first = positions.len() as u32;
        let (low, high) = (first + 2 * SIDES, first + 2 * SIDES + 1);
        for step in 0..SIDES {
            let (sin, cos) = (TAU * f64::from(step) / f64::from(SIDES)).sin_cos();
            let rim = add(foot, [cos * radius, sin * radius, 0.0]);
            positions.push(narrow(rim));
            positions.push(narrow(add(rim, [0.0, 0.0, height])));
            let [p, q] = [step, (step + 1) % SIDES].map(|step| first + 2 * step);
            indices.extend([[p, q, q + 1], [p, q + 1, p + 1], [low, q, p], [high, p + 1, q + 1]]);
        }
        positions.extend([narrow(foot), narrow(add(foot, [0.0, 0.0, height]))]);
        let (crown, spread) = (add(foot, [0.0, 0.0, height]), random.between(1.0, 2.0));
        for _ in 0..LEAVES {
            // Cube root: even in the ball of the crown.
            let place = add(crown, scale(random.direction(), spread * random.unit().cbrt()));
            let [right, up] = tangents(random.direction());
            let size = random.between(0.05, 0.12);
            let corner = positions.len() as u32;
            positions.push(narrow(add(place, scale(right, size))));
            positions.push(narrow(add(place, scale(right, -size))));
            positions.push(narrow(add(place, scale(up, 2.0 * size))));
            indices.push([corner, corner + 1, corner + 2]);
        }
    }
    made(positions, indices)
}
