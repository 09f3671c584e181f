//! One ray's way through the tree, for every kind of query.

use std::marker::PhantomData;
use std::ops::ControlFlow;

use fearless_simd::{Simd, f32x4, prelude::*};
use hitscan_core::bvh8::{Bvh8, ChildAt, ChildRef, Leaf4};
use hitscan_core::memory::Stack;
use hitscan_core::{Ray, TriangleMesh};

use crate::blocks::{Blocks, Family, Fast, Node};
use crate::exact::Side;
use crate::leaf::{Lanes, LeafRay, finite_t_min};
use crate::open::{Open, poor_weights};
use crate::options::EdgeRule;
use crate::prepared::Prepared;
use crate::query::{Admit, Batched, Candidate, Query};
use crate::slab::widened;

/// How many rays of a slice are cast before their answers are made. An answer begins with a guess
/// whether there was a hit; made at the end of each walk, a wrong one would throw away the
/// beginning of the next.
const BLOCK: usize = 64;

/// What is walked, and by which rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'a, A, B = Fast> {
    pub(crate) tree: &'a Bvh8,
    pub(crate) mesh: &'a TriangleMesh,
    pub(crate) rules: Rules<A>,
    /// Which blocks the tree has.
    pub(crate) blocks: PhantomData<B>,
}

/// Which hits count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<A> {
    pub(crate) edge_rule: EdgeRule,
    pub(crate) admit: A,
}

/// Sees what a walk does.
pub(crate) trait Probe {
    /// A node's eight boxes are tested.
    fn node(&mut self);
    /// A leaf's triangles are tested.
    fn leaf(&mut self);
    /// Some triangles of a leaf are decided exactly.
    fn exact(&mut self, triangles: u32);
}

/// Sees nothing, at no cost.
#[derive(Debug)]
pub(crate) struct Unseen;

impl Probe for Unseen {
    #[inline(always)]
    fn node(&mut self) {}
    #[inline(always)]
    fn leaf(&mut self) {}
    #[inline(always)]
    fn exact(&mut self, _: u32) {}
}

/// A child to be visited later, and where the ray enters its box.
#[derive(Clone, Copy, Debug)]
struct Entry {
    child: ChildRef,
    enter: Order,
}

impl Entry {
    /// A number that is less for a nearer child.
    #[inline(always)]
    fn key(self) -> i64 {
        let child: u32 = bytemuck::cast(self.child);
        i64::from(self.enter.0) << 32 | i64::from(child)
    }

    /// The child in a lane; `enter` says where the ray enters each.
    #[inline(always)]
    fn of(children: impl Family, enter: &[Order; 8], lane: usize) -> Self {
        Self { child: children.child(lane), enter: enter[lane] }
    }

    #[inline(always)]
    fn of_key(key: i64) -> Self {
        Self { child: bytemuck::cast(key as u32), enter: Order((key >> 32) as i32) }
    }
}

/// The lanes that are met, a bit each.
#[derive(Clone, Copy)]
struct Met(u64);

impl Met {
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Met {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize & 7;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

/// A distance whose bits are compared as those of a whole number, which the core knows earlier.
/// Below zero the order is the other way round: there it costs time, and nothing else.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, bytemuck::Pod, bytemuck::Zeroable)]
struct Order(i32);

impl Order {
    #[inline(always)]
    fn distance(self) -> f32 {
        bytemuck::cast(self)
    }
}

impl<A: Admit, B: Blocks> Walk<'_, A, B> {
    /// Walks the tree along a ray and hands every hit to the query.
    #[inline(always)]
    pub(crate) fn run<S: Simd, Q: Query, P: Probe>(
        &self,
        simd: S,
        ray: &Ray,
        query: &mut Q,
        probe: &mut P,
    ) {
        let mut prepared = Prepared::UNSET;
        if prepared.set(simd, ray, self.tree.reach()) {
            self.run_from(simd, self.tree.root(), ray, &prepared, query, probe);
        }
    }

    /// Casts one ray after another.
    #[inline(always)]
    pub(crate) fn run_singly<S: Simd, Q: Batched>(
        &self,
        simd: S,
        rays: &[Ray],
        answers: &mut [Q::Answer],
    ) {
        for (rays, answers) in rays.chunks(BLOCK).zip(answers.chunks_mut(BLOCK)) {
            let mut queries: [Q; BLOCK] = std::array::from_fn(|_| Q::new(&rays[0]));
            for (ray, query) in rays.iter().zip(&mut queries) {
                *query = Q::new(ray);
                self.run(simd, ray, query, &mut Unseen);
            }
            for (query, answer) in queries.iter().zip(answers) {
                *answer = query.answer(self.mesh);
            }
        }
    }

    /// [`Self::run_from`] as a function of its own, for kernels that are large already.
    #[inline(always)]
    pub(crate) fn run_apart<S: Simd, Q: Query>(
        &self,
        simd: S,
        child: ChildRef,
        ray: &Ray,
        prepared: &Prepared,
        query: &mut Q,
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.run_from(simd, child, ray, prepared, query, &mut Unseen),
        );
    }

    /// Walks one subtree.
    #[inline(always)]
    pub(crate) fn run_from<S: Simd, Q: Query, P: Probe>(
        &self,
        simd: S,
        child: ChildRef,
        ray: &Ray,
        prepared: &Prepared,
        query: &mut Q,
        probe: &mut P,
    ) {
        // The stack's height beside its memory, to keep it in a register: 3 % slower on Zen 3.
        let mut stack = Stack::<Entry, { Bvh8::MAX_STACK }>::new();
        let mut room = B::ROOM;
        let mut t_max = widened(query.t_max());
        let mut at = ChildAt::from(child);
        loop {
            // A loop of its own, so that what boxes are tested with stays in registers.
            while !at.is_leaf() {
                probe.node();
                let node = B::node(simd, self.tree, at, &mut room);
                let (enter, met) = prepared.slab.test(simd, node.boxes(), t_max);
                let met = met.to_bitmask();
                // Asked of the lane, not of the set, which would be widened before it is counted.
                let first = met.trailing_zeros() as usize;
                if first >= 8 {
                    let Some(kept) = last_kept(&mut stack, t_max) else { return };
                    at = ChildAt::from(kept);
                    continue;
                }
                let children = node.children(simd);
                let others = Met(met & (met - 1));
                if others.is_empty() {
                    at = children.child_at(first);
                    continue;
                }
                let enter = bytemuck::cast(enter.to_array());
                at = if Q::NEAR_FIRST {
                    self.keep_far(children, &enter, first, others, &mut stack)
                } else {
                    for lane in others {
                        self.keep(Entry::of(children, &enter, lane), &mut stack);
                    }
                    children.child_at(first)
                };
            }
            probe.leaf();
            let leaf = B::leaf(simd, self.tree, self.mesh, at, &mut room);
            // Looked at anew: spread over registers before the walk, where there is no room for them,
            // it went through memory for leaves that short walks have hardly any of.
            let leaf_ray = LeafRay::new(std::hint::black_box(ray), prepared.direction_bound);
            if let Some(lanes) = leaf_ray.test(simd, leaf, query.t_max()) {
                probe.exact(lanes.unsure.count_ones());
                if self.take(ray, leaf, &lanes, query).is_break() {
                    return;
                }
                t_max = widened(query.t_max());
            }
            let Some(kept) = last_kept(&mut stack, t_max) else { return };
            at = ChildAt::from(kept);
        }
    }

    /// Keeps all children that are met but the nearest, the farthest lowest; gives the nearest.
    #[inline(always)]
    fn keep_far<const CAPACITY: usize>(
        &self,
        children: impl Family,
        enter: &[Order; 8],
        first: usize,
        mut others: Met,
        stack: &mut Stack<Entry, CAPACITY>,
    ) -> ChildAt {
        let Some(second) = others.next() else { unreachable!("there are others") };
        let Some(third) = others.next() else {
            let (mut near, mut far) = (first, second);
            if enter[far] < enter[near] {
                // Not colder than the other way, but so it is guessed, and not waited for: 5 to 10 %
                // of the time of rays that have much in common.
                std::hint::cold_path();
                std::mem::swap(&mut near, &mut far);
            }
            self.keep(Entry::of(children, enter, far), stack);
            return children.child_at(near);
        };
        // The order of three cannot be guessed often enough.
        let [a, b, c] = [
            Entry::of(children, enter, first).key(),
            Entry::of(children, enter, second).key(),
            Entry::of(children, enter, third).key(),
        ];
        let (a, b) = (a.min(b), a.max(b));
        let (b, c) = (b.min(c), b.max(c));
        let (mut nearest, b) = (a.min(b), a.max(b));
        let base = stack.len();
        self.keep(Entry::of_key(c), stack);
        self.keep(Entry::of_key(b), stack);
        for lane in others {
            let key = Entry::of(children, enter, lane).key();
            let entry = Entry::of_key(key.max(nearest));
            nearest = key.min(nearest);
            B::prefetch(self.tree, entry.child);
            stack.insert(base, entry, |new, old| old.enter < new.enter);
        }
        ChildAt::from(Entry::of_key(nearest).child)
    }

    /// Keeps a child for later, and asks for it.
    #[inline(always)]
    fn keep<const CAPACITY: usize>(&self, entry: Entry, stack: &mut Stack<Entry, CAPACITY>) {
        B::prefetch(self.tree, entry.child);
        stack.push(entry);
    }

    /// Hands the hits of a leaf to the query.
    #[inline(always)]
    pub(crate) fn take<S: Simd, Q: Query>(
        &self,
        ray: &Ray,
        leaf: &Leaf4,
        lanes: &Lanes<f32x4<S>>,
        query: &mut Q,
    ) -> ControlFlow<()> {
        let mut sure = lanes.sure;
        let poor = if needs_weights::<Q, A>() { !lanes.good_weights() } else { 0 };
        while sure != 0 {
            let lane = sure.trailing_zeros() as usize & 3;
            sure &= sure - 1;
            let mut candidate = lanes.candidate(lane, leaf.marked_prims()[lane]);
            if poor >> lane & 1 != 0 {
                candidate = candidate.with_weights(poor_weights(ray, self.mesh, leaf, lane));
            }
            if self.rules.admit.admits(&candidate, self.mesh) {
                query.add(candidate)?;
            }
        }
        let mut unsure = lanes.unsure;
        while unsure != 0 {
            let lane = unsure.trailing_zeros() as usize & 3;
            unsure &= unsure - 1;
            decide(self.mesh, self.rules, ray, leaf, lane, lanes.good_t(lane), query)?;
        }
        ControlFlow::Continue(())
    }
}

/// Decides a triangle that the filter left open. Where the filter's `t` is good it stays: it is
/// what the lane was let through by, and answers must not depend on what was met before.
// Given what it needs of the walk: a walk whose address is taken is written to memory for each ray.
#[cold]
#[inline(never)]
pub(crate) fn decide<Q: Query, A: Admit>(
    mesh: &TriangleMesh,
    rules: Rules<A>,
    ray: &Ray,
    leaf: &Leaf4,
    lane: usize,
    good_t: Option<f32>,
    query: &mut Q,
) -> ControlFlow<()> {
    let marked_prim = leaf.marked_prims()[lane & 3];
    if Leaf4::unmarked(marked_prim).0 == Leaf4::NO_PRIM {
        return ControlFlow::Continue(());
    }
    let open = Open::new(ray, mesh, leaf, lane);
    let Some(side) = open.hit_side(rules.edge_rule) else {
        return ControlFlow::Continue(());
    };
    let t = good_t.unwrap_or_else(|| open.t());
    if !(finite_t_min(ray) <= t && t <= query.t_max()) {
        return ControlFlow::Continue(());
    }
    let weights = if needs_weights::<Q, A>() { open.weights() } else { (0.0, 0.0) };
    let candidate = Candidate::decided(t, marked_prim, side == Side::Front, weights);
    if rules.admit.admits(&candidate, mesh) {
        query.add(candidate)?;
    }
    ControlFlow::Continue(())
}

/// Whether anything looks at the weights of a hit.
pub(crate) const fn needs_weights<Q: Query, A: Admit>() -> bool {
    Q::WEIGHTS || !A::EVERYTHING
}

/// Takes the child that was kept last and may still have to be visited.
#[inline(always)]
fn last_kept<const CAPACITY: usize>(
    stack: &mut Stack<Entry, CAPACITY>,
    t_max: f32,
) -> Option<ChildRef> {
    loop {
        let entry = stack.pop()?;
        if entry.enter.distance() <= t_max {
            return Some(entry.child);
        }
    }
}
