//! Whole-number scenes against brute force in i128.

use std::collections::BTreeMap;

use hitscan_core::{Hit, Ray};
use hitscan_traversal::Raycast;
use proptest::collection::vec;
use proptest::prelude::*;

use super::scene::{Scene, scene_of, whole};
use super::{CLOSED, Triangle, Verdict, all_with, cases, tree};

type Point = [i128; 3];

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn small_grids(scene in scene_of(vec(whole(3), 3..6), 60, 100)) {
        check(&scene)?;
    }

    /// Numbers at which f32 products are rounded.
    #[test]
    fn large_grids(scene in scene_of(vec(whole(1 << 20), 3..8), 60, 100)) {
        check(&scene)?;
    }
}

fn check(scene: &Scene) -> Verdict {
    let bvh = tree(&scene.triangles);
    // What lies before the origin, and the whole line.
    let both = [0.0, f32::NEG_INFINITY]
        .map(|t_min| scene.rays.iter().map(move |ray| ray.with_interval(t_min, f32::INFINITY)));
    for ray in both.into_iter().flatten() {
        // The middle of a triangle may lie between whole numbers.
        if !ray.is_valid() || ray.origin.iter().chain(&ray.direction).any(|x| x.fract() != 0.0) {
            continue;
        }
        let (mut closed, mut once) = (BTreeMap::new(), BTreeMap::new());
        for (prim, corners) in (0..).zip(&scene.triangles) {
            if let Some(met) = meet(&ray, corners) {
                closed.extend(met.closed.map(|front| (prim, (front, met.t))));
                once.extend(met.once.map(|front| (prim, (front, met.t))));
            }
        }
        let touched = all_with(&bvh, &ray, &CLOSED);
        agree(&touched, &closed)?;
        agree(&bvh.all_hits(&ray), &once)?;
        prop_assert_eq!(bvh.count_hits(&ray), once.len());
        prop_assert_eq!(bvh.any_hit(&ray), !closed.is_empty());
        prop_assert_eq!(bvh.closest_hit(&ray), touched.first().copied());
    }
    Ok(())
}

fn agree(found: &[Hit], expected: &BTreeMap<u32, (bool, f64)>) -> Verdict {
    let sides: BTreeMap<u32, bool> = found.iter().map(|hit| (hit.prim, hit.front)).collect();
    prop_assert_eq!(sides.len(), found.len(), "a triangle counts once: {:?}", found);
    let expected_sides = expected.iter().map(|(&prim, &(front, _))| (prim, front)).collect();
    prop_assert_eq!(sides, expected_sides);
    for hit in found {
        let (_, t) = expected[&hit.prim];
        prop_assert!((f64::from(hit.t) - t).abs() <= 1.01e-4 * t.abs(), "{:?}, not {}", hit, t);
    }
    Ok(())
}

/// Where a ray meets a triangle within its interval: whether it is the front, by either rule.
struct Met {
    closed: Option<bool>,
    once: Option<bool>,
    t: f64,
}

fn meet(ray: &Ray, corners: &Triangle) -> Option<Met> {
    let integer = |p: [f32; 3]| p.map(|x| x as i128);
    let (o, d) = (integer(ray.origin), integer(ray.direction));
    let corners = corners.map(integer);
    let [a, b, c] = corners.map(|p| minus(p, o));
    let normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    let (distance, speed) = (dot(a, normal), dot(d, normal));
    let is_behind = distance.signum() * speed.signum() < 0;
    if speed == 0 || is_behind && ray.t_min >= 0.0 {
        return None;
    }
    // The axes along which the ray is moved a little: all but the one it mostly runs along.
    let sizes = d.map(i128::abs);
    let dominant = (0..3).find(|&axis| sizes.iter().all(|size| sizes[axis] >= *size))?;
    let sides = [(a, c), (b, a), (c, b)].map(|(p, q)| {
        let steps = cross(d, minus(q, p));
        let moved = (0..3).filter(|&axis| axis != dominant).map(|axis| steps[axis].signum());
        (dot(d, cross(p, q)).signum(), moved.collect::<Vec<_>>())
    });
    let plain: Vec<i128> = sides.iter().map(|side| side.0).collect();
    let moved: Vec<i128> = sides
        .iter()
        .map(|(sign, moved)| *std::iter::once(sign).chain(moved).find(|x| **x != 0).unwrap_or(&0))
        .collect();
    let all = |signs: &[i128], wanted: fn(i128) -> bool| signs.iter().all(|&sign| wanted(sign));
    let front = speed < 0;
    let closed = all(&plain, |s| s >= 0) || all(&plain, |s| s <= 0);
    let once = all(&moved, |s| s > 0) || all(&moved, |s| s < 0);
    let t = distance as f64 / speed as f64;
    Some(Met { closed: closed.then_some(front), once: once.then_some(front), t })
}

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: Point, q: Point) -> i128 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Point, q: Point) -> Point {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}
