//! Up to sixty-four rays that go much the same way, through the tree together.
//!
//! Boulos, Wald and Benthin, "Adaptive Ray Packet Reordering", 2008, for testing late and handing
//! over early; the interval test follows Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing
//! Algorithm", 2005.
//!
//! ```text
//! pop a child; test its box against each group of eight rays that met its parent
//! a leaf: test its triangles against the rays that met its box
//! a node that few rays met: each of them walks on alone
//! any other node: test its eight boxes against the whole bundle at once, push those that it meets
//! ```

mod bundle;
mod group;
mod leaf;

use fearless_simd::{Simd, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::{Bvh8, ChildRef};
use hitscan_core::memory::Stack;

use crate::query::{Admit, Eight, LANES, Packed, Query};
use crate::walk::Walk;
use bundle::Bundle;
use group::{ChildBox, Group};

/// How many rays a packet holds.
pub(crate) const PACKET: usize = GROUPS * LANES;

const GROUPS: usize = 8;

/// Up to this many rays walk on alone.
const FEW_RAYS: u32 = 3;

/// A packet of rays with the same signs of direction.
#[derive(Clone, Debug)]
struct Packet<E> {
    groups: [Group<E>; GROUPS],
    bundle: Bundle,
    /// The greatest of the groups' `t_max`.
    t_max: f32,
}

/// A child to be visited later, by the groups that met its parent.
#[derive(Clone, Copy, Debug)]
struct Entry {
    enter: f32,
    parent: ChildRef,
    lane: u8,
    groups: u8,
}

/// The rays of a packet that meet a box: by group a bit for each ray, and a bit for each group that
/// has one.
#[derive(Clone, Copy, Debug)]
struct Met {
    lanes: [u32; GROUPS],
    groups: u32,
}

impl<E: Eight> Packet<E> {
    /// A packet without rays.
    const UNSET: Self =
        Self { groups: [const { Group::UNSET }; GROUPS], bundle: Bundle::UNSET, t_max: 0.0 };

    /// Takes at most [`PACKET`] rays. Gives nothing if one of them is out of the ordinary, if their
    /// directions disagree in sign, or if their numbers are too large to be bounded together.
    #[inline(always)]
    fn set<S: Simd>(&mut self, simd: S, rays: &[Ray], tree: &Bvh8) -> Option<()> {
        let filler = rays.first()?;
        let mut all = None;
        for (index, group) in self.groups.iter_mut().enumerate() {
            let first = (index * LANES).min(rays.len());
            let last = (first + LANES).min(rays.len());
            let signs = group.set(simd, &rays[first..last], filler, tree.reach())?;
            if *all.get_or_insert(signs) != signs {
                return None;
            }
        }
        self.renew_t_max();
        self.bundle.set(simd, &self.groups, all?, tree.reach())
    }

    /// Brings the greatest `t_max` up to date.
    #[inline(always)]
    fn renew_t_max(&mut self) {
        self.t_max = f32::NEG_INFINITY;
        for group in &self.groups {
            self.t_max = if group.t_max > self.t_max { group.t_max } else { self.t_max };
        }
    }

    /// The rays that still look for something.
    #[inline(always)]
    fn active<S: Simd>(&self, simd: S) -> Met {
        let mut met = Met { lanes: [0; GROUPS], groups: 0 };
        for (index, group) in self.groups.iter().enumerate() {
            met.lanes[index] = group.active(simd);
            met.groups |= u32::from(met.lanes[index] != 0) << index;
        }
        met
    }
}

/// Whether the rays' directions agree in sign, so that one packet can take them.
pub(crate) fn can_be_together(rays: &[Ray]) -> bool {
    let signs = |ray: &Ray| ray.direction.map(f32::is_sign_negative);
    rays.windows(2).all(|pair| signs(&pair[0]) == signs(&pair[1]))
}

impl<A: Admit> Walk<'_, A> {
    /// Casts rays in packets.
    #[inline(always)]
    pub(crate) fn run_packets<S: Simd, Q: Packed>(
        &self,
        simd: S,
        rays: &[Ray],
        answers: &mut [Q::Answer],
    ) {
        let mut packet = Packet::<Q::Eight>::UNSET;
        for (rays, answers) in rays.chunks(PACKET).zip(answers.chunks_mut(PACKET)) {
            if packet.set(simd, rays, self.tree).is_none() {
                self.run_singly::<S, Q>(simd, rays, answers);
                continue;
            }
            self.run_packet(simd, rays, &mut packet);
            for (answers, group) in answers.chunks_mut(LANES).zip(&packet.groups) {
                group.queries.answer(simd, self.mesh, answers);
            }
        }
    }

    /// Walks the tree along all rays of a packet and hands every hit to its ray's query.
    #[inline(always)]
    fn run_packet<S: Simd, E: Eight>(&self, simd: S, rays: &[Ray], packet: &mut Packet<E>) {
        let mut stack = Stack::<Entry, { Bvh8::MAX_STACK + 8 }>::new();
        let root = self.tree.root();
        let mut met = packet.active(simd);
        if root.is_leaf() {
            self.packet_leaf(simd, rays, packet, self.tree.leaf(root), &met);
            return;
        }
        push_children(simd, self.tree, root, packet, u8::MAX, &mut stack);
        while let Some(entry) = stack.pop() {
            if entry.enter > packet.t_max {
                continue;
            }
            let parent = self.tree.node(entry.parent);
            let lane = entry.lane as usize % 8;
            let child_box = ChildBox::splat(simd, parent, lane, &packet.bundle.sides);
            let mut ray_count = 0;
            met.groups = 0;
            for index in bits(entry.groups.into()) {
                let lanes = packet.groups[index].meets(simd, &child_box);
                met.lanes[index] = lanes;
                met.groups |= u32::from(lanes != 0) << index;
                ray_count += lanes.count_ones();
            }
            let child = parent.children(simd).child(lane);
            if met.groups == 0 {
            } else if child.is_leaf() {
                self.packet_leaf(simd, rays, packet, self.tree.leaf(child), &met);
            } else if ray_count <= FEW_RAYS {
                self.walk_alone(simd, rays, packet, child, &met);
            } else {
                push_children(simd, self.tree, child, packet, met.groups as u8, &mut stack);
            }
        }
    }

    /// Lets each ray that met a node's box walk its subtree alone.
    #[inline(always)]
    fn walk_alone<S: Simd, E: Eight>(
        &self,
        simd: S,
        rays: &[Ray],
        packet: &mut Packet<E>,
        child: ChildRef,
        met: &Met,
    ) {
        for index in bits(met.groups) {
            let group = &mut packet.groups[index];
            for lane in bits(met.lanes[index]) {
                let prepared = group.prepared(lane, &packet.bundle.sides);
                let mut query = group.queries.one(lane);
                let ray = &rays[index * LANES + lane];
                self.run_apart(simd, child, ray, &prepared, &mut query);
                group.queries.set(lane, &query);
            }
            group.renew_t_max(simd);
        }
        packet.renew_t_max();
    }
}

/// Pushes the children of a node that the bundle meets, the nearest on top.
#[inline(always)]
fn push_children<S: Simd, E: Eight, const CAPACITY: usize>(
    simd: S,
    tree: &Bvh8,
    parent: ChildRef,
    packet: &Packet<E>,
    groups: u8,
    stack: &mut Stack<Entry, CAPACITY>,
) {
    let node = tree.node(parent);
    let children = node.children(simd);
    let (enter, met) = packet.bundle.test(simd, node, packet.t_max);
    let enter = enter.to_array();
    let base = stack.len();
    for lane in bits(met) {
        tree.prefetch(children.child(lane));
        let entry = Entry { enter: enter[lane], parent, lane: lane as u8, groups };
        stack.insert(base, entry, |new, old| E::One::NEAR_FIRST && old.enter < new.enter);
    }
}

/// The places of the bits that are set among the lowest eight.
#[inline(always)]
fn bits(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(
        #[inline(always)]
        move || {
            let place = bits.trailing_zeros() as usize % 8;
            let is_left = bits != 0;
            bits &= bits.wrapping_sub(1);
            is_left.then_some(place)
        },
    )
}
