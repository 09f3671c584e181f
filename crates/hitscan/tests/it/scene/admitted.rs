//! Which hits in a scene count: masks, filters and skipped triangles.

use hitscan::prelude::*;
use hitscan::{Coherence, Hit, Instance, QueryOptions, Ray, Scene, Transform};

use super::cube;

#[test]
fn masks_choose_instances() {
    let mut scene = Scene::new();
    for (mask, height) in [(0b01, 4.0), (0b10, 0.0)] {
        let place = Transform::translation([0.0, 0.0, height]);
        let instance = Instance::new(cube(), place).expect("a move").with_mask(mask);
        scene.add_instance(instance).expect("room for two");
    }
    let ray = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    let t = |mask| {
        let options = QueryOptions { mask, ..QueryOptions::DEFAULT };
        let closest = scene.closest_hit_with(&ray, &options);
        assert_eq!(scene.any_hit_with(&ray, &options), closest.is_some());
        closest.map(|hit| hit.t)
    };
    assert_eq!(
        [t(0b01), t(0b10), t(0b11), t(0b100), t(0)],
        [Some(5.0), Some(9.0), Some(5.0), None, None]
    );
}

#[test]
fn a_filter_sees_the_instance_and_the_worlds_t() {
    let mut scene = Scene::new();
    for height in [6.0, 3.0, 0.0] {
        let rows = [[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1e-25, height]];
        scene.add(cube(), rows).expect("thin, but not flat");
    }
    let ray = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    let filter = |hit: &Hit| hit.instance == 1 && hit.t == 7.0;
    let options = QueryOptions { filter: Some(&filter), ..QueryOptions::DEFAULT };
    assert_eq!(scene.count_hits_with(&ray, &options), 2);
    let hit = scene.closest_hit_with(&ray, &options).expect("instance 1");
    assert_eq!((hit.instance, hit.t), (1, 7.0));
    let mut hits = [None; 2];
    scene.closest_hits_chunk(&[ray, ray], &options, Coherence::Auto, &mut hits);
    assert_eq!(hits, [Some(hit); 2]);
}

#[test]
fn skip_leaves_out_a_triangle_in_every_instance() {
    let mut scene = Scene::new();
    for height in [0.0, 5.0] {
        scene.add(cube(), Transform::translation([0.0, 0.0, height])).expect("a move");
    }
    let ray = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    let prim = scene.closest_hit(&ray).map(|hit| hit.prim);
    let options = QueryOptions { skip: prim, ..QueryOptions::DEFAULT };
    assert_eq!(scene.count_hits(&ray), 4);
    assert_eq!(scene.count_hits_with(&ray, &options), 2);
}
