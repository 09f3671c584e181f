//! What each subtree of a binary tree costs at the least as nodes of a wide one.
//!
//! ```text
//! cost(n, i): the least cost of the subtree at n, given as at most i roots
//! share(n, i) = min over k of cost(left, k) + cost(right, i − k)
//! cost(n, 1) = area(n) · (1 as a leaf, if its triangles fit; else 1 + share(n, 8) as a node)
//! cost(n, i) = min(share(n, i), cost(n, i − 1))
//! ```
//!
//! Where a node of the binary tree has leaves that are no nodes, their areas are its share(n, i) for
//! as many roots or more.

use std::ops::Range;

use fearless_simd::Simd;

use super::distinct::Distinct;
use crate::Aabb;
use crate::build::Steps;
use crate::bvh2::{Bvh2, Kind2, Leaf2, Node2};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::memory::in_huge_pages;
use crate::simd::with_simd;

/// What meeting a node costs, in units of meeting a leaf.
const NODE_COST: f32 = 1.0;

/// From this many nodes on, a subtree is worth a thread of its own.
const PARALLEL_FROM: usize = 8192;

/// The costs of a subtree, and how many triangles it has.
#[derive(Clone, Copy, Default)]
struct Plan {
    /// The least cost as at most one root, two roots, …, seven roots.
    cost: [f32; 7],
    /// How many lanes it takes, so long as they may fit one leaf: a triangle that is there in
    /// several parts takes one. With [`Self::NODE`] if it costs less as a node.
    lanes: u32,
}

impl Plan {
    const NODE: u32 = 1 << 31;

    /// Set where the triangles lie apart from those of other nodes, so that no leaf has both.
    const APART: u32 = 1 << 30;

    fn lanes(&self) -> u32 {
        self.lanes & !(Self::NODE | Self::APART)
    }

    /// The least costs of two subtrees together, by the number of roots.
    #[inline(always)]
    fn shares(left: &Self, right: &Self) -> [f32; 9] {
        let mut least = [f32::INFINITY; 9];
        for k in 1..8 {
            for rest in 1..=8 - k {
                let cost = left.cost[k - 1] + right.cost[rest - 1];
                let place = &mut least[k + rest];
                *place = if cost < *place { cost } else { *place };
            }
        }
        least
    }

    /// How many of `roots` go to the left so that the cost is least.
    fn share(left: &Self, right: &Self, roots: usize) -> usize {
        let mut best = (1, f32::INFINITY);
        for k in 1.max(roots.saturating_sub(7))..roots.min(8) {
            let cost = left.cost[k - 1] + right.cost[roots - k - 1];
            if cost < best.1 {
                best = (k, cost);
            }
        }
        best.0
    }
}

/// A binary tree and what each of its subtrees costs.
pub(super) struct Plans<'a> {
    pub(super) bvh2: &'a Bvh2,
    planner: Planner<'a>,
    plans: Vec<Plan>,
}

/// A subtree by the range of its nodes, which lie in depth-first order.
pub(super) type Subtree = Range<usize>;

/// What becomes a child of a node, or several.
#[derive(Clone)]
pub(super) enum Child {
    /// A subtree that is a node.
    Node(Subtree),
    /// A subtree that is a leaf.
    Leaf(Subtree),
    /// Leaves that are no nodes of the binary tree, by their places in its list.
    Leaves(Range<u32>),
}

impl<'a> Plans<'a> {
    /// `repeats`: whether some triangle is there more than once.
    pub(super) fn new(bvh2: &'a Bvh2, repeats: bool, steps: &Steps<'_>) -> Result<Self, Cancelled> {
        let planner = Planner::new(bvh2, repeats);
        let mut plans = in_huge_pages(bvh2.nodes.len());
        plans.resize(bvh2.nodes.len(), Plan::default());
        if !plans.is_empty() {
            with_simd!(simd => planner.plan(simd, &bvh2.nodes, &mut plans, 0, steps)?);
        }
        Ok(Self { bvh2, planner, plans })
    }

    /// The whole tree as one child.
    pub(super) fn root(&self) -> Child {
        self.as_one(0..self.bvh2.nodes.len())
    }

    /// Where the triangles of a subtree are that is to be a leaf.
    pub(super) fn prims(&self, leaf: Subtree) -> Range<usize> {
        let nodes = &self.bvh2.nodes[leaf];
        // Triangles lie in the order of the leaves, and the last node is one.
        let prims = |node: &Node2| self.planner.prims_of(node);
        let start = nodes.iter().find_map(prims).map_or(0, |range| range.start);
        start..nodes.last().and_then(prims).map_or(start, |range| range.end)
    }

    /// What becomes the children of a node.
    pub(super) fn children(&self, node: Subtree, take: &mut impl FnMut(Child)) {
        match self.bvh2.nodes[node.start].kind {
            Kind2::Inner { .. } => self.share(node, 8, take),
            Kind2::Leaves { first, count } => take(Child::Leaves(first..first + count)),
            Kind2::Leaf { .. } => unreachable!("a binary leaf fits a leaf"),
        }
    }

    /// Opens a subtree into at most `count` roots, as its plan says.
    fn open(&self, subtree: Subtree, mut count: usize, take: &mut impl FnMut(Child)) {
        let plan = &self.plans[subtree.start];
        while count > 1 && plan.cost[count - 1] == plan.cost[count - 2] {
            count -= 1;
        }
        match self.bvh2.nodes[subtree.start].kind {
            Kind2::Inner { .. } if count > 1 => self.share(subtree, count, take),
            Kind2::Leaves { first, count: leaves } if count > 1 => {
                take(Child::Leaves(first..first + leaves));
            }
            _ => take(self.as_one(subtree)),
        }
    }

    /// Opens the two halves of a subtree into `count` roots.
    fn share(&self, subtree: Subtree, count: usize, take: &mut impl FnMut(Child)) {
        let Kind2::Inner { right } = self.bvh2.nodes[subtree.start].kind else {
            unreachable!("only inner nodes have halves");
        };
        let (left, right) = (subtree.start + 1, right as usize);
        let k = Plan::share(&self.plans[left], &self.plans[right], count);
        self.open(left..right, k, take);
        self.open(right..subtree.end, count - k, take);
    }

    fn as_one(&self, subtree: Subtree) -> Child {
        let is_node = self.plans[subtree.start].lanes & Plan::NODE != 0;
        if is_node { Child::Node(subtree) } else { Child::Leaf(subtree) }
    }
}

/// Areas over that of the root.
#[derive(Clone, Copy)]
pub(super) struct Areas {
    /// The unit of length.
    unit: f32,
    /// One over the area of the root, in that unit.
    scale: f32,
}

impl Areas {
    pub(super) fn new(bvh2: &Bvh2) -> Self {
        let root = bvh2.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds);
        let unit = root.area_unit();
        Self { unit, scale: root.half_area_in(unit).recip().min(f32::MAX) }
    }

    #[inline(always)]
    pub(super) fn of(self, bounds: Aabb) -> f32 {
        bounds.half_area_in(self.unit) * self.scale
    }
}

#[derive(Clone, Copy)]
struct Planner<'a> {
    areas: Areas,
    leaves: &'a [Leaf2],
    prims: &'a [u32],
    repeats: bool,
}

impl<'a> Planner<'a> {
    fn new(bvh2: &'a Bvh2, repeats: bool) -> Self {
        Self { areas: Areas::new(bvh2), leaves: &bvh2.leaves, prims: &bvh2.prims, repeats }
    }

    /// Fills the plans of the subtree whose nodes these are; `base` is the index of the first one.
    fn plan<S: Simd>(
        self,
        simd: S,
        nodes: &[Node2],
        plans: &mut [Plan],
        base: usize,
        steps: &Steps<'_>,
    ) -> Result<(), Cancelled> {
        let right = match nodes[0].kind {
            Kind2::Inner { right } => right as usize - base,
            Kind2::Leaf { .. } | Kind2::Leaves { .. } => 0,
        };
        if right.min(nodes.len() - right) < PARALLEL_FROM {
            return steps.part(nodes.len(), || {
                simd.vectorize(
                    #[inline(always)]
                    || self.plan_all(nodes, plans, base),
                );
            });
        }
        let (left_plans, right_plans) = plans[1..].split_at_mut(right - 1);
        let (left_nodes, right_nodes) = (&nodes[1..right], &nodes[right..]);
        let (left, right) = rayon::join(
            || self.plan(simd, left_nodes, left_plans, base + 1, steps),
            || self.plan(simd, right_nodes, right_plans, base + right, steps),
        );
        left.and(right)?;
        plans[0] = self.plan_one(nodes, plans, 0, base);
        Ok(())
    }

    /// The same on one thread: children come after their parents, so backwards.
    #[inline(always)]
    fn plan_all(self, nodes: &[Node2], plans: &mut [Plan], base: usize) {
        for index in (0..nodes.len()).rev() {
            plans[index] = self.plan_one(nodes, plans, index, base);
        }
    }

    #[inline(always)]
    fn plan_one(self, nodes: &[Node2], plans: &[Plan], index: usize, base: usize) -> Plan {
        let area = self.areas.of(nodes[index].bounds);
        let right = match nodes[index].kind {
            Kind2::Inner { right } => right as usize - base,
            Kind2::Leaf { count, .. } => {
                assert!(count as usize <= Leaf4::LANES, "a leaf of the binary tree fits one block");
                return Plan { cost: [area; 7], lanes: count };
            }
            Kind2::Leaves { .. } => return self.plan_leaves(&nodes[index], area),
        };
        let (left, right_plan) = (&plans[index + 1], &plans[right]);
        let (left_lanes, right_lanes) = (left.lanes(), right_plan.lanes());
        let mut plan = Plan { lanes: left_lanes + right_lanes, ..Plan::default() };
        if (left.lanes | right_plan.lanes) & Plan::APART != 0 {
            plan.lanes = Plan::APART | (Leaf4::LANES as u32 + 1);
        } else if self.repeats && left_lanes.max(right_lanes) as usize <= Leaf4::LANES {
            let prims = self.prims_below(nodes, index, right, base);
            plan.lanes = Distinct::of(&self.prims[prims]).count() as u32;
        }
        let shares = Plan::shares(left, right_plan);
        let as_node = NODE_COST * area + shares[8];
        let is_leaf = plan.lanes() as usize <= Leaf4::LANES && area <= as_node;
        plan.cost[0] = if is_leaf { area } else { as_node };
        plan.lanes |= if is_leaf { 0 } else { Plan::NODE };
        for roots in 2..=7 {
            let (share, fewer) = (shares[roots], plan.cost[roots - 2]);
            plan.cost[roots - 1] = if share < fewer { share } else { fewer };
        }
        plan
    }

    /// The plan of a node of leaves.
    #[inline(always)]
    fn plan_leaves(self, node: &Node2, area: f32) -> Plan {
        let leaves = self.leaves_of(node);
        assert!(leaves.len() <= Bvh2::MOST_LEAVES, "leaves of the binary tree fit one node");
        let prims = self.prims_of(node).unwrap_or_default();
        let mut apart = 0.0;
        for leaf in leaves {
            assert!(
                leaf.count as usize <= Leaf4::LANES,
                "a leaf of the binary tree fits one block"
            );
            apart += self.areas.of(leaf.bounds);
        }
        let lanes = if self.repeats && prims.len() <= Bvh2::MOST_LEAVES * Leaf4::LANES {
            Distinct::of(&self.prims[prims]).count() as u32
        } else {
            prims.len() as u32
        };
        let as_node = NODE_COST * area + apart;
        let is_leaf = lanes as usize <= Leaf4::LANES && area <= as_node;
        let as_one = if is_leaf { area } else { as_node };
        let cost =
            |roots: usize| if roots < leaves.len() || as_one < apart { as_one } else { apart };
        Plan {
            cost: [as_one, cost(2), cost(3), cost(4), cost(5), cost(6), cost(7)],
            lanes: lanes | Plan::APART | if is_leaf { 0 } else { Plan::NODE },
        }
    }

    /// Where the triangles of a subtree are. It begins at `index`, its right child at `right`, both
    /// counted from `base`.
    fn prims_below(self, nodes: &[Node2], index: usize, right: usize, base: usize) -> Range<usize> {
        // Triangles lie in the order of the leaves.
        let prims = |node: &Node2| self.prims_of(node);
        let start = nodes[index..].iter().find_map(prims).map_or(0, |range| range.start);
        let mut last = right;
        while let Kind2::Inner { right } = nodes[last].kind {
            last = right as usize - base;
        }
        start..prims(&nodes[last]).map_or(start, |range| range.end)
    }

    /// Where the triangles of a node without children are.
    fn prims_of(self, node: &Node2) -> Option<Range<usize>> {
        let range = |first: u32, count: u32| first as usize..first as usize + count as usize;
        match node.kind {
            Kind2::Inner { .. } => None,
            Kind2::Leaf { first, count } => Some(range(first, count)),
            Kind2::Leaves { .. } => {
                let [first, .., last] = self.leaves_of(node) else {
                    return self.leaves_of(node).first().map(|leaf| range(leaf.first, leaf.count));
                };
                Some(first.first as usize..range(last.first, last.count).end)
            }
        }
    }

    /// The leaves in a node that are no nodes.
    fn leaves_of(self, node: &Node2) -> &'a [Leaf2] {
        match node.kind {
            Kind2::Leaves { first, count } => &self.leaves[first as usize..][..count as usize],
            Kind2::Inner { .. } | Kind2::Leaf { .. } => &[],
        }
    }
}
