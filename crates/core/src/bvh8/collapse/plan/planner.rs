//! Finds what each subtree costs, from the last node to the first.

use std::ops::Range;

use fearless_simd::Simd;

use super::Plan;
use crate::build::Steps;
use crate::bvh2::{Bvh2, Kind2, Leaf2, Node2};
use crate::bvh8::collapse::areas::Areas;
use crate::bvh8::collapse::distinct::Distinct;
use crate::bvh8::{Leaf4, Node8};
use crate::cancel::Cancelled;
use crate::memory::prefetch_item;

/// What a cache line of a block costs beyond the block's area, in areas of the average leaf: rays
/// that pass by pay for bytes as well, as these take room in caches. 2 to 5 % fewer bytes for 0.2 %
/// more to visit; twice as much takes off another half a percent.
const LINE_COST: f32 = 0.25;

/// From this many nodes on, a subtree is worth a thread of its own.
const PARALLEL_FROM: usize = 8192;

/// Plans the subtrees of a binary tree.
#[derive(Clone, Copy)]
pub(super) struct Planner<'a> {
    areas: Areas,
    /// What the bytes of a leaf and of a node cost.
    leaf_cost: f32,
    node_cost: f32,
    leaves: &'a [Leaf2],
    prims: &'a [u32],
    repeats: bool,
}

impl<'a> Planner<'a> {
    pub(super) fn new(bvh2: &'a Bvh2, repeats: bool) -> Self {
        let areas = Areas::new(bvh2);
        let line_cost = LINE_COST * areas.average_leaf(bvh2);
        Self {
            areas,
            leaf_cost: line_cost * Leaf4::LINES as f32,
            node_cost: line_cost * Node8::LINES as f32,
            leaves: &bvh2.leaves,
            prims: &bvh2.prims,
            repeats,
        }
    }

    /// The cost as one root, and whether that is a leaf; `below` is the cost of a node's children.
    #[inline(always)]
    fn as_one(self, area: f32, below: f32, fits_leaf: bool) -> (f32, bool) {
        let as_leaf = area + self.leaf_cost;
        let as_node = area + self.node_cost + below;
        let is_leaf = fits_leaf && as_leaf <= as_node;
        (if is_leaf { as_leaf } else { as_node }, is_leaf)
    }

    /// Fills the plans of the subtree whose nodes these are; `base` is the index of the first one.
    pub(super) fn plan<S: Simd>(
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
        const AHEAD: usize = 8;
        for index in (0..nodes.len()).rev() {
            // Leaves lie in an order of their own.
            if let Some(Node2 { kind: Kind2::Leaves { first, count }, .. }) =
                nodes.get(index.wrapping_sub(AHEAD))
            {
                for leaf in (*first..first + count).step_by(2) {
                    prefetch_item(self.leaves, leaf as usize);
                }
            }
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
                return Plan { cost: [area + self.leaf_cost; 7], lanes: count };
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
        let fits_leaf = plan.lanes() as usize <= Leaf4::LANES;
        let (as_one, is_leaf) = self.as_one(area, shares[8], fits_leaf);
        plan.cost[0] = as_one;
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
            apart += self.areas.of(leaf.bounds) + self.leaf_cost;
        }
        let lanes = if self.repeats && prims.len() <= Bvh2::MOST_LEAVES * Leaf4::LANES {
            Distinct::of(&self.prims[prims]).count() as u32
        } else {
            prims.len() as u32
        };
        let (as_one, is_leaf) = self.as_one(area, apart, lanes as usize <= Leaf4::LANES);
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
    pub(super) fn prims_of(self, node: &Node2) -> Option<Range<usize>> {
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
