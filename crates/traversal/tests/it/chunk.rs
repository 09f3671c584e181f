//! Chunks long enough for every way of casting them, trials included, against single calls.

use hitscan_core::{BuildOptions, Hit, Quality, Ray, TriangleMesh};
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
        // In trees of this quality triangles are in several leaves.
        let bvh = Bvh::build(mesh, &BuildOptions::from(Quality::High));
        let mut rays = rays::random(bvh.mesh().bounds(), RAYS, 7);
        rays[700].direction = [f32::NAN; 3];
        for (i, ray) in rays.iter_mut().enumerate().skip(800).step_by(3) {
            *ray = Ray::new([0.0; 3], [1.0, 1e-5 * i as f32, 1e-5 * i as f32]);
        }
        let answers = Answers::one_by_one(&bvh, &rays);
        assert!(answers.closest.iter().any(Option::is_some), "{name}");
        for level in Level::available() {
            for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
                answers.check(&bvh.clone().with_level(level), &rays, coherence, name);
            }
        }
    }
}

/// Only where signs agree are there trials, of which each must cast rays of its own.
#[test]
fn rays_whose_signs_agree_are_all_cast_whatever_the_trials_say() {
    let bvh = Bvh::build(meshes::icosphere(1.0, [0.0; 3], 4), &BuildOptions::default());
    let direction = |i: usize| [1.0, 0.5 + 1e-4 * i as f32, 1.5 - 1e-4 * i as f32];
    let rays: Vec<Ray> = (0..RAYS).map(|i| Ray::new([-1.0; 3], direction(i))).collect();
    let answers = Answers::one_by_one(&bvh, &rays);
    assert!(answers.closest.iter().all(Option::is_some));
    for level in Level::available() {
        answers.check(&bvh.clone().with_level(level), &rays, Coherence::Auto, "sphere");
    }
}

/// What single calls answer.
struct Answers {
    closest: Vec<Option<Hit>>,
    counts: Vec<usize>,
}

impl Answers {
    fn one_by_one(bvh: &Bvh, rays: &[Ray]) -> Self {
        let closest = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        Self { closest, counts: rays.iter().map(|ray| bvh.count_hits(ray)).collect() }
    }

    fn check(&self, bvh: &Bvh, rays: &[Ray], coherence: Coherence, name: &str) {
        let options = QueryOptions::DEFAULT;
        let mut hits = vec![None; rays.len()];
        bvh.closest_hits_chunk(rays, &options, coherence, &mut hits);
        let mut any = vec![false; rays.len()];
        bvh.any_hits_chunk(rays, &options, coherence, &mut any);
        let mut counts = vec![usize::MAX; rays.len()];
        bvh.count_hits_chunk(rays, &options, coherence, &mut counts);
        for (i, hit) in self.closest.iter().enumerate() {
            let place = || format!("{name}, {coherence:?}, {}, ray {i}", bvh.level());
            assert_eq!(hits[i], *hit, "{}", place());
            assert_eq!(any[i], hit.is_some(), "{}", place());
            assert_eq!(counts[i], self.counts[i], "{}", place());
        }
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
    let answers = Answers::one_by_one(&bvh, &rays);
    assert_eq!(answers.closest.iter().flatten().count(), 63);
    for level in Level::available() {
        answers.check(&bvh.clone().with_level(level), &rays, Coherence::Coherent, "sphere");
    }
}
