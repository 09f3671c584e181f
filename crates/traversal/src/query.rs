//! What a walk looks for: the nearest hit, any hit, all of them, or how many.

mod batched;
mod eight;
mod listed;
mod once;

pub(crate) use batched::{Batched, InFlight, Packed};
pub(crate) use eight::{Eight, LANES};
pub(crate) use listed::{Listed, Lists};
pub(crate) use once::put_in_order;

use std::ops::ControlFlow;

use hitscan_core::bvh8::Leaf4;
use hitscan_core::{Hit, Ray, TriangleMesh};

use crate::exact::clamp_weights;
use crate::options::{EdgeRule, Faces, QueryOptions};
use once::Once;

/// A triangle that the ray hits, with `t` in range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) t: f32,
    pub(crate) prim: u32,
    /// Whether the ray may meet the triangle again, in another leaf.
    pub(crate) is_split: bool,
    pub(crate) front: bool,
    /// The weights of the second and third corner are u / det and v / det.
    pub(crate) u: f32,
    pub(crate) v: f32,
    pub(crate) det: f32,
}

impl Candidate {
    /// What comes before anything was hit.
    const NONE: Self = Self {
        t: f32::INFINITY,
        prim: u32::MAX,
        is_split: false,
        front: false,
        u: 0.0,
        v: 0.0,
        det: 0.0,
    };

    /// A hit that the filter left open.
    pub(crate) fn decided(t: f32, marked_prim: u32, front: bool, weights: (f32, f32)) -> Self {
        let (prim, is_split) = Leaf4::unmarked(marked_prim);
        Self { t, prim, is_split, front, ..Self::NONE }.with_weights(weights)
    }

    /// The same hit with other weights.
    #[inline(always)]
    pub(crate) fn with_weights(self, (u, v): (f32, f32)) -> Self {
        Self { u, v, det: 1.0, ..self }
    }

    /// The hit as users see it.
    #[inline(always)]
    pub(crate) fn hit(&self) -> Hit {
        let (u, v) = clamp_weights(self.u / self.det, self.v / self.det);
        let (t, prim, front) = (self.t, self.prim, self.front);
        Hit { t, u, v, prim, geometry: 0, instance: 0, front }
    }

    /// The hit as users see it, if it is one; written so that no branch depends on whether it is.
    #[inline(always)]
    pub(crate) fn some_hit(&self, mesh: &TriangleMesh) -> Option<Hit> {
        let hit = self.hit();
        if self.is_of(mesh) { Some(hit) } else { None }
    }

    /// Whether it is a hit of a triangle that there is. Others are told to nobody: a file that was
    /// opened without reading its leaves may name any.
    #[inline(always)]
    fn is_of(&self, mesh: &TriangleMesh) -> bool {
        (self.prim as usize) < mesh.triangle_count()
    }

    /// Whether this one comes before another: nearer, or as near with a lower index.
    #[inline(always)]
    fn is_before(&self, t: f32, prim: u32) -> bool {
        self.t < t || self.t == t && self.prim < prim
    }
}

/// What a walk looks for.
pub(crate) trait Query {
    /// Whether nearer children are to be visited first: where a hit brings [`Self::t_max`] down.
    /// Elsewhere it stays, until a hit ends the walk.
    const NEAR_FIRST: bool;

    /// Whether the weights of a hit are asked for.
    const WEIGHTS: bool;

    /// What happens on shared edges, unless the options say otherwise.
    const EDGE_RULE: EdgeRule;

    /// The greatest `t` that is still of interest.
    fn t_max(&self) -> f32;

    /// Takes a hit, and says whether the walk is to go on.
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()>;
}

/// The nearest hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    t_max: f32,
    pub(crate) best: Candidate,
}

impl Closest {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        Self { t_max: finite_t_max(ray), best: Candidate::NONE }
    }
}

impl Query for Closest {
    const NEAR_FIRST: bool = true;
    const WEIGHTS: bool = true;
    const EDGE_RULE: EdgeRule = EdgeRule::Closed;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()> {
        if candidate.is_before(self.best.t, self.best.prim) {
            self.t_max = candidate.t;
            self.best = candidate;
        }
        ControlFlow::Continue(())
    }
}

/// Whether there is a hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Any {
    t_max: f32,
    pub(crate) found: bool,
}

impl Any {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        Self { t_max: finite_t_max(ray), found: false }
    }
}

impl Query for Any {
    const NEAR_FIRST: bool = false;
    const WEIGHTS: bool = false;
    const EDGE_RULE: EdgeRule = EdgeRule::Closed;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, _: Candidate) -> ControlFlow<()> {
        self.found = true;
        ControlFlow::Break(())
    }
}

/// How many hits there are.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    t_max: f32,
    pub(crate) count: usize,
    once: Once,
}

impl Count {
    #[inline(always)]
    pub(crate) fn new(ray: &Ray) -> Self {
        Self { t_max: finite_t_max(ray), count: 0, once: Once::default() }
    }
}

impl Query for Count {
    const NEAR_FIRST: bool = false;
    const WEIGHTS: bool = false;
    const EDGE_RULE: EdgeRule = EdgeRule::Once;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()> {
        if !candidate.is_split || self.once.is_first(candidate.prim) {
            self.count += 1;
        }
        ControlFlow::Continue(())
    }
}

/// All hits, in the order in which they are met; those of a split triangle once for each leaf.
#[derive(Debug)]
pub(crate) struct All<'a> {
    t_max: f32,
    mesh: &'a TriangleMesh,
    hits: &'a mut Vec<Hit>,
}

impl<'a> All<'a> {
    #[inline(always)]
    pub(crate) fn new(ray: &'a Ray, mesh: &'a TriangleMesh, hits: &'a mut Vec<Hit>) -> Self {
        Self { t_max: finite_t_max(ray), mesh, hits }
    }
}

impl Query for All<'_> {
    const NEAR_FIRST: bool = false;
    const WEIGHTS: bool = true;
    const EDGE_RULE: EdgeRule = EdgeRule::Once;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()> {
        if candidate.is_of(self.mesh) {
            self.hits.push(candidate.hit());
        }
        ControlFlow::Continue(())
    }
}

/// The nearest hits that fit into a buffer, near to far.
#[derive(Debug)]
pub(crate) struct Nearest<'a> {
    t_max: f32,
    mesh: &'a TriangleMesh,
    hits: &'a mut [Hit],
    pub(crate) len: usize,
    pub(crate) truncated: bool,
}

impl<'a> Nearest<'a> {
    #[inline(always)]
    pub(crate) fn new(ray: &'a Ray, mesh: &'a TriangleMesh, hits: &'a mut [Hit]) -> Self {
        Self { t_max: finite_t_max(ray), mesh, hits, len: 0, truncated: false }
    }
}

impl Query for Nearest<'_> {
    const NEAR_FIRST: bool = true;
    const WEIGHTS: bool = true;
    const EDGE_RULE: EdgeRule = EdgeRule::Once;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()> {
        if !candidate.is_of(self.mesh) {
            return ControlFlow::Continue(());
        }
        let place =
            self.hits[..self.len].partition_point(|hit| !candidate.is_before(hit.t, hit.prim));
        // A split triangle that fell out of the buffer is further away than all that is in it.
        if candidate.is_split && place > 0 && self.hits[place - 1].prim == candidate.prim {
            return ControlFlow::Continue(());
        }
        if self.len < self.hits.len() {
            self.len += 1;
        } else {
            self.truncated = true;
        }
        if place < self.len {
            self.hits[place..self.len].rotate_right(1);
            self.hits[place] = candidate.hit();
        }
        if let (true, Some(last)) = (self.truncated, self.hits.last()) {
            self.t_max = last.t;
        }
        // An empty buffer only asks whether there is anything.
        if self.truncated && self.hits.is_empty() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// A `t` that overflows to infinity is no hit, whatever the ray says.
#[inline(always)]
fn finite_t_max(ray: &Ray) -> f32 {
    ray.t_max.min(f32::MAX)
}

/// Which candidates count.
pub(crate) trait Admit: Copy {
    /// Whether every candidate counts.
    const EVERYTHING: bool;

    /// Whether a candidate counts.
    fn admits(self, candidate: &Candidate, mesh: &TriangleMesh) -> bool;
}

/// Every candidate counts: the options' default, at no cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Everything;

impl Admit for Everything {
    const EVERYTHING: bool = true;

    #[inline(always)]
    fn admits(self, _: &Candidate, _: &TriangleMesh) -> bool {
        true
    }
}

impl Admit for &QueryOptions<'_> {
    const EVERYTHING: bool = false;

    #[inline]
    fn admits(self, candidate: &Candidate, mesh: &TriangleMesh) -> bool {
        let side = match self.faces {
            Faces::Both => true,
            Faces::Front => candidate.front,
            Faces::Back => !candidate.front,
        };
        side && self.skip != Some(candidate.prim)
            && self.filter.is_none_or(|keep| candidate.is_of(mesh) && keep(&candidate.hit()))
    }
}
