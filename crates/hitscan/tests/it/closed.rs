//! Closed meshes: a ray from outside leaves as often as it enters, and the volume by crossings is
//! that of the triangles.

use std::path::PathBuf;

use hitscan::obj::{ObjOptions, read_file};
use hitscan::prelude::BatchRaycast;
use hitscan::{Bvh, Hit, Quality, Ray, TriangleMesh};
use hitscan_testkit::meshes;
use hitscan_testkit::rays::{self, Aim};
use hitscan_testkit::volume::{Grid, by_divergence};

/// How many rays do not leave as often as they enter.
fn unbalanced(bvh: &Bvh, rays: &[Ray]) -> usize {
    let (hits, counts) = (bvh.all_hits_of(rays), bvh.count_hits_of(rays));
    let is_balanced = |i: &usize| {
        let leaving = hits.of_ray(*i).iter().filter(|hit| !hit.front).count();
        2 * leaving == hits.of_ray(*i).len() && counts[*i] == 2 * leaving
    };
    rays.len() - (0..rays.len()).filter(is_balanced).count()
}

/// Rays from outside at edges, vertices and anything, and along axes exactly through vertices.
fn from_outside(mesh: &TriangleMesh, count: usize) -> Vec<Ray> {
    let bounds = mesh.bounds();
    let mut rays = [
        rays::towards_box(bounds, count, 1),
        rays::aimed(mesh, Aim::Edge, None, count, 2),
        rays::aimed(mesh, Aim::Vertex, None, count, 3),
    ]
    .concat();
    for (i, vertex) in mesh.positions().iter().cycle().step_by(7).take(count).enumerate() {
        let (mut origin, mut direction) = (*vertex, [0.0; 3]);
        (origin[i % 3], direction[i % 3]) = (2.0 * bounds.min[i % 3] - bounds.max[i % 3], 1.0);
        rays.push(Ray::new(origin, direction));
    }
    rays
}

/// By how much the volume by the crossings of three grids is off, relative.
fn volume_error(bvh: &Bvh, side: u32) -> f64 {
    let mesh = bvh.mesh();
    let volume = |axis| {
        let grid = Grid::across(mesh.bounds(), axis, side);
        let hits = bvh.all_hits_of(&grid.rays);
        assert_eq!(unbalanced(bvh, &grid.rays), 0, "{side} cells across axis {axis}");
        let of_each = || (0..grid.rays.len()).map(|i| hits.of_ray(i));
        let (volume, by_parity) = (grid.volume(of_each()), grid.volume_by_parity(of_each()));
        // They differ where a surface crosses itself, by little.
        assert!((volume / by_parity - 1.0).abs() < 2e-3, "{volume}, by parity {by_parity}");
        volume
    };
    ((0..3).map(volume).sum::<f64>() / 3.0 / by_divergence(mesh) - 1.0).abs()
}

fn check(name: &str, mesh: TriangleMesh) {
    assert!(meshes::is_closed(&mesh), "{name}");
    let rays = from_outside(&mesh, 2000);
    for quality in Quality::ALL {
        let bvh = Bvh::build(mesh.clone(), &quality.into());
        assert_eq!(unbalanced(&bvh, &rays), 0, "{name}, {quality:?}");
    }
    let bvh = Bvh::build(mesh, &Quality::Balanced.into());
    // An odd number of cells has rays in the planes of symmetry, through many vertices.
    for side in [31, 64, 127, 256] {
        let off = volume_error(&bvh, side);
        let limit = 4.0 / f64::from(side).powf(1.5);
        assert!(off < limit, "{name}: {off} off with {side} cells on a side");
    }
}

#[test]
fn crossings_balance_and_give_the_volume() {
    let torus = meshes::torus(1.0, 0.4, 48, 24);
    check("icosphere", meshes::icosphere(1.0, [0.0; 3], 3));
    check("torus on a grid", meshes::snapped(&torus, 1.0 / 256.0));
    check("knot", meshes::torus_knot(0.12, 120, 10));
    check("cuboid", meshes::cuboid([-1.0; 3], [1.0, 2.0, 3.0]));
}

#[test]
fn crossings_of_real_meshes_balance_and_give_the_stated_volume() {
    let Some(folder) = std::env::var_os("HITSCAN_MESHES").map(PathBuf::from) else {
        println!("skipped: HITSCAN_MESHES names no folder of meshes");
        return;
    };
    for (file, volume) in [("spot.obj", 0.718_258_79), ("cow.obj", 53.567_446)] {
        let (mesh, _) = read_file(folder.join(file), ObjOptions::default()).expect(file);
        assert!((by_divergence(&mesh) / volume - 1.0).abs() < 1e-6, "{file}");
        check(file, mesh);
    }
}

#[test]
fn a_lost_triangle_is_noticed() {
    let whole = meshes::icosphere(1.0, [0.0; 3], 3);
    let indices = whole.indices()[1..].to_vec();
    let holed = TriangleMesh::new(whole.positions().to_vec(), indices).expect("fewer triangles");
    assert!(!meshes::is_closed(&holed));
    let rays = from_outside(&whole, 2000);
    let bvh = Bvh::build(holed, &Quality::Balanced.into());
    assert!(unbalanced(&bvh, &rays) > 0);
    let hit = |t, front| Hit { t, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front };
    let grid = Grid::across(whole.bounds(), 0, 2);
    let hits = [hit(1.0, true), hit(3.0, false)];
    assert_eq!(grid.volume([&hits[..]]), grid.volume_by_parity([&hits[..]]));
    assert_ne!(grid.volume([&hits[..1]]), grid.volume_by_parity([&hits[..1]]));
}
