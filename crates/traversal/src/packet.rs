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

use fearless_simd::{Simd, prelude::*};
use hitscan_core::Ray;
use hitscan_core::bvh8::{Bvh8, ChildRef, Leaf4};
use hitscan_core::memory::Stack;

use crate::leaf::{LeafRay, Triangles};
use crate::query::{Admit, Query};
use crate::walk::{BLOCK, Unseen, Walk, finish_all, started};
use bundle::{Bundle, greatest};
pub(crate) use group::LANES;
use group::{ChildBox, Group};

/// How many rays a packet holds.
pub(crate) const PACKET: usize = GROUPS * LANES;

const _: () = assert!(PACKET == BLOCK);

const GROUPS: usize = 8;

/// Up to this many rays walk on alone.
const FEW_RAYS: u32 = 3;

/// Up to this many rays of a group are tested against four triangles each, more against one
/// triangle together.
const FEW_LANES: u32 = 2;

/// A packet of rays with the same signs of direction.
#[derive(Clone, Debug)]
pub(crate) struct Packet {
    groups: [Group; GROUPS],
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

impl Packet {
    /// A packet without rays.
    pub(crate) const UNSET: Self =
        Self { groups: [const { Group::UNSET }; GROUPS], bundle: Bundle::UNSET, t_max: 0.0 };

    /// Takes at most [`PACKET`] rays. Gives nothing if one of them is out of the ordinary, if their
    /// directions disagree in sign, or if their numbers are too large to be bounded together.
    #[inline(always)]
    pub(crate) fn set<S: Simd>(&mut self, simd: S, rays: &[Ray], tree: &Bvh8) -> Option<()> {
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
        self.t_max = greatest(&self.groups.each_ref().map(|group| group.t_max));
    }
}

impl<A: Admit> Walk<'_, A> {
    /// Casts rays in packets; `start` begins a ray's query and `finish` makes the answer of it.
    #[inline(always)]
    pub(crate) fn run_packets<S: Simd, Q: Query + Copy, Answer>(
        &self,
        simd: S,
        rays: &[Ray],
        start: impl Fn(&Ray) -> Q,
        finish: impl Fn(&Q, &Ray, &mut Answer),
        answers: &mut [Answer],
    ) {
        let mut packet = Packet::UNSET;
        for (rays, answers) in rays.chunks(PACKET).zip(answers.chunks_mut(PACKET)) {
            let mut queries = started(rays, &start);
            if packet.set(simd, rays, self.tree).is_some() {
                self.run_packet(simd, rays, &mut packet, &mut queries);
            } else {
                for (ray, query) in rays.iter().zip(&mut queries) {
                    self.run(simd, ray, query, &mut Unseen);
                }
            }
            finish_all(rays, &queries, &finish, answers);
        }
    }

    /// Walks the tree along all rays of a packet and hands every hit to its ray's query.
    #[inline(always)]
    pub(crate) fn run_packet<S: Simd, Q: Query>(
        &self,
        simd: S,
        rays: &[Ray],
        packet: &mut Packet,
        queries: &mut [Q],
    ) {
        let mut stack = Stack::<Entry, { Bvh8::MAX_STACK + 8 }>::new();
        let mut met = [0_u32; GROUPS];
        let root = self.tree.root();
        if root.is_leaf() {
            for (group, met) in packet.groups.iter().zip(&mut met) {
                *met = group.active();
            }
            self.packet_leaf(simd, rays, packet, queries, self.tree.leaf(root), &met);
            return;
        }
        push_children(simd, self.tree, root, packet, u8::MAX, &mut stack);
        while let Some(entry) = stack.pop() {
            if entry.enter > packet.t_max {
                continue;
            }
            let parent = self.tree.node(entry.parent);
            let lane = entry.lane as usize & 7;
            let mut groups = 0;
            let mut ray_count = 0;
            met = [0; GROUPS];
            let child_box = ChildBox::splat(simd, parent, lane, &packet.bundle.planes);
            for (index, group) in packet.groups.iter().enumerate() {
                if entry.groups >> index & 1 == 0 {
                    continue;
                }
                met[index] = group.meets(simd, &child_box);
                groups |= u8::from(met[index] != 0) << index;
                ray_count += met[index].count_ones();
            }
            let child = parent.children[lane];
            if groups == 0 {
            } else if child.is_leaf() {
                self.packet_leaf(simd, rays, packet, queries, self.tree.leaf(child), &met);
            } else if ray_count <= FEW_RAYS {
                self.walk_alone(simd, rays, packet, queries, child, &met);
            } else {
                push_children(simd, self.tree, child, packet, groups, &mut stack);
            }
        }
    }

    /// Lets each ray that met a node's box walk its subtree alone.
    #[inline(always)]
    fn walk_alone<S: Simd, Q: Query>(
        &self,
        simd: S,
        rays: &[Ray],
        packet: &mut Packet,
        queries: &mut [Q],
        child: ChildRef,
        met: &[u32; GROUPS],
    ) {
        for (index, group) in packet.groups.iter_mut().enumerate() {
            let mut lanes = met[index];
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize & 7;
                lanes &= lanes - 1;
                let (ray, query) =
                    (&rays[index * LANES + lane], &mut queries[index * LANES + lane]);
                let prepared = group.prepared(lane, &packet.bundle.planes);
                self.run_apart(simd, child, ray, &prepared, query);
                group.set_t_max(lane, query);
            }
            group.renew_t_max();
        }
        packet.renew_t_max();
    }

    /// Tests the triangles of a leaf against the rays that met its box.
    #[inline(always)]
    fn packet_leaf<S: Simd, Q: Query>(
        &self,
        simd: S,
        rays: &[Ray],
        packet: &mut Packet,
        queries: &mut [Q],
        leaf: &Leaf4,
        met: &[u32; GROUPS],
    ) {
        let mut any_hit = false;
        for (index, group) in packet.groups.iter_mut().enumerate() {
            let first = index * LANES;
            let lanes = met[index];
            if lanes == 0 {
                continue;
            }
            let hit = if lanes.count_ones() <= FEW_LANES {
                self.each_ray(simd, &rays[first..], group, &mut queries[first..], leaf, lanes)
            } else {
                self.each_triangle(simd, &rays[first..], group, &mut queries[first..], leaf, lanes)
            };
            if hit == 0 {
                continue;
            }
            any_hit = true;
            let mut hit = hit;
            while hit != 0 {
                let lane = hit.trailing_zeros() as usize & 7;
                hit &= hit - 1;
                group.set_t_max(lane, &queries[first + lane]);
            }
            group.renew_t_max();
        }
        if any_hit {
            packet.renew_t_max();
        }
    }

    /// Four triangles at a time, ray by ray; gives the lanes whose queries took something.
    #[inline(always)]
    fn each_ray<S: Simd, Q: Query>(
        &self,
        simd: S,
        rays: &[Ray],
        group: &Group,
        queries: &mut [Q],
        leaf: &Leaf4,
        mut lanes: u32,
    ) -> u32 {
        let mut hit = 0;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize & 7;
            lanes &= lanes - 1;
            let (ray, query) = (&rays[lane], &mut queries[lane]);
            let leaf_ray = LeafRay::new(ray, group.direction_bound(lane));
            let found = leaf_ray.test(simd, leaf, query.t_max());
            if found.sure | found.unsure != 0 {
                // A query that is done says so by its `t_max`.
                let _ = self.take(ray, leaf, &found, query);
                hit |= 1 << lane;
            }
        }
        hit
    }

    /// Eight rays at a time, triangle by triangle; gives the lanes whose queries took something.
    #[inline(always)]
    fn each_triangle<S: Simd, Q: Query>(
        &self,
        simd: S,
        rays: &[Ray],
        group: &mut Group,
        queries: &mut [Q],
        leaf: &Leaf4,
        lanes: u32,
    ) -> u32 {
        let mut hit = 0;
        for (triangle, &prim) in leaf.marked_prims().iter().enumerate() {
            if prim == Leaf4::NO_PRIM {
                break;
            }
            let triangles = Triangles::splat(simd, leaf, triangle);
            let found = crate::leaf::filter(simd, &group.rays(simd), &triangles);
            let (mut sure, mut unsure) = (found.sure & lanes, found.unsure & lanes);
            hit |= sure | unsure;
            while sure != 0 {
                let lane = sure.trailing_zeros() as usize & 7;
                sure &= sure - 1;
                let candidate = found.candidate(lane, prim);
                if self.admit.admits(&candidate, &rays[lane], self.mesh) {
                    let _ = queries[lane].add(candidate);
                }
            }
            while unsure != 0 {
                let lane = unsure.trailing_zeros() as usize & 7;
                unsure &= unsure - 1;
                let query = &mut queries[lane];
                let _ = self.decide(&rays[lane], prim, found.good_t(lane), query);
            }
        }
        hit
    }
}

/// Pushes the children of a node that the bundle meets, the nearest on top.
#[inline(always)]
fn push_children<S: Simd, const CAPACITY: usize>(
    simd: S,
    tree: &Bvh8,
    parent: ChildRef,
    packet: &Packet,
    groups: u8,
    stack: &mut Stack<Entry, CAPACITY>,
) {
    let node = tree.node(parent);
    let (enter, mut met) = packet.bundle.test(simd, node, packet.t_max);
    let enter = enter.to_array();
    let base = stack.len();
    while met != 0 {
        let lane = met.trailing_zeros() as usize & 7;
        met &= met - 1;
        tree.prefetch(node.children[lane]);
        stack.push(Entry { enter: enter[lane], parent, lane: lane as u8, groups });
        let entries = stack.above(base);
        let mut place = entries.len() - 1;
        while place > 0 && entries[place - 1].enter < entries[place].enter {
            entries.swap(place - 1, place);
            place -= 1;
        }
    }
}
