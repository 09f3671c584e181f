//! Builders and layouts: every tree is whole, bounded in depth, and the same on any pool.

use hitscan_core::build::build;
use hitscan_core::bvh2::Kind2;
use hitscan_core::{BuildOptions, Bvh2, Bvh8, Quality, TriangleMesh};
use hitscan_testkit::meshes;

fn tree(mesh: &TriangleMesh, quality: Quality) -> (Bvh2, Bvh8) {
    let bvh2 = build(mesh, &BuildOptions::from(quality));
    assert_eq!(bvh2.validate(mesh), Ok(()), "{quality:?}");
    let bvh8 = Bvh8::from_bvh2(&bvh2, mesh);
    assert_eq!(bvh8.validate(mesh), Ok(()), "{quality:?}");
    (bvh2, bvh8)
}

/// Meshes that have led builders into endless splits, deep trees and NaN costs.
fn awkward() -> Vec<TriangleMesh> {
    vec![
        TriangleMesh::default(),
        meshes::tetrahedron(),
        meshes::copies(5),
        meshes::copies(20_000),
        meshes::nested(3_000),
        meshes::exponential(241, 2e-36, 2.0),
        meshes::with_broken_triangles(&meshes::icosphere(1.0, [0.0; 3], 3)),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e-30, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e37, [0.0; 3]),
        meshes::plate(8.0, [0.0; 3], [0.0, 1.0, 0.0], 40),
        meshes::beams(2_000, 1),
        meshes::transformed(&meshes::beams(2_000, 2), 1e36, [0.0; 3]),
        meshes::transformed(&meshes::beams(2_000, 3), 1e-38, [0.0; 3]),
        meshes::stack(200),
        last_corner_behind_nothing(),
    ]
}

/// One triangle in each of two opposite corners, and one without area between them in the list.
fn last_corner_behind_nothing() -> TriangleMesh {
    let at = |x: f32| [[x, x, x], [x + 0.1, x, x], [x, x + 0.1, x]];
    TriangleMesh::from_soup(&[at(0.0), [[5.0; 3]; 3], at(9.0)]).expect("finite corners")
}

#[test]
fn awkward_meshes_give_whole_trees_of_bounded_depth() {
    for mesh in awkward() {
        for quality in Quality::ALL {
            let (bvh2, bvh8) = tree(&mesh, quality);
            assert!(bvh2.depth() <= Bvh2::MAX_DEPTH);
            let hittable = (0..mesh.triangle_count() as u32).filter(|&prim| mesh.can_be_hit(prim));
            assert_eq!(bvh8.statistics().triangles, hittable.count());
            assert!(bvh2.prims.len() * 5 <= mesh.triangle_count() * 6, "too many parts");
        }
    }
}

#[test]
fn a_million_identical_triangles_build() {
    let mesh = meshes::copies(1_000_000);
    for quality in Quality::ALL {
        let bvh2 = build(&mesh, &BuildOptions::from(quality));
        // Halved again and again: twenty levels hold a million leaves.
        assert!(bvh2.depth() <= 21, "{quality:?}: {}", bvh2.depth());
    }
}

#[test]
fn trees_do_not_depend_on_the_number_of_threads() {
    let mesh = meshes::joined(&[meshes::terrain(320, 320, 7), meshes::beams(20_000, 3)]);
    for quality in Quality::ALL {
        let on_pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool of a few threads").install(|| tree(&mesh, quality))
        };
        let one = on_pool(1);
        for threads in [2, 3, 8] {
            assert!(one == on_pool(threads), "{quality:?} on {threads} threads");
        }
    }
}

#[test]
fn better_qualities_cost_rays_less() {
    let mesh = meshes::city(12, 5);
    let cost = |quality| tree(&mesh, quality).1.statistics().sah_cost;
    let [fast, balanced, high] = Quality::ALL.map(cost);
    assert!(balanced <= fast * 1.02, "{balanced} against {fast}");
    assert!(high <= balanced * 1.02, "{high} against {balanced}");
}

#[test]
fn triangles_with_empty_boxes_are_cut() {
    let mesh = meshes::beams(3000, 1);
    let (bvh2, bvh8) = tree(&mesh, Quality::High);
    let statistics = bvh8.statistics();
    assert!(bvh2.prims.len() > 3300, "{} parts", bvh2.prims.len());
    assert!(statistics.references > statistics.triangles && statistics.triangles == 3000);
    let (_, balanced) = tree(&mesh, Quality::Balanced);
    assert_eq!(balanced.statistics().references, 3000);
    let costs = [statistics.sah_cost, balanced.statistics().sah_cost];
    assert!(costs[0] < 0.8 * costs[1], "{costs:?}");
}

/// A tree whose parts leave a gap is told from a whole one, even if the gap lies between
/// neighbouring numbers.
#[test]
fn validation_sees_gaps_between_parts() {
    let mesh = meshes::beams(300, 1);
    let whole = build(&mesh, &BuildOptions::from(Quality::High));
    let mut parts: Vec<(u32, usize)> = whole.nodes.iter().enumerate().filter_map(leaf).collect();
    fn leaf((index, node): (usize, &hitscan_core::bvh2::Node2)) -> Option<(u32, usize)> {
        match node.kind {
            Kind2::Leaf { first, .. } => Some((first, index)),
            Kind2::Inner { .. } => None,
        }
    }
    parts.sort_by_key(|&(first, _)| whole.prims[first as usize]);
    let mut gaps = 0;
    let mut seen = 0;
    for pair in parts.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        if whole.prims[a.0 as usize] != whole.prims[b.0 as usize] {
            continue;
        }
        let (low, high) = (whole.nodes[a.1].bounds, whole.nodes[b.1].bounds);
        // Where two boxes only touch, either may not lose its side.
        for axis in (0..3).filter(|&axis| low.max[axis] == high.min[axis]) {
            let mut torn = whole.clone();
            let side = &mut torn.nodes[a.1].bounds.max[axis];
            *side = side.next_down();
            gaps += 1;
            seen += usize::from(torn.validate(&mesh).is_err());
        }
    }
    assert!(gaps > 10 && seen == gaps, "{seen} of {gaps} gaps were seen");
}

#[test]
fn validation_sees_a_broken_tree() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    let whole = build(&mesh, &BuildOptions::default());
    let mut shrunk = whole.clone();
    let last = shrunk.nodes.len() - 1;
    shrunk.nodes[last].bounds.max = shrunk.nodes[last].bounds.min;
    assert!(shrunk.validate(&mesh).is_err(), "a leaf smaller than its triangle");
    let mut doubled = whole.clone();
    doubled.prims[0] = doubled.prims[1];
    assert!(doubled.validate(&mesh).is_err(), "a triangle twice, another lost");
    let mut cut = whole;
    cut.nodes.pop();
    assert!(cut.validate(&mesh).is_err(), "a node missing");
}
