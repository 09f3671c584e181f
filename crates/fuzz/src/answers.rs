//! The answers of every kind of query, batch, level and quality, against the hits there are.

use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, EdgeRule, Hit, Level, MeshReport, Quality, QueryOptions, Ray,
    TriangleMesh, obj,
};
use hitscan_testkit::{Oracle, Rule, Sides};

use crate::Triangle;

/// The hits of one ray, near to far, by both rules.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// Every triangle that the ray touches.
    pub closed: Vec<Hit>,
    /// Each crossing of the surface once.
    pub once: Vec<Hit>,
}

const CLOSED: QueryOptions<'static> =
    QueryOptions { edge_rule: Some(EdgeRule::Closed), ..QueryOptions::DEFAULT };

/// A mesh of these triangles.
///
/// # Panics
/// If there are more than a mesh can hold.
#[must_use]
pub fn mesh(triangles: &[Triangle]) -> TriangleMesh {
    TriangleMesh::from_soup(triangles).expect("not too many triangles")
}

/// A tree over these triangles.
#[must_use]
pub fn tree(triangles: &[Triangle], quality: Quality) -> Bvh {
    Bvh::build(mesh(triangles), &BuildOptions::from(quality))
}

/// The hits of a ray in a tree.
#[must_use]
pub fn hits(bvh: &Bvh, ray: &Ray) -> Hits {
    let mut hits = Hits::default();
    bvh.append_all_hits_with(ray, &CLOSED, &mut hits.closed);
    bvh.append_all_hits_with(ray, &QueryOptions::DEFAULT, &mut hits.once);
    hits
}

/// The hits of each triangle alone, where no box can be missed and nothing pruned.
#[must_use]
pub fn of_each_alone(triangles: &[Triangle], rays: &[Ray]) -> Vec<Hits> {
    let alone: Vec<Bvh> =
        triangles.iter().map(|&triangle| tree(&[triangle], Quality::Fast)).collect();
    let of_ray = |ray: &Ray| {
        let mut all = Hits::default();
        for (prim, bvh) in (0..).zip(&alone) {
            let Hits { closed, once } = hits(bvh, ray);
            all.closed.extend(closed.iter().map(|hit| Hit { prim, ..*hit }));
            all.once.extend(once.iter().map(|hit| Hit { prim, ..*hit }));
        }
        for hits in [&mut all.closed, &mut all.once] {
            hits.sort_by(|p, q| p.t.total_cmp(&q.t).then(p.prim.cmp(&q.prim)));
        }
        all
    };
    rays.iter().map(of_ray).collect()
}

/// Asks every tree in every way.
///
/// # Panics
/// If an answer is not what the hits demand, bit for bit.
pub fn demand(triangles: &[Triangle], rays: &[Ray], expected: &[Hits]) {
    for quality in Quality::ALL {
        let bvh = tree(triangles, quality);
        for level in Level::available() {
            demand_of(&bvh.clone().with_level(level), rays, expected);
        }
    }
}

fn demand_of(bvh: &Bvh, rays: &[Ray], expected: &[Hits]) {
    let name = || format!("{}, {} nodes", bvh.level(), bvh.statistics().nodes);
    for (ray, Hits { closed, once }) in rays.iter().zip(expected) {
        let first = closed.first();
        let found = hits(bvh, ray);
        assert_eq!(all_bits(&found.closed), all_bits(closed), "touched, {}: {ray:?}", name());
        assert_eq!(all_bits(&found.once), all_bits(once), "all, {}: {ray:?}", name());
        assert_eq!(bvh.count_hits(ray), once.len(), "count, {}: {ray:?}", name());
        assert_eq!(bvh.any_hit(ray), first.is_some(), "any, {}: {ray:?}", name());
        let closest = bvh.closest_hit(ray);
        assert_eq!(closest.as_ref().map(bits), first.map(bits), "closest, {}: {ray:?}", name());
    }
    for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
        let (mut closest, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        bvh.closest_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut closest);
        bvh.any_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut any);
        for (i, Hits { closed, .. }) in expected.iter().enumerate() {
            let first = closed.first().map(bits);
            let how = || format!("{coherence:?}, {}: {:?}", name(), rays[i]);
            assert_eq!(closest[i].as_ref().map(bits), first, "closest, {}", how());
            assert_eq!(any[i], first.is_some(), "any, {}", how());
        }
    }
}

/// Which triangles are hit, by exact arithmetic.
///
/// # Panics
/// If the hits are those of other triangles.
pub fn judge(oracle: &Oracle, ray: &Ray, hits: &Hits) {
    for (hits, rule) in [(&hits.closed, Rule::Closed), (&hits.once, Rule::Once)] {
        let exact = oracle.all(ray, Sides::Both, rule);
        let mut exact: Vec<_> = exact.iter().map(|hit| (hit.prim, hit.front)).collect();
        let mut found: Vec<_> = hits.iter().map(|hit| (hit.prim, hit.front)).collect();
        exact.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, exact, "{rule:?} by exact arithmetic: {ray:?}");
    }
}

/// Casts a few rays at a mesh that was read; nothing is known of their answers.
///
/// # Panics
/// If the kinds of query disagree.
pub fn consistent(mesh: TriangleMesh) {
    let corners: Vec<[f32; 3]> = mesh.positions().iter().copied().take(4).collect();
    let bvh = Bvh::build(mesh, &BuildOptions::default());
    let rays: Vec<Ray> = corners
        .iter()
        .flat_map(|&from| corners.iter().map(move |&to| Ray::new(from, to)))
        .collect();
    let expected: Vec<Hits> = rays.iter().map(|ray| hits(&bvh, ray)).collect();
    demand_of(&bvh, &rays, &expected);
}

/// What a reader gives.
pub type Read = (TriangleMesh, MeshReport);

/// Reads OBJ text; nothing where it is wrong.
#[must_use]
pub fn read(bytes: &[u8], strict: bool) -> Option<Read> {
    obj::read_bytes(bytes, "fuzz.obj", obj::ObjOptions { strict }).ok()
}

fn bits(hit: &Hit) -> [u32; 5] {
    [hit.t.to_bits(), hit.u.to_bits(), hit.v.to_bits(), hit.prim, u32::from(hit.front)]
}

fn all_bits(hits: &[Hit]) -> Vec<[u32; 5]> {
    hits.iter().map(bits).collect()
}
