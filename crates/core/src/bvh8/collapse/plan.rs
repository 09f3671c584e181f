//! What each subtree of a binary tree costs at the least as nodes of a wide one.
//!
//! ```text
//! cost(n, i): the least cost of the subtree at n, given as at most i roots
//! share(n, i) = min over k of cost(left, k) + cost(right, i − k)
//! cost(n, 1) = as a leaf, if its triangles fit: area(n) + its bytes
//!              else as a node: area(n) + its bytes + share(n, 8)
//! cost(n, i) = min(share(n, i), cost(n, i − 1))
//! ```
//!
//! Where a node of the binary tree has leaves that are no nodes, their areas are its share(n, i) for
//! as many roots or more.

mod planner;

use std::ops::Range;

use crate::build::Steps;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::cancel::Cancelled;
use crate::memory::in_huge_pages;
use crate::simd::with_simd;
use planner::Planner;

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
        let (mut best, mut least) = (1, f32::INFINITY);
        for k in 1.max(roots.saturating_sub(7))..roots.min(8) {
            let cost = left.cost[k - 1] + right.cost[roots - k - 1];
            // Without branches, as nothing foretells which is less.
            let is_less = cost < least;
            best = if is_less { k } else { best };
            least = if is_less { cost } else { least };
        }
        best
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
