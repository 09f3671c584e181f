//! Far instances, and meshes that have an origin of their own.

use std::sync::Arc;

use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Hit, Instance, Ray, RayF64, Transform, TriangleMesh};

use super::{Random, cube, only, soup};

#[test]
fn a_far_instance_keeps_its_digits() {
    let far = [3_000_000.0, -5_000_000.0, 1_000_000.0];
    let scene = only(soup(60), Transform::translation(far));
    let bare = soup(60);
    let mut hits = 0;
    for ray in Random(5).rays(200) {
        // Origins on the coarse grid that f32 has out there: the sum is exact.
        let origin = ray.origin.map(f32::round);
        let moved = std::array::from_fn(|axis| origin[axis] + far[axis]);
        let answer = scene.closest_hit(&Ray::new(moved, ray.direction));
        assert_eq!(answer, bare.closest_hit(&Ray::new(origin, ray.direction)));
        hits += u32::from(answer.is_some());
    }
    assert!(hits > 50, "the rays must test something: {hits} hits");
}

#[test]
fn a_meshs_local_origin_is_part_of_its_place() {
    let local = [500_000.0, 4_000_000.0, -3.0];
    let mesh = TriangleMesh::clone(cube().mesh()).with_origin(local);
    let scene = only(
        Arc::new(Bvh::build(mesh, &BuildOptions::default())),
        Transform::scale([2.0, 1.0, 1.0]),
    );
    let ray = Ray::new([1_000_000.5, 4_000_000.5, 10.0], [0.0, 0.0, -1.0]);
    assert_eq!(scene.closest_hit(&ray).map(|hit| hit.t), Some(12.0));
    let beside = Ray::new([1_000_002.5, 4_000_000.5, 10.0], [0.0, 0.0, -1.0]);
    assert!(!scene.any_hit(&beside));
    let bounds = scene.bounds();
    assert!(bounds.min.cmple(Vec3::new(999_998.0, 3_999_999.0, -4.0)).all());
    assert!(bounds.max.cmpge(Vec3::new(1_000_002.0, 4_000_001.0, -2.0)).all());
}

#[test]
fn rays_in_f64_keep_their_digits_on_the_way_to_a_far_mesh() {
    let far = 4_500_000.0;
    let mesh = TriangleMesh::clone(cube().mesh()).with_origin([0.25, 0.0, 0.0]);
    let tree = Arc::new(Bvh::build(mesh, &BuildOptions::default()));
    let rows = [[1.0, 0.0, 0.0, far], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let ray = RayF64 { t_max: 9.0, ..RayF64::new([far + 1.125, 0.0, 5.0], [0.0, 0.0, -1.0]) };
    let placed = Instance::new(tree, rows).expect("a move");
    let object_ray = Ray::new([0.875, 0.0, 5.0], [0.0, 0.0, -1.0]).with_interval(0.0, 9.0);
    assert_eq!(placed.ray_to_object(&ray), object_ray);
    let here = Instance::new(cube(), Transform::IDENTITY).expect("identity");
    let odd = Ray::new([-0.0, 0.1, 1e-40], [-0.0, 1.0, f32::MAX]).with_interval(-0.0, 2.0);
    let bits = |ray: Ray| {
        let interval = [ray.t_min, ray.t_max].map(f32::to_bits);
        (ray.origin.map(f32::to_bits), ray.direction.map(f32::to_bits), interval)
    };
    assert_eq!(bits(here.ray_to_object(&odd.into())), bits(odd));
    let lost = RayF64::new([0.0; 3], [0.0, 0.0, 1e-200]);
    assert!(!here.ray_to_object(&lost).is_valid());
    assert!(!placed.ray_to_object(&lost).is_valid());
}

#[test]
fn an_instances_rays_are_the_scenes() {
    let mut random = Random(23);
    let (bvh, mut hits) = (soup(60), 0);
    for _ in 0..10 {
        let rows: [[f32; 4]; 3] = std::array::from_fn(|_| {
            let [x, y, z] = random.point();
            [x, y, z, random.next()]
        });
        let scene = only(bvh.clone(), rows);
        let instance = &scene.instances()[0];
        for ray in random.rays(100) {
            let hit = bvh.closest_hit(&instance.ray_to_object(&ray.into()));
            assert_eq!(hit.map(|hit| Hit { instance: 0, ..hit }), scene.closest_hit(&ray));
            hits += u32::from(hit.is_some());
        }
    }
    assert!(hits > 50, "the rays must test something: {hits} hits");
}
