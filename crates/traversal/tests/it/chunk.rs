//! Chunks long enough for every way of casting them, trials included, against single calls.

use hitscan_core::{BuildOptions, Hit, Ray, TriangleMesh};
use hitscan_testkit::{meshes, rays};
use hitscan_traversal::{Bvh, Coherence, Level, QueryOptions, Raycast};

/// Some more than a chunk needs to be cast in trials, and no multiple of any width.
const RAYS: usize = 5003;

#[test]
fn long_chunks_answer_as_single_calls() {
    let named: [(&str, TriangleMesh); 4] = [
        ("sphere", meshes::icosphere(1.0, [0.0; 3], 3)),
        ("soup", meshes::soup(2000, 0.5, 1)),
        ("nested", meshes::nested(400)),
        // A deep tree: outwards from the tip, a ray in flight runs out of room for what it keeps.
        ("exponential", meshes::exponential(256, 1e-30, 1.7)),
    ];
    for (name, mesh) in named {
        let bvh = Bvh::build(mesh, &BuildOptions::default());
        let mut rays = rays::random(bvh.mesh().bounds(), RAYS, 7);
        rays[700].direction = [f32::NAN; 3];
        for (i, ray) in rays.iter_mut().enumerate().skip(800).step_by(3) {
            *ray = Ray::new([0.0; 3], [1.0, 1e-5 * i as f32, 1e-5 * i as f32]);
        }
        let closest: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        assert!(closest.iter().any(Option::is_some), "{name}");
        for level in Level::available() {
            for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
                check(&bvh.clone().with_level(level), &rays, &closest, coherence, name);
            }
        }
    }
}

fn check(bvh: &Bvh, rays: &[Ray], closest: &[Option<Hit>], coherence: Coherence, name: &str) {
    let mut hits = vec![None; rays.len()];
    bvh.closest_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut hits);
    let mut any = vec![false; rays.len()];
    bvh.any_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut any);
    for (i, hit) in closest.iter().enumerate() {
        assert_eq!(hits[i], *hit, "{name}, {coherence:?}, {}, ray {i}", bvh.level());
        assert_eq!(any[i], hit.is_some(), "{name}, {coherence:?}, {}, ray {i}", bvh.level());
    }
}

#[test]
fn a_ray_that_begins_at_infinity_leaves_its_packet_alone() {
    let bvh = Bvh::build(meshes::icosphere(1.0, [0.0; 3], 4), &BuildOptions::default());
    let mut rays: Vec<Ray> =
        (0..64).map(|i| Ray::new([0.0, 0.0, -3.0], [0.01 + 1e-4 * i as f32, 0.02, 1.0])).collect();
    // In the first group the rays begin before the sphere, in the last behind its front.
    rays[8].t_min = f32::INFINITY;
    rays[16..].iter_mut().for_each(|ray| ray.t_min = 3.0);
    let closest: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    assert_eq!(closest.iter().flatten().count(), 63);
    for level in Level::available() {
        check(&bvh.clone().with_level(level), &rays, &closest, Coherence::Coherent, "sphere");
    }
}
