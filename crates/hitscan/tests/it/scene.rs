//! Scenes: placed meshes answer as the contract says, whatever their transform.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DMat3, DMat4, DVec3, Mat4, Quat, Vec3, Vec4};
use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, Faces, Hit, Instance, Part, Parts, QueryOptions, Ray, RayF64,
    Scene, SceneError, Transform, TriangleMesh,
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
fn t_is_the_worlds_under_scale() {
    let scene = only(cube(), Transform::scale([2.0, 2.0, 2.0]));
    let down = |length: f32| Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -length]);
    assert_eq!(scene.closest_hit(&down(1.0)).map(|hit| hit.t), Some(8.0));
    assert_eq!(scene.closest_hit(&down(4.0)).map(|hit| hit.t), Some(2.0));
    let short = down(1.0).with_interval(0.0, 7.9);
    assert!(!scene.any_hit(&short), "the interval is in world units");
    assert!(scene.any_hit(&down(1.0).with_interval(8.0, 8.0)), "and closed at both ends");
}

#[test]
fn a_mirrored_mesh_keeps_its_outside_outside() {
    let scene = only(cube(), Transform::scale([-1.0, 1.0, 1.0]));
    let ray = Ray::new([-5.0, 0.25, 0.5], [1.0, 0.0, 0.0]);
    let front = QueryOptions { faces: Faces::Front, ..QueryOptions::DEFAULT };
    let hit = scene.closest_hit_with(&ray, &front).expect("the outside is the front");
    assert_eq!((hit.t, hit.front), (4.0, true));
    assert_eq!(scene.normal(&hit), [-1.0, 0.0, 0.0]);
}

#[test]
fn a_normal_under_negative_scale_goes_through_the_inverse_transpose() {
    let at_one = tree(&[[[1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 0.0, 1.0]]]);
    assert_eq!(at_one.mesh().normal(0), [1.0, 0.0, 0.0]);
    let scene = only(at_one, Transform::scale([-2.0, 1.0, 1.0]));
    let hit = scene.closest_hit(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])).expect("x = -2");
    assert_eq!(hit.t, 3.0);
    assert_eq!(scene.normal(&hit), [-1.0, 0.0, 0.0]);
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

#[test]
fn extreme_scales_neither_lose_nor_invent_hits() {
    for exponent in [-120, -90, -61, -1, 0, 1, 61, 90, 120] {
        let scale = 2.0_f32.powi(exponent);
        let scene = only(cube(), Transform::scale([scale; 3]));
        let origin = [0.25 * scale, 0.5 * scale, 4.0 * scale];
        for length in [scale, 1.0, 2.0_f32.powi(-60), 2.0_f32.powi(60)] {
            let ray = Ray::new(origin, [0.0, 0.0, -length]);
            let t = 3.0 * f64::from(scale) / f64::from(length);
            let found = scene.all_hits(&ray).first().map(|hit| hit.t);
            if t > f64::from(f32::MAX) {
                assert_eq!(found, None, "2^{exponent}, {length}: beyond f32");
            } else if t >= f64::from(f32::MIN_POSITIVE) {
                assert_eq!(found, Some(t as f32), "2^{exponent}, {length}");
            }
            let beside = Ray::new([1.5 * scale, 0.0, 4.0 * scale], [0.0, 0.0, -length]);
            assert!(!scene.any_hit(&beside), "2^{exponent}, {length}: beside the cube");
        }
    }
}

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
fn transforms_without_an_inverse_are_errors() {
    let mut scene = Scene::new();
    assert_eq!(scene.add(cube(), Transform::scale([1.0, 1.0, 0.0])), Err(SceneError::Singular));
    assert_eq!(scene.add(cube(), Transform::scale([0.0; 3])), Err(SceneError::Singular));
    let (mut random, mut lost) = (Random(17), 0);
    for _ in 0..100 {
        // Whole numbers of 23 bits: the third row is the sum of the others, exactly.
        let whole = |random: &mut Random| random.point().map(|x| (x * 8e6).round());
        let (a, b) = (whole(&mut random), whole(&mut random));
        let linear = [a, b, std::array::from_fn(|axis| a[axis] + b[axis])];
        let rows = linear.map(|[x, y, z]| [x, y, z, 5.0]);
        assert_eq!(scene.add(cube(), rows), Err(SceneError::Singular), "{linear:?}");
        let plain = DMat3::from_cols_array_2d(&linear.map(|row| row.map(f64::from))).determinant();
        lost += u32::from(plain != 0.0);
    }
    assert!(lost > 10, "plain arithmetic should not have been enough: {lost}");
    let nearly = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, f32::EPSILON, 0.0]];
    assert!(scene.add(cube(), nearly).is_ok(), "thin is not flat");
    for (row, column, wrong) in [(0, 0, f64::NAN), (1, 3, f64::INFINITY), (2, 1, f64::NEG_INFINITY)]
    {
        let mut rows = Transform::IDENTITY.rows;
        rows[row][column] = wrong;
        assert_eq!(scene.add(cube(), rows), Err(SceneError::NotFinite { row, column }));
    }
}

#[test]
fn a_determinant_that_is_zero_but_for_rounding_is_zero() {
    let place = |linear: [[f64; 3]; 3], scale: f64| {
        let rows = linear.map(|row| row.map(|x| x * scale));
        Instance::new(cube(), rows.map(|[x, y, z]| [x, y, z, 0.0])).map(|_| ())
    };
    for scale in [1e-280, 1e-20, 0.1, 1.0, 1e20, 1e280] {
        let flat = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert_eq!(place(flat, scale), Err(SceneError::Singular), "{scale}");
        let turned = [[0.1, 0.2, 0.3], [0.1 * 3.0, 0.2 * 3.0, 0.3 * 3.0], [1.0, 0.0, 7.0]];
        assert_eq!(place(turned, scale), Err(SceneError::Singular), "{scale}");
        let thin = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0 + 1e-12]];
        assert_eq!(place(thin, scale), Ok(()), "{scale}");
        assert_eq!(place([[1.0, 0.0, 0.0], [0.0, 1e-7, 0.0], [1.0, 0.0, 1e-7]], scale), Ok(()));
    }
    // The smallest and the largest of f32 side by side, and two that differ by a last digit.
    let (tiny, huge) = (f32::from_bits(1), f32::MAX);
    let rows = [[huge, tiny, 0.0, 0.0], [0.0, tiny, 0.0, 0.0], [tiny, 0.0, huge, 0.0]];
    assert!(Instance::new(cube(), rows).is_ok());
    let more = 1.0_f32.next_up();
    let rows = [[1.0, 1.0, 1.0, 0.0], [more, 1.0, 1.0, 0.0], [1.0, more, 1.0, 0.0]];
    assert!(Instance::new(cube(), rows).is_ok());
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

#[test]
fn transforms_come_from_arrays_and_from_glam() {
    let affine = Affine3A::from_scale_rotation_translation(
        Vec3::new(1.0, 2.0, 3.0),
        Quat::from_rotation_y(0.7),
        Vec3::new(4.0, 5.0, 6.0),
    );
    let transform = Transform::from(affine);
    assert_eq!(transform.rows.map(|row| row[3]), [4.0, 5.0, 6.0]);
    assert_eq!(Transform::try_from(Mat4::from(affine)), Ok(transform));
    let flat: [f64; 12] = transform.rows.as_flattened().try_into().expect("twelve numbers");
    assert_eq!(Transform::from(flat), transform);
    assert_eq!(Transform::from(flat.map(|x| x as f32)), transform);
    assert_eq!(Transform::from(transform.rows.map(|row| row.map(|x| x as f32))), transform);
    let double = DAffine3::from_translation(DVec3::new(0.1, 0.2, 1e9 + 0.1));
    assert_eq!(Transform::from(double).rows.map(|row| row[3]), [0.1, 0.2, 1e9 + 0.1]);
    assert_eq!(Transform::try_from(DMat4::from(double)), Ok(Transform::from(double)));
    let mut scene = Scene::new();
    assert_eq!(scene.add(cube(), affine), Ok(0));
    assert_eq!(scene.add(cube(), Mat4::from(affine)), Ok(1));
    assert_eq!(
        scene.add(cube(), [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
        Ok(2)
    );
    let projection = Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::Z);
    assert_eq!(scene.add(cube(), projection), Err(SceneError::Projective));
    assert_eq!(scene.instances().len(), 3);
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
