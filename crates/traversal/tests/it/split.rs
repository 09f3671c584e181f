//! Trees that have a triangle in several leaves: each triangle is reported once.

use hitscan_core::build::build;
use hitscan_core::bvh2::Kind2;
use hitscan_core::{BuildOptions, Hit, Quality, Ray, TriangleMesh};
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

/// Where two leaves' parts of a triangle touch: the triangle, the axis, and the plane between.
fn cuts(mesh: &TriangleMesh) -> Vec<(u32, usize, f32)> {
    let bvh2 = build(mesh, &BuildOptions::from(Quality::High));
    let mut parts = Vec::new();
    for node in &bvh2.nodes {
        if let Kind2::Leaf { first, count } = node.kind {
            let prims = &bvh2.prims[first as usize..][..count as usize];
            parts.extend(prims.iter().map(|&prim| (prim, node.bounds)));
        }
    }
    parts.sort_by_key(|part| part.0);
    let mut cuts = Vec::new();
    for pair in parts.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        let (prim, [a, b]) = (pair[0].0, [pair[0].1, pair[1].1]);
        for axis in 0..3 {
            let planes = [(a.max[axis], b.min[axis]), (b.max[axis], a.min[axis])];
            cuts.extend(planes.iter().filter(|(p, q)| p == q).map(|(p, _)| (prim, axis, *p)));
        }
    }
    cuts
}

/// Two rays that run within a plane and hit a triangle where the plane cuts it.
fn rays_within(mesh: &TriangleMesh, (prim, axis, plane): (u32, usize, f32)) -> Vec<Ray> {
    let corners = mesh.triangle(prim).map(|corner| corner.map(f64::from));
    let height = |p: &[f64; 3]| p[axis] - f64::from(plane);
    let mut crossings = Vec::new();
    for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
        if (height(&a) < 0.0) != (height(&b) < 0.0) {
            let along = height(&a) / (height(&a) - height(&b));
            crossings.push([0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * along));
        }
    }
    let [a, b] = crossings[..] else { return Vec::new() };
    let ray = |turn: usize| {
        let other = (axis + turn) % 3;
        let mut origin = [0, 1, 2].map(|k| (0.5 * (a[k] + b[k])) as f32);
        origin[axis] = plane;
        origin[other] -= 3.0;
        let mut direction = [0.0; 3];
        direction[other] = 1.0;
        Ray::new(origin, direction)
    };
    vec![ray(1), ray(2)]
}

#[test]
fn rays_between_parts_miss_nothing() {
    for mesh in [meshes::beams(2_000, 5), meshes::stack(SHEETS)] {
        let rays: Vec<Ray> =
            cuts(&mesh).into_iter().flat_map(|cut| rays_within(&mesh, cut)).collect();
        assert!(rays.len() > 100, "{} rays", rays.len());
        let whole = Bvh::build(mesh.clone(), &BuildOptions::from(Quality::Fast));
        let parted = Bvh::build(mesh, &BuildOptions::from(Quality::High));
        let mut hits = 0;
        for level in Level::available() {
            let (whole, parted) =
                (whole.clone().with_level(level), parted.clone().with_level(level));
            for ray in &rays {
                let all = whole.all_hits(ray);
                assert_eq!(parted.all_hits(ray), all, "{level}: {ray:?}");
                assert_eq!(parted.count_hits(ray), all.len(), "{level}: {ray:?}");
                assert_eq!(parted.closest_hit(ray), whole.closest_hit(ray), "{level}: {ray:?}");
                hits += all.len();
            }
        }
        assert!(hits > rays.len() / 2, "{hits} hits");
    }
}
