//! What a change of the scene may change, and what it may not.

use hitscan_core::{Hit, Ray};
use hitscan_traversal::Raycast;
use proptest::collection::vec;
use proptest::prelude::*;

use super::scene::{Scene, any_magnitude, anything, middling, scene_of, whole};
use super::{CLOSED, Triangle, all_bits, all_with, bits, cases, tree};

/// Scenes in which nothing is so large or small that a power of two takes it out of range.
fn moderate() -> impl Strategy<Value = Scene> {
    prop_oneof![scene_of(vec(whole(5), 3..9), 40, 60), scene_of(vec(middling(), 3..9), 40, 60),]
}

fn any_scene() -> impl Strategy<Value = Scene> {
    prop_oneof![
        scene_of(vec(whole(5), 3..9), 40, 60),
        scene_of(any_magnitude(), 40, 60),
        scene_of(vec(anything(), 3..9), 40, 60),
    ]
}

/// The order of the axes, and which of them are mirrored.
#[derive(Clone, Copy, Debug)]
struct Turn {
    axes: [usize; 3],
    signs: [f32; 3],
}

impl Turn {
    fn strategy() -> impl Strategy<Value = Self> {
        let orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];
        (prop::sample::select(orders.to_vec()), any::<[bool; 3]>()).prop_map(|(axes, minus)| Self {
            axes,
            signs: minus.map(|minus| if minus { -1.0 } else { 1.0 }),
        })
    }

    fn of(self, p: [f32; 3]) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.signs[axis] * p[self.axes[axis]])
    }

    /// Whether what was left becomes right.
    fn mirrors(self) -> bool {
        let cyclic = (self.axes[0] + 1) % 3 == self.axes[1];
        (self.signs.iter().product::<f32>() < 0.0) == cyclic
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn t_scales_by_powers_of_two(scene in moderate(), power in -20..=20_i32) {
        let bvh = tree(&scene.triangles);
        let factor = f32::powi(2.0, power);
        for ray in &scene.rays {
            let longer = Ray {
                direction: ray.direction.map(|x| x * factor),
                t_min: ray.t_min / factor,
                t_max: ray.t_max / factor,
                ..*ray
            };
            let expected = |hits: Vec<Hit>| -> Vec<_> {
                hits.iter().map(|hit| bits(&Hit { t: hit.t / factor, ..*hit })).collect()
            };
            prop_assert_eq!(
                all_bits(&all_with(&bvh, &longer, &CLOSED)),
                expected(all_with(&bvh, ray, &CLOSED))
            );
            prop_assert_eq!(all_bits(&bvh.all_hits(&longer)), expected(bvh.all_hits(ray)));
            let closest = expected(bvh.closest_hit(ray).into_iter().collect());
            prop_assert_eq!(bvh.closest_hit(&longer).as_ref().map(bits), closest.first().copied());
        }
    }

    #[test]
    fn a_scene_and_its_rays_scale_together(scene in moderate(), power in -20..=20_i32) {
        let factor = f32::powi(2.0, power);
        let scaled = |p: [f32; 3]| p.map(|x| x * factor);
        let bvh = tree(&scene.triangles);
        let large = tree(&scene.triangles.iter().map(|corners| corners.map(scaled)).collect::<Vec<_>>());
        for ray in &scene.rays {
            let scaled_ray =
                Ray { origin: scaled(ray.origin), direction: scaled(ray.direction), ..*ray };
            prop_assert_eq!(
                all_bits(&all_with(&large, &scaled_ray, &CLOSED)),
                all_bits(&all_with(&bvh, ray, &CLOSED))
            );
            prop_assert_eq!(all_bits(&large.all_hits(&scaled_ray)), all_bits(&bvh.all_hits(ray)));
        }
    }

    #[test]
    fn the_order_of_faces_changes_only_ids(scene in any_scene(), keys in vec(any::<u32>(), 40)) {
        let mut order: Vec<usize> = (0..scene.triangles.len()).collect();
        order.sort_by_key(|&i| keys[i]);
        let shuffled: Vec<Triangle> = order.iter().map(|&i| scene.triangles[i]).collect();
        let (bvh, other) = (tree(&scene.triangles), tree(&shuffled));
        let renamed = |hits: Vec<Hit>| {
            let mut hits: Vec<Hit> = hits
                .into_iter()
                .map(|hit| Hit { prim: order[hit.prim as usize] as u32, ..hit })
                .collect();
            hits.sort_by(|p, q| p.t.total_cmp(&q.t).then(p.prim.cmp(&q.prim)));
            hits
        };
        for ray in &scene.rays {
            let touched = all_with(&bvh, ray, &CLOSED);
            let touched_other = renamed(all_with(&other, ray, &CLOSED));
            prop_assert_eq!(all_bits(&touched_other), all_bits(&touched));
            prop_assert_eq!(
                all_bits(&renamed(other.all_hits(ray))),
                all_bits(&bvh.all_hits(ray))
            );
            // Of several as near, the one with the lowest id is the closest.
            let closest = bvh.closest_hit(ray);
            prop_assert_eq!(closest.as_ref().map(bits), touched.first().map(bits));
            let t = other.closest_hit(ray).map(|hit| hit.t.to_bits());
            prop_assert_eq!(t, closest.map(|hit| hit.t.to_bits()));
        }
    }

    #[test]
    fn turned_and_mirrored(scene in any_scene(), turn in Turn::strategy()) {
        let corners = |triangle: &Triangle| triangle.map(|p| turn.of(p));
        let bvh = tree(&scene.triangles);
        let turned = tree(&scene.triangles.iter().map(corners).collect::<Vec<_>>());
        for ray in &scene.rays {
            // Distances are rounded otherwise if the axes have another order.
            let ray = Ray { t_min: 0.0, t_max: f32::INFINITY, ..*ray };
            let turned_ray = Ray {
                origin: turn.of(ray.origin),
                direction: turn.of(ray.direction),
                ..ray
            };
            let sides = |hits: Vec<Hit>, mirrors: bool| {
                let mut sides: Vec<(u32, bool)> =
                    hits.iter().map(|hit| (hit.prim, hit.front != mirrors)).collect();
                sides.sort_unstable();
                sides
            };
            prop_assert_eq!(
                sides(all_with(&turned, &turned_ray, &CLOSED), turn.mirrors()),
                sides(all_with(&bvh, &ray, &CLOSED), false)
            );
            prop_assert_eq!(turned.any_hit(&turned_ray), bvh.any_hit(&ray));
            let (t, other) = (bvh.closest_hit(&ray), turned.closest_hit(&turned_ray));
            prop_assert_eq!(t.is_some(), other.is_some());
            if let (Some(hit), Some(other)) = (t, other) {
                let off = (f64::from(hit.t) - f64::from(other.t)).abs();
                let allowed = 2.1e-4 * f64::from(hit.t) + f64::from(f32::MIN_POSITIVE);
                prop_assert!(off <= allowed, "{} is not {}", hit.t, other.t);
            }
            // Where nothing is touched at its edge only, each crossing is one in any direction.
            let touched = all_with(&bvh, &ray, &CLOSED).len();
            let strictly_inside = all_with(&bvh, &ray, &CLOSED)
                .iter()
                .all(|hit| hit.u > 1e-3 && hit.v > 1e-3 && hit.u + hit.v < 0.999);
            if strictly_inside {
                prop_assert_eq!(bvh.count_hits(&ray), touched);
                prop_assert_eq!(turned.count_hits(&turned_ray), touched);
            }
        }
    }

    #[test]
    fn two_halves_of_an_interval_make_the_whole(scene in any_scene(), at in any::<u8>()) {
        let bvh = tree(&scene.triangles);
        for ray in &scene.rays {
            for options in [CLOSED, hitscan_traversal::QueryOptions::DEFAULT] {
                let whole = all_with(&bvh, ray, &options);
                // Mostly at a hit: there both halves have it.
                let cut = match whole.get(usize::from(at) % (whole.len() + 1)) {
                    Some(hit) => hit.t,
                    None => 0.75,
                };
                if !(ray.t_min <= cut && cut <= ray.t_max) {
                    continue;
                }
                let near_ray = ray.with_interval(ray.t_min, cut);
                let far_ray = ray.with_interval(cut, ray.t_max);
                let near = all_with(&bvh, &near_ray, &options);
                let far = all_with(&bvh, &far_ray, &options);
                let both = near.iter().filter(|hit| hit.t != cut).chain(&far);
                let both: Vec<Hit> = both.copied().collect();
                prop_assert_eq!(all_bits(&both), all_bits(&whole));
                let on_cut = |hits: &[Hit]| hits.iter().filter(|hit| hit.t == cut).count();
                prop_assert_eq!(on_cut(&near), on_cut(&far));
                let closest = |ray: &Ray| bvh.closest_hit(ray).as_ref().map(bits);
                prop_assert_eq!(closest(&near_ray).or(closest(&far_ray)), closest(ray));
                let either = bvh.any_hit(&near_ray) || bvh.any_hit(&far_ray);
                prop_assert_eq!(either, bvh.any_hit(ray));
            }
        }
    }

    #[test]
    fn zeros_of_both_signs_are_one_zero(
        scene in scene_of(vec(whole(2), 3..6), 40, 60),
        flips in vec(any::<bool>(), 97),
    ) {
        let mut flips = flips.iter().cycle();
        let mut flip = |x: f32| if x == 0.0 && flips.next() == Some(&true) { -x } else { x };
        let bvh = tree(&scene.triangles);
        let corners: Vec<Triangle> =
            scene.triangles.iter().map(|corners| corners.map(|p| p.map(&mut flip))).collect();
        let other = tree(&corners);
        for ray in &scene.rays {
            let flipped = Ray {
                origin: ray.origin.map(&mut flip),
                direction: ray.direction.map(&mut flip),
                t_min: flip(ray.t_min),
                t_max: flip(ray.t_max),
            };
            prop_assert_eq!(
                all_bits(&all_with(&other, &flipped, &CLOSED)),
                all_bits(&all_with(&bvh, ray, &CLOSED))
            );
            prop_assert_eq!(all_bits(&other.all_hits(&flipped)), all_bits(&bvh.all_hits(ray)));
            let [closest, expected] = [other.closest_hit(&flipped), bvh.closest_hit(ray)];
            prop_assert_eq!(closest.as_ref().map(bits), expected.as_ref().map(bits));
            prop_assert_eq!(other.any_hit(&flipped), bvh.any_hit(ray));
        }
    }
}
