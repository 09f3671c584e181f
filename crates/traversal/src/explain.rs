//! Why a ray hits what it hits, or why it misses.
//!
//! An explanation is found apart from the walk that answers queries: it follows the ray through
//! the same tree with box tests of its own, decides every triangle on the way exactly, and tests
//! all triangles of the mesh beside it. It takes its time, about a millisecond for every few
//! thousand triangles.

mod boxes;
mod brute_force;
mod distance;
mod fault;
mod filter;
mod nearby;
mod text;
mod triangle;

use std::sync::Arc;

use hitscan_core::{Hit, Ray, TriangleMesh};

use crate::bvh::Bvh;
use crate::options::{EdgeRule, QueryOptions};
use crate::raycast::Raycast;
use boxes::Way;
use distance::Span;
use triangle::Tester;

pub use boxes::{BoxContent, BoxFate, BoxVisit};
pub use brute_force::{BruteForce, EveryHit};
pub use fault::RayFault;
pub use nearby::NearbyDefect;
pub use triangle::{Crossing, EdgeSide, SettledBy, TriangleTest, Verdict};

/// Why a ray hits what it hits, or why it misses.
///
/// As text (`{}`) it is a verdict in one line and then the reasons; `{:#}` lists every box and
/// every triangle on the ray's way.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The ray, relative to the mesh's origin.
    pub ray: Ray,
    /// What makes the ray invalid; then nothing else was looked at.
    pub fault: Option<RayFault>,
    /// What the nearest hit is, as [`Raycast::closest_hit_with`] gives it.
    pub hit: Option<Hit>,
    /// What the nearest hit is by a test of every triangle. It equals `hit`, or the tree is wrong.
    pub by_brute_force: Option<Hit>,
    /// Every triangle that the ray's whole line hits, from t = −∞ to ∞, near to far; whether it
    /// counts or not.
    pub on_line: Vec<Hit>,
    /// The boxes that were looked at, in that order.
    pub boxes: Vec<BoxVisit>,
    /// The triangles in the boxes that the ray enters, in the order in which they were tested.
    pub triangles: Vec<TriangleTest>,
    /// Of all triangles that are not hit, the one that the ray passes nearest; the first of those
    /// that are as near.
    pub nearest_miss: Option<TriangleTest>,
    /// What is wrong with the mesh at the triangle that is hit and at the nearest miss.
    pub nearby: Vec<NearbyDefect>,
    mesh: Arc<TriangleMesh>,
}

impl Explanation {
    /// Whether the tree's answer is that of brute force, bit for bit.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.hit == self.by_brute_force
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Arc<TriangleMesh> {
        &self.mesh
    }
}

impl Bvh {
    /// Tells why a ray hits what it hits, or why it misses.
    ///
    /// Slow: it looks at every triangle of the mesh.
    ///
    /// ```
    /// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
    /// use hitscan_traversal::Bvh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = TriangleMesh::from_soup(&[corners])?;
    /// let bvh = Bvh::build(mesh, &BuildOptions::default());
    /// let away = bvh.explain(&Ray::new([0.25, 0.25, 3.0], [0.0, 0.0, 1.0]));
    /// assert_eq!(
    ///     away.to_string().lines().next(),
    ///     Some("miss: the surface lies behind the origin: triangle 0 at t = -3")
    /// );
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    #[must_use]
    pub fn explain(&self, ray: &Ray) -> Explanation {
        self.explain_with(ray, &QueryOptions::DEFAULT)
    }

    /// [`Self::explain`] for a query for the nearest hit with these options.
    #[must_use]
    pub fn explain_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> Explanation {
        let mesh = self.mesh();
        let mut explanation = Explanation {
            ray: *ray,
            fault: RayFault::of(ray),
            hit: self.closest_hit_with(ray, options),
            by_brute_force: None,
            on_line: Vec::new(),
            boxes: Vec::new(),
            triangles: Vec::new(),
            nearest_miss: None,
            nearby: Vec::new(),
            mesh: Arc::clone(mesh),
        };
        if explanation.fault.is_some() {
            return explanation;
        }
        let edge_rule = options.edge_rule.unwrap_or(EdgeRule::Closed);
        let tester = Tester { ray, mesh, options, edge_rule };
        let brute_force = BruteForce::new(mesh);
        let by_rule = |every: EveryHit| match edge_rule {
            EdgeRule::Closed => every.closed,
            EdgeRule::Once => every.once,
        };
        let admitted = |hit: &Hit| options.mask != 0 && tester.refusal(hit).is_none();
        let hits = by_rule(brute_force.hits(ray));
        let hits: Vec<Hit> = hits.into_iter().filter(admitted).collect();
        let line = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
        explanation.on_line = by_rule(brute_force.hits(&line));
        explanation.by_brute_force = hits.first().copied();
        let Way { boxes, triangles } = Way::of(self.tree(), &tester);
        (explanation.boxes, explanation.triangles) = (boxes, triangles);
        let is_hit = |prim: u32| hits.iter().any(|hit| hit.prim == prim);
        explanation.nearest_miss = nearest_miss(&tester, &explanation.on_line, is_hit);
        let hit = explanation.hit.or(explanation.by_brute_force).map(|hit| hit.prim);
        let miss = explanation.nearest_miss.map(|test| test.prim);
        let around: Vec<u32> = hit.into_iter().chain(miss).collect();
        explanation.nearby = nearby::defects(mesh, &around);
        explanation
    }

    /// What becomes of one triangle when a ray asks for its nearest hit, whether the ray comes near
    /// it or not; `None` if the ray is invalid or there is no such triangle.
    #[must_use]
    pub fn explain_triangle(
        &self,
        ray: &Ray,
        prim: u32,
        options: &QueryOptions<'_>,
    ) -> Option<TriangleTest> {
        let mesh = self.mesh();
        let edge_rule = options.edge_rule.unwrap_or(EdgeRule::Closed);
        let known = ray.is_valid() && (prim as usize) < mesh.triangle_count();
        known.then(|| Tester { ray, mesh, options, edge_rule }.test(prim))
    }
}

/// The triangle that the ray passes nearest of those that it does not hit.
fn nearest_miss(
    tester: &Tester<'_>,
    on_line: &[Hit],
    is_hit: impl Fn(u32) -> bool,
) -> Option<TriangleTest> {
    let span = Span::new(tester.ray);
    let mut best: Option<(f64, u32)> = None;
    for prim in 0..tester.mesh.triangle_count() as u32 {
        // NaN corners give NaN, which is never less.
        let distance = tester.distance(&span, prim);
        if best.is_none_or(|best| distance < best.0) && distance.is_finite() && !is_hit(prim) {
            best = Some((distance, prim));
        }
    }
    // A triangle that the ray meets, but that does not count, has no distance from it.
    let met = on_line.iter().filter(|hit| triangle::range(tester.ray).contains(&hit.t));
    let refused = met.map(|hit| hit.prim).find(|&prim| !is_hit(prim));
    refused.or(best.map(|(_, prim)| prim)).map(|prim| tester.test(prim))
}
