//! From the binary tree to the eight-wide one, with the nodes that cost least.
//!
//! Ylitie, Karras and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide
//! BVHs", 2017, section 3.1.
//!
//! ```text
//! cost(n, i): the least cost of the subtree at n, given as at most i roots
//! share(n, i) = min over k of cost(left, k) + cost(right, i − k)
//! cost(n, 1) = area(n) · (1 as a leaf, if its triangles fit; else 1 + share(n, 8) as a node)
//! cost(n, i) = min(share(n, i), cost(n, i − 1))
//! ```

use std::ops::Range;

use super::{Bvh8, ChildRef, Leaf4, Node8, Statistics};
use crate::Aabb;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::memory::{Line, lines_in_huge_pages};
use crate::mesh::TriangleMesh;

/// What meeting a node costs, in units of meeting a leaf.
const NODE_COST: f32 = 1.0;

/// From this many nodes on, a subtree is worth a thread of its own.
const PARALLEL_FROM: usize = 8192;

pub(super) fn collapse(bvh2: &Bvh2, mesh: &TriangleMesh) -> Bvh8 {
    let mut plans = vec![Plan::default(); bvh2.nodes.len()];
    let root_area = bvh2.nodes.first().map_or(1.0, |root| root.bounds.half_area());
    let area_scale = root_area.recip().min(f64::MAX);
    let planner = Planner { area_scale, prims: &bvh2.prims, repeats: bvh2.has_repeats(mesh) };
    if !plans.is_empty() {
        planner.plan(&bvh2.nodes, &mut plans, 0);
    }
    let mut writer = Writer {
        bvh2,
        plans: &plans,
        planner,
        mesh,
        // Room for most trees; what is not used is never touched.
        lines: lines_in_huge_pages(bvh2.nodes.len()),
        leaves: Vec::new(),
        statistics: Statistics::default(),
    };
    // Empty lanes lead to a leaf without triangles, which is always the first block.
    let nowhere = writer.reserve_leaf();
    writer.write(nowhere, Leaf4::EMPTY);
    let bounds = bvh2.nodes.first().map_or(Aabb::EMPTY, |root| root.bounds);
    let root = if bvh2.nodes.is_empty() { nowhere } else { writer.tree() };
    let triangles =
        if planner.repeats { writer.mark_split() } else { writer.statistics.references };
    let Writer { lines, mut statistics, .. } = writer;
    statistics.triangles = triangles;
    statistics.node_bytes = statistics.nodes * size_of::<Node8>();
    statistics.leaf_bytes = lines.len() * size_of::<Line>() - statistics.node_bytes;
    Bvh8::of_blocks(lines.into(), root, bounds, statistics)
}

/// The costs of a subtree, and how many triangles it has.
#[derive(Clone, Copy, Default)]
struct Plan {
    /// The least cost as at most one root, two roots, …, seven roots.
    cost: [f32; 7],
    /// How many lanes it takes, so long as they may fit one leaf: a triangle that is there in
    /// several parts takes one.
    lanes: u32,
}

impl Plan {
    fn leaf_cost(&self, area: f32) -> f32 {
        if self.lanes as usize <= Leaf4::LANES { area } else { f32::INFINITY }
    }

    /// How many of `roots` go to the left so that the cost is least, and that cost.
    fn share(left: &Self, right: &Self, roots: usize) -> (usize, f32) {
        let mut best = (1, f32::INFINITY);
        for k in 1.max(roots.saturating_sub(7))..roots.min(8) {
            let cost = left.cost[k - 1] + right.cost[roots - k - 1];
            if cost < best.1 {
                best = (k, cost);
            }
        }
        best
    }
}

#[derive(Clone, Copy)]
struct Planner<'a> {
    /// One over the area of the root.
    area_scale: f64,
    prims: &'a [u32],
    /// Whether some triangle is there more than once.
    repeats: bool,
}

impl Planner<'_> {
    /// A node's area over the root's.
    fn area(self, node: &Node2) -> f32 {
        (node.bounds.half_area() * self.area_scale) as f32
    }

    /// Fills the plans of the subtree whose nodes these are; `base` is the index of the first one.
    fn plan(self, nodes: &[Node2], plans: &mut [Plan], base: usize) {
        let area = self.area(&nodes[0]);
        let Kind2::Inner { right } = nodes[0].kind else {
            let Kind2::Leaf { count, .. } = nodes[0].kind else { unreachable!("the other kind") };
            assert!(count as usize <= Leaf4::LANES, "a leaf of the binary tree fits one block");
            plans[0] = Plan { cost: [area; 7], lanes: count };
            return;
        };
        let right = right as usize - base;
        let (own, below) = plans.split_at_mut(1);
        let (left_plans, right_plans) = below.split_at_mut(right - 1);
        let (left_nodes, right_nodes) = (&nodes[1..right], &nodes[right..]);
        if left_nodes.len().min(right_nodes.len()) >= PARALLEL_FROM {
            rayon::join(
                || self.plan(left_nodes, left_plans, base + 1),
                || self.plan(right_nodes, right_plans, base + right),
            );
        } else {
            self.plan(left_nodes, left_plans, base + 1);
            self.plan(right_nodes, right_plans, base + right);
        }
        let (left, right) = (&left_plans[0], &right_plans[0]);
        let mut plan = Plan { lanes: left.lanes + right.lanes, ..Plan::default() };
        if self.repeats && left.lanes.max(right.lanes) as usize <= Leaf4::LANES {
            plan.lanes = Distinct::of(&self.prims[prims_below(nodes)]).count as u32;
        }
        let as_node = NODE_COST * area + Plan::share(left, right, 8).1;
        plan.cost[0] = plan.leaf_cost(area).min(as_node);
        for roots in 2..=7 {
            plan.cost[roots - 1] = Plan::share(left, right, roots).1.min(plan.cost[roots - 2]);
        }
        own[0] = plan;
    }
}

/// Where the triangles of a subtree are, by its nodes.
fn prims_below(nodes: &[Node2]) -> Range<usize> {
    let leaf = |node: &Node2| match node.kind {
        Kind2::Leaf { first, count } => Some(first as usize..first as usize + count as usize),
        Kind2::Inner { .. } => None,
    };
    // Nodes lie in depth-first order, and triangles in the order of the leaves.
    let first = nodes.iter().find_map(leaf).map_or(0, |range| range.start);
    let end = nodes.last().and_then(leaf).map_or(first, |range| range.end);
    first..end
}

/// The triangles of some parts, each once, as long as they fit a leaf.
struct Distinct {
    prims: [u32; Leaf4::LANES],
    /// One too many if they do not fit.
    count: usize,
}

impl Distinct {
    fn of(parts: &[u32]) -> Self {
        let mut distinct = Self { prims: [Leaf4::NO_PRIM; Leaf4::LANES], count: 0 };
        for &prim in parts {
            if distinct.prims[..distinct.count].contains(&prim) {
                continue;
            }
            distinct.count += 1;
            let Some(place) = distinct.prims.get_mut(distinct.count - 1) else { break };
            *place = prim;
        }
        distinct
    }
}

struct Writer<'a> {
    bvh2: &'a Bvh2,
    plans: &'a [Plan],
    planner: Planner<'a>,
    mesh: &'a TriangleMesh,
    lines: Vec<Line>,
    /// Every leaf, if triangles are there more than once.
    leaves: Vec<ChildRef>,
    statistics: Statistics,
}

impl Writer<'_> {
    /// Writes everything; gives the root.
    fn tree(&mut self) -> ChildRef {
        let root = self.reserve(0);
        let mut open = vec![(0, root, 1)];
        while let Some((index, place, depth)) = open.pop() {
            self.statistics.sah_cost += f64::from(self.area(index));
            self.statistics.depth = self.statistics.depth.max(depth);
            if place.is_leaf() {
                let leaf = self.leaf(index, place);
                self.write(place, leaf);
                continue;
            }
            let mut roots = Vec::with_capacity(8);
            self.children(index, &mut roots);
            let mut node = Node8::empty(ChildRef::leaf(0));
            // Siblings lie side by side, before anything below them.
            for &child in &roots {
                let child_place = self.reserve(child);
                node.push(self.bvh2.nodes[child].bounds, child_place);
                open.push((child, child_place, depth + 1));
            }
            self.write(place, node);
        }
        root
    }

    fn area(&self, index: usize) -> f32 {
        self.planner.area(&self.bvh2.nodes[index])
    }

    fn is_leaf(&self, index: usize) -> bool {
        let plan = &self.plans[index];
        plan.leaf_cost(self.area(index)) <= plan.cost[0]
    }

    /// The roots of the subtrees that become the children of a node.
    fn children(&self, index: usize, roots: &mut Vec<usize>) {
        let Kind2::Inner { right } = self.bvh2.nodes[index].kind else {
            unreachable!("a binary leaf fits a leaf");
        };
        let (left, right) = (index + 1, right as usize);
        let (k, _) = Plan::share(&self.plans[left], &self.plans[right], 8);
        self.open(left, k, roots);
        self.open(right, 8 - k, roots);
    }

    /// Opens a subtree into at most `count` roots, as its plan says.
    fn open(&self, index: usize, mut count: usize, roots: &mut Vec<usize>) {
        let plan = &self.plans[index];
        while count > 1 && plan.cost[count - 1] == plan.cost[count - 2] {
            count -= 1;
        }
        match self.bvh2.nodes[index].kind {
            Kind2::Inner { right } if count > 1 => {
                let (left, right) = (index + 1, right as usize);
                let (k, _) = Plan::share(&self.plans[left], &self.plans[right], count);
                self.open(left, k, roots);
                self.open(right, count - k, roots);
            }
            _ => roots.push(index),
        }
    }

    fn leaf(&mut self, index: usize, place: ChildRef) -> Leaf4 {
        let mut end = index;
        while let Kind2::Inner { right } = self.bvh2.nodes[end].kind {
            end = right as usize;
        }
        let parts = &self.bvh2.prims[prims_below(&self.bvh2.nodes[index..=end])];
        let distinct = Distinct::of(parts);
        let (leaf, _) = Leaf4::of(&distinct.prims[..distinct.count], self.mesh);
        self.statistics.references += distinct.count;
        if self.planner.repeats {
            self.leaves.push(place);
        }
        leaf
    }

    /// Marks triangles that are in several leaves; gives how many different ones there are.
    fn mark_split(&mut self) -> usize {
        let mut times = vec![0_u8; self.mesh.triangle_count()];
        let leaf_of = |lines: &[Line], place: ChildRef| -> Leaf4 {
            bytemuck::pod_read_unaligned(bytemuck::cast_slice(
                &lines[place.line()..][..Leaf4::LINES],
            ))
        };
        for &place in &self.leaves {
            for prim in leaf_of(&self.lines, place).prims() {
                times[prim as usize] = times[prim as usize].saturating_add(1);
            }
        }
        for place in std::mem::take(&mut self.leaves) {
            let mut leaf = leaf_of(&self.lines, place);
            let prims: Vec<u32> = leaf.prims().collect();
            for (lane, prim) in prims.into_iter().enumerate() {
                if times[prim as usize] > 1 {
                    leaf.mark_split(lane);
                }
            }
            self.write(place, leaf);
        }
        times.iter().filter(|&&times| times > 0).count()
    }

    fn reserve(&mut self, index: usize) -> ChildRef {
        if self.is_leaf(index) {
            self.statistics.leaves += 1;
            self.reserve_leaf()
        } else {
            self.statistics.nodes += 1;
            ChildRef::node(self.reserve_lines(Node8::LINES))
        }
    }

    fn reserve_leaf(&mut self) -> ChildRef {
        ChildRef::leaf(self.reserve_lines(Leaf4::LINES))
    }

    fn reserve_lines(&mut self, count: usize) -> usize {
        let first = self.lines.len();
        self.lines.resize(first + count, Line([0; 16]));
        first
    }

    fn write<Block: bytemuck::Pod>(&mut self, place: ChildRef, block: Block) {
        let lines: &[Line] = bytemuck::cast_slice(std::slice::from_ref(&block));
        self.lines[place.line()..][..lines.len()].copy_from_slice(lines);
    }
}
