//! Refitting: the tree over moved vertices is whole, and what a build would have packed.

mod edited;

use hitscan_core::bvh8::{Leaf4, Paths, Refitter, Structure};
use hitscan_core::{Bvh8, Quality, TriangleMesh, baked};
use hitscan_testkit::{Random, meshes};

use crate::tree;

fn samples() -> Vec<TriangleMesh> {
    vec![
        TriangleMesh::default(),
        meshes::tetrahedron(),
        meshes::copies(300),
        meshes::nested(500),
        meshes::exponential(241, 2e-36, 2.0),
        meshes::with_broken_triangles(&meshes::icosphere(1.0, [0.0; 3], 3)),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e-30, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e37, [0.0; 3]),
        meshes::beams(2_000, 1),
        meshes::stack(100),
        meshes::terrain(90, 90, 1),
    ]
}

/// Every vertex at another place, some of them on top of each other; none outside of f32.
fn shaken(mesh: &TriangleMesh, seed: u64) -> Vec<[f32; 3]> {
    let mut random = Random::new(seed);
    let extent = mesh.bounds().extent().max_element().clamp(0.0, 1e36);
    let mut positions = Vec::<[f32; 3]>::with_capacity(mesh.positions().len());
    for &position in mesh.positions() {
        let moved = position.map(|x| {
            let x = if x.is_finite() { x } else { 0.0 };
            x + extent * 0.1 * (random.unit() as f32 - 0.5)
        });
        let last = positions.last().copied();
        positions.push(if random.below(8) == 0 { last.unwrap_or(moved) } else { moved });
    }
    positions
}

/// Areas as [`Bvh8`] counts them, from its boxes.
fn sah_cost(tree: &Bvh8) -> f64 {
    let root = tree.bounds().half_area();
    let areas: f64 = tree.visits().map(|visit| visit.bounds.half_area()).sum();
    if root > 0.0 { areas / root } else { 1.0 }
}

fn assert_near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-6 * b.abs().max(1.0), "{a} is not {b}");
}

#[test]
fn moved_trees_are_whole() {
    for (i, mesh) in samples().into_iter().enumerate() {
        for quality in Quality::ALL {
            let (mut mesh, mut tree) = (mesh.clone(), tree(&mesh, quality));
            for seed in 0..4 {
                let moved = shaken(&mesh, seed);
                mesh.move_vertices(0, &moved).expect("all is finite");
                tree.refit(&mesh).expect("shallow enough");
                assert_eq!(tree.validate(&mesh), Ok(()), "mesh {i}, {quality:?}");
                assert_near(tree.statistics().sah_cost, sah_cost(&tree));
                let references: usize = leaves(&tree).map(|leaf| leaf.prims().count()).sum();
                assert_eq!(tree.statistics().references, references);
                assert_eq!(tree.statistics().triangles, references, "every triangle is whole");
            }
        }
    }
}

fn leaves(tree: &Bvh8) -> impl Iterator<Item = &Leaf4> {
    tree.visits().filter(|visit| visit.place.is_leaf()).map(|visit| tree.leaf(visit.place))
}

/// From the third refit on, what a leaf is made of is known from the second.
#[test]
fn later_refits_are_as_the_first() {
    for (i, mesh) in samples().into_iter().enumerate() {
        for quality in Quality::ALL {
            let (mut mesh, mut again) = (mesh.clone(), tree(&mesh, quality));
            let mut first = again.clone();
            let mut refitter = Refitter::default();
            for seed in 0..5 {
                let moved = shaken(&mesh, seed);
                mesh.move_vertices(0, &moved).expect("all is finite");
                let structures = [first.refit(&mesh), refitter.refit(&mut again, &mesh)];
                assert_eq!(structures[0], structures[1], "mesh {i}, {quality:?}");
                assert_eq!(again.validate(&mesh), Ok(()), "mesh {i}, {quality:?}");
                assert!(again == first, "mesh {i}, {quality:?}, seed {seed}");
            }
        }
    }
}

/// As they grow, first the leaves that reach far are packed in another way, and at last all.
#[test]
fn numbers_become_huge_in_any_leaf() {
    let mut mesh = meshes::terrain(40, 40, 1);
    let mut refitted = tree(&mesh, Quality::Balanced);
    let mut refitter = Refitter::default();
    let rest = mesh.positions().to_vec();
    for step in 0..12 {
        let factor = 64_f32.powi(step - 2);
        let grown: Vec<_> = rest.iter().map(|p| p.map(|x| x * factor)).collect();
        mesh.move_vertices(0, &grown).expect("all is finite");
        refitter.refit(&mut refitted, &mesh).expect("shallow enough");
        assert_eq!(refitted.validate(&mesh), Ok(()), "step {step}");
    }
}

#[test]
fn refits_go_on_after_triangles_have_left_and_come() {
    for mut mesh in [meshes::icosphere(1.0, [0.0; 3], 5), meshes::soup(9_000, 0.1, 1)] {
        let mut refitted = tree(&mesh, Quality::Fast);
        let (mut refitter, mut random) = (Refitter::default(), Random::new(8));
        for step in 0..24 {
            let count = mesh.triangle_count();
            match step % 8 {
                // A few leaves, and so many that all are made anew.
                3 | 6 => {
                    let some = if step % 8 == 3 { 5 } else { count / 3 };
                    let some: Vec<u32> = (0..some).map(|_| random.below(count) as u32).collect();
                    let paths = Paths::new(&refitted, &mesh);
                    mesh.remove_triangles(&some).expect("they are there");
                    refitter
                        .refit_triangles(&mut refitted, &mesh, &paths, &some)
                        .expect("shallow enough");
                }
                5 => {
                    let corners = [[2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, step as f32, 1.0]];
                    let at = mesh.positions().len() as u32;
                    let added = mesh.add_triangles(&corners, &[[at, at + 1, at + 2], [0, 0, 1]]);
                    let prims = Vec::from_iter(added.expect("there is room").take(1));
                    let structure = refitter.graft(&mut refitted, &mesh, &prims);
                    assert_eq!(structure, Ok(Structure::Changed));
                }
                _ => {}
            }
            let moved = shaken(&mesh, step);
            mesh.move_vertices(0, &moved).expect("all is finite");
            refitter.refit(&mut refitted, &mesh).expect("shallow enough");
            assert_eq!(refitted.validate(&mesh), Ok(()), "step {step}");
            assert_eq!(refitted.absent(&mesh), [0_u32; 0], "step {step}");
        }
    }
}

#[test]
fn what_has_not_moved_stays_the_same() {
    for mesh in [meshes::terrain(40, 40, 1), meshes::copies(50), meshes::city(6, 1)] {
        for quality in [Quality::Fast, Quality::Balanced] {
            let built = tree(&mesh, quality);
            let mut refitted = built.clone();
            assert_eq!(refitted.refit(&mesh), Ok(Structure::Kept));
            assert!(built.lines() == refitted.lines(), "{quality:?}");
            assert_eq!((built.bounds(), built.reach()), (refitted.bounds(), refitted.reach()));
            assert_near(refitted.statistics().sah_cost, built.statistics().sah_cost);
        }
    }
}

#[test]
fn refits_do_not_depend_on_the_number_of_threads() {
    let before = meshes::joined(&[meshes::terrain(320, 320, 7), meshes::beams(20_000, 3)]);
    let after = before.clone().with_positions(shaken(&before, 1)).expect("as many");
    for quality in Quality::ALL {
        let built = tree(&before, quality);
        let on_pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool of a few threads").install(|| {
                let (mut tree, mut refitter) = (built.clone(), Refitter::default());
                [&after, &before, &after].map(|mesh| {
                    refitter.refit(&mut tree, mesh).expect("shallow enough");
                    tree.clone()
                })
            })
        };
        let one = on_pool(1);
        assert!(one[0] == one[2], "{quality:?}");
        for threads in [2, 3, 8] {
            assert!(one == on_pool(threads), "{quality:?} on {threads} threads");
        }
    }
}

/// Parts are taken out of all leaves but one: without that, boxes would be larger by far.
#[test]
fn triangles_in_parts_become_whole_where_they_cost_least() {
    let mesh = meshes::beams(3000, 1);
    let mut parted = tree(&mesh, Quality::High);
    assert!(parted.statistics().references > parted.statistics().triangles);
    parted.refit(&mesh).expect("shallow enough");
    assert_eq!(parted.statistics().references, 3000);
    let whole = tree(&mesh, Quality::Balanced);
    let costs = [&parted, &whole].map(|tree| tree.statistics().sah_cost);
    assert!(costs[0] < 1.15 * costs[1], "{costs:?}");
}

#[test]
fn leaves_are_packed_as_one_triangle_at_a_time() {
    let soup = meshes::soup(1_000, 0.3, 1);
    let huge = meshes::transformed(&soup, 1e12, [0.0; 3]);
    let tiny = meshes::transformed(&soup, 1e-25, [0.0; 3]);
    for mesh in [soup, huge, tiny] {
        for first in 0..900 {
            let prims = Vec::from_iter(first..first + first % 5);
            let (leaf, bounds) = Leaf4::of(&prims, &mesh);
            let mut singly = Leaf4::EMPTY;
            for (lane, &prim) in prims.iter().enumerate() {
                singly.set(lane, prim, mesh.triangle(prim));
            }
            assert_eq!(leaf, singly);
            let around =
                prims.iter().map(|&prim| hitscan_core::Aabb::of_triangle(mesh.triangle(prim)));
            assert_eq!(bounds, around.fold(hitscan_core::Aabb::EMPTY, hitscan_core::Aabb::union));
        }
    }
}

#[test]
fn deep_trees_are_refitted_on_small_stacks() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(128 << 10).build();
    let pool = pool.expect("one thread");
    for mesh in [meshes::exponential(241, 2e-36, 2.0), meshes::nested(50_000)] {
        let mut tree = tree(&mesh, Quality::Fast);
        pool.install(|| tree.refit(&mesh)).expect("shallow enough");
        assert_eq!(tree.validate(&mesh), Ok(()));
    }
}

/// In a file blocks come as a depth-first walk meets them, whatever the threads that built the tree.
#[test]
fn a_tree_in_another_order_is_refitted_as_the_built_one() {
    let mut mesh = meshes::terrain(320, 320, 7);
    let mut built = tree(&mesh, Quality::Fast);
    let mut bytes = Vec::new();
    baked::write(&mut bytes, &mesh, &built).expect("memory takes all");
    let (_, mut read) = baked::from_bytes(&bytes).expect("it is right");
    let moved = shaken(&mesh, 2);
    mesh.move_vertices(0, &moved).expect("all is finite");
    for tree in [&mut built, &mut read] {
        let mut refitter = Refitter::default();
        for _ in 0..3 {
            assert_eq!(refitter.refit(tree, &mesh), Ok(Structure::Kept));
            assert_eq!(tree.validate(&mesh), Ok(()));
            assert_near(tree.statistics().sah_cost, sah_cost(tree));
        }
    }
    assert_eq!(built.bounds(), read.bounds());
    let boxes = |tree: &Bvh8| Vec::from_iter(tree.visits().map(|visit| visit.bounds));
    assert!(boxes(&built) == boxes(&read));
}
