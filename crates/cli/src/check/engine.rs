//! Whether the engine's answers agree: with each other, and with a test of every triangle.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hitscan::explain::BruteForce;
use hitscan::prelude::*;
use hitscan::{AllHits, Bvh, Hit, Ray};
use rayon::prelude::*;

use super::rays::{AIMS, Aim, aim};

/// Pairs of a ray and a triangle that are tested without a tree: some seconds' work.
const MOST_PAIRS: usize = 1 << 29;

/// For how long rays are tested without a tree, should a mesh be one that takes exact decisions.
const LONGEST_WITHOUT_TREE: Duration = Duration::from_secs(3);

/// For how long rays are cast at all.
const LONGEST: Duration = Duration::from_secs(8);

/// How many rays are cast at once: few at first, to see how long they take, and never so many
/// that their answers take much memory.
const FIRST_CHUNK: usize = 96;
const LAST_CHUNK: usize = 1 << 16;

/// How many wrong answers are told with their ray.
const TOLD: usize = 5;

/// What came of the checks.
#[derive(Debug, Default)]
pub(super) struct EngineCheck {
    /// For each of [`AIMS`], how many rays were cast.
    pub(super) rays: [usize; AIMS.len()],
    /// Rays that hit something.
    pub(super) hits: usize,
    /// Rays that were tested against every triangle.
    pub(super) against_all: usize,
    /// Rays from outside of a closed mesh, whose crossings must be even in number.
    pub(super) even: usize,
    /// Rays with a wrong answer.
    pub(super) wrong: u64,
    /// The first of them.
    pub(super) first_wrong: Vec<Wrong>,
}

/// A ray with a wrong answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrong {
    pub(super) ray: Ray,
    pub(super) what: &'static str,
}

/// The engine's answers to all rays at once.
struct Batch {
    closest: Vec<Option<Hit>>,
    any: Vec<bool>,
    count: Vec<usize>,
    all: AllHits,
}

impl EngineCheck {
    /// Casts rays in every way and compares, until all are cast or the time is up.
    pub(super) fn of(bvh: &Bvh, is_closed: bool, rays: &[Ray]) -> Self {
        let brute_force = BruteForce::new(bvh.mesh());
        let sample = Sample::new(rays.len(), bvh.mesh().triangle_count());
        let bounds = bvh.bounds();
        let must_be_even = |ray: &Ray| {
            let origin = glam::Vec3::from(ray.origin);
            is_closed && (origin.cmplt(bounds.min) | origin.cmpgt(bounds.max)).any()
        };
        let (start, against_all) = (Instant::now(), AtomicUsize::new(0));
        let mut check = Self::default();
        let (mut first, mut chunk) = (0, FIRST_CHUNK);
        while first < rays.len() && start.elapsed() < LONGEST {
            let begun = start.elapsed();
            let some = &rays[first..rays.len().min(first + chunk)];
            let batch = Batch::of(bvh, some);
            let look = |i: usize, ray: &Ray| {
                let chosen = sample.contains(first + i) && start.elapsed() < LONGEST_WITHOUT_TREE;
                let difference = chosen.then(|| batch.difference(&brute_force, i, ray)).flatten();
                against_all.fetch_add(usize::from(chosen), Ordering::Relaxed);
                let odd = must_be_even(ray) && batch.count[i] % 2 == 1;
                let odd = odd.then_some("a closed mesh is crossed an odd number of times");
                batch.disagreement(bvh, i, ray).or(difference).or(odd)
            };
            let wrong: Vec<Wrong> = some
                .par_iter()
                .enumerate()
                .filter_map(|(i, ray)| look(i, ray).map(|what| Wrong { ray: *ray, what }))
                .collect();
            check.hits += batch.any.iter().filter(|&&hit| hit).count();
            check.even += some.iter().filter(|ray| must_be_even(ray)).count();
            check.wrong += wrong.len() as u64;
            let room = TOLD.saturating_sub(check.first_wrong.len());
            check.first_wrong.extend(wrong.into_iter().take(room));
            first += some.len();
            if start.elapsed() - begun < LONGEST / 16 {
                chunk = (2 * chunk).min(LAST_CHUNK);
            }
        }
        check.rays = AIMS.map(|wanted: Aim| (0..first).filter(|&i| aim(i) == wanted).count());
        check.against_all = against_all.into_inner();
        check
    }
}

/// Which rays are tested against every triangle: as many as [`MOST_PAIRS`] allows, evenly from
/// among all, and always all kinds of them together.
#[derive(Clone, Copy, Debug)]
struct Sample {
    groups: usize,
    chosen: usize,
}

impl Sample {
    /// Every kind of ray: each aim, from around the mesh and from within.
    const KINDS: usize = 2 * AIMS.len();

    fn new(rays: usize, triangles: usize) -> Self {
        let groups = rays.div_ceil(Self::KINDS);
        let affordable = MOST_PAIRS / triangles.max(1) / Self::KINDS;
        Self { groups, chosen: affordable.clamp(1, groups.max(1)) }
    }

    fn contains(self, ray: usize) -> bool {
        let group = ray / Self::KINDS;
        let before = |group: usize| group * self.chosen / self.groups.max(1);
        before(group) < before(group + 1)
    }
}

impl Batch {
    fn of(bvh: &Bvh, rays: &[Ray]) -> Self {
        Self {
            closest: bvh.closest_hits(rays),
            any: bvh.any_hits(rays),
            count: bvh.count_hits_of(rays),
            all: bvh.all_hits_of(rays),
        }
    }

    /// Where a ray's answers in a batch, alone, and to other questions do not fit.
    fn disagreement(&self, bvh: &Bvh, i: usize, ray: &Ray) -> Option<&'static str> {
        let (closest, any, count) = (self.closest[i], self.any[i], self.count[i]);
        let all = self.all.of_ray(i);
        let nearest_is_first = match (closest, all.first()) {
            (Some(closest), Some(first)) => closest.t <= first.t,
            (None, Some(_)) => false,
            (_, None) => true,
        };
        let checks = [
            (same(bvh.closest_hit(ray), closest), "the nearest hit alone and in a batch"),
            (bvh.any_hit(ray) == any, "any hit alone and in a batch"),
            (bvh.count_hits(ray) == count, "the count alone and in a batch"),
            (same_hits(&bvh.all_hits(ray), all), "all hits alone and in a batch"),
            (closest.is_some() == any, "nearest and any hit"),
            (all.len() == count, "all hits and their count"),
            (nearest_is_first, "the nearest hit and the first of all"),
        ];
        checks.into_iter().find(|(agree, _)| !agree).map(|(_, what)| what)
    }

    /// Where a ray's answers are not those of a test of every triangle.
    fn difference(&self, brute: &BruteForce<'_>, i: usize, ray: &Ray) -> Option<&'static str> {
        let every = brute.hits(ray);
        if !same(every.closed.first().copied(), self.closest[i]) {
            Some("the nearest hit and a test of every triangle")
        } else if !same_hits(&every.once, self.all.of_ray(i)) {
            Some("all hits and a test of every triangle")
        } else {
            None
        }
    }
}

/// Whether two hits are the same bits.
fn same(a: Option<Hit>, b: Option<Hit>) -> bool {
    let bits = |hit: Hit| {
        let floats = [hit.t, hit.u, hit.v].map(f32::to_bits);
        (floats, hit.prim, hit.front)
    };
    a.map(bits) == b.map(bits)
}

fn same_hits(a: &[Hit], b: &[Hit]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same(Some(a), Some(b)))
}

#[cfg(test)]
mod tests {
    use hitscan::{BuildOptions, TriangleMesh};

    use super::super::rays;
    use super::*;

    /// A tetrahedron of some size, with or without its last side.
    fn tetrahedron(size: f32, sides: usize) -> Bvh {
        let corners = [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]];
        let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = TriangleMesh::new(corners.to_vec(), triangles[..sides].to_vec());
        Bvh::build(mesh.expect("indices in range"), &BuildOptions::default())
    }

    #[test]
    fn right_answers_pass_and_wrong_ones_do_not() {
        let (bvh, other) = (tetrahedron(1.0, 4), tetrahedron(2.0, 4));
        let rays = rays::aimed(bvh.mesh(), 600, 1);
        let batch = Batch::of(&bvh, &rays);
        let (right, wrong) = (BruteForce::new(bvh.mesh()), BruteForce::new(other.mesh()));
        let mut found = [0, 0];
        for (i, ray) in rays.iter().enumerate() {
            assert_eq!(batch.disagreement(&bvh, i, ray), None, "{ray:?}");
            assert_eq!(batch.difference(&right, i, ray), None, "{ray:?}");
            found[0] += usize::from(batch.disagreement(&other, i, ray).is_some());
            found[1] += usize::from(batch.difference(&wrong, i, ray).is_some());
        }
        assert!(found.into_iter().all(|count| count > 100), "{found:?}");
    }

    #[test]
    fn odd_crossings_are_wrong_where_the_mesh_is_closed() {
        let rays = rays::aimed(tetrahedron(1.0, 4).mesh(), 600, 1);
        let check = |sides, is_closed| EngineCheck::of(&tetrahedron(1.0, sides), is_closed, &rays);
        let closed = check(4, true);
        assert!(closed.even > 200 && closed.wrong == 0, "{closed:?}");
        assert_eq!((check(3, false).wrong, check(3, false).even), (0, 0));
        let taken_for_closed = check(3, true);
        assert!(taken_for_closed.wrong > 50, "{taken_for_closed:?}");
        assert_eq!(taken_for_closed.first_wrong.len(), TOLD);
    }

    #[test]
    fn big_meshes_are_sampled_through_all_kinds_of_rays() {
        let chosen = |rays: usize, triangles: usize| {
            let sample = Sample::new(rays, triangles);
            (0..rays).filter(|&ray| sample.contains(ray)).collect::<Vec<_>>()
        };
        assert_eq!(chosen(10_000, 1_000).len(), 10_000);
        assert_eq!(
            (chosen(0, 0).len(), chosen(5, 0).len(), chosen(1, usize::MAX).len()),
            (0, 5, 1)
        );
        let some = chosen(10_000, 1_000_000);
        let most = MOST_PAIRS / 1_000_000;
        assert!((most - 12..=most).contains(&some.len()), "{} of {most}", some.len());
        assert!(some.first() < Some(&200) && some.last() > Some(&9_800), "spread evenly");
        let mut kinds: Vec<usize> = some.iter().map(|ray| ray % Sample::KINDS).collect();
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, [0, 1, 2, 3, 4, 5]);
    }
}
