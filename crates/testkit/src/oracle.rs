//! Exact answers by brute force over all triangles.
//!
//! With a, b, c = v0 − o, v1 − o, v2 − o as real numbers of the f32 inputs, the ray's line passes
//! the triangle's edges on the sides that the signs of U = d·(a×c), V = d·(b×a), W = d·(c×b) say.
//! It meets the closed triangle if no two of them are opposite and not all are 0. Signs are exact.

mod block;
mod exact;

use hitscan_core::{Ray, TriangleMesh};

use block::Block;
use exact::{Bounded, Distance, edge_sign, tilt_sign};

use crate::vector::{sub, wide};

/// Which sides of the triangles can be hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Both.
    Both,
    /// Only those from which the corners run counter-clockwise.
    Front,
    /// Only the others.
    Back,
}

/// What happens on shared edges and vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every triangle touched is hit.
    Closed,
    /// Each crossing of the surface is hit once: a zero sign becomes that under an infinitesimal
    /// move of the origin along the lower, then the higher of the two axes other than the
    /// direction's longest one.
    Once,
}

/// A crossing of a ray and a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleHit {
    /// The distance in units of the direction's length, within 1e-12 of the exact one.
    pub t: f64,
    /// The triangle.
    pub prim: u32,
    /// Whether the ray came from the side from which the corners run counter-clockwise.
    pub front: bool,
    /// The weights of the second and third corners.
    pub weights: [f64; 2],
}

/// A mesh, and what is needed to look at all its triangles in bearable time.
#[derive(Clone, Debug)]
pub struct Oracle {
    /// Triangles that are not finite are replaced by a point, which is never hit.
    triangles: Vec<[[f32; 3]; 3]>,
    blocks: Vec<Block>,
}

impl Oracle {
    /// An oracle over a mesh; rays are relative to the mesh's origin.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        let finite = |corners: [[f32; 3]; 3]| {
            let finite = corners.as_flattened().iter().all(|x| x.is_finite());
            if finite { corners } else { [[0.0; 3]; 3] }
        };
        let prims = 0..mesh.triangle_count() as u32;
        let triangles: Vec<_> = prims.map(|prim| finite(mesh.triangle(prim))).collect();
        let blocks = triangles.chunks(Block::SIZE).map(Block::around).collect();
        Self { triangles, blocks }
    }

    /// Every hit, sorted by `t`, then by triangle.
    #[must_use]
    pub fn all(&self, ray: &Ray, sides: Sides, rule: Rule) -> Vec<OracleHit> {
        let mut hits = Vec::new();
        self.visit(ray, sides, rule, |hit| {
            hits.push(hit);
            true
        });
        hits.sort_by(|p, q| p.t.total_cmp(&q.t).then(p.prim.cmp(&q.prim)));
        hits
    }

    /// The nearest hit and every other whose `t` is farther by no more than `tolerance`, relative
    /// to the nearest `t`; nearest first. Empty if there is none.
    #[must_use]
    pub fn nearest(&self, ray: &Ray, sides: Sides, rule: Rule, tolerance: f64) -> Vec<OracleHit> {
        let mut hits = self.all(ray, sides, rule);
        let limit = hits.first().map_or(0.0, |first| first.t + tolerance * first.t.abs());
        hits.retain(|hit| hit.t <= limit);
        hits
    }

    /// The nearest hit under the closed rule.
    #[must_use]
    pub fn closest(&self, ray: &Ray, sides: Sides) -> Option<OracleHit> {
        self.all(ray, sides, Rule::Closed).first().copied()
    }

    /// Whether anything is hit under the closed rule.
    #[must_use]
    pub fn any(&self, ray: &Ray, sides: Sides) -> bool {
        let mut any = false;
        self.visit(ray, sides, Rule::Closed, |_| {
            any = true;
            false
        });
        any
    }

    /// How many hits there are.
    #[must_use]
    pub fn count(&self, ray: &Ray, sides: Sides, rule: Rule) -> usize {
        let mut count = 0;
        self.visit(ray, sides, rule, |_| {
            count += 1;
            true
        });
        count
    }

    /// The answer of `query` for each ray, in order, over `threads` threads.
    ///
    /// # Panics
    /// If `query` does.
    #[must_use]
    pub fn of_each<Answer: Send>(
        &self,
        rays: &[Ray],
        threads: usize,
        query: impl Fn(&Self, &Ray) -> Answer + Sync,
    ) -> Vec<Answer> {
        let share = rays.len().div_ceil(threads.max(1)).max(1);
        let query = &query;
        std::thread::scope(|scope| {
            let cast = |rays: &[Ray]| rays.iter().map(|ray| query(self, ray)).collect::<Vec<_>>();
            let workers: Vec<_> =
                rays.chunks(share).map(|rays| scope.spawn(move || cast(rays))).collect();
            let answers = |worker: std::thread::ScopedJoinHandle<'_, Vec<Answer>>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().flat_map(answers).collect()
        })
    }

    /// Calls `report` for each hit, in order of triangles, until it returns `false`.
    fn visit(
        &self,
        ray: &Ray,
        sides: Sides,
        rule: Rule,
        mut report: impl FnMut(OracleHit) -> bool,
    ) {
        if !ray.is_valid() {
            return;
        }
        for (i, block) in self.blocks.iter().enumerate().filter(|(_, block)| block.meets(ray)) {
            let first = i * Block::SIZE;
            let triangles = self.triangles[first..].iter().take(block.len);
            for (prim, &corners) in (first as u32..).zip(triangles) {
                if let Some(hit) = meet(ray, corners, sides, rule)
                    && !report(OracleHit { prim, ..hit })
                {
                    return;
                }
            }
        }
    }
}

/// Where a valid ray meets one finite triangle, whose index is left at 0.
fn meet(ray: &Ray, corners: [[f32; 3]; 3], sides: Sides, rule: Rule) -> Option<OracleHit> {
    let [o, d] = [ray.origin, ray.direction].map(wide);
    let [a, b, c] = corners.map(|corner| sub(wide(corner), o));
    let products = [Bounded::triple(d, a, c), Bounded::triple(d, b, a), Bounded::triple(d, c, b)];
    let certain = products.map(Bounded::sign);
    if certain.contains(&Some(1)) && certain.contains(&Some(-1)) {
        return None;
    }
    /// The corners of the edges that U, V and W belong to.
    const EDGES: [[usize; 2]; 3] = [[0, 2], [1, 0], [2, 1]];
    let signs: [i32; 3] = std::array::from_fn(|edge| {
        let [p, q] = EDGES[edge].map(|corner| corners[corner]);
        let sign = certain[edge].unwrap_or_else(|| edge_sign(ray.direction, ray.origin, p, q));
        match rule {
            Rule::Once if sign == 0 => perturbed_sign(ray.direction, p, q),
            _ => sign,
        }
    });
    let (low, high) = (signs.iter().min()?, signs.iter().max()?);
    let met = match rule {
        Rule::Closed => low * high >= 0 && (*low != 0 || *high != 0),
        Rule::Once => low * high > 0,
    };
    let front = *high > 0;
    let wanted = match sides {
        Sides::Both => true,
        Sides::Front => front,
        Sides::Back => !front,
    };
    if !met || !wanted {
        return None;
    }
    let distance = Distance::new(ray.direction, ray.origin, corners);
    let t = distance.t();
    if !(t as f32).is_finite() || !distance.within(ray, corners) {
        return None;
    }
    let weights = exact::weights(ray, corners, products);
    Some(OracleHit { t, prim: 0, front, weights })
}

/// The sign that a zero `d · ((p − o) × (q − o))` takes when the origin `o` moves by ε along the
/// lower and by ε² along the higher axis other than the dominant one: its derivative by `o` is
/// `d × (q − p)`. Zero only if the edge is parallel to the ray.
fn perturbed_sign(d: [f32; 3], p: [f32; 3], q: [f32; 3]) -> i32 {
    let longest = d.iter().fold(0.0f32, |longest, x| longest.max(x.abs()));
    let dominant = d.iter().position(|x| x.abs() == longest).unwrap_or(0);
    let mut others = (0..3).filter(|&axis| axis != dominant);
    others.find_map(|axis| Some(tilt_sign(d, p, q, axis)).filter(|&sign| sign != 0)).unwrap_or(0)
}
