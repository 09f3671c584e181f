//! Refitting: the tree over moved vertices is whole, and what a build would have packed.

use hitscan_core::build::build;
use hitscan_core::bvh8::{Leaf4, Paths, Refitter, Structure, TreeLayout, TreeProfile};
use hitscan_core::mesh::EditError;
use hitscan_core::{BuildOptions, Bvh8, Quality, TriangleMesh, baked};
use hitscan_testkit::{Random, meshes};

fn tree(mesh: &TriangleMesh, quality: Quality) -> Bvh8 {
    Bvh8::from_bvh2(&build(mesh, &BuildOptions::from(quality)), mesh)
}

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

/// A collapsed sheet has no triangle that can be hit, and none is in its tree; spread out, all are.
#[test]
fn triangles_that_get_an_area_are_taken_in() {
    let sheet = meshes::plate(8.0, [0.0; 3], [0.0, 1.0, 0.0], 20);
    let flat: Vec<_> = sheet.positions().iter().map(|p| [p[0], 0.0, 0.0]).collect();
    let half = sheet.positions().len() / 2;
    for quality in Quality::ALL {
        let mut mesh = sheet.clone().with_positions(flat.clone()).expect("as many");
        let mut tree = tree(&mesh, quality);
        assert_eq!(tree.statistics().triangles, 0);
        for count in [half, sheet.positions().len()] {
            mesh.move_vertices(0, &sheet.positions()[..count]).expect("all is finite");
            assert_eq!(tree.refit(&mesh), Ok(Structure::Changed), "{quality:?}");
            assert_eq!(tree.validate(&mesh), Ok(()));
            assert_near(tree.statistics().sah_cost, sah_cost(&tree));
            let counted = tree.visits().map(|visit| visit.level + 1).max();
            assert_eq!(Some(tree.statistics().depth), counted);
            let nodes = tree.visits().filter(|visit| !visit.place.is_leaf()).count();
            assert_eq!(tree.statistics().nodes, nodes);
        }
        assert_eq!(tree.statistics().triangles, sheet.triangle_count());
        assert_eq!(tree.refit(&mesh), Ok(Structure::Kept));
    }
}

#[test]
fn some_triangles_are_refitted_as_all_would_be() {
    for mesh in samples() {
        for quality in Quality::ALL {
            let mut mesh = mesh.clone();
            let mut tree = tree(&mesh, quality);
            let still: Vec<_> = shaken(&mesh, 9);
            mesh.move_vertices(0, &still).expect("all is finite");
            tree.refit(&mesh).expect("shallow enough");
            let mut paths = Paths::new(&tree, &mesh);
            let mut random = Random::new(5);
            for seed in 0..8 {
                let moved = shaken(&mesh, seed);
                let first = random.below(moved.len() + 1);
                let end = (first + 1 + seed as usize * 3).min(moved.len());
                mesh.move_vertices(first, &moved[first..end]).expect("all is finite");
                let prims = paths.triangles_at(first..end).to_vec();
                let structure = tree.refit_triangles(&mesh, &paths, &prims);
                if structure == Ok(Structure::Changed) {
                    paths = Paths::new(&tree, &mesh);
                }
                assert_eq!(tree.validate(&mesh), Ok(()));
                assert_near(tree.statistics().sah_cost, sah_cost(&tree));
                let mut all = tree.clone();
                all.refit(&mesh).expect("shallow enough");
                assert!(all.lines() == tree.lines() && all.bounds() == tree.bounds());
            }
        }
    }
}

#[test]
fn removed_triangles_leave_the_tree() {
    let mut mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    let mut tree = tree(&mesh, Quality::Balanced);
    let paths = Paths::new(&tree, &mesh);
    let all: Vec<u32> = (0..mesh.triangle_count() as u32).collect();
    let mut left = all.len();
    for some in all.chunks(97) {
        mesh.remove_triangles(some).expect("they are there");
        assert_eq!(tree.refit_triangles(&mesh, &paths, some), Ok(Structure::Kept));
        left -= some.len();
        assert_eq!(tree.statistics().triangles, left);
        assert_eq!(tree.validate(&mesh), Ok(()));
        assert!(leaves(&tree).all(|leaf| leaf.prims().all(|prim| !some.contains(&prim))));
    }
    assert!(tree.bounds().is_empty() && *tree.reach() == [0.0; 4]);
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
fn wrong_edits_change_nothing_and_name_the_place() {
    let mesh = meshes::tetrahedron();
    let mut edited = mesh.clone();
    let bad = [[0.0; 3], [1.0, f32::NAN, 0.0]];
    let error = edited.move_vertices(2, &bad).expect_err("a NaN");
    assert!(matches!(error, EditError::NotFinite { vertex: 3, .. }), "{error}");
    assert_eq!(error.to_string(), "vertex 3 cannot be moved to [1.0, NaN, 0.0]: not finite");
    for infinity in [f32::INFINITY, f32::NEG_INFINITY] {
        let error = edited.move_vertices(0, &[[infinity, 0.0, 0.0]]).expect_err("an infinity");
        assert!(matches!(error, EditError::NotFinite { vertex: 0, .. }), "{error}");
    }
    for (first, count) in [(0, 5), (3, 2), (5, 0), (usize::MAX, 1)] {
        let error = edited.move_vertices(first, &vec![[0.0; 3]; count]).expect_err("too many");
        assert_eq!(error, EditError::VertexRange { first, count, vertices: 4 });
    }
    let error = edited.add_triangles(&[[2.0; 3]], &[[0, 1, 4], [0, 5, 1]]).expect_err("no vertex");
    assert_eq!(error, EditError::IndexOutOfRange { triangle: 1, index: 5, vertices: 5 });
    let error = edited.add_triangles(&[[f32::NAN; 3]], &[]).expect_err("a NaN");
    assert!(matches!(error, EditError::NotFinite { vertex: 4, .. }), "{error}");
    let error = edited.remove_triangles(&[0, 4]).expect_err("no triangle");
    assert_eq!(error, EditError::NoSuchTriangle { prim: 4, triangles: 4 });
    assert_eq!(edited, mesh);
    // The greatest numbers are finite, however many there are of them.
    edited.move_vertices(0, &[[f32::MAX; 3], [f32::MIN; 3], [f32::MAX; 3]]).expect("finite");
}

#[test]
fn added_triangles_have_no_names() {
    use hitscan_core::file::{ReadOptions, read_bytes};
    let text = b"o box\nv 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\n";
    let (mut mesh, _) = read_bytes(text, "box.obj", &ReadOptions::default()).expect("a square");
    assert_eq!(mesh.add_triangles(&[[1.0; 3]], &[[0, 1, 4], [1, 2, 4]]), Ok(2..4));
    assert_eq!(mesh.add_triangles(&[], &[[2, 3, 4]]), Ok(4..5));
    let names: Vec<_> = (0..5).map(|prim| mesh.parts().names_of(prim).object).collect();
    assert_eq!(names, [Some("box"), Some("box"), None, None, None]);
    let polygons: Vec<_> = (0..5).map(|prim| mesh.parts().polygon_of(prim)).collect();
    assert_eq!(polygons, [0, 0, 1, 2, 3]);
    mesh.remove_triangles(&[1]).expect("it is there");
    assert!(mesh.is_collapsed(1) && !mesh.is_collapsed(0));
    assert_eq!(mesh.uncollapsed_count(), 4);
}

#[test]
fn profiles_count_every_block_and_tell_overlap() {
    let mesh = meshes::terrain(60, 60, 1);
    let tree = tree(&mesh, Quality::Balanced);
    let (profile, statistics) = (TreeProfile::new(&tree, &mesh), tree.statistics());
    assert_eq!(profile.nodes_by_level.iter().sum::<usize>(), statistics.nodes);
    assert_eq!(profile.leaves_by_level.iter().sum::<usize>(), statistics.leaves);
    assert_eq!(profile.leaves_by_level.len(), statistics.depth);
    let triangles = profile.leaves_by_size.iter().enumerate().map(|(size, count)| size * count);
    assert_eq!(triangles.sum::<usize>(), statistics.references);
    let children = profile.nodes_by_children.iter().enumerate().map(|(n, count)| n * count);
    assert_eq!(children.sum::<usize>() + 1, statistics.nodes + statistics.leaves);
    // Nothing overlaps in a row of triangles that lie apart, and all of it in copies of one.
    let apart: Vec<_> = (0..64)
        .map(|i| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| [x + 3.0 * i as f32, y, x]))
        .collect();
    let apart = TriangleMesh::from_soup(&apart).expect("a few");
    assert_eq!(TreeProfile::new(&self::tree(&apart, Quality::Fast), &apart).overlap, 0.0);
    let copies = meshes::copies(64);
    let tree = self::tree(&copies, Quality::Fast);
    let statistics = tree.statistics();
    let others = statistics.nodes + statistics.leaves - statistics.depth;
    let overlap = TreeProfile::new(&tree, &copies).overlap;
    assert!((overlap - others as f64).abs() < 1.0, "{overlap} of {others}");
    let none = TriangleMesh::default();
    assert_eq!(TreeProfile::new(&self::tree(&none, Quality::Fast), &none).overlap, 0.0);
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

#[test]
fn a_tree_that_was_empty_takes_triangles_in_and_is_saved() {
    let mut mesh = TriangleMesh::default();
    let mut tree = tree(&mesh, Quality::Balanced);
    let added = mesh.add_triangles(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]);
    let prims: Vec<u32> = added.expect("three corners").collect();
    assert_eq!(tree.graft(&mesh, &prims), Ok(Structure::Changed));
    assert_eq!(tree.validate(&mesh), Ok(()));
    let mut bytes = Vec::new();
    baked::write(&mut bytes, &mesh, &tree).expect("memory takes all");
    let (mesh, read) = baked::from_bytes(&bytes).expect("it is right");
    assert_eq!(read.validate(&mesh), Ok(()));
}

/// A plate, and the same vertices on a line, where no triangle has an area.
fn sheet_and_flat() -> (TriangleMesh, Vec<[f32; 3]>) {
    let sheet = meshes::plate(8.0, [0.0; 3], [0.0, 1.0, 0.0], 20);
    let flat = sheet.positions().iter().map(|p| [p[0], 0.0, 0.0]).collect();
    (sheet, flat)
}

/// A plate whose second half has no area, and its tree.
fn half_flat(sheet: &TriangleMesh, flat: &[[f32; 3]], layout: TreeLayout) -> (TriangleMesh, Bvh8) {
    let mut mesh = sheet.clone().with_positions(flat.to_vec()).expect("as many");
    let half = &sheet.positions()[..flat.len() / 2];
    mesh.move_vertices(0, half).expect("all is finite");
    let built = build(&mesh, &BuildOptions::from(Quality::Balanced));
    let tree = Bvh8::from_bvh2_in(layout, &built, &mesh);
    (mesh, tree)
}

/// The first refit looks for what is in no leaf, the later ones only at what it has found: through
/// triangles that leave, come, and get an area at last, none may be lost.
#[test]
fn triangles_outside_of_the_tree_are_found_again_and_again() {
    let (sheet, flat) = sheet_and_flat();
    let count = sheet.positions().len();
    for layout in TreeLayout::ALL {
        let (mut mesh, mut tree) = half_flat(&sheet, &flat, layout);
        let (mut refitter, mut random) = (Refitter::default(), Random::new(3));
        for step in 0..24 {
            let removed = [random.below(mesh.triangle_count()) as u32];
            let paths = Paths::new(&tree, &mesh);
            mesh.remove_triangles(&removed).expect("it is there");
            refitter.refit_triangles(&mut tree, &mesh, &paths, &removed).expect("shallow enough");
            let first = random.below(count);
            let end = (first + count / 8).min(count);
            let source = if step % 3 == 0 { &flat[..] } else { sheet.positions() };
            mesh.move_vertices(first, &source[first..end]).expect("all is finite");
            if step % 4 == 1 {
                let corners = [[9.0, 0.0, 0.0], [9.0, 1.0, 0.0], [9.0, step as f32, 1.0]];
                let at = mesh.positions().len() as u32;
                let added = mesh.add_triangles(&corners, &[[at, at + 1, at + 2], [0, 0, 1]]);
                // Half of the time, the refit itself has to see that they are new.
                if step % 8 == 1 {
                    refitter.refit(&mut tree, &mesh).expect("shallow enough");
                }
                let first = added.expect("there is room").start;
                if tree.absent(&mesh).contains(&first) {
                    refitter.graft(&mut tree, &mesh, &[first]).expect("shallow enough");
                }
            }
            refitter.refit(&mut tree, &mesh).expect("shallow enough");
            assert_eq!(tree.validate(&mesh), Ok(()), "{layout:?}, step {step}");
            assert_eq!(tree.absent(&mesh), [0_u32; 0]);
        }
    }
}

#[test]
fn triangles_outside_of_the_tree_are_found_at_any_later_refit() {
    let (sheet, flat) = sheet_and_flat();
    let count = sheet.positions().len();
    for layout in TreeLayout::ALL {
        let (mut mesh, mut tree) = half_flat(&sheet, &flat, layout);
        let hittable = |mesh: &TriangleMesh| {
            (0..mesh.triangle_count() as u32).filter(|&prim| mesh.can_be_hit(prim)).count()
        };
        assert!(tree.statistics().triangles < sheet.triangle_count());
        let mut random = Random::new(3);
        for step in 0..12 {
            let first = random.below(count);
            let end = (first + count / 8).min(count);
            let source = if step % 3 == 0 { &flat[..] } else { sheet.positions() };
            mesh.move_vertices(first, &source[first..end]).expect("all is finite");
            let removed = random.below(mesh.triangle_count()) as u32;
            mesh.remove_triangles(&[removed]).expect("it is there");
            if step % 4 == 1 {
                let corners = [[9.0, 0.0, 0.0], [9.0, 1.0, 0.0], [9.0, step as f32, 1.0]];
                let at = mesh.positions().len() as u32;
                let added = mesh.add_triangles(&corners, &[[at, at + 1, at + 2], [0, 0, 1]]);
                // Half of the time, the refit itself has to see that they are new.
                if step % 8 == 1 {
                    tree.refit(&mesh).expect("shallow enough");
                }
                let first = added.expect("there is room").start;
                if tree.absent(&mesh).contains(&first) {
                    tree.graft(&mesh, &[first]).expect("shallow enough");
                }
            }
            tree.refit(&mesh).expect("shallow enough");
            assert_eq!(tree.validate(&mesh), Ok(()), "{layout:?}, step {step}");
            assert_eq!(tree.absent(&mesh), [0_u32; 0]);
            assert!(tree.statistics().triangles >= hittable(&mesh));
        }
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
