//! Chunks long enough for every way of casting them, trials included, against single calls.

use hitscan_core::{BuildOptions, Hit, Quality, Ray, TriangleMesh};
use hitscan_testkit::{meshes, rays};
use hitscan_traversal::{Bvh, Coherence, Level, QueryOptions, Raycast};

/// Some more than a chunk needs to be cast in trials, and no multiple of any width.
const RAYS: usize = 5003;

const WAYS: [Coherence; 3] = [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent];

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
        for (i, end) in [f32::NEG_INFINITY, f32::INFINITY].into_iter().enumerate() {
            rays[701 + i] = rays[701 + i].with_interval(end, end);
        }
        for (i, ray) in rays.iter_mut().enumerate().skip(800).step_by(3) {
            *ray = Ray::new([0.0; 3], [1.0, 1e-5 * i as f32, 1e-5 * i as f32]);
        }
        let answers = Answers::one_by_one(&bvh, &rays);
        assert!(answers.closest.iter().any(Option::is_some), "{name}");
        for level in Level::available() {
            for coherence in WAYS {
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
    /// Of the first rays only: some have hundreds.
    all: Vec<Vec<Bits>>,
}

/// How many rays' hits are listed.
const LISTED: usize = 1100;

/// All of a hit's numbers as bits, so that −0 is not 0.
type Bits = [u32; 7];

fn bits(hit: &Hit) -> Bits {
    let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
    [t, u, v, hit.prim, hit.geometry, hit.instance, hit.front.into()]
}

impl Answers {
    fn one_by_one(bvh: &Bvh, rays: &[Ray]) -> Self {
        let closest = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        let counts = rays.iter().map(|ray| bvh.count_hits(ray)).collect();
        let listed = rays.iter().take(LISTED);
        let all = listed.map(|ray| bvh.all_hits(ray).iter().map(bits).collect()).collect();
        Self { closest, counts, all }
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
        self.check_lists(bvh, rays, coherence, name);
    }

    /// Lists are appended behind what was there.
    fn check_lists(&self, bvh: &Bvh, rays: &[Ray], coherence: Coherence, name: &str) {
        let rays = &rays[..self.all.len()];
        let mut hits = bvh.all_hits(&rays[0]);
        let mut first = hits.len();
        let mut counts = vec![usize::MAX; rays.len()];
        bvh.all_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut counts, &mut hits);
        for (i, (expected, count)) in self.all.iter().zip(counts).enumerate() {
            let list: Vec<Bits> = hits[first..].iter().take(count).map(bits).collect();
            assert_eq!(list, *expected, "{name}, {coherence:?}, {}, ray {i}", bvh.level());
            first += count;
        }
        assert_eq!(first, hits.len(), "{name}, {coherence:?}, {}", bvh.level());
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

/// Among rays with few hits, some with thousands, all of them ties: the next rays in their places
/// must see nothing of them.
#[test]
fn lists_of_thousands_are_as_those_of_single_calls() {
    let bvh = Bvh::build(meshes::copies(3000), &BuildOptions::default());
    let ray = |i: usize| match i % 7 {
        3 => Ray::new([0.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
        _ => Ray::new([2.0, 0.0, -1.0], [0.0, 0.0, 1.0]),
    };
    let rays: Vec<Ray> = (0..300).map(ray).collect();
    let answers = Answers::one_by_one(&bvh, &rays);
    assert_eq!(answers.counts[..7], [0, 0, 0, 3000, 0, 0, 0]);
    for level in Level::available() {
        for coherence in WAYS {
            answers.check_lists(&bvh.clone().with_level(level), &rays, coherence, "copies");
        }
    }
}

#[test]
fn lists_of_no_rays_and_of_rays_that_miss_are_empty() {
    let bvh = Bvh::build(meshes::icosphere(1.0, [0.0; 3], 3), &BuildOptions::default());
    let away = vec![Ray::new([0.0, 0.0, 2.0], [0.0, 0.1, 1.0]); 500];
    let invalid = rays::invalid().repeat(20);
    assert!(invalid.len() >= 128, "{} are cast one after another", invalid.len());
    let hitting = vec![Ray::new([0.0, 0.0, -2.0], [0.0, 0.1, 1.0]); 500];
    let unseen = QueryOptions { mask: 0, ..QueryOptions::DEFAULT };
    let plain = QueryOptions::DEFAULT;
    for level in Level::available() {
        let bvh = bvh.clone().with_level(level);
        for coherence in WAYS {
            for (rays, options) in
                [(&[][..], &plain), (&away, &plain), (&invalid, &plain), (&hitting, &unseen)]
            {
                let (mut counts, mut hits) = (vec![usize::MAX; rays.len()], Vec::new());
                bvh.all_hits_chunk(rays, options, coherence, &mut counts, &mut hits);
                assert!(hits.is_empty() && counts.iter().all(|&count| count == 0), "{level}");
            }
        }
    }
}
