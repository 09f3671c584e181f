//! What becomes of one triangle, and why.

use std::fmt;
use std::ops::RangeInclusive;

use glam::DVec3;
use hitscan_core::bvh8::Leaf4;
use hitscan_core::{Hit, Ray, TriangleMesh};

use super::distance::{Nearest, Span};
use super::filter::{FilterRay, Knowledge};
use crate::exact::{Exact, Side};
use crate::open::Open;
use crate::options::{EdgeRule, Faces, QueryOptions};
use crate::query::Candidate;

/// What became of one triangle, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleTest {
    /// The triangle.
    pub prim: u32,
    /// What became of it.
    pub verdict: Verdict,
    /// What settled whether it is hit.
    pub settled_by: SettledBy,
    /// Where the ray's line meets the triangle's plane; `None` where there is no such point.
    pub crossing: Option<Crossing>,
    /// How far the ray passes from the triangle, in mesh units: 0 if it meets it, infinite if the
    /// triangle is not finite.
    pub distance: f64,
    /// The `t` at which it passes there.
    pub nearest_t: f64,
}

/// Where a ray's line meets a triangle's plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// In units of the direction's length; from −∞ on, whatever the ray's interval.
    pub t: f32,
    /// The weights of the corners A, B and C at that point: their sum is 1, and one that is
    /// negative lies outside of the opposite edge.
    pub weights: [f64; 3],
    /// Where the line passes the edges AB, BC and CA, decided exactly.
    pub edges: [EdgeSide; 3],
    /// Whether the line meets the front.
    pub front: bool,
}

/// Where a line passes an edge of a triangle, decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeSide {
    /// On the triangle's side.
    Inside,
    /// Exactly on it.
    On,
    /// On the other side.
    Outside,
}

/// What became of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is hit, with `t` in range.
    Hit,
    /// The line passes outside of an edge.
    Outside,
    /// The line touches an edge or a corner, but by [`EdgeRule::Once`] that counts for another
    /// triangle.
    LeftToNeighbour,
    /// The line hits it at a `t` below `t_min`.
    Before,
    /// The line hits it at a `t` above `t_max`, or that f32 cannot hold.
    Beyond,
    /// The line is parallel to it.
    Parallel,
    /// The line lies in its plane.
    InPlane,
    /// Its corners lie on one line.
    NoArea,
    /// A corner is NaN or infinite.
    NotFinite,
    /// It would be hit, but [`QueryOptions::faces`] leaves out this side.
    FaceCulled,
    /// It would be hit, but [`QueryOptions::skip`] names it.
    Skipped,
    /// It would be hit, but [`QueryOptions::filter`] refuses it.
    Filtered,
}

/// What settled whether a triangle is hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettledBy {
    /// The filter: Möller–Trumbore in f32, by more than its rounding errors.
    Filter,
    /// The exact decision, because the filter left it open.
    Exact,
    /// Neither: such a triangle is left out when the tree is built.
    Build,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hit => "hit",
            Self::Outside => "outside of an edge",
            Self::LeftToNeighbour => "on an edge that counts for a neighbour",
            Self::Before => "before t_min",
            Self::Beyond => "beyond t_max",
            Self::Parallel => "parallel to the ray",
            Self::InPlane => "in one plane with the ray",
            Self::NoArea => "without area",
            Self::NotFinite => "not finite",
            Self::FaceCulled => "hit on a side that does not count",
            Self::Skipped => "skipped",
            Self::Filtered => "refused by the filter option",
        })
    }
}

/// A valid ray, as the tests of triangles need it.
#[derive(Clone, Copy)]
pub(super) struct Tester<'a> {
    pub(super) ray: &'a Ray,
    pub(super) mesh: &'a TriangleMesh,
    pub(super) options: &'a QueryOptions<'a>,
    pub(super) edge_rule: EdgeRule,
}

impl Tester<'_> {
    /// Tests one triangle from end to end.
    pub(super) fn test(&self, prim: u32) -> TriangleTest {
        let corners = self.mesh.triangle(prim);
        let left_out = |verdict, nearest: Option<Nearest>| TriangleTest {
            prim,
            verdict,
            settled_by: SettledBy::Build,
            crossing: None,
            distance: nearest.map_or(f64::INFINITY, |nearest| nearest.distance),
            nearest_t: nearest.map_or(f64::NAN, |nearest| nearest.t),
        };
        if !corners.as_flattened().iter().all(|x| x.is_finite()) {
            return left_out(Verdict::NotFinite, None);
        }
        let nearest = Span::new(self.ray).nearest_to_triangle(wide(corners));
        if !self.mesh.can_be_hit(prim) {
            return left_out(Verdict::NoArea, Some(nearest));
        }

        let mut leaf = Leaf4::EMPTY;
        leaf.set(0, prim, corners);
        let filter_ray = FilterRay::new(self.ray);
        let filtered = filter_ray.filter(&leaf);
        let knowledge = filtered.knowledge(0, &filter_ray);
        let good_t = filtered.good_t(0, &filter_ray);
        let exact = Exact::new(self.ray, corners);
        let open = Open::new(self.ray, self.mesh, &leaf, 0);
        let crossing = crossing(&exact, good_t, &open);
        let verdict = match (crossing, exact.hit_side(self.edge_rule)) {
            (None, _) if exact.starts_in_plane() => Verdict::InPlane,
            (None, _) => Verdict::Parallel,
            (Some(_), None) if exact.hit_side(EdgeRule::Closed).is_some() => {
                Verdict::LeftToNeighbour
            }
            (Some(_), None) => Verdict::Outside,
            (Some(crossing), Some(side)) => self.of_line_hit(prim, crossing.t, side),
        };
        let in_range = verdict != Verdict::Before && verdict != Verdict::Beyond;
        let settled_by = match knowledge {
            Knowledge::Outside | Knowledge::Behind => SettledBy::Filter,
            // Where `t` is good and out of range, nothing more is asked.
            Knowledge::Inside | Knowledge::Open
                if good_t.is_some_and(|t| !range(self.ray).contains(&t)) =>
            {
                SettledBy::Filter
            }
            Knowledge::Inside if good_t.is_some() => SettledBy::Filter,
            Knowledge::Inside | Knowledge::Open => SettledBy::Exact,
        };
        let met = in_range && exact.hit_side(EdgeRule::Closed).is_some();
        TriangleTest {
            prim,
            verdict,
            settled_by,
            crossing,
            distance: if met { 0.0 } else { nearest.distance },
            nearest_t: match crossing {
                Some(crossing) if met => f64::from(crossing.t),
                _ => nearest.t,
            },
        }
    }

    /// How far the ray passes from a triangle's corners and edges and, at its ends, from its
    /// inside. Of use where the ray does not meet it.
    pub(super) fn distance(&self, span: &Span, prim: u32) -> f64 {
        span.nearest_to_triangle(wide(self.mesh.triangle(prim))).distance
    }

    /// The verdict on a triangle that the line hits.
    fn of_line_hit(&self, prim: u32, t: f32, side: Side) -> Verdict {
        let range = range(self.ray);
        if t < *range.start() {
            Verdict::Before
        } else if t > *range.end() {
            Verdict::Beyond
        } else {
            let weights = Exact::new(self.ray, self.mesh.triangle(prim)).weights();
            let hit = Candidate::decided(t, prim, side == Side::Front, weights).hit();
            self.refusal(&hit).unwrap_or(Verdict::Hit)
        }
    }

    /// Why the options do not let a hit count; `None` if they do.
    pub(super) fn refusal(&self, hit: &Hit) -> Option<Verdict> {
        let culled = match self.options.faces {
            Faces::Both => false,
            Faces::Front => !hit.front,
            Faces::Back => hit.front,
        };
        if culled {
            Some(Verdict::FaceCulled)
        } else if self.options.skip == Some(hit.prim) {
            Some(Verdict::Skipped)
        } else {
            let refused = self.options.filter.is_some_and(|keep| !keep(hit));
            refused.then_some(Verdict::Filtered)
        }
    }
}

/// The `t` that count: none that f32 cannot hold.
pub(super) fn range(ray: &Ray) -> RangeInclusive<f32> {
    ray.t_min.max(f32::MIN)..=ray.t_max.min(f32::MAX)
}

/// Where the line meets the plane; `None` if it is parallel.
fn crossing(exact: &Exact, good_t: Option<f32>, open: &Open<'_>) -> Option<Crossing> {
    let sum = exact.edge_sum();
    if sum == 0.0 {
        return None;
    }
    let front = sum > 0.0;
    let [u, v, w] = exact.edge_values();
    let [ca, ab, bc] = exact.edge_signs(EdgeRule::Closed).map(|sign| match sign {
        0 => EdgeSide::On,
        _ if (sign > 0) == front => EdgeSide::Inside,
        _ => EdgeSide::Outside,
    });
    Some(Crossing {
        t: good_t.unwrap_or_else(|| open.t()),
        weights: [w / sum, u / sum, v / sum],
        edges: [ab, bc, ca],
        front,
    })
}

fn wide(corners: [[f32; 3]; 3]) -> [DVec3; 3] {
    corners.map(|corner| DVec3::from(corner.map(f64::from)))
}
