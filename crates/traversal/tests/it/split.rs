//! Trees that have a triangle in several leaves: each triangle is reported once.

use hitscan_core::{BuildOptions, Hit, Quality, Ray};
use hitscan_testkit::meshes;
use hitscan_traversal::{Bvh, Level, QueryOptions, Raycast};

const SHEETS: u32 = 60;

/// A tree whose large triangles are all in several leaves, at every SIMD level.
fn trees() -> impl Iterator<Item = Bvh> {
    let bvh = Bvh::build(meshes::stack(SHEETS), &BuildOptions::from(Quality::High));
    let statistics = bvh.statistics();
    assert!(statistics.references >= statistics.triangles + SHEETS as usize / 2, "{statistics:?}");
    Level::available().into_iter().map(move |level| bvh.clone().with_level(level))
}

/// Through every sheet, so flat that it meets several leaves that have the same one: more split
/// triangles than are kept without allocating.
fn through_all() -> Ray {
    Ray::new([24.0, 0.0625, 19.0], [1.0, 0.0, 1.875])
}

#[test]
fn split_triangles_are_counted_once() {
    for bvh in trees() {
        let ray = through_all();
        assert_eq!(bvh.count_hits(&ray), SHEETS as usize, "{}", bvh.level());
        let prims: Vec<u32> = bvh.all_hits(&ray).iter().map(|hit| hit.prim).collect();
        assert_eq!(prims, Vec::from_iter(0..SHEETS), "{}", bvh.level());
        assert_eq!(bvh.closest_hit(&ray).map(|hit| hit.prim), Some(0));
    }
}

#[test]
fn split_triangles_are_listed_behind_what_was_there() {
    for bvh in trees() {
        let ray = through_all();
        let mut hits = bvh.all_hits(&ray);
        bvh.append_all_hits_with(&ray, &QueryOptions::DEFAULT, &mut hits);
        let twice: Vec<u32> = (0..SHEETS).chain(0..SHEETS).collect();
        assert!(hits.iter().map(|hit| hit.prim).eq(twice), "{}", bvh.level());
    }
}

#[test]
fn short_buffers_hold_each_split_triangle_once() {
    let blank = Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: false };
    for bvh in trees() {
        for size in [1, 5, 59, 60, 61, 200] {
            let mut hits = vec![blank; size];
            let filled = bvh.fill_all_hits_with(&through_all(), &QueryOptions::DEFAULT, &mut hits);
            assert_eq!(filled.len, size.min(SHEETS as usize));
            assert_eq!(filled.truncated, size < SHEETS as usize, "{size}");
            assert!(hits[..filled.len].iter().map(|hit| hit.prim).eq(0..filled.len as u32));
        }
    }
}
