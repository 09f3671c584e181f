//! Hostile trees on a small stack: as deep as trees get, millions of equal triangles, triangles
//! that shrink from one to the next.

use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, EdgeRule, Hit, Level, Quality, QueryOptions, Ray, TriangleMesh,
};
use hitscan_testkit::meshes;
use hitscan_testkit::rays::{self, Aim};

/// A stack that small programs and other languages' threads have.
const STACK: usize = 256 << 10;

/// Runs something in a pool of two threads with small stacks, on one of them.
fn on_a_small_stack<T: Send>(job: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(STACK).build();
    pool.expect("two threads").install(job)
}

/// Along the axis that everything lies on, across it, at corners and edges, and in the plane of
/// the triangles.
fn rays_at(mesh: &TriangleMesh, count: usize) -> Vec<Ray> {
    let far = 2.0 * mesh.bounds().max.max_element();
    let mut rays = vec![
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]),
        Ray::new([far, 0.0, 0.0], [-1.0, 0.0, 0.0]),
        Ray::new([0.0, 0.25, 5.0], [0.0, 0.0, -1.0]),
        Ray::new([0.0, 0.0, -5.0], [0.0, -0.0, 1.0]),
        Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        Ray::new([0.1; 3], [1.0, 1e-3, -1e-3]).with_interval(f32::NEG_INFINITY, f32::INFINITY),
    ];
    rays.extend(rays::towards_box(mesh.bounds(), count, 1));
    rays.extend(rays::aimed(mesh, Aim::Vertex, None, count, 2));
    rays.extend(rays::aimed(mesh, Aim::Edge, Some([0.0; 3]), count, 3));
    rays
}

/// Every kind of query, single and together; gives how many hits there were in all.
fn cast(bvh: &Bvh, rays: &[Ray]) -> usize {
    let keep = |hit: &Hit| hit.prim.is_multiple_of(2);
    let options = [
        QueryOptions::DEFAULT,
        QueryOptions { edge_rule: Some(EdgeRule::Closed), ..QueryOptions::DEFAULT },
        QueryOptions { filter: Some(&keep), skip: Some(0), ..QueryOptions::DEFAULT },
    ];
    let mut sum = 0;
    for options in &options {
        for ray in rays {
            let closest = bvh.closest_hit_with(ray, options);
            assert_eq!(bvh.any_hit_with(ray, options), closest.is_some(), "{ray:?}");
            let mut hits = Vec::new();
            bvh.append_all_hits_with(ray, options, &mut hits);
            assert_eq!(bvh.count_hits_with(ray, options), hits.len(), "{ray:?}");
            let mut nearest = [NOTHING; 5];
            let filled = bvh.fill_all_hits_with(ray, options, &mut nearest);
            assert_eq!((filled.len, filled.truncated), (hits.len().min(5), hits.len() > 5));
            assert_eq!(nearest[..filled.len], hits[..filled.len], "{ray:?}");
            sum += hits.len();
        }
        for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
            let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
            bvh.closest_hits_chunk(rays, options, coherence, &mut hits);
            bvh.any_hits_chunk(rays, options, coherence, &mut any);
            for (ray, (hit, any)) in rays.iter().zip(hits.iter().zip(any)) {
                assert_eq!(*hit, bvh.closest_hit_with(ray, options), "{ray:?}");
                assert_eq!(any, hit.is_some(), "{ray:?}");
            }
        }
    }
    assert_eq!(bvh.closest_hits(rays).len(), rays.len());
    assert_eq!(bvh.all_hits_of(rays).of_ray(0).len(), bvh.count_hits_of(rays)[0]);
    sum
}

const NOTHING: Hit =
    Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: false };

#[test]
fn every_query_of_a_deep_tree_runs_on_a_small_stack() {
    // Each twice as large as the one before: of every split, one triangle stays on one side.
    let bombs = [
        ("doubling", meshes::exponential(240, 1e-36, 2.0)),
        ("growing by a tenth", meshes::exponential(1000, 1e-18, 1.1)),
        ("nested", meshes::nested(1000)),
    ];
    let mut depth = 0;
    for (name, mesh) in bombs {
        let rays = rays_at(&mesh, 8);
        for quality in Quality::ALL {
            let (sum, levels) = on_a_small_stack(|| {
                let bvh = Bvh::build(mesh.clone(), &BuildOptions::from(quality));
                let cast = |level| cast(&bvh.clone().with_level(level), &rays);
                let sum: usize = Level::available().into_iter().map(cast).sum();
                (sum, bvh.statistics().depth)
            });
            println!("{name}, {quality:?}: {levels} levels, {sum} hits");
            assert!(sum > 1000, "{name}, {quality:?}: only {sum} hits");
            depth = depth.max(levels);
        }
    }
    assert!(depth > 20, "{depth} levels are not deep");
}

#[test]
fn two_million_equal_triangles_on_a_small_stack() {
    const COUNT: u32 = 2_000_000;
    on_a_small_stack(|| {
        let bvh = Bvh::build(meshes::copies(COUNT), &BuildOptions::from(Quality::Fast));
        let ray = Ray::new([0.0, 0.0, 4.0], [0.0, 0.0, -2.0]);
        let closest = bvh.closest_hit(&ray).expect("all of them");
        assert_eq!((closest.t, closest.prim), (2.0, 0));
        assert!(bvh.any_hit(&ray));
        assert_eq!(bvh.count_hits(&ray), COUNT as usize);
        assert_eq!(bvh.all_hits(&ray).last().map(|hit| hit.prim), Some(COUNT - 1));
        let mut few = [NOTHING; 3];
        assert!(bvh.fill_all_hits_with(&ray, &QueryOptions::DEFAULT, &mut few).truncated);
        assert_eq!(few.map(|hit| hit.prim), [0, 1, 2]);
        // Where all three edges meet rounding: through a corner.
        let corner = Ray::new([0.0, 1.0, 4.0], [0.0, 0.0, -2.0]);
        for hit in bvh.closest_hits(&[ray, corner, ray]) {
            assert_eq!(hit.map(|hit| (hit.t, hit.prim)), Some((2.0, 0)));
        }
    });
}
