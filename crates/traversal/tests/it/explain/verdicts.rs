//! What is told of rays at a cube and at odd triangles.

use hitscan_core::{BuildOptions, Hit, Ray, TriangleMesh};
use hitscan_testkit::meshes;
use hitscan_traversal::explain::{EdgeSide, RayFault, TriangleTest, Verdict};
use hitscan_traversal::{Bvh, EdgeRule, Explanation, Faces, QueryOptions};

fn cube() -> Bvh {
    Bvh::build(meshes::cuboid([-1.0; 3], [1.0; 3]), &BuildOptions::default())
}

fn one(corners: [[f32; 3]; 3]) -> Bvh {
    let mesh = TriangleMesh::from_soup(&[corners]).expect("one triangle");
    Bvh::build(mesh, &BuildOptions::default())
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn test(bvh: &Bvh, ray: &Ray, options: &QueryOptions<'_>) -> TriangleTest {
    bvh.explain_triangle(ray, 0, options).expect("a valid ray and a triangle")
}

fn down(x: f32, y: f32) -> Ray {
    Ray::new([x, y, 3.0], [0.0, 0.0, -1.0])
}

#[test]
fn the_first_line_is_the_verdict() {
    let cube = cube();
    let verdict = |ray: Ray| cube.explain(&ray).verdict_in_words();
    let ray = down(0.25, 0.5);
    let hit = verdict(ray);
    assert!(hit.starts_with("hit: the front of triangle ") && hit.ends_with(" at t = 2"), "{hit}");
    let from_within = verdict(Ray::new([0.0, 0.1, 0.2], [0.0, 0.0, 2.0]));
    assert!(from_within.starts_with("hit: the back of triangle "), "{from_within}");
    for (ray, expected) in [
        (ray.with_interval(5.0, 9.0), "miss: the surface lies before t_min: triangle "),
        (ray.with_interval(0.0, 1.0), "miss: the surface lies beyond t_max: triangle "),
        (ray.with_interval(2.5, 3.5), "miss: the surface lies before t_min and beyond t_max: "),
        (Ray { direction: [0.0, 0.0, 1.0], ..ray }, "miss: the surface lies behind the origin: "),
        (down(1.5, 0.0), "miss: the ray passes 0.5 from the nearest triangle, number "),
        (Ray { direction: [0.0; 3], ..ray }, "miss: the ray is not valid: its direction is zero"),
    ] {
        let told = verdict(ray);
        assert!(told.starts_with(expected), "{told}");
    }
    let empty = Bvh::build(TriangleMesh::default(), &BuildOptions::default());
    let told = empty.explain(&ray).verdict_in_words();
    assert_eq!(told, "miss: the mesh has no triangle that can be hit");
}

#[test]
fn every_fault_of_a_ray_has_its_name() {
    let good = down(0.0, 0.0);
    for (ray, fault) in [
        (Ray { origin: [f32::NAN, 0.0, 0.0], ..good }, RayFault::Origin),
        (Ray { origin: [0.0, f32::INFINITY, 0.0], ..good }, RayFault::Origin),
        (Ray { direction: [0.0, f32::NAN, 1.0], ..good }, RayFault::Direction),
        (Ray { direction: [0.0, -0.0, 0.0], ..good }, RayFault::ZeroDirection),
        (good.with_interval(f32::NAN, 1.0), RayFault::NanLimit),
        (good.with_interval(0.0, f32::NAN), RayFault::NanLimit),
        (good.with_interval(2.0, 1.0), RayFault::EmptyInterval),
    ] {
        let explanation = cube().explain(&ray);
        assert_eq!((explanation.fault, explanation.hit), (Some(fault), None), "{ray:?}");
        assert!(explanation.to_string().ends_with(&fault.to_string()), "{explanation}");
        assert!(cube().explain_triangle(&ray, 0, &QueryOptions::DEFAULT).is_none());
    }
    for ray in hitscan_testkit::rays::invalid() {
        assert!(RayFault::of(&ray).is_some(), "{ray:?}");
    }
    assert_eq!(RayFault::of(&good), None);
}

#[test]
fn a_triangle_is_missed_on_the_side_that_is_told() {
    use EdgeSide::{Inside, On, Outside};
    let bvh = one(TRIANGLE);
    for (x, y, edges, verdict) in [
        (0.25, 0.25, [Inside, Inside, Inside], Verdict::Hit),
        (0.25, -0.5, [Outside, Inside, Inside], Verdict::Outside),
        (1.0, 1.0, [Inside, Outside, Inside], Verdict::Outside),
        (-0.5, 0.25, [Inside, Inside, Outside], Verdict::Outside),
        (-0.5, -0.25, [Outside, Inside, Outside], Verdict::Outside),
        (0.5, 0.0, [On, Inside, Inside], Verdict::Hit),
        (0.5, 0.5, [Inside, On, Inside], Verdict::Hit),
        (0.0, 0.0, [On, Inside, On], Verdict::Hit),
        (2.0, 0.0, [On, Outside, Inside], Verdict::Outside),
    ] {
        for (z, way, front) in [(3.0, -1.0, true), (-3.0, 1.0, false)] {
            let ray = Ray::new([x, y, z], [0.0, 0.0, way]);
            let test = test(&bvh, &ray, &QueryOptions::DEFAULT);
            let crossing = test.crossing.expect("the line meets the plane");
            assert_eq!((crossing.edges, test.verdict), (edges, verdict), "{x} {y} {z}");
            assert_eq!((crossing.t, crossing.front), (3.0, front), "{x} {y} {z}");
            let [x, y] = [x, y].map(f64::from);
            assert_eq!(crossing.weights, [1.0 - x - y, x, y]);
        }
    }
    let past = test(&bvh, &down(0.25, -0.5), &QueryOptions::DEFAULT);
    assert_eq!((past.distance, past.nearest_t), (0.5, 3.0));
}

#[test]
fn intervals_options_and_rules_have_their_verdicts() {
    let bvh = one(TRIANGLE);
    let ray = down(0.25, 0.25);
    let with = |options: &QueryOptions<'_>| test(&bvh, &ray, options).verdict;
    let default = QueryOptions::DEFAULT;
    let in_range = |t_min, t_max| test(&bvh, &ray.with_interval(t_min, t_max), &default).verdict;
    assert_eq!(in_range(3.0, 3.0), Verdict::Hit);
    assert_eq!(in_range(0.0, 2.9), Verdict::Beyond);
    assert_eq!(in_range(3.1, 9.0), Verdict::Before);
    assert_eq!(in_range(-9.0, 9.0), Verdict::Hit);
    let behind = Ray::new([0.25, 0.25, -3.0], [0.0, 0.0, -1.0]);
    let behind = test(&bvh, &behind, &default);
    assert_eq!((behind.verdict, behind.distance, behind.nearest_t), (Verdict::Before, 3.0, 0.0));
    assert_eq!(with(&QueryOptions { faces: Faces::Front, ..default }), Verdict::Hit);
    assert_eq!(with(&QueryOptions { faces: Faces::Back, ..default }), Verdict::FaceCulled);
    assert_eq!(with(&QueryOptions { skip: Some(0), ..default }), Verdict::Skipped);
    let refuse = |_: &Hit| false;
    assert_eq!(with(&QueryOptions { filter: Some(&refuse), ..default }), Verdict::Filtered);

    // Down the diagonal of the lid: both halves are touched, one has the crossing.
    let cube = cube();
    let diagonal = down(0.5, 0.5);
    let verdicts = |rule| {
        let options = QueryOptions { edge_rule: Some(rule), ..default };
        let lid = (0..12)
            .filter(|&prim| cube.mesh().triangle(prim).iter().all(|corner| corner[2] == 1.0));
        let test = |prim| cube.explain_triangle(&diagonal, prim, &options).expect("valid");
        let verdicts = lid.map(|prim| test(prim).verdict);
        verdicts.collect::<Vec<_>>()
    };
    let [on, off] = [down(0.5, 0.5), down(0.5, -0.5)].map(|ray| cube.explain(&ray).on_line.len());
    if on == 4 {
        assert_eq!(verdicts(EdgeRule::Closed), [Verdict::Hit; 2]);
        let mut once = verdicts(EdgeRule::Once);
        once.sort_by_key(|&verdict| verdict == Verdict::Hit);
        assert_eq!(once, [Verdict::LeftToNeighbour, Verdict::Hit]);
    } else {
        assert_eq!((on, off), (2, 4), "one of the two runs down a diagonal");
    }
}

#[test]
fn odd_triangles_are_told_apart() {
    let flat = one(TRIANGLE);
    let along = |z| Ray::new([-1.0, 0.25, z], [1.0, 0.0, 0.0]);
    let of = |bvh: &Bvh, ray: &Ray| test(bvh, ray, &QueryOptions::DEFAULT);
    assert_eq!(of(&flat, &along(0.0)).verdict, Verdict::InPlane);
    let above = of(&flat, &along(0.5));
    assert_eq!((above.verdict, above.distance, above.crossing), (Verdict::Parallel, 0.5, None));
    let line = one([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    assert_eq!(of(&line, &down(0.5, 0.0)).verdict, Verdict::NoArea);
    assert_eq!(of(&line, &down(0.5, 0.25)).distance, 0.25);
    let broken = one([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [f32::NAN, 1.0, 0.0]]);
    let broken = of(&broken, &down(0.5, 0.0));
    assert_eq!((broken.verdict, broken.distance), (Verdict::NotFinite, f64::INFINITY));
    assert!(flat.explain_triangle(&along(0.5), 1, &QueryOptions::DEFAULT).is_none());
}

#[test]
fn texts_tell_all_or_what_matters() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 4);
    let bvh = Bvh::build(sphere, &BuildOptions::default());
    let explanation: Explanation = bvh.explain(&Ray::new([0.1, 0.2, 5.0], [0.0, 0.0, -1.0]));
    let (short, long) = (explanation.to_string(), format!("{explanation:#}"));
    assert!(short.lines().count() < 40, "{short}");
    assert!(long.lines().count() >= explanation.boxes.len() + explanation.triangles.len());
    for text in [&short, &long] {
        assert!(text.starts_with("hit: the front of triangle "), "{text}");
        assert!(text.contains("the same hit, bit for bit"), "{text}");
        assert!(text.contains("nothing wrong near by"), "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
    }
}

#[test]
fn a_tree_that_disagrees_is_told_first() {
    let mut explanation = cube().explain(&down(0.25, 0.5));
    assert!(explanation.agrees());
    explanation.by_brute_force = None;
    assert!(!explanation.agrees());
    let text = explanation.to_string();
    assert!(text.starts_with("WRONG: "), "{text}");
    assert!(text.contains("no hit, but the tree has one"), "{text}");
}
