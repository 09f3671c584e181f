//! Meshes that move: the answers are those of a tree built anew, bit for bit.

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Coherence, DynamicBvh, EditError, Level, Quality, TriangleMesh};
use hitscan_testkit::{Random, meshes};

use crate::failures::Failures;
use crate::same_bits::Answers;
use crate::workload::{Workload, workloads};

/// A mesh bent and shaken, more with every step; some vertices fall together, so that triangles
/// lose their area and get it back.
fn bent(mesh: &TriangleMesh, step: u64) -> Vec<[f32; 3]> {
    let mut random = Random::new(step);
    let bounds = mesh.bounds();
    let extent = bounds.extent().to_array();
    let largest = bounds.extent().max_element().max(f32::MIN_POSITIVE);
    let mut last = [0.0; 3];
    let bend = |position: &[f32; 3]| {
        let [x, y, z] = position.map(|x| if x.is_finite() { x } else { 0.0 });
        let turn = (step as f32 * x / largest).sin();
        let shake = |i: usize| 0.02 * step as f32 * extent[i] * (random.unit() as f32 - 0.5);
        let [dx, dy, dz] = [0, 1, 2].map(shake);
        let moved = [x + dx, y + 0.25 * turn * extent[1] + dy, z + dz];
        if random.below(12) != 0 {
            last = moved;
        }
        last
    };
    mesh.positions().iter().map(bend).collect()
}

#[test]
fn moved_trees_answer_as_new_ones() {
    let mut failures = Failures::default();
    for workload in workloads(1) {
        let mut trees =
            Quality::ALL.map(|quality| Bvh::build(workload.mesh.clone(), &quality.into()));
        for step in 1..4 {
            let moved = bent(&workload.mesh, step);
            let mesh = workload.mesh.clone().with_positions(moved.clone()).expect("as many");
            let Workload { mesh, rays, .. } = Workload::new(workload.name, mesh, 12);
            let new = Bvh::build(mesh, &Quality::Fast.into()).with_level(Level::scalar());
            let expected = Answers::one_by_one(&new, &rays);
            for (quality, tree) in Quality::ALL.into_iter().zip(&mut trees) {
                tree.refit(&moved).expect("all is finite");
                let mut compare = |answers: &Answers, way: &dyn std::fmt::Display| {
                    let difference = expected.first_difference(answers, &rays);
                    failures.check(difference.is_none(), || {
                        let difference = difference.as_deref().unwrap_or_default();
                        format!("{}, {quality:?}, step {step}, {way}: {difference}", workload.name)
                    });
                };
                for level in Level::available() {
                    let tree = tree.clone().with_level(level);
                    compare(&Answers::one_by_one(&tree, &rays), &level);
                }
                for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
                    let answers = Answers::batched(tree, &rays, usize::MAX, coherence);
                    compare(&answers, &format!("{coherence:?}"));
                }
            }
        }
    }
    failures.finish();
}

/// Checks a tree that has changed against one built over its mesh as it is.
fn check(failures: &mut Failures, dynamic: &DynamicBvh, told: &str, seed: u64) {
    let mesh = TriangleMesh::clone(dynamic.bvh().mesh());
    if mesh.triangle_count() == 0 {
        let ray = hitscan::Ray::new([0.1, 0.2, 3.0], [0.0, 0.0, -1.0]);
        return failures.check(!dynamic.bvh().any_hit(&ray), || "nothing is hit".to_owned());
    }
    let Workload { mesh, rays, .. } = Workload::new("changed", mesh, 4);
    let expected = Answers::one_by_one(&Bvh::build(mesh, &Quality::Fast.into()), &rays);
    let answers = Answers::one_by_one(dynamic.bvh(), &rays);
    let difference = expected.first_difference(&answers, &rays);
    failures.check(difference.is_none(), || {
        format!("seed {seed}, {told}: {}", difference.as_deref().unwrap_or_default())
    });
}

/// Changes of every kind in any order, with rebuilds that become ready at any time.
#[test]
fn changed_trees_answer_as_new_ones() {
    let mut failures = Failures::default();
    let subjects = [
        meshes::icosphere(1.0, [0.0; 3], 3),
        meshes::beams(600, 1),
        meshes::terrain(20, 20, 1),
        meshes::with_broken_triangles(&meshes::torus(1.0, 0.4, 24, 12)),
        TriangleMesh::default(),
    ];
    for (seed, mesh) in (0..).zip(subjects) {
        let options = BuildOptions::from(Quality::ALL[seed as usize % 3]);
        let mut dynamic = DynamicBvh::build(mesh, options).rebuilding_from(1.2);
        let mut random = Random::new(seed);
        let mut removed = Vec::new();
        for step in 1..25 {
            let mesh = TriangleMesh::clone(dynamic.bvh().mesh());
            let (vertices, triangles) = (mesh.positions().len(), mesh.triangle_count());
            let moved = bent(&mesh, step);
            let told = match random.below(6) {
                0 => {
                    dynamic.refit(&moved).expect("all is finite");
                    "refit"
                }
                1 | 2 => {
                    let first = random.below(vertices + 1);
                    let end = (first + 1 + random.below(9)).min(vertices);
                    dynamic.update_vertices(first, &moved[first..end]).expect("they are there");
                    "update"
                }
                3 => {
                    let offset = random.unit() as f32;
                    let corners = meshes::tetrahedron();
                    let added = corners.positions().iter().map(|p| p.map(|x| x * 0.3 + offset));
                    let first = vertices as u32;
                    let faces = corners.indices().iter().map(|face| face.map(|i| i + first));
                    let added = dynamic
                        .add_triangles(&added.collect::<Vec<_>>(), &faces.collect::<Vec<_>>())
                        .expect("they use what is there");
                    assert_eq!(added, triangles as u32..triangles as u32 + 4);
                    "add"
                }
                4 if triangles > 0 => {
                    let some: Vec<u32> =
                        (0..1 + random.below(7)).map(|_| random.below(triangles) as u32).collect();
                    dynamic.remove_triangles(&some).expect("they are there");
                    removed.extend(some);
                    "remove"
                }
                _ => {
                    dynamic.rebuild_in_background();
                    "rebuild"
                }
            };
            check(&mut failures, &dynamic, told, seed);
            let mesh = dynamic.bvh().mesh();
            assert!(removed.iter().all(|&prim| !mesh.can_be_hit(prim)));
        }
        while dynamic.is_rebuilding() {
            dynamic.swap_if_rebuilt();
            std::thread::yield_now();
        }
        check(&mut failures, &dynamic, "the last rebuild", seed);
        dynamic.rebuild();
        check(&mut failures, &dynamic, "rebuilt", seed);
        assert_eq!(dynamic.quality().degradation(), 1.0);
    }
    failures.finish();
}

/// A tree that was begun before changes and is ready after them has them all.
#[test]
fn rebuilt_trees_have_what_changed_meanwhile() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    let mut dynamic = DynamicBvh::build(mesh.clone(), BuildOptions::default());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(|| {
        // The only thread is busy here, so that the tree cannot be ready before the end.
        dynamic.rebuild_in_background();
        dynamic.remove_triangles(&[0, 1, 2, 3]).expect("they are there");
        let far = [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]];
        let count = mesh.positions().len() as u32;
        dynamic.add_triangles(&far, &[[count, count + 1, count + 2]]).expect("three corners");
        dynamic.update_vertices(7, &[[0.0, 0.0, 2.0]]).expect("it is there");
        assert!(dynamic.is_rebuilding());
    });
    while dynamic.is_rebuilding() {
        dynamic.swap_if_rebuilt();
        std::thread::yield_now();
    }
    let mut failures = Failures::default();
    for seed in 0..100 {
        check(&mut failures, &dynamic, "swapped", seed);
    }
    failures.finish();
    let down = hitscan::Ray::new([5.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
    let hit = dynamic.bvh().closest_hit(&down).expect("what was added");
    assert_eq!(hit.prim as usize, mesh.triangle_count());
}

#[test]
fn bad_changes_change_nothing() {
    let mesh = meshes::torus(1.0, 0.4, 24, 12);
    let Workload { mesh, rays, .. } = Workload::new("torus", mesh, 5);
    let mut bvh = Bvh::build(mesh.clone(), &BuildOptions::default());
    let before = Answers::one_by_one(&bvh, &rays);
    let mut bad = bent(&mesh, 3);
    bad[17][1] = f32::NAN;
    assert!(matches!(bvh.refit(&bad), Err(EditError::NotFinite { vertex: 17, .. })));
    let vertices = mesh.positions().len();
    let count = vertices - 1;
    let few = EditError::VertexRange { first: 0, count, vertices };
    assert_eq!(bvh.refit(&mesh.positions()[1..]), Err(few));
    let mut dynamic =
        DynamicBvh::new(bvh.clone(), BuildOptions::default()).expect("it was built here");
    let error = dynamic.update_vertices(10, &bad[10..20]);
    assert!(matches!(error, Err(EditError::NotFinite { vertex: 17, .. })));
    assert!(dynamic.update_vertices(vertices, &[[0.0; 3]]).is_err());
    assert!(dynamic.add_triangles(&[], &[[0, 1, u32::MAX]]).is_err());
    assert!(dynamic.remove_triangles(&[0, 1, 576]).is_err());
    for bvh in [&bvh, dynamic.bvh()] {
        assert_eq!(**bvh.mesh(), mesh);
        assert!(before == Answers::one_by_one(bvh, &rays));
        assert_eq!(bvh.quality().degradation(), 1.0);
    }
}

/// A clone is a snapshot: it keeps its answers when the original moves on.
#[test]
fn clones_stay_where_they_are() {
    let mesh = meshes::cuboid([-1.0; 3], [1.0; 3]);
    let mut bvh = Bvh::build(mesh.clone(), &BuildOptions::default());
    let snapshot = bvh.clone();
    let lifted: Vec<_> = mesh.positions().iter().map(|[x, y, z]| [*x, *y, z + 3.0]).collect();
    bvh.refit(&lifted).expect("all is finite");
    let down = hitscan::Ray::new([0.25, 0.5, 9.0], [0.0, 0.0, -1.0]);
    assert_eq!(snapshot.closest_hit(&down).map(|hit| hit.t), Some(8.0));
    assert_eq!(bvh.closest_hit(&down).map(|hit| hit.t), Some(5.0));
}

#[test]
fn trees_that_lost_their_shape_are_rebuilt() {
    let mesh = meshes::terrain(60, 60, 1);
    let mut random = Random::new(1);
    let shuffled: Vec<_> =
        mesh.positions().iter().map(|_| [0; 3].map(|_| random.unit() as f32)).collect();
    let mut still = DynamicBvh::build(mesh.clone(), BuildOptions::default());
    still.refit(&shuffled).expect("all is finite");
    let worn = still.quality().degradation();
    assert!(worn > 3.0, "{worn}");
    assert!(!still.is_rebuilding(), "nobody asked for it");
    let mut kept = DynamicBvh::build(mesh, BuildOptions::default()).rebuilding_from(1.5);
    kept.refit(&shuffled).expect("all is finite");
    assert!(kept.is_rebuilding());
    while !kept.swap_if_rebuilt() {
        std::thread::yield_now();
    }
    assert_eq!(kept.quality().degradation(), 1.0);
    assert!(kept.quality().sah_cost < still.quality().sah_cost);
    assert!(!kept.is_rebuilding());
}
