//! Triangles that move alone, come, go, or get an area at last: the tree follows.

use hitscan_core::build::build;
use hitscan_core::bvh8::{Paths, Refitter, Structure};
use hitscan_core::{BuildOptions, Bvh8, Quality, TreeLayout, TriangleMesh, baked};
use hitscan_testkit::{Random, meshes};

use super::{assert_near, leaves, sah_cost, samples, shaken};
use crate::tree;

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
