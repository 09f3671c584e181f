//! Every field of every hit is the same, bit for bit, however it is asked for.

use hitscan::{
    BatchOptions, BatchRaycast, Bvh, Coherence, Hit, Level, Quality, QueryOptions, Ray, Raycast,
};

use crate::failures::Failures;
use crate::workload::workloads;

/// A hit as bits, so that −0 differs from 0.
type Bits = [u32; 7];

fn bits(hit: &Hit) -> Bits {
    let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
    [t, u, v, hit.prim, hit.geometry, hit.instance, u32::from(hit.front)]
}

/// Every answer for every ray.
#[derive(PartialEq)]
pub(crate) struct Answers {
    closest: Vec<Option<Bits>>,
    any: Vec<bool>,
    count: Vec<usize>,
    all: Vec<Vec<Bits>>,
}

impl Answers {
    pub(crate) fn one_by_one(bvh: &Bvh, rays: &[Ray]) -> Self {
        let all = |ray| bvh.all_hits(ray).iter().map(bits).collect();
        Self {
            closest: rays.iter().map(|ray| bvh.closest_hit(ray).as_ref().map(bits)).collect(),
            any: rays.iter().map(|ray| bvh.any_hit(ray)).collect(),
            count: rays.iter().map(|ray| bvh.count_hits(ray)).collect(),
            all: rays.iter().map(all).collect(),
        }
    }

    /// In batches of `size` rays.
    pub(crate) fn batched(bvh: &Bvh, rays: &[Ray], size: usize, coherence: Coherence) -> Self {
        let mut answers =
            Self { closest: Vec::new(), any: Vec::new(), count: Vec::new(), all: Vec::new() };
        let options = BatchOptions { coherence, ..BatchOptions::default() };
        for rays in rays.chunks(size) {
            let closest = bvh.closest_hits_with(rays, &options).expect("nothing cancels");
            answers.closest.extend(closest.iter().map(|hit| hit.as_ref().map(bits)));
            answers.any.extend(bvh.any_hits_with(rays, &options).expect("nothing cancels"));
            answers.count.extend(bvh.count_hits_of_with(rays, &options).expect("nothing cancels"));
            let all = bvh.all_hits_of_with(rays, &options).expect("nothing cancels");
            assert_eq!(all.ray_count(), rays.len());
            answers.all.extend((0..rays.len()).map(|i| all.of_ray(i).iter().map(bits).collect()));
        }
        answers
    }

    /// The first ray whose answers differ.
    pub(crate) fn first_difference(&self, other: &Self, rays: &[Ray]) -> Option<String> {
        let differs = |&i: &usize| {
            self.closest[i] != other.closest[i]
                || self.any[i] != other.any[i]
                || self.count[i] != other.count[i]
                || self.all[i] != other.all[i]
        };
        let i = (0..rays.len()).find(differs)?;
        let show = |answers: &Self| {
            let (closest, all) = (&answers.closest[i], &answers.all[i]);
            format!(
                "closest {closest:?} any {} count {} all {all:?}",
                answers.any[i], answers.count[i]
            )
        };
        Some(format!("ray {i} {:?}:\n  {}\n  {}", rays[i], show(self), show(other)))
    }
}

#[test]
fn levels_and_qualities() {
    let mut failures = Failures::default();
    for workload in workloads(40) {
        let build = |quality: Quality| Bvh::build(workload.mesh.clone(), &quality.into());
        let reference =
            Answers::one_by_one(&build(Quality::Fast).with_level(Level::scalar()), &workload.rays);
        for quality in [Quality::Fast, Quality::Balanced, Quality::High] {
            let bvh = build(quality);
            for level in Level::available() {
                let answers = Answers::one_by_one(&bvh.clone().with_level(level), &workload.rays);
                let difference = reference.first_difference(&answers, &workload.rays);
                failures.check(difference.is_none(), || {
                    let difference = difference.as_deref().unwrap_or_default();
                    format!("{}, {quality:?}, {level}: {difference}", workload.name)
                });
            }
        }
    }
    failures.finish();
}

#[test]
fn batches_of_any_size_and_coherence() {
    let mut failures = Failures::default();
    let coherences = [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent];
    for workload in workloads(30) {
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        for level in [Level::scalar(), Level::detect()] {
            let bvh = bvh.clone().with_level(level);
            let reference = Answers::one_by_one(&bvh, &workload.rays);
            for (i, size) in [1, 2, 3, 7, 8, 9, 15, 17, 31, 33, 257, usize::MAX].iter().enumerate()
            {
                let coherence = coherences[i % 3];
                let answers = Answers::batched(&bvh, &workload.rays, *size, coherence);
                let difference = reference.first_difference(&answers, &workload.rays);
                failures.check(difference.is_none(), || {
                    let difference = difference.as_deref().unwrap_or_default();
                    format!("{}, {level}, {size}, {coherence:?}: {difference}", workload.name)
                });
            }
        }
    }
    failures.finish();
}

#[test]
fn thread_counts() {
    let mut failures = Failures::default();
    for workload in workloads(30) {
        let pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a few threads can be had")
        };
        // Long enough for more than one chunk.
        let rays = workload.rays.repeat(5000 / workload.rays.len() + 1);
        let few = &workload.rays;
        let single =
            Answers::one_by_one(&Bvh::build(workload.mesh.clone(), &Quality::Balanced.into()), few);
        for threads in [1, 2, 3, 8] {
            for quality in [Quality::Fast, Quality::Balanced, Quality::High] {
                // The tree is built and the rays are cast by as many threads.
                let (answers, closest) = pool(threads).install(|| {
                    let bvh = Bvh::build(workload.mesh.clone(), &quality.into());
                    let answers = Answers::batched(&bvh, few, usize::MAX, Coherence::Auto);
                    (answers, bvh.closest_hits(&rays))
                });
                let difference = single.first_difference(&answers, few);
                failures.check(difference.is_none(), || {
                    let difference = difference.as_deref().unwrap_or_default();
                    format!("{}, {quality:?}, {threads} threads: {difference}", workload.name)
                });
                let repeated = closest
                    .iter()
                    .enumerate()
                    .position(|(i, hit)| hit.as_ref().map(bits) != single.closest[i % few.len()]);
                failures.check(repeated.is_none(), || {
                    let ray = repeated.map(|i| rays[i]);
                    format!("{}, {quality:?}, {threads} threads: {ray:?}", workload.name)
                });
            }
        }
    }
    failures.finish();
}

/// Vertices where the filter is sure of one triangle and leaves its neighbours to be decided
/// exactly: they must be compared by the same `t`, or the winner depends on who was met first.
#[test]
fn sure_and_exactly_decided_triangles_are_compared_by_the_same_t() {
    use hitscan_testkit::meshes;

    let sphere = meshes::uv_sphere(1.0, [0.1, 0.2, 0.3], 24);
    let torus = meshes::snapped(&meshes::torus(1.0, 0.4, 24, 12), 1.0 / 256.0);
    let knot = meshes::torus_knot(0.12, 90, 9);
    let rays = [
        (&sphere, Ray::new([0.35, -1.1660254, 0.55], [-3.0, 2.0, -1.0])),
        (&sphere, Ray::new([0.5442301, 0.81237245, 1.0071068], [-1.0, 0.0, 0.0])),
        (
            &torus,
            Ray::new([0.19578125, 0.19578125, 0.05578125], [0.67412674, 0.67412674, 0.30183816]),
        ),
        (&knot, Ray::new([-0.6041541, 0.12931134, -0.05132511], [-0.0, -1.0, 0.0])),
    ];
    let options =
        QueryOptions { edge_rule: Some(hitscan::EdgeRule::Closed), ..QueryOptions::DEFAULT };
    for (mesh, ray) in rays {
        for quality in [Quality::Fast, Quality::Balanced, Quality::High] {
            let bvh = Bvh::build(mesh.clone(), &quality.into());
            let mut hits = Vec::new();
            bvh.append_all_hits_with(&ray, &options, &mut hits);
            assert!(hits.len() > 2, "the ray is to meet a vertex: {hits:?}");
            assert_eq!(bvh.closest_hit(&ray), hits.first().copied(), "{quality:?} {hits:?}");
        }
    }
}

/// A `t` too small for f32 keeps its sign, and one too large is no hit on either side.
#[test]
fn distances_beyond_f32_keep_their_side() {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let bvh = |size: f32| {
        let mesh = hitscan::TriangleMesh::from_soup(&[corners.map(|p| p.map(|x: f32| x * size))]);
        Bvh::build(mesh.expect("three corners"), &Quality::Balanced.into())
    };
    for level in Level::available() {
        let (tiny, huge) = (bvh(1e-30).with_level(level), bvh(1e30).with_level(level));
        let behind = Ray::new([0.0, 0.0, 1e-30], [0.0, 0.0, 1e17]);
        let ahead = Ray::new([0.0, 0.0, -1e-30], [0.0, 0.0, 1e17]);
        assert_eq!((tiny.closest_hit(&behind), tiny.count_hits(&behind)), (None, 0), "{level}");
        assert_eq!(tiny.closest_hit(&ahead).map(|hit| hit.prim), Some(0), "{level}");
        let line = |z| {
            Ray::new([0.0, 0.0, z], [0.0, 0.0, 1e-12])
                .with_interval(f32::NEG_INFINITY, f32::INFINITY)
        };
        assert_eq!([1e29, -1e29].map(|z| huge.closest_hit(&line(z))), [None, None], "{level}");
    }
}

/// A buffer of hits holds the nearest ones and says what it left out.
#[test]
fn short_buffers_hold_the_nearest() {
    let mut failures = Failures::default();
    let blank = Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: false };
    for workload in workloads(10) {
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        for ray in &workload.rays {
            let all = bvh.all_hits(ray);
            for size in [0, 1, 3, 1000] {
                let mut hits = vec![blank; size];
                let filled = bvh.fill_all_hits_with(ray, &QueryOptions::DEFAULT, &mut hits);
                let nearest = &all[..all.len().min(size)];
                let right = filled.truncated == (all.len() > size)
                    && hits[..filled.len].iter().map(bits).eq(nearest.iter().map(bits));
                failures.check(right, || format!("{}: {ray:?} {size} {filled:?}", workload.name));
            }
        }
    }
    failures.finish();
}
