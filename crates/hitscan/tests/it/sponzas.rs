//! The same building in two files: one in triangles, one in polygons of up to 78 corners, moved
//! by a little and rounded to hundredths. They have the same area, and rays hit the same walls.

use std::path::{Path, PathBuf};

use hitscan::obj::{ObjOptions, read_file};
use hitscan::prelude::*;
use hitscan::{Bvh, Quality, Ray, TriangleMesh};
use hitscan_testkit::rays;

/// From the rounded file to the other, by their extents.
const SHIFT: [f64; 3] = [0.00724, 0.093_311, 0.001_488];

/// By how much a wall may be out of place: a rounded coordinate, and what it does to the shift.
const OUT_OF_PLACE: f64 = 0.02;

fn mesh(folder: &Path, file: &str) -> TriangleMesh {
    let (mesh, report) = read_file(folder.join(file), ObjOptions::default()).expect(file);
    assert_eq!(report.non_finite, 0, "{file}");
    mesh
}

fn area(mesh: &TriangleMesh) -> f64 {
    let doubled = |prim| {
        let [a, b, c] = mesh.triangle(prim).map(|corner| corner.map(f64::from));
        let [ab, ac]: [[f64; 3]; 2] = [b, c].map(|p| std::array::from_fn(|i| p[i] - a[i]));
        let across = |i: usize, j: usize| ab[i] * ac[j] - ab[j] * ac[i];
        (across(0, 1).powi(2) + across(1, 2).powi(2) + across(2, 0).powi(2)).sqrt()
    };
    (0..mesh.triangle_count() as u32).map(doubled).sum::<f64>() / 2.0
}

#[test]
fn the_two_sponzas_agree_in_area_and_in_hits() {
    let Some(folder) = std::env::var_os("HITSCAN_MESHES").map(PathBuf::from) else {
        println!("skipped: HITSCAN_MESHES names no folder of meshes");
        return;
    };
    let [triangles, polygons] =
        ["sponza_dabrovic.obj", "sponza_objrs.obj"].map(|file| mesh(&folder, file));
    let ratio = area(&polygons) / area(&triangles);
    assert!((ratio - 1.0).abs() < 1e-3, "the areas are as {ratio} to 1");

    let rays = rays::inside_box(triangles.bounds(), 20_000, 1);
    let moved = rays.iter().map(|ray| {
        let origin = std::array::from_fn(|i| (f64::from(ray.origin[i]) - SHIFT[i]) as f32);
        Ray { origin, ..*ray }
    });
    let moved: Vec<Ray> = moved.collect();
    let [triangles, polygons] =
        [triangles, polygons].map(|mesh| Bvh::build(mesh, &Quality::Balanced.into()));
    let pairs = triangles.closest_hits(&rays).into_iter().zip(polygons.closest_hits(&moved));
    let (mut alike, mut hits) = (0, 0);
    for (ray, pair) in rays.iter().zip(pairs) {
        let (Some(hit), Some(other)) = pair else {
            alike += usize::from(pair.0 == pair.1);
            continue;
        };
        hits += 1;
        let normal = triangles.mesh().normal(hit.prim).map(f64::from);
        let across: f64 = (0..3).map(|i| normal[i] * f64::from(ray.direction[i])).sum();
        let apart = f64::from(hit.t - other.t).abs() * across.abs();
        alike += usize::from(apart <= OUT_OF_PLACE);
    }
    println!("{alike} of {} rays alike, {hits} hits in both", rays.len());
    assert!(hits > 15_000, "{hits} hits");
    assert!(alike * 1000 > rays.len() * 980, "only {alike} of {} rays are alike", rays.len());
}
