//! Scenes: placed meshes answer as the contract says, whatever their transform.

mod admitted;
mod far;
mod transforms;

use std::sync::Arc;

use glam::{DMat3, DVec3, Mat4, Quat, Vec3};
use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, Hit, Instance, Part, Parts, QueryOptions, Ray, Scene, SceneError,
    Transform, TriangleMesh,
};

/// Numbers in [-1, 1) from a counter: Steele, Lea and Flood's `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    fn point(&mut self) -> [f32; 3] {
        [self.next(), self.next(), self.next()]
    }

    /// Rays from around the cube [-1, 1]³ to points in it.
    fn rays(&mut self, count: usize) -> Vec<Ray> {
        let mut ray = || {
            let (origin, target) = (self.point().map(|x| 3.0 * x), self.point());
            Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]))
        };
        (0..count).map(|_| ray()).collect()
    }
}

fn tree(triangles: &[[[f32; 3]; 3]]) -> Arc<Bvh> {
    let mesh = TriangleMesh::from_soup(triangles).expect("a small mesh");
    Arc::new(Bvh::build(mesh, &BuildOptions::default()))
}

fn soup(count: usize) -> Arc<Bvh> {
    let mut random = Random(7);
    let triangle = |_| {
        let middle = random.point();
        std::array::from_fn(|_| {
            let offset = random.point();
            std::array::from_fn(|axis| middle[axis] + 0.5 * offset[axis])
        })
    };
    tree(&(0..count).map(triangle).collect::<Vec<_>>())
}

/// The cube [-1, 1]³, wound to face outward.
fn cube() -> Arc<Bvh> {
    let corner = |i: u32| std::array::from_fn(|axis| if i >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles: Vec<[[f32; 3]; 3]> = quads
        .iter()
        .flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]])
        .map(|triangle| triangle.map(corner))
        .collect();
    tree(&triangles)
}

fn only(bvh: Arc<Bvh>, transform: impl Into<Transform>) -> Scene {
    let mut scene = Scene::new();
    scene.add(bvh, transform.into()).expect("an invertible transform");
    scene
}

#[test]
fn an_identity_instance_answers_as_the_bare_tree() {
    let bvh = soup(60);
    let scene = only(bvh.clone(), Transform::IDENTITY);
    let mut hits = 0;
    for ray in Random(1).rays(500) {
        assert_eq!(scene.closest_hit(&ray), bvh.closest_hit(&ray));
        assert_eq!(scene.any_hit(&ray), bvh.any_hit(&ray));
        assert_eq!(scene.count_hits(&ray), bvh.count_hits(&ray));
        assert_eq!(scene.all_hits(&ray), bvh.all_hits(&ray));
        if let Some(hit) = scene.closest_hit(&ray) {
            assert_eq!(scene.normal(&hit), bvh.mesh().normal(hit.prim));
            hits += 1;
        }
    }
    assert!(hits > 50, "the rays must test something: {hits} hits");
}

#[test]
fn a_placed_mesh_answers_as_the_mesh_moved_by_hand() {
    let bvh = soup(60);
    let mut random = Random(3);
    let mut hits = 0;
    for _ in 0..20 {
        let linear: [[f32; 3]; 3] = std::array::from_fn(|_| random.point());
        let offset = random.point();
        let rows = std::array::from_fn(|i| [linear[i][0], linear[i][1], linear[i][2], offset[i]]);
        let scene = only(bvh.clone(), rows);
        let matrix = DMat3::from_cols_array_2d(&linear.map(|row| row.map(f64::from))).transpose();
        let world = |p: [f32; 3]| {
            matrix * DVec3::from(p.map(f64::from)) + DVec3::from(offset.map(f64::from))
        };
        for ray in random.rays(100) {
            let Some(hit) = scene.closest_hit(&ray) else { continue };
            let [a, b, c] = bvh.mesh().triangle(hit.prim).map(world);
            let (u, v) = (f64::from(hit.u), f64::from(hit.v));
            let on_triangle = (1.0 - u - v) * a + u * b + v * c;
            let [o, d] = [ray.origin, ray.direction].map(|p| DVec3::from(p.map(f64::from)));
            let on_ray = o + f64::from(hit.t) * d;
            assert!(on_ray.distance(on_triangle) < 1e-3, "{on_ray} is not {on_triangle}");
            let normal = DVec3::from(scene.normal(&hit).map(f64::from));
            let by_hand = (b - a).cross(c - a).normalize() * matrix.determinant().signum();
            assert!(normal.distance(by_hand) < 1e-4, "{normal} is not {by_hand}");
            hits += 1;
        }
    }
    assert!(hits > 100, "the rays must test something: {hits} hits");
}

#[test]
fn a_hit_of_another_scene_gets_no_normal_and_no_name() {
    let scene = only(cube(), Transform::IDENTITY);
    let ray = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    let hit = scene.closest_hit(&ray).expect("the cube");
    for foreign in [Hit { instance: 1, ..hit }, Hit { prim: 12, ..hit }] {
        assert_eq!(scene.normal(&foreign), [0.0; 3]);
        assert_eq!(scene.object_name(&foreign), None);
    }
}

#[test]
fn on_equal_t_the_lowest_instance_wins() {
    let mut scene = Scene::new();
    for _ in 0..3 {
        scene.add(cube(), Transform::IDENTITY).expect("identity");
    }
    let ray = Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0]);
    assert_eq!(scene.closest_hit(&ray).map(|hit| hit.instance), Some(0));
    let order: Vec<(f32, u32)> =
        scene.all_hits(&ray).iter().map(|hit| (hit.t, hit.instance)).collect();
    assert_eq!(order, [(2.0, 0), (2.0, 1), (2.0, 2), (4.0, 0), (4.0, 1), (4.0, 2)]);
    assert_eq!(scene.count_hits(&ray), 6);
}

#[test]
fn invalid_rays_miss_and_leave_their_neighbours_alone() {
    let place = Mat4::from_rotation_translation(Quat::from_rotation_x(0.3), Vec3::ZERO);
    let mut scene = Scene::new();
    scene.add(cube(), place).expect("a rotation");
    scene.add(cube(), Transform::IDENTITY).expect("identity");
    let good = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    let bad = [
        Ray { origin: [f32::NAN, 0.0, 0.0], ..good },
        Ray { origin: [0.0, f32::INFINITY, 0.0], ..good },
        Ray { direction: [0.0; 3], ..good },
        Ray { direction: [0.0, f32::NEG_INFINITY, 0.0], ..good },
        Ray { direction: [f32::NAN; 3], ..good },
        Ray { t_min: f32::NAN, ..good },
        Ray { t_max: f32::NAN, ..good },
        good.with_interval(20.0, 1.0),
    ];
    for bad in bad {
        assert_eq!(scene.closest_hit(&bad), None);
        assert_eq!((scene.any_hit(&bad), scene.count_hits(&bad)), (false, 0));
        assert_eq!(scene.all_hits(&bad), []);
        let mut hits = [None; 3];
        scene.closest_hits_chunk(
            &[good, bad, good],
            &QueryOptions::DEFAULT,
            Coherence::Auto,
            &mut hits,
        );
        assert_eq!(hits, [scene.closest_hit(&good), None, scene.closest_hit(&good)]);
    }
}

#[test]
fn a_chunk_answers_as_its_rays_one_by_one() {
    let mut random = Random(11);
    let mut scene = Scene::new();
    for _ in 0..6 {
        let rows: [[f32; 4]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.next()));
        scene.add(soup(30), rows).expect("a random matrix has an inverse");
    }
    scene.add(soup(30), Transform::IDENTITY).expect("identity");
    let rays = random.rays(300);
    for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
        let (mut closest, mut any) = (vec![None; rays.len()], vec![true; rays.len()]);
        scene.closest_hits_chunk(&rays, &QueryOptions::DEFAULT, coherence, &mut closest);
        scene.any_hits_chunk(&rays, &QueryOptions::DEFAULT, coherence, &mut any);
        let (mut none, mut nothing) = (closest.clone(), any.clone());
        Scene::new().closest_hits_chunk(&rays, &QueryOptions::DEFAULT, coherence, &mut none);
        Scene::new().any_hits_chunk(&rays, &QueryOptions::DEFAULT, coherence, &mut nothing);
        assert!(none.iter().all(Option::is_none) && !nothing.contains(&true), "an empty scene");
        for ((ray, closest), any) in rays.iter().zip(&closest).zip(&any) {
            assert_eq!(*closest, scene.closest_hit(ray));
            assert_eq!(*closest, scene.all_hits(ray).first().copied());
            assert_eq!(*any, closest.is_some());
        }
    }
}

#[test]
fn a_moved_instance_is_hit_where_it_went() {
    let mut scene = Scene::new();
    let place = Instance::new(cube(), Transform::IDENTITY).expect("identity").with_mask(4);
    let number = scene.add_instance(place).expect("room");
    scene.set_transform(number, Transform::translation([0.0, 0.0, 5.0])).expect("a move");
    let ray = Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -1.0]);
    assert_eq!(scene.closest_hit(&ray).map(|hit| hit.t), Some(4.0));
    assert_eq!(scene.instances()[0].mask(), 4);
    let flat = scene.set_transform(number, Transform::scale([0.0; 3]));
    assert_eq!(flat, Err(SceneError::Singular));
    assert_eq!(scene.closest_hit(&ray).map(|hit| hit.t), Some(4.0), "it stays where it was");
    let nobody = scene.set_transform(7, Transform::IDENTITY);
    assert_eq!(nobody, Err(SceneError::NoInstance { instance: 7, count: 1 }));
}

#[test]
fn bounds_hold_everything_placed() {
    assert!(Scene::new().bounds().is_empty());
    let mut random = Random(13);
    let rows: [[f32; 4]; 3] = std::array::from_fn(|_| std::array::from_fn(|_| random.next()));
    let scene = only(cube(), rows);
    for ray in random.rays(300) {
        for hit in scene.all_hits(&ray) {
            let bounds = scene.bounds();
            let at = Vec3::from(ray.at(hit.t));
            let slack = Vec3::splat(1e-4);
            assert!((at + slack).cmpge(bounds.min).all() && (at - slack).cmple(bounds.max).all());
        }
    }
}

#[test]
fn hits_know_their_objects_name() {
    let part = |first_prim, object, group| Part { first_prim, object, group, material: None };
    let names = vec!["table".into(), "leg".into()];
    let runs = vec![part(0, None, None), part(4, Some(0), Some(1)), part(8, None, Some(1))];
    let mesh = TriangleMesh::clone(cube().mesh()).with_parts(Parts::new(runs, names, vec![]));
    let scene = only(Arc::new(Bvh::build(mesh, &BuildOptions::default())), Transform::IDENTITY);
    let name = |direction: [f32; 3]| {
        let ray = Ray::new([0.1, 0.2, 0.3], direction);
        let hit = scene.closest_hit(&ray).expect("from inside, every ray hits");
        scene.object_name(&hit).map(str::to_owned)
    };
    assert_eq!(name([0.0, 0.0, 1.0]), None);
    assert_eq!(name([0.0, -1.0, 0.0]).as_deref(), Some("table"), "the object before the group");
    assert_eq!(name([1.0, 0.0, 0.0]).as_deref(), Some("leg"), "the group where there is no object");
}

#[test]
fn an_instance_takes_another_tree_and_keeps_its_place_and_mask() {
    let (cube, soup) = (cube(), soup(60));
    let rows = [[0.5, 0.0, 0.0, 0.5], [0.0, 2.0, 0.0, -0.25], [0.0, 0.0, 1.0, 0.0]];
    let mut swapped = Scene::new();
    for mask in [1, 2] {
        let instance = Instance::new(cube.clone(), rows).expect("an invertible transform");
        swapped.add_instance(instance.with_mask(mask)).expect("few instances");
    }
    let had = swapped.set_bvh(1, soup.clone()).expect("the second instance");
    assert!(Arc::ptr_eq(&had, &cube), "the tree that it had comes back");
    assert!(Arc::ptr_eq(swapped.instances()[0].bvh(), &cube), "the other one keeps its own");

    let fresh = only(soup, rows);
    let second = QueryOptions { mask: 2, ..QueryOptions::DEFAULT };
    let mut hits = 0;
    for ray in Random(5).rays(300) {
        let hit = swapped.closest_hit_with(&ray, &second);
        assert_eq!(hit.map(|hit| Hit { instance: 0, ..hit }), fresh.closest_hit(&ray));
        hits += usize::from(hit.is_some());
    }
    assert!(hits > 20, "the rays must test something: {hits} hits");

    let before = swapped.clone();
    let error = swapped.set_bvh(2, cube).expect_err("there are two");
    assert_eq!(error, SceneError::NoInstance { instance: 2, count: 2 });
    assert_eq!(swapped.bounds(), before.bounds());
}
