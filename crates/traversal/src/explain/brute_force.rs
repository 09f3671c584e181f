//! What a ray hits by a test of every triangle, without a tree.

use hitscan_core::bvh8::Leaf4;
use hitscan_core::{Hit, Ray, TriangleMesh};

use super::filter::{FilterRay, Filtered, Knowledge};
use super::triangle::range;
use crate::exact::Side;
use crate::open::Open;
use crate::options::EdgeRule;
use crate::query::Candidate;

/// A mesh whose every triangle is tested by every ray: what the tree's answers must equal, bit for
/// bit.
///
/// The triangle test is that of the tree, but neither its boxes nor its walk nor any SIMD code of
/// the leaves takes part.
///
/// ```
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::explain::BruteForce;
/// use hitscan_traversal::{Bvh, Raycast};
///
/// # let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = TriangleMesh::from_soup(&[corners])?;
/// let ray = Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0]);
/// let hits = BruteForce::new(&mesh).hits(&ray);
/// let bvh = Bvh::build(mesh, &BuildOptions::default());
/// assert_eq!(hits.closed.first().copied(), bvh.closest_hit(&ray));
/// assert_eq!(hits.once, bvh.all_hits(&ray));
/// # Ok::<(), hitscan_core::MeshError>(())
/// ```
#[derive(Debug)]
pub struct BruteForce<'a> {
    mesh: &'a TriangleMesh,
    /// Four triangles each, in the order of the mesh; those that can never be hit are left out.
    leaves: Vec<Leaf4>,
}

/// Everything that a ray hits, near to far and on equal `t` by triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EveryHit {
    /// Every triangle that the ray touches, as by [`EdgeRule::Closed`].
    pub closed: Vec<Hit>,
    /// Each crossing once, as by [`EdgeRule::Once`].
    pub once: Vec<Hit>,
}

impl<'a> BruteForce<'a> {
    /// Makes all triangles of a mesh ready for the test.
    #[must_use]
    pub fn new(mesh: &'a TriangleMesh) -> Self {
        let count = mesh.triangle_count() as u32;
        let prims: Vec<u32> = (0..count).filter(|&prim| mesh.can_be_hit(prim)).collect();
        let leaf = |prims: &[u32]| {
            let mut leaf = Leaf4::EMPTY;
            for (lane, &prim) in prims.iter().enumerate() {
                leaf.set(lane, prim, mesh.triangle(prim));
            }
            leaf
        };
        Self { mesh, leaves: prims.chunks(Leaf4::LANES).map(leaf).collect() }
    }

    /// Everything that the ray hits; nothing if the ray is invalid.
    #[must_use]
    pub fn hits(&self, ray: &Ray) -> EveryHit {
        let mut hits = EveryHit::default();
        if !ray.is_valid() {
            return hits;
        }
        let filter_ray = FilterRay::new(ray);
        for leaf in &self.leaves {
            let filtered = filter_ray.filter(leaf);
            if filtered.all_outside() {
                continue;
            }
            for lane in 0..leaf.prims().count() {
                let found = self.candidates(ray, &filter_ray, &filtered, leaf, lane);
                let [closed, once] = found.map(|found| found.as_ref().map(Candidate::hit));
                hits.closed.extend(closed);
                hits.once.extend(once);
            }
        }
        for hits in [&mut hits.closed, &mut hits.once] {
            hits.sort_unstable_by(|a, b| a.t.total_cmp(&b.t).then(a.prim.cmp(&b.prim)));
        }
        hits
    }

    /// What a lane gives by either rule, as the walk decides it.
    fn candidates(
        &self,
        ray: &Ray,
        filter_ray: &FilterRay,
        filtered: &Filtered,
        leaf: &Leaf4,
        lane: usize,
    ) -> [Option<Candidate>; 2] {
        let knowledge = filtered.knowledge(lane, filter_ray);
        if matches!(knowledge, Knowledge::Outside | Knowledge::Behind) {
            return [None; 2];
        }
        let prim = leaf.marked_prims()[lane];
        let open = Open::new(ray, self.mesh, leaf, lane);
        let good_t = filtered.good_t(lane, filter_ray);
        if let (Knowledge::Inside, Some(t)) = (knowledge, good_t) {
            let mut candidate = Candidate {
                t,
                prim,
                is_split: false,
                front: filtered.meets_front(lane),
                u: filtered.u[lane],
                v: filtered.v[lane],
                det: filtered.det[lane],
            };
            if !filtered.has_good_weights(lane) {
                candidate = candidate.with_weights(open.weights());
            }
            return [range(ray).contains(&t).then_some(candidate); 2];
        }
        [EdgeRule::Closed, EdgeRule::Once].map(|rule| {
            let side = open.hit_side(rule)?;
            let t = good_t.unwrap_or_else(|| open.t());
            let candidate = Candidate::decided(t, prim, side == Side::Front, open.weights());
            range(ray).contains(&t).then_some(candidate)
        })
    }
}
