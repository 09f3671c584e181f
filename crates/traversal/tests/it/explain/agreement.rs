//! Explanations say what the tree says, and their numbers are right.

use hitscan_core::{BuildOptions, Hit, Ray, TriangleMesh};
use hitscan_testkit::meshes;
use hitscan_testkit::rays::{self, Aim};
use hitscan_traversal::explain::{BoxFate, BruteForce, SettledBy, Verdict};
use hitscan_traversal::{Bvh, EdgeRule, QueryOptions, Raycast};

fn build(mesh: &TriangleMesh) -> Bvh {
    Bvh::build(mesh.clone(), &BuildOptions::default())
}

/// Meshes of all kinds, at all sizes and places.
fn some_meshes() -> Vec<TriangleMesh> {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 2);
    let moved = |factor, offset| meshes::transformed(&sphere, factor, offset);
    vec![
        meshes::snapped(&sphere, 1.0 / 64.0),
        moved(1e-30, [0.0; 3]),
        moved(1e30, [1e30, 0.0, -1e30]),
        moved(1.0, [1.5e5, -1.5e5, 1.5e5]),
        meshes::torus(1.0, 0.25, 24, 12),
        meshes::slivers(40),
        meshes::needle_ball(12),
        meshes::soup(300, 0.3, 1),
        meshes::with_broken_triangles(&sphere),
        meshes::copies(7),
        meshes::cuboid([-1.0; 3], [1.0; 3]),
        TriangleMesh::default(),
    ]
}

/// Rays of all kinds at a mesh.
fn some_rays(mesh: &TriangleMesh) -> Vec<Ray> {
    let mut some = rays::invalid();
    let bounds = mesh.bounds();
    if bounds.is_empty() {
        return some;
    }
    some.extend(rays::inside_box(bounds, 40, 1));
    some.extend(rays::towards_box(bounds, 40, 2));
    // Aims at a vertex that is not finite give invalid rays.
    some.extend(rays::aimed(mesh, Aim::Edge, None, 60, 3));
    some.extend(rays::aimed(mesh, Aim::Vertex, None, 60, 4));
    some.extend(rays::axis_aligned(mesh, 60, 5));
    some.extend(rays::exactly_through_edges(mesh, 60, 6));
    some.extend(rays::exactly_through_vertices(mesh, 60, 7));
    let lines = some.iter().map(|ray| ray.with_interval(f32::NEG_INFINITY, ray.t_max));
    let lines: Vec<Ray> = lines.collect();
    let short = some.iter().map(|ray| ray.with_interval(0.25, 1.5)).collect::<Vec<_>>();
    [some, lines, short].concat()
}

fn bits(hits: &[Hit]) -> Vec<[u32; 5]> {
    let bits = |hit: &Hit| {
        [hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits(), hit.prim, u32::from(hit.front)]
    };
    hits.iter().map(bits).collect()
}

#[test]
fn brute_force_is_what_the_tree_says_bit_for_bit() {
    let mut hits = 0;
    for mesh in some_meshes() {
        let bvh = build(&mesh);
        let brute_force = BruteForce::new(&mesh);
        for ray in some_rays(&mesh) {
            let every = brute_force.hits(&ray);
            for (rule, found) in [(EdgeRule::Closed, &every.closed), (EdgeRule::Once, &every.once)]
            {
                let options = QueryOptions { edge_rule: Some(rule), ..QueryOptions::DEFAULT };
                let mut all = Vec::new();
                bvh.append_all_hits_with(&ray, &options, &mut all);
                assert_eq!(bits(found), bits(&all), "{ray:?} {rule:?}");
                hits += all.len();
            }
        }
    }
    assert!(hits > 10_000, "only {hits} hits");
}

#[test]
fn explanations_agree_with_the_tree() {
    for mesh in some_meshes() {
        let bvh = build(&mesh);
        for ray in some_rays(&mesh).into_iter().step_by(5) {
            for options in [
                QueryOptions::DEFAULT,
                QueryOptions { edge_rule: Some(EdgeRule::Once), ..QueryOptions::DEFAULT },
                QueryOptions { faces: hitscan_traversal::Faces::Back, ..QueryOptions::DEFAULT },
            ] {
                let explanation = bvh.explain_with(&ray, &options);
                assert!(explanation.agrees(), "{ray:?}");
                assert_eq!(explanation.hit, bvh.closest_hit_with(&ray, &options));
                assert_eq!(explanation.fault.is_none(), ray.is_valid(), "{ray:?}");
                let Some(hit) = explanation.hit else { continue };
                // The way that was found apart from the walk leads to the hit.
                let test = explanation.triangles.iter().find(|test| test.prim == hit.prim);
                let test = test.expect("the triangle that is hit is on the way");
                let crossing = test.crossing.expect("a hit has a place");
                assert_eq!((test.verdict, test.distance), (Verdict::Hit, 0.0));
                assert_eq!((crossing.t.to_bits(), crossing.front), (hit.t.to_bits(), hit.front));
                let [a, b, c] = crossing.weights;
                assert!((b - f64::from(hit.u)).abs() < 1.0 / 128.0, "{ray:?}: {b} {}", hit.u);
                assert!((c - f64::from(hit.v)).abs() < 1.0 / 128.0, "{ray:?}: {c} {}", hit.v);
                assert!((a + b + c - 1.0).abs() < 1e-6 && a.min(b).min(c) >= 0.0, "{a} {b} {c}");
                assert!(explanation.on_line.contains(&hit));
            }
        }
    }
}

#[test]
fn what_settles_a_triangle_is_what_the_leaf_said() {
    // With one triangle, the walk's own counter says whether it was decided exactly.
    let mut exact = [0, 0];
    for corners in [
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        [[1.0e5, 3.0, -2.0], [1.0e5, 4.0, -2.5], [1.00001e5, 3.0, 2.0]],
        [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.001]],
    ] {
        let mesh = TriangleMesh::from_soup(&[corners]).expect("one triangle");
        let bvh = build(&mesh);
        for ray in some_rays(&mesh).into_iter().filter(Ray::is_valid) {
            let (_, cost) = bvh.closest_hit_counted(&ray);
            if cost.leaves == 0 {
                continue;
            }
            let test = bvh.explain_triangle(&ray, 0, &QueryOptions::DEFAULT).expect("a valid ray");
            assert_eq!(u32::from(test.settled_by == SettledBy::Exact), cost.exact, "{ray:?}");
            exact[cost.exact as usize] += 1;
        }
    }
    assert!(exact.into_iter().all(|count| count > 50), "{exact:?}");
}

#[test]
fn distances_are_those_of_the_nearest_points() {
    const STEPS: i32 = 40;
    let soup = meshes::soup(60, 0.8, 3);
    let bvh = build(&soup);
    let rays = rays::inside_box(soup.bounds(), 12, 9);
    for (ray, [t_min, t_max]) in rays
        .iter()
        .zip([[0.0, 1.5], [-0.5, 0.5], [0.25, 0.25], [0.0, f32::INFINITY]].iter().cycle())
    {
        let ray = ray.with_interval(*t_min, *t_max);
        // No ray of unit length gets nearer beyond 2, from within a box of about that size.
        let end = t_max.min(2.0);
        let points: Vec<glam::Vec3> = (0..=8 * STEPS)
            .map(|i| ray.at(t_min + (end - t_min) * i as f32 / (8 * STEPS) as f32).into())
            .collect();
        for prim in 0..soup.triangle_count() as u32 {
            let test = bvh.explain_triangle(&ray, prim, &QueryOptions::DEFAULT).expect("valid");
            let [a, b, c] = soup.triangle(prim).map(glam::Vec3::from);
            let mut sampled = f32::INFINITY;
            for i in 0..=STEPS {
                for j in 0..=STEPS - i {
                    let (u, v) = (i as f32 / STEPS as f32, j as f32 / STEPS as f32);
                    let point = a + (b - a) * u + (c - a) * v;
                    for on_ray in &points {
                        sampled = sampled.min(on_ray.distance(point));
                    }
                }
            }
            let distance = test.distance as f32;
            assert!(distance <= sampled + 1e-5, "{prim}: {distance} > {sampled}");
            assert!(sampled <= distance + 0.04, "{prim}: {distance} < {sampled}");
        }
    }
}

#[test]
fn the_nearest_miss_is_the_nearest_of_all() {
    let soup = meshes::soup(200, 0.2, 5);
    let bvh = build(&soup);
    for ray in rays::inside_box(soup.bounds(), 50, 11) {
        let explanation = bvh.explain(&ray);
        let miss = explanation.nearest_miss.expect("most of them are missed");
        let hits = BruteForce::new(&soup).hits(&ray).closed;
        for prim in 0..200 {
            if hits.iter().any(|hit| hit.prim == prim) {
                assert_ne!(prim, miss.prim);
                continue;
            }
            let test = bvh.explain_triangle(&ray, prim, &QueryOptions::DEFAULT).expect("valid");
            assert!(
                (miss.distance, miss.prim) <= (test.distance, prim),
                "{prim} {miss:?} {test:?}"
            );
        }
    }
}

#[test]
fn boxes_that_are_left_out_hold_nothing_that_counts() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    let bvh = build(&mesh);
    let mut fates = std::collections::HashMap::new();
    for ray in some_rays(&mesh).into_iter().filter(Ray::is_valid) {
        let explanation = bvh.explain(&ray);
        for visit in &explanation.boxes {
            *fates.entry(visit.fate).or_insert(0) += 1;
        }
        let nearest = explanation.hit.map_or(f32::INFINITY, |hit| hit.t);
        for hit in BruteForce::new(&mesh).hits(&ray).closed {
            let on_way = explanation.triangles.iter().any(|test| test.prim == hit.prim);
            assert!(on_way || hit.t > nearest, "{ray:?} {hit:?}");
        }
    }
    for fate in
        [BoxFate::Entered, BoxFate::Beside, BoxFate::Before, BoxFate::Beyond, BoxFate::Hidden]
    {
        assert!(fates.get(&fate).is_some_and(|&count| count > 10), "{fate:?} in {fates:?}");
    }
}
