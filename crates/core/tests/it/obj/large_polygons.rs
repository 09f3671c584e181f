//! Polygons of so many corners that ears are found through a grid, in shapes that are hard on it.

use std::f32::consts::TAU;

use hitscan_testkit::Random;

use super::polygons::{assert_covers, polygon_of};

/// Forwards and backwards, from a few first corners.
fn assert_covers_both_ways(mut corners: Vec<[f32; 2]>) {
    for turn in [1, corners.len() / 3] {
        corners.rotate_left(turn);
        assert_covers(&corners);
        corners.reverse();
        assert_covers(&corners);
    }
}

#[test]
fn a_star_of_random_rays() {
    let mut random = Random::new(1);
    let count = 1500;
    let corner = |i: u16| {
        let (sin, cos) = (TAU * f32::from(i) / f32::from(count)).sin_cos();
        let radius = random.between(0.5, 5.0) as f32;
        [5.5 + radius * cos, 5.5 + radius * sin]
    };
    assert_covers_both_ways((0..count).map(corner).collect());
}

#[test]
fn corners_that_crowd_in_one_place() {
    let mut random = Random::new(2);
    let count: u16 = 1500;
    let corner = |i: u16| {
        let (sin, cos) = (TAU * (0.25 + 0.75 * f32::from(i) / f32::from(count))).sin_cos();
        let radius = random.between(5e-4, 1e-3) as f32;
        [radius * cos, radius * sin]
    };
    let far = [[11.0, 0.0], [11.0, 11.0], [0.0, 11.0]];
    assert_covers_both_ways(far.into_iter().chain((0..=count).map(corner)).collect());
}

#[test]
fn a_comb_of_long_teeth() {
    let teeth: u16 = 700;
    let mut corners = vec![[0.0, 0.0], [7.0, 0.0]];
    for tooth in (0..teeth).rev() {
        let x = f32::from(tooth) * 0.01;
        corners.extend([[x + 0.009, 11.0], [x + 0.001, 0.5]]);
    }
    assert_covers_both_ways(corners);
}

#[test]
fn a_strip_with_ears_at_its_ends_only() {
    let zigzag = |i: u16, shift: f32| [f32::from(i) * 0.02, f32::from(i % 2) * 9.0 + shift];
    let there = (0..600).map(|i| zigzag(i, 0.0));
    let back = (0..600).rev().map(|i| zigzag(i, 0.3));
    assert_covers_both_ways(there.chain(back).collect());
}

#[test]
fn a_spiral_of_many_turns() {
    let point = |i: u16, shift: f32| {
        let (sin, cos) = (f32::from(i) * 0.05).sin_cos();
        let radius = shift + f32::from(i) * 0.006;
        [5.5 + radius * cos, 5.5 + radius * sin]
    };
    let out = (0..800).map(|i| point(i, 0.6));
    let back = (0..800).rev().map(|i| point(i, 0.3));
    assert_covers_both_ways(out.chain(back).collect());
}

#[test]
fn many_holes_behind_bridges() {
    let mut corners = vec![[0.0, 10.0], [0.0, 0.0]];
    for hole in 0..200_u16 {
        let x = 0.05 + f32::from(hole) * 0.05;
        let (low, high) = (1.0 + f32::from(hole % 7) * 0.5, 6.0 + f32::from(hole % 5));
        corners.extend([[x, 0.0], [x, low]]);
        corners.extend([[x - 0.02, high], [x + 0.02, high - 0.5]]);
        corners.extend([[x, low], [x, 0.0]]);
    }
    corners.extend([[11.0, 0.0], [11.0, 10.0]]);
    assert_covers_both_ways(corners);
}

#[test]
fn a_chain_of_rooms_that_touch_at_corners() {
    let touch = |i: u16| [f32::from(i) * 0.02, 5.0];
    let below = (0..500).flat_map(|i| [touch(i), [touch(i)[0] + 0.013, 1.0]]);
    let above = (0..500).rev().flat_map(|i| [[touch(i)[0] + 0.008, 8.0], touch(i)]);
    assert_covers_both_ways(below.chain([touch(500)]).chain(above).collect());
}

#[test]
fn corners_on_straight_lines_and_corners_there_many_times() {
    let mut corners = Vec::new();
    for (from, to) in [([0.0, 0.0], [9.0, 0.0]), ([9.0, 0.0], [4.0, 3.0])] {
        corners.extend((0..200).map(|i| along(from, to, f32::from(i as u16) / 256.0)));
    }
    corners.extend([[9.0, 9.0]; 50]);
    corners.extend((0..300_u16).map(|i| along([9.0, 9.0], [0.0, 9.0], f32::from(i) / 512.0)));
    // There and back again: a spike without area.
    corners.extend([[0.0, 9.0], [-1.0, 12.0], [0.0, 9.0]]);
    assert_covers_both_ways(corners);
}

fn along(from: [f32; 2], to: [f32; 2], t: f32) -> [f32; 2] {
    std::array::from_fn(|axis| from[axis] + t * (to[axis] - from[axis]))
}

#[test]
fn a_large_polygon_that_crosses_itself_has_triangles_of_its_own_corners() {
    let count: u16 = 1201;
    let corner = |i: u16| {
        let (sin, cos) = (TAU * f32::from(i) * 600.0 / f32::from(count)).sin_cos();
        [cos, sin, 0.0]
    };
    let (mesh, _) = polygon_of(&(0..count).map(corner).collect::<Vec<_>>());
    assert!(mesh.indices().as_flattened().iter().all(|&i| i < count.into()));
}
