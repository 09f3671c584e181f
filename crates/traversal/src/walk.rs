//! One ray's way through the tree, for every kind of query.

use std::ops::ControlFlow;

use fearless_simd::{Simd, prelude::*};
use hitscan_core::bvh8::{Bvh8, ChildRef, Leaf4};
use hitscan_core::memory::Stack;
use hitscan_core::{Ray, TriangleMesh};

use crate::exact::Exact;
use crate::leaf::{Lanes, LeafRay, finite_t_min};
use crate::options::EdgeRule;
use crate::query::{Admit, Candidate, Query};
use crate::slab::{SlabRay, widened};

/// What is walked, and by which rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a, A> {
    pub(crate) tree: &'a Bvh8,
    pub(crate) mesh: &'a TriangleMesh,
    pub(crate) edge_rule: EdgeRule,
    pub(crate) admit: A,
}

/// Sees what a walk does.
pub(crate) trait Probe {
    /// A node's eight boxes are tested.
    fn node(&mut self);
    /// A leaf's triangles are tested.
    fn leaf(&mut self);
}

/// Sees nothing, at no cost.
#[derive(Debug)]
pub(crate) struct Unseen;

impl Probe for Unseen {
    #[inline(always)]
    fn node(&mut self) {}
    #[inline(always)]
    fn leaf(&mut self) {}
}

/// A child to be visited later, and where the ray enters its box.
#[derive(Clone, Copy, Debug)]
struct Entry {
    enter: f32,
    child: ChildRef,
}

impl<A: Admit> Walk<'_, A> {
    /// Walks the tree along a ray and hands every hit to the query.
    #[inline(always)]
    pub(crate) fn run<S: Simd, Q: Query, P: Probe>(
        &self,
        simd: S,
        ray: &Ray,
        query: &mut Q,
        probe: &mut P,
    ) {
        if !ray.is_valid() {
            return;
        }
        let slab = SlabRay::new(ray, self.tree.reach());
        let leaf_ray = LeafRay::new(ray);
        let mut stack = Stack::<Entry, { Bvh8::MAX_STACK }>::new();
        let mut t_max = widened(query.t_max());
        let mut child = self.tree.root();
        loop {
            if child.is_leaf() {
                probe.leaf();
                let leaf = self.tree.leaf(child);
                let lanes = leaf_ray.test(simd, leaf, query.t_max());
                if lanes.sure | lanes.unsure != 0 {
                    if self.take(ray, leaf, &lanes, query).is_break() {
                        return;
                    }
                    t_max = widened(query.t_max());
                }
            } else {
                probe.node();
                let node = self.tree.node(child);
                let (enter, mut met) = slab.test(simd, node, t_max);
                if met != 0 {
                    let lane = met.trailing_zeros() as usize;
                    met &= met - 1;
                    child = node.children[lane & 7];
                    if met == 0 {
                        continue;
                    }
                    let enter = enter.to_array();
                    let mut nearest = Entry { enter: enter[lane & 7], child };
                    let base = stack.len();
                    while met != 0 {
                        let lane = met.trailing_zeros() as usize & 7;
                        met &= met - 1;
                        let mut entry = Entry { enter: enter[lane], child: node.children[lane] };
                        if Q::NEAR_FIRST && entry.enter < nearest.enter {
                            std::mem::swap(&mut entry, &mut nearest);
                        }
                        stack.push(entry);
                    }
                    if Q::NEAR_FIRST {
                        sort_far_first(stack.above(base));
                    }
                    child = nearest.child;
                    continue;
                }
            }
            loop {
                let Some(entry) = stack.pop() else { return };
                if entry.enter <= t_max {
                    child = entry.child;
                    break;
                }
            }
        }
    }

    /// Hands the hits of a leaf to the query.
    #[inline(always)]
    pub(crate) fn take<S: Simd, Q: Query>(
        &self,
        ray: &Ray,
        leaf: &Leaf4,
        lanes: &Lanes<S>,
        query: &mut Q,
    ) -> ControlFlow<()> {
        let mut sure = lanes.sure;
        if sure != 0 {
            let (t, u, v) = (lanes.t.to_array(), lanes.u.to_array(), lanes.v.to_array());
            let (det, minus_bound) = (lanes.det.to_array(), lanes.minus_bound.to_array());
            while sure != 0 {
                let lane = sure.trailing_zeros() as usize & 3;
                sure &= sure - 1;
                let candidate = Candidate {
                    t: t[lane],
                    prim: leaf.prim[lane],
                    front: lanes.fronts >> lane & 1 != 0,
                    u: u[lane],
                    v: v[lane],
                    det: det[lane],
                    minus_bound: minus_bound[lane],
                };
                if self.admit.admits(&candidate, ray, self.mesh) {
                    query.add(candidate)?;
                }
            }
        }
        if lanes.unsure != 0 {
            self.decide(ray, leaf, lanes.unsure, lanes.good, lanes.t.to_array(), query)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Decides lanes that the filter left open. Where the filter's `t` is good it stays: it is what
    /// the lane was let through by, and answers must not depend on what was met before.
    #[cold]
    #[inline(never)]
    fn decide<Q: Query>(
        &self,
        ray: &Ray,
        leaf: &Leaf4,
        mut unsure: u32,
        good: u32,
        t: [f32; 4],
        query: &mut Q,
    ) -> ControlFlow<()> {
        while unsure != 0 {
            let lane = unsure.trailing_zeros() as usize & 3;
            unsure &= unsure - 1;
            let prim = leaf.prim[lane];
            if prim == Leaf4::NO_PRIM {
                continue;
            }
            let Some(hit) = Exact::new(ray, self.mesh.triangle(prim)).hit(self.edge_rule) else {
                continue;
            };
            let keep = good >> lane & 1 != 0 && t[lane] != 0.0;
            let t = if keep { t[lane] } else { hit.t };
            if !(finite_t_min(ray) <= t && t <= query.t_max()) {
                continue;
            }
            let candidate =
                Candidate { t, prim, front: hit.front, u: 0.0, v: 0.0, det: 0.0, minus_bound: 0.0 };
            if self.admit.admits(&candidate, ray, self.mesh) {
                query.add(candidate)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Sorts a few entries so that the nearest is on top of the stack.
#[inline(always)]
fn sort_far_first(entries: &mut [Entry]) {
    for end in 1..entries.len() {
        let entry = entries[end];
        let mut place = end;
        while place > 0 && entries[place - 1].enter < entry.enter {
            entries[place] = entries[place - 1];
            place -= 1;
        }
        entries[place] = entry;
    }
}
