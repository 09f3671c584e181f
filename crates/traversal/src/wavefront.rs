//! Many rays in flight at once, a step each in turn, so that none waits for memory.
//!
//! A single ray waits for each node: the next one is known only once this one is tested. Here each
//! ray asks for its next block and steps aside, and by its next turn the block is there.
//!
//! ```text
//! each ray in flight is in one set: at a node, at a leaf, or done
//! for each at a node: test its boxes, keep those met for later, go to the nearest
//! for each at a leaf: test its triangles, go to what was kept last
//! for each done: give the answer, take the next ray
//! ```
//!
//! What a ray does next is noted in a set, not branched on: a wrong guess would throw away the
//! work of several rays at once.

mod compact;
mod nearest;

use std::hint::select_unpredictable;

use fearless_simd::{Simd, f32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::{BlockView, ChildRef};

use crate::leaf::LeafRay;
use crate::prepared::Prepared;
use crate::query::{Admit, InFlight, Query};
use crate::slab::widened;
use crate::walk::Walk;
use compact::{compacted, moved};
use nearest::nearest;

/// How many rays are in flight.
const SLOTS: usize = 32;

/// The room for children that a ray in flight keeps for later; one that might need more walks
/// alone.
const KEPT: usize = 64;

/// A ray in flight. What every step reads stands first and together, on two or three cache lines.
#[derive(Clone)]
#[repr(C, align(256))]
struct Slot<Q> {
    prepared: Prepared,
    /// Which ray it is.
    ray: usize,
    query: Q,
    /// The query's `t_max`, widened.
    t_max: f32,
    /// Where the ray is.
    at: ChildRef,
    kept: Kept,
}

/// Children to be visited later, and where the ray enters their boxes. Eight entries at a time are
/// written and looked at: there is room for these before the first and after the last. Those before
/// the first one lead nowhere, and end the walk.
#[derive(Clone, Copy)]
#[repr(C)]
struct Kept {
    /// How many there are, those before the first one among them.
    len: usize,
    enter: [f32; KEPT + 8],
    child: [ChildRef; KEPT + 8],
}

impl Kept {
    const NOTHING: Self = Self {
        len: Self::FIRST,
        enter: [f32::NEG_INFINITY; KEPT + 8],
        child: [ChildRef::NOWHERE; KEPT + 8],
    };

    const FIRST: usize = 8;
}

/// A set of slots, a bit each.
#[derive(Clone, Copy)]
struct Slots(u32);

impl Slots {
    const NONE: Self = Self(0);
    const ALL: Self = Self(u32::MAX >> (u32::BITS - SLOTS as u32));

    #[inline(always)]
    fn add_if(&mut self, wanted: bool, slot: usize) {
        self.0 |= u32::from(wanted) << slot;
    }

    fn remove(&mut self, slot: usize) {
        self.0 &= !(1 << slot);
    }

    fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl Iterator for Slots {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let slot = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(slot % SLOTS)
    }
}

/// The slots whose rays are at no node: at a leaf, or done.
#[derive(Clone, Copy)]
struct AtNoNode(Slots);

impl AtNoNode {
    // A set, not lists: the length of a list that is looked up by kind is a number in memory whose
    // place is known late, and the step of the next ray has to wait for it, a third of the time.
    // Three lists that are all written to took 13 instructions a step more than two sets.
    #[inline(always)]
    fn note(&mut self, slot: usize, at: ChildRef) {
        self.0.add_if(at.is_leaf(), slot);
    }

    /// Those whose rays are done.
    #[inline(always)]
    fn done<Q>(self, slots: &[Slot<Q>; SLOTS]) -> Slots {
        let mut done = Slots::NONE;
        for slot in self.0 {
            done.add_if(slots[slot].at == ChildRef::NOWHERE, slot);
        }
        done
    }
}

impl<A: Admit> Walk<'_, A> {
    /// Casts many rays, a step each in turn.
    #[inline(always)]
    pub(crate) fn run_wavefront<S: Simd, Q: InFlight>(
        &self,
        simd: S,
        rays: &[Ray],
        answers: &mut Q::Answers,
    ) {
        let Some(first) = rays.first() else { return };
        let idle = Slot {
            prepared: Prepared::UNSET,
            ray: usize::MAX,
            query: Q::first(first),
            t_max: 0.0,
            at: ChildRef::NOWHERE,
            kept: Kept::NOTHING,
        };
        let mut slots: [Slot<Q>; SLOTS] = std::array::from_fn(|_| idle.clone());
        let mut busy = Slots::ALL;
        let mut at_no_node = AtNoNode(Slots::ALL);
        let blocks = self.tree.block_view();
        let mut coming = 0..rays.len();
        while !busy.is_empty() {
            let mut next = AtNoNode(Slots::NONE);
            // Cast behind the loop, so that no call in it takes its registers.
            let mut crowded = Slots::NONE;
            for index in busy.without(at_no_node.0) {
                let slot = &mut slots[index];
                if slot.kept.len >= KEPT - 8 {
                    crowded.add_if(true, index);
                    continue;
                }
                step_at_node(simd, blocks, slot);
                next.note(index, slot.at);
            }
            for index in crowded {
                let slot = &mut slots[index];
                slot.query.restart(&rays[slot.ray]);
                let root = self.tree.root();
                self.run_apart(simd, root, &rays[slot.ray], &slot.prepared, &mut slot.query);
                slot.at = ChildRef::NOWHERE;
                next.note(index, slot.at);
            }
            let done = at_no_node.done(&slots);
            for index in at_no_node.0.without(done) {
                let slot = &mut slots[index];
                self.step_at_leaf(simd, blocks, slot, &rays[slot.ray]);
                next.note(index, slot.at);
            }
            for index in done {
                let slot = &mut slots[index];
                if slot.ray < rays.len() {
                    slot.query.give(slot.ray, self.mesh, answers);
                }
                busy.remove(index);
                for number in coming.by_ref() {
                    let ray = &rays[number];
                    slot.query.restart(ray);
                    if slot.prepared.set(simd, ray, self.tree.reach()) {
                        slot.ray = number;
                        slot.t_max = widened(slot.query.t_max());
                        slot.at = self.tree.root();
                        slot.kept.len = Kept::FIRST;
                        next.note(index, slot.at);
                        busy.add_if(true, index);
                        break;
                    }
                    slot.query.give(number, self.mesh, answers);
                }
            }
            at_no_node = next;
        }
    }

    /// Tests the triangles of the leaf where a ray is, and moves it back.
    #[inline(always)]
    fn step_at_leaf<S: Simd, Q: Query>(
        &self,
        simd: S,
        blocks: BlockView<'_>,
        slot: &mut Slot<Q>,
        ray: &Ray,
    ) {
        let leaf = blocks.leaf(slot.at);
        let leaf_ray = LeafRay::new(ray, slot.prepared.direction_bound);
        // Taking hits without branches costs more than guessing wrong: 5 to 15 % slower.
        if let Some(lanes) = leaf_ray.test(simd, leaf, slot.query.t_max()) {
            if self.take(ray, leaf, &lanes, &mut slot.query).is_break() {
                slot.kept.len = Kept::FIRST;
            }
            slot.t_max = widened(slot.query.t_max());
        }
        go_back(simd, blocks, slot);
    }
}

/// Tests the boxes of the node where a ray is, and moves it to the nearest, or back.
#[inline(always)]
fn step_at_node<S: Simd, Q: Query>(simd: S, blocks: BlockView<'_>, slot: &mut Slot<Q>) {
    let node = blocks.node(slot.at);
    let (enter, met) = slot.prepared.slab.test(simd, node, slot.t_max);
    let nearest = if Q::NEAR_FIRST {
        nearest(simd, enter, met)
    } else {
        (met.to_bitmask() as u32).trailing_zeros() as usize & 7
    };
    let met = met.to_bitmask() as u32;
    let count = met.count_ones() as usize;
    // The nearest is needed at once, the others are kept.
    let others = compacted(met & !(1 << nearest));
    let kept = &mut slot.kept;
    let place = kept.len % KEPT;
    if Q::NEAR_FIRST {
        let enter = moved(simd, bytemuck::cast_ref(&enter.to_array()), others);
        kept.enter[place..][..8].copy_from_slice(bytemuck::cast_slice(&enter));
    }
    // What is moved is the same for all nodes; the children of this one are made of it.
    let children = node.children(simd);
    let child = children.picked(simd, |lanes| moved(simd, lanes, others));
    kept.child[place..][..8].copy_from_slice(&child);
    let last = (place - 1) % KEPT;
    let nothing_met = met == 0;
    kept.len = place + count - 1;
    // What was met is hard to guess. The compiler makes a branch of the select if there is no other
    // like it; so it selects a place, that of an entry which is never gone back to, nor passed by.
    let now = select_unpredictable(nothing_met, last, 0);
    if Q::NEAR_FIRST {
        slot.at = select_unpredictable(nothing_met, kept.child[last], children.child(nearest));
    } else {
        kept.child[0] = children.child(nearest);
        slot.at = kept.child[now];
    }
    if Q::NEAR_FIRST && kept.enter[now] > slot.t_max {
        go_back(simd, blocks, slot);
    } else {
        blocks.prefetch(slot.at);
    }
}

/// Moves a ray to the child that it kept last and may still have to visit.
#[inline(always)]
fn go_back<S: Simd, Q: Query>(simd: S, blocks: BlockView<'_>, slot: &mut Slot<Q>) {
    let kept = &mut slot.kept;
    let mut last = kept.len % KEPT;
    if Q::NEAR_FIRST {
        // Eight at once: how many are passed by cannot be guessed.
        loop {
            last = (last - 8) % KEPT;
            let enter = f32x8::from_slice(simd, &kept.enter[last..][..8]);
            let open = enter.simd_le(f32x8::splat(simd, slot.t_max)).to_bitmask() as u32;
            if open != 0 {
                last += open.ilog2() as usize;
                break;
            }
        }
    } else {
        last = (last - 1) % KEPT;
    }
    kept.len = last;
    slot.at = kept.child[last];
    blocks.prefetch(slot.at);
}
