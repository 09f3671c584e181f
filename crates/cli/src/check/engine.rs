//! Whether the engine's answers agree: with each other, and with a test of every triangle.

use hitscan::explain::BruteForce;
use hitscan::prelude::*;
use hitscan::{AllHits, Bvh, Hit, Ray};
use rayon::prelude::*;

use super::rays::{AIMS, Aim, aim};

/// Pairs of a ray and a triangle that are tested without a tree: some seconds' work.
const MOST_PAIRS: usize = 1 << 30;

/// How many rays are cast at once, so that their answers take little memory.
const CHUNK: usize = 1 << 16;

/// How many wrong answers are told with their ray.
const TOLD: usize = 5;

/// What came of the checks.
#[derive(Debug)]
pub(super) struct EngineCheck {
    /// For each of [`AIMS`], how many rays.
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
    /// Casts rays in every way and compares.
    pub(super) fn of(bvh: &Bvh, is_closed: bool, rays: &[Ray]) -> Self {
        let brute_force = BruteForce::new(bvh.mesh());
        let stride = stride(rays.len(), bvh.mesh().triangle_count());
        let bounds = bvh.bounds();
        let must_be_even = |ray: &Ray| {
            let origin = glam::Vec3::from(ray.origin);
            is_closed && (origin.cmplt(bounds.min) | origin.cmpgt(bounds.max)).any()
        };
        let with_aim = |wanted: Aim| (0..rays.len()).filter(|&i| aim(i) == wanted).count();
        let mut check = Self {
            rays: AIMS.map(with_aim),
            hits: 0,
            against_all: rays.len().div_ceil(stride),
            even: rays.iter().filter(|ray| must_be_even(ray)).count(),
            wrong: 0,
            first_wrong: Vec::new(),
        };
        for (first, rays) in (0..).step_by(CHUNK).zip(rays.chunks(CHUNK)) {
            let batch = Batch::of(bvh, rays);
            let look = |(i, ray): (usize, &Ray)| {
                let brute_force = ((first + i) % stride == 0).then_some(&brute_force);
                let difference = || batch.difference(brute_force?, i, ray);
                let odd = must_be_even(ray) && batch.count[i] % 2 == 1;
                let odd = odd.then_some("a closed mesh is crossed an odd number of times");
                batch.disagreement(bvh, i, ray).or_else(difference).or(odd)
            };
            let wrong = rays
                .par_iter()
                .enumerate()
                .filter_map(|(i, ray)| look((i, ray)).map(|what| Wrong { ray: *ray, what }));
            let wrong: Vec<Wrong> = wrong.collect();
            check.hits += batch.any.iter().filter(|&&hit| hit).count();
            check.wrong += wrong.len() as u64;
            let room = TOLD.saturating_sub(check.first_wrong.len());
            check.first_wrong.extend(wrong.into_iter().take(room));
        }
        check
    }
}

/// Every which ray is tested against every triangle. No multiple of the number of aims, so that
/// all of them get their turn, nor of twice that, for where rays come from.
fn stride(rays: usize, triangles: usize) -> usize {
    let affordable = (MOST_PAIRS / triangles.max(1)).max(1);
    let stride = rays.div_ceil(affordable).max(1);
    let mut stride = stride;
    while stride > 1 && (stride.is_multiple_of(2) || stride.is_multiple_of(AIMS.len())) {
        stride += 1;
    }
    stride
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
