//! Up to sixty-four rays that go much the same way, through the tree together.
//!
//! Boulos, Wald and Benthin, "Adaptive Ray Packet Reordering", 2008, for testing late and handing
//! over early; the interval test follows Reshetov, Soupikov and Hurley, "Multi-Level Ray Tracing
//! Algorithm", 2005.
//!
//! ```text
//! pop a child; unless all rays meet its box, as their bounds together say,
//!     test it against each group of eight rays that met its parent
//! a leaf: test its triangles against the rays that met its box
//! a node that few rays met: each of them walks on alone
//! any other node: test its eight boxes against the whole bundle at once, push those that it meets
//! ```

mod bundle;
mod group;
mod leaf;

use fearless_simd::{Simd, f32x8, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::{Bvh8, ChildRef, Node8};
use hitscan_core::memory::Stack;

use crate::query::{Admit, Eight, LANES, Packed, Query};
use crate::walk::Walk;
use bundle::Bundle;
use group::{ChildBox, Group};

/// How many rays a packet holds.
pub(crate) const PACKET: usize = GROUPS * LANES;

const GROUPS: usize = 8;

/// A bit for each group.
const ALL_GROUPS: u32 = (1 << GROUPS) - 1;

/// Up to this many rays walk on alone.
const FEW_RAYS: u32 = 3;

/// A packet of rays with the same signs of direction.
#[derive(Clone, Debug)]
struct Packet<E> {
    groups: [Group<E>; GROUPS],
    bundle: Bundle,
    /// The rays that still look for something.
    active: Met,
    /// By group, the greatest and the least of their `t_max`, widened.
    greatest: [f32; GROUPS],
    least: [f32; GROUPS],
    /// The same of all groups.
    t_max: f32,
    least_t_max: f32,
}

/// A child to be visited later.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Where a ray may enter its box, at the least.
    enter: f32,
    /// By when all rays have entered it; NaN if perhaps not all meet it.
    all_entered: f32,
    parent: ChildRef,
    lane: u8,
    /// A bit for each group that met the parent.
    groups: u8,
}

/// Some rays of a packet: a bit for each, a byte for each group.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Met(u64);

impl Met {
    const NONE: Self = Self(0);

    /// Adds rays of a group.
    #[inline(always)]
    fn add(&mut self, group: usize, lanes: u32) {
        self.0 |= u64::from(lanes) << (8 * group);
    }

    /// Says which rays of a group there are.
    #[inline(always)]
    fn set(&mut self, group: usize, lanes: u32) {
        self.0 &= !(0xff << (8 * group));
        self.add(group, lanes);
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many rays.
    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// A bit for each group that has one.
    #[inline(always)]
    fn groups(self) -> u32 {
        // Each byte's bits come together in its lowest one, and these in the highest byte.
        let mut bytes = self.0 | self.0 >> 4;
        bytes |= bytes >> 2;
        bytes |= bytes >> 1;
        ((bytes & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    }

    /// A bit for each ray of a group.
    #[inline(always)]
    fn of_group(self, group: usize) -> u32 {
        (self.0 >> (8 * group)) as u32 & 0xff
    }
}

impl<E: Eight> Packet<E> {
    /// A packet without rays.
    const UNSET: Self = Self {
        groups: [const { Group::UNSET }; GROUPS],
        bundle: Bundle::UNSET,
        active: Met::NONE,
        greatest: [f32::NEG_INFINITY; GROUPS],
        least: [f32::INFINITY; GROUPS],
        t_max: f32::NEG_INFINITY,
        least_t_max: f32::INFINITY,
    };

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
        self.renew_t_max(simd, ALL_GROUPS);
        self.bundle.set(simd, &self.groups, all?, tree.reach())
    }

    /// Brings up to date which rays of some groups look for something, and how far.
    #[inline(always)]
    fn renew_t_max<S: Simd>(&mut self, simd: S, groups: u32) {
        for index in bits(groups) {
            let reach = self.groups[index].renew_t_max(simd);
            self.active.set(index, reach.active);
            (self.greatest[index], self.least[index]) = (reach.greatest, reach.least);
        }
        self.t_max = f32x8::load_array_ref(simd, &self.greatest).reduce_max();
        self.least_t_max = f32x8::load_array_ref(simd, &self.least).reduce_min();
    }

    /// The rays of some groups that meet a child's box.
    #[inline(always)]
    fn meeting<S: Simd>(&self, simd: S, parent: &Node8, child: usize, groups: u32) -> Met {
        let child_box = ChildBox::splat(simd, parent, child, &self.bundle.sides);
        let mut met = Met::NONE;
        for index in bits(groups) {
            met.add(index, self.groups[index].meets(simd, &child_box));
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
        if root.is_leaf() {
            self.packet_leaf(simd, rays, packet, self.tree.leaf(root), packet.active);
            return;
        }
        push_children(simd, self.tree, root, packet, packet.active, &mut stack);
        while let Some(entry) = stack.pop() {
            if entry.enter > packet.t_max {
                continue;
            }
            let parent = self.tree.node(entry.parent);
            let lane = entry.lane as usize % 8;
            // No ray is left out that may meet the box, so answers do not depend on which way it is.
            let met = if entry.all_entered <= packet.least_t_max {
                packet.active
            } else {
                packet.meeting(simd, parent, lane, entry.groups.into())
            };
            let child = parent.children(simd).child(lane);
            if met.is_empty() {
            } else if child.is_leaf() {
                self.packet_leaf(simd, rays, packet, self.tree.leaf(child), met);
            } else if met.count() <= FEW_RAYS {
                self.walk_alone(simd, rays, packet, child, met);
            } else {
                push_children(simd, self.tree, child, packet, met, &mut stack);
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
        met: Met,
    ) {
        for index in bits(met.groups()) {
            let group = &mut packet.groups[index];
            for lane in bits(met.of_group(index)) {
                let prepared = group.prepared(lane, &packet.bundle.sides);
                let mut query = group.queries.one(lane);
                let ray = &rays[index * LANES + lane];
                self.run_apart(simd, child, ray, &prepared, &mut query);
                group.queries.set(lane, &query);
            }
        }
        packet.renew_t_max(simd, met.groups());
    }
}

/// Pushes the children of a node that the bundle meets, the nearest on top.
#[inline(always)]
fn push_children<S: Simd, E: Eight, const CAPACITY: usize>(
    simd: S,
    tree: &Bvh8,
    parent: ChildRef,
    packet: &Packet<E>,
    met: Met,
    stack: &mut Stack<Entry, CAPACITY>,
) {
    let node = tree.node(parent);
    let children = node.children(simd);
    let (enter, met_by_some) = packet.bundle.test(simd, node, packet.t_max);
    let enter = enter.to_array();
    let mut all_entered = [f32::NAN; LANES];
    if met == packet.active {
        packet.bundle.all_entered(simd, node).store_array(&mut all_entered);
    }
    let groups = met.groups() as u8;
    let base = stack.len();
    for lane in bits(met_by_some) {
        tree.prefetch(children.child(lane));
        let (enter, all_entered) = (enter[lane], all_entered[lane]);
        let entry = Entry { enter, all_entered, parent, lane: lane as u8, groups };
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
