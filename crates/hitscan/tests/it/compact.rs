//! Trees in the compact layout answer as those in the fast one, bit for bit, and take less memory.

use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, Cost, DynamicBvh, Hit, Level, Quality, QueryOptions, Ray, Scene,
    Transform, TreeLayout, TriangleMesh,
};
use hitscan_testkit::{meshes, rays};

use crate::failures::Failures;
use crate::same_bits::Answers;
use crate::workload::{Workload, workloads};

fn compact(mesh: &TriangleMesh, quality: Quality) -> Bvh {
    Bvh::build(mesh.clone(), &BuildOptions { quality, layout: TreeLayout::Compact })
}

/// What differs from the answers of a tree in the fast layout.
fn compare(failures: &mut Failures, answers: &Answers, workload: &Workload, what: &str) {
    let fast = Bvh::build(workload.mesh.clone(), &Quality::Fast.into());
    let difference = Answers::one_by_one(&fast, &workload.rays);
    let difference = difference.first_difference(answers, &workload.rays);
    failures.check(difference.is_none(), || {
        format!("{}, {what}: {}", workload.name, difference.as_deref().unwrap_or_default())
    });
}

#[test]
fn both_layouts_answer_bit_for_bit() {
    let mut failures = Failures::default();
    for workload in workloads(40) {
        for quality in Quality::ALL {
            let bvh = compact(&workload.mesh, quality);
            assert_eq!(bvh.validate(), Ok(()), "{}, {quality:?}", workload.name);
            for level in Level::available() {
                let bvh = bvh.clone().with_level(level);
                let answers = Answers::one_by_one(&bvh, &workload.rays);
                compare(&mut failures, &answers, &workload, &format!("{quality:?}, {level}"));
            }
            let answers = Answers::batched(&bvh, &workload.rays, 33, Coherence::Auto);
            compare(&mut failures, &answers, &workload, "batched");
            let unfolded = bvh.in_layout(TreeLayout::Fast);
            assert_eq!(unfolded.validate(), Ok(()), "{}, {quality:?}", workload.name);
            let answers = Answers::one_by_one(&unfolded, &workload.rays);
            compare(&mut failures, &answers, &workload, "unfolded");
        }
    }
    failures.finish();
}

#[test]
fn a_compact_tree_takes_half_the_memory() {
    for mesh in [meshes::terrain(90, 90, 1), meshes::icosphere(1.0, [0.0; 3], 5)] {
        for quality in Quality::ALL {
            let bvh = compact(&mesh, quality);
            let fast = bvh.in_layout(TreeLayout::Fast);
            let bytes = bvh.statistics().bytes_per_triangle();
            assert!(bytes <= 36.0, "{quality:?}: {bytes} bytes a triangle");
            assert!(2.0 * bytes < fast.statistics().bytes_per_triangle());
            assert_eq!((bvh.layout(), fast.layout()), (TreeLayout::Compact, TreeLayout::Fast));
        }
    }
}

#[test]
fn options_and_short_buffers_are_heeded() {
    let nothing = Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: false };
    for workload in workloads(10) {
        let bvh = compact(&workload.mesh, Quality::High);
        let fast = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        let keep = |hit: &Hit| !hit.prim.is_multiple_of(3);
        let options = QueryOptions { filter: Some(&keep), ..QueryOptions::DEFAULT };
        let none = QueryOptions { mask: 0, ..QueryOptions::DEFAULT };
        for ray in &workload.rays {
            assert_eq!(bvh.closest_hit_with(ray, &options), fast.closest_hit_with(ray, &options));
            assert_eq!(bvh.closest_hit_with(ray, &none), None);
            for size in [0, 1, 3] {
                let fill = |bvh: &Bvh| {
                    let mut hits = vec![nothing; size];
                    let filled = bvh.fill_all_hits_with(ray, &options, &mut hits);
                    (filled, hits)
                };
                assert_eq!(fill(&bvh), fill(&fast), "{}: {ray:?}", workload.name);
            }
            let (hit, cost) = bvh.closest_hit_counted(ray);
            assert_eq!(hit, bvh.closest_hit(ray));
            assert!(hit.is_none() || cost.leaves > 0);
            assert_eq!(bvh.any_hit_counted(ray).0, bvh.any_hit(ray), "{ray:?}");
        }
    }
}

#[test]
fn what_a_ray_visits_is_counted_in_either_layout() {
    let mesh = meshes::terrain(40, 40, 1);
    let compact = compact(&mesh, Quality::Balanced);
    let fast = compact.in_layout(TreeLayout::Fast);
    for ray in rays::random(mesh.bounds(), 300, 1) {
        for (bvh, node, leaf) in [(&fast, 192, 192), (&compact, 128, 64)] {
            let (found, any) = bvh.any_hit_counted(&ray);
            let (hit, closest) = bvh.closest_hit_counted(&ray);
            assert_eq!((found, hit), (bvh.any_hit(&ray), bvh.closest_hit(&ray)), "{ray:?}");
            for cost in [any, closest] {
                let [nodes, leaves] = [cost.nodes, cost.leaves].map(u64::from);
                assert!(nodes > 0 && (!found || leaves > 0), "{ray:?}: {cost:?}");
                assert_eq!(cost.bytes(bvh.layout()), node * nodes + leaf * leaves);
            }
            // Without a hit either query goes to the end.
            assert!(found || any == closest, "{ray:?}: {any:?} {closest:?}");
        }
    }
}

#[test]
fn the_first_hit_ends_a_counted_any_hit() {
    let mesh = meshes::soup(2000, 0.5, 1);
    let bvh = Bvh::build(mesh.clone(), &Quality::Balanced.into());
    let rays = rays::random(mesh.bounds(), 300, 2);
    let leaves = |cost: &dyn Fn(&Ray) -> Cost| rays.iter().map(|ray| cost(ray).leaves).sum::<u32>();
    let any = leaves(&|ray| bvh.any_hit_counted(ray).1);
    let closest = leaves(&|ray| bvh.closest_hit_counted(ray).1);
    assert!(2 * any < closest, "{any} {closest}");
}

#[test]
fn an_explanation_agrees() {
    for workload in workloads(2) {
        let bvh = compact(&workload.mesh, Quality::High);
        for ray in &workload.rays {
            assert!(bvh.explain(ray).agrees(), "{}: {ray:?}", workload.name);
        }
    }
}

#[test]
fn instances_may_have_either_layout() {
    let mesh = meshes::torus(1.0, 0.4, 24, 12);
    let scene = |layouts: [TreeLayout; 2]| {
        let mut scene = Scene::new();
        for (i, layout) in layouts.into_iter().enumerate() {
            let bvh = Bvh::build(mesh.clone(), &BuildOptions { layout, ..BuildOptions::default() });
            let place = Transform::translation([1.5 * i as f32, 0.25, 0.0]);
            scene.add(bvh, place).expect("a place that can be undone");
        }
        scene
    };
    let rays = rays::towards_box(mesh.bounds(), 300, 5);
    let fast = scene([TreeLayout::Fast; 2]);
    let both = scene([TreeLayout::Compact, TreeLayout::Fast]);
    assert_eq!(both.closest_hits(&rays), fast.closest_hits(&rays));
    assert!(fast.closest_hits(&rays).iter().flatten().count() > 50);
}

/// Positions with every vertex moved a little, each its own way.
fn moved(mesh: &TriangleMesh) -> Vec<[f32; 3]> {
    let shift = |[x, y, z]: [f32; 3]| [x + 0.1 * y, y - 0.2 * z, z + 0.05 * x * y];
    mesh.positions().iter().map(|&position| shift(position)).collect()
}

#[test]
fn moved_meshes_are_followed() {
    let mut failures = Failures::default();
    let is_finite =
        |mesh: &TriangleMesh| moved(mesh).as_flattened().iter().all(|x: &f32| x.is_finite());
    for mut workload in workloads(20).into_iter().filter(|workload| is_finite(&workload.mesh)) {
        let before = workload.mesh.clone();
        let positions = moved(&before);
        workload.mesh = before.clone().with_positions(positions.clone()).expect("as many");
        for quality in Quality::ALL {
            let mut bvh = compact(&before, quality);
            bvh.refit(&positions).expect("all is finite");
            assert_eq!((bvh.layout(), bvh.validate()), (TreeLayout::Compact, Ok(())));
            let answers = Answers::one_by_one(&bvh, &workload.rays);
            compare(&mut failures, &answers, &workload, "refitted");
        }
        let options = BuildOptions { layout: TreeLayout::Compact, ..BuildOptions::default() };
        let mut dynamic = DynamicBvh::build(before, options);
        for (i, some) in positions.chunks(100).enumerate() {
            dynamic.update_vertices(100 * i, some).expect("all is finite");
        }
        let answers = Answers::one_by_one(dynamic.bvh(), &workload.rays);
        compare(&mut failures, &answers, &workload, "moved in steps");
    }
    failures.finish();
}

#[test]
fn triangles_come_and_go() {
    let options = BuildOptions { layout: TreeLayout::Compact, ..BuildOptions::default() };
    let mesh = meshes::torus(1.0, 0.4, 24, 12);
    let mut dynamic = DynamicBvh::build(mesh.clone(), options.clone());
    for height in [2.0, 3.0] {
        let corners = [[-9.0, -9.0, height], [9.0, -9.0, height], [0.0, 9.0, height]];
        let first = dynamic.bvh().mesh().positions().len() as u32;
        dynamic.add_triangles(&corners, &[[first, first + 1, first + 2]]).expect("three corners");
    }
    assert_eq!(dynamic.bvh().layout(), TreeLayout::Compact);
    let count = mesh.triangle_count() as u32;
    let down = Ray::new([0.0, 0.0, 4.0], [0.0, 0.0, -1.0]);
    let prims = |dynamic: &DynamicBvh| -> Vec<u32> {
        dynamic.bvh().all_hits(&down).iter().map(|hit| hit.prim).collect()
    };
    assert_eq!(prims(&dynamic), [count + 1, count]);
    dynamic.remove_triangles(&[count + 1]).expect("it is there");
    assert_eq!(prims(&dynamic), [count]);
    assert_eq!(dynamic.bvh().validate(), Ok(()));
    dynamic.rebuild();
    assert_eq!((prims(&dynamic), dynamic.bvh().layout()), (vec![count], TreeLayout::Compact));
}
