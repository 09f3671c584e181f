//! Whole-number scenes against brute force in i128.

use std::collections::BTreeMap;

use hitscan_core::Hit;
use hitscan_testkit::whole::meet;
use hitscan_traversal::Raycast;
use proptest::collection::vec;
use proptest::prelude::*;

use super::scene::{Scene, scene_of, whole};
use super::{CLOSED, Verdict, all_with, cases, tree};

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
