//! A binary tree whose subtrees can be moved.

use fearless_simd::Simd;
use glam::Vec4;

use crate::build::fragment::{Fragment, Growing, half_areas};
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::bvh8::Leaf4;
use crate::memory::prefetch_item;

/// How many pairs of places are looked at for one subtree, so that no mesh makes the search quadratic.
const MOST_PLACES: usize = 2048;

/// A binary tree down to the subtrees that fit one leaf.
///
/// A node has a place. Siblings lie side by side, so that a search fetches both at once; a node
/// that moves changes its place.
pub(super) struct Links {
    /// The last pair is the root, and nothing.
    pairs: Vec<Pair>,
    /// The place of what each pair is below.
    parents: Vec<u32>,
    /// Subtrees that stay as they are, by their roots' places in the tree they came from.
    units: Vec<u32>,
    /// Makes areas fit f32.
    unit: f32,
}

/// Two siblings: their boxes, and either the number of the pair below or, from the number of
/// inner nodes on, that of a unit.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Pair([Fragment; 2]);

/// A subtree, and the one that it is to become the sibling of.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) node: u32,
    pub(super) to: u32,
    /// By how much the area of all inner nodes shrinks.
    pub(super) gain: f32,
}

/// The search for the best move of one subtree.
struct Search<'a, S> {
    simd: S,
    links: &'a Links,
    bounds: Growing,
    area: f32,
    /// The best place so far, and what it saves.
    to: u32,
    least: f32,
    places: usize,
    /// Pairs to look at, and what is saved there before the subtree's own box is added.
    open: &'a mut Vec<(f32, u32)>,
}

impl Links {
    /// Nothing if all fits one leaf.
    pub(super) fn of(bvh2: &Bvh2) -> Option<Self> {
        // Nodes lie in depth-first order: children come after their parents.
        let mut counts = vec![0_u32; bvh2.nodes.len()];
        let mut inner = 0;
        for (index, node) in bvh2.nodes.iter().enumerate().rev() {
            counts[index] = match node.kind {
                Kind2::Leaf { count, .. } => count,
                Kind2::Leaves { .. } => unreachable!("{NO_GROUPS}"),
                Kind2::Inner { right } => counts[index + 1] + counts[right as usize],
            };
            let is_inner = matches!(node.kind, Kind2::Inner { .. });
            inner += usize::from(is_inner && counts[index] > Leaf4::LANES as u32);
        }
        if inner == 0 {
            return None;
        }
        let blank = Fragment::of_run(Growing::EMPTY, 0, 0);
        let mut links = Self {
            pairs: vec![Pair([blank; 2]); inner + 1],
            parents: vec![2 * inner as u32; inner + 1],
            units: Vec::with_capacity(inner + 1),
            unit: bvh2.nodes[0].bounds.area_unit(),
        };
        let mut pairs = 0;
        let mut open = vec![(0, links.root())];
        while let Some((index, place)) = open.pop() {
            let node = bvh2.nodes[index as usize];
            let number = match node.kind {
                Kind2::Inner { right } if counts[index as usize] > Leaf4::LANES as u32 => {
                    let pair = pairs;
                    pairs += 1;
                    links.parents[pair as usize] = place;
                    open.extend([(right, 2 * pair + 1), (index + 1, 2 * pair)]);
                    pair
                }
                _ => {
                    links.units.push(index);
                    (inner + links.units.len() - 1) as u32
                }
            };
            *links.node_mut(place) = Fragment::new(node.bounds, number);
        }
        Some(links)
    }

    /// The root's place, which is the last: so many nodes there are beside it.
    pub(super) fn root(&self) -> u32 {
        2 * self.inner_nodes()
    }

    fn inner_nodes(&self) -> u32 {
        self.pairs.len() as u32 - 1
    }

    fn node(&self, place: u32) -> &Fragment {
        &self.pairs[place as usize / 2].0[place as usize % 2]
    }

    fn node_mut(&mut self, place: u32) -> &mut Fragment {
        &mut self.pairs[place as usize / 2].0[place as usize % 2]
    }

    pub(super) fn area(&self, place: u32) -> f32 {
        self.node(place).bounds().half_area_in(self.unit)
    }

    /// An area, or a sum of areas, in the mesh's own unit.
    pub(super) fn unscaled(&self, area: f64) -> f64 {
        area / f64::from(self.unit).powi(2)
    }

    fn parent(&self, place: u32) -> u32 {
        self.parents[place as usize / 2]
    }

    /// The pair below a node.
    fn below(&self, node: &Fragment) -> Option<u32> {
        (node.prim() < self.inner_nodes()).then(|| node.prim())
    }

    /// The move that saves most, if one saves anything: a search from the subtree up to the root
    /// and down into every subtree on the way that can still beat the best place found.
    #[inline(always)]
    pub(super) fn best_move(
        &self,
        simd: impl Simd,
        node: u32,
        open: &mut Vec<(f32, u32)>,
    ) -> Option<Move> {
        let mut pivot = self.parent(node);
        if pivot == self.root() {
            return None;
        }
        let unit = Vec4::splat(self.unit);
        let areas = |boxes: [Growing; 4]| half_areas(boxes.map(|bounds| bounds.extent_in(unit)));
        let sibling = self.node(node ^ 1);
        let mut left = Growing::of(sibling);
        let bounds = Growing::of(self.node(node));
        let [area, mut saved, beside, _] =
            areas([bounds, Growing::of(self.node(pivot)), left, left]).to_array();
        // Taking the subtree out saves its parent, and what the nodes above shrink by.
        let places = MOST_PLACES;
        let mut search =
            Search { simd, links: self, bounds, area, to: node, least: 0.0, places, open };
        if let Some(pair) = self.below(sibling) {
            search.open.push((beside, pair));
            search.run();
        }
        loop {
            let beside = self.node(pivot ^ 1);
            let other = Growing::of(beside);
            left = left.union(simd, other);
            let above = self.parent(pivot);
            let whole = Growing::of(self.node(above));
            let joined = other.union(simd, bounds);
            let [joined, own, whole, shrunk] = areas([joined, other, whole, left]).to_array();
            search.look(pivot ^ 1, saved - joined);
            if let Some(pair) = self.below(beside) {
                search.open.push((saved + (own - joined), pair));
                search.run();
            }
            if above == self.root() {
                break;
            }
            let more = whole - shrunk;
            saved += more;
            // From where on nothing shrinks, nothing more is saved.
            if more == 0.0 && saved - area <= search.least {
                break;
            }
            pivot = above;
        }
        let Search { to, least: gain, .. } = search;
        (to != node).then_some(Move { node, to, gain })
    }

    /// The nodes that must be as they were when the move was found.
    pub(super) fn around(&self, Move { node, to, .. }: Move) -> [u32; 5] {
        [node, to, self.parent(node), node ^ 1, self.parent(to)]
    }

    /// Whether a node lies in another one's subtree.
    pub(super) fn is_below(&self, mut node: u32, top: u32) -> bool {
        while node != self.root() && node != top {
            node = self.parent(node);
        }
        node == top
    }

    pub(super) fn apply(&mut self, simd: impl Simd, Move { node, to, .. }: Move) {
        let (sibling, parent) = (node ^ 1, self.parent(node));
        let above = self.parent(parent);
        self.shift(sibling, parent);
        // The pair is free for the subtree and its new sibling, in whose place the parent goes.
        self.shift(to, sibling);
        let pair = node / 2;
        let bounds = Growing::of(self.node(to)).union(simd, Growing::of(self.node(node)));
        *self.node_mut(to) = Fragment::of_run(bounds, pair, 0);
        self.parents[pair as usize] = to;
        self.refit(simd, self.parent(to));
        self.refit(simd, above);
    }

    /// Moves a node to another place.
    fn shift(&mut self, from: u32, to: u32) {
        let node = *self.node(from);
        *self.node_mut(to) = node;
        if let Some(pair) = self.below(&node) {
            self.parents[pair as usize] = to;
        }
    }

    fn refit(&mut self, simd: impl Simd, mut place: u32) {
        loop {
            let node = *self.node(place);
            let [left, right] = &self.pairs[node.prim() as usize].0;
            let bounds = Growing::of(left).union(simd, Growing::of(right));
            if bounds.bounds() == node.bounds() {
                return;
            }
            *self.node_mut(place) = Fragment::of_run(bounds, node.prim(), 0);
            if place == self.root() {
                return;
            }
            place = self.parent(place);
        }
    }

    /// The tree in depth-first order; `from` is the one that [`Self::of`] was given.
    pub(super) fn into_tree(self, from: &Bvh2) -> Bvh2 {
        let mut tree = Bvh2 {
            nodes: Vec::with_capacity(from.nodes.len()),
            prims: Vec::with_capacity(from.prims.len()),
            ..Bvh2::default()
        };
        let mut open = vec![(self.root(), None)];
        while let Some((place, right_of)) = open.pop() {
            let index = tree.nodes.len() as u32;
            if let Some(parent) = right_of {
                let parent: &mut Node2 = &mut tree.nodes[parent as usize];
                parent.kind = Kind2::Inner { right: index };
            }
            let node = self.node(place);
            if let Some(pair) = self.below(node) {
                open.extend([(2 * pair + 1, Some(index)), (2 * pair, None)]);
                let kind = Kind2::Inner { right: index };
                tree.nodes.push(Node2 { bounds: node.bounds(), kind });
            } else {
                let unit = node.prim() - self.inner_nodes();
                copy_subtree(from, self.units[unit as usize], &mut tree);
            }
        }
        tree
    }
}

impl<S: Simd> Search<'_, S> {
    #[inline(always)]
    fn look(&mut self, place: u32, gain: f32) {
        if gain > self.least {
            (self.to, self.least) = (place, gain);
        }
    }

    /// Looks at all places that are open and can still be better.
    #[inline(always)]
    fn run(&mut self) {
        let unit = Vec4::splat(self.links.unit);
        while let Some((mut saved, mut number)) = self.open.pop() {
            // No place below costs less than the subtree's own area.
            while saved - self.area > self.least && self.places > 0 {
                self.places -= 1;
                let Pair([left, right]) = &self.links.pairs[number as usize];
                let boxes = [left, right].map(Growing::of);
                let [a, b] = boxes.map(|bounds| bounds.union(self.simd, self.bounds));
                let extents = [a, b, boxes[0], boxes[1]].map(|bounds| bounds.extent_in(unit));
                let [a, b, left_area, right_area] = half_areas(extents).to_array();
                self.look(2 * number, saved - a);
                self.look(2 * number + 1, saved - b);
                // The node itself grows, and one more is put in below.
                let (a, b) = (saved + (left_area - a), saved + (right_area - b));
                let (mut near, mut far) = ((a, left), (b, right));
                if b > a {
                    (near, far) = (far, near);
                }
                if far.0 - self.area > self.least
                    && let Some(pair) = self.links.below(far.1)
                {
                    prefetch_item(&self.links.pairs, pair as usize);
                    self.open.push((far.0, pair));
                }
                let Some(pair) = self.links.below(near.1) else { break };
                (saved, number) = (near.0, pair);
            }
        }
    }
}

/// Why there are no nodes of several leaves here.
const NO_GROUPS: &str = "the tree's builder makes a node of each leaf";

/// Appends the subtree at `root`.
fn copy_subtree(from: &Bvh2, root: u32, tree: &mut Bvh2) {
    let moved_by = (tree.nodes.len() as u32).wrapping_sub(root);
    let mut missing = 1;
    for node in &from.nodes[root as usize..] {
        let kind = match node.kind {
            Kind2::Inner { right } => {
                missing += 1;
                Kind2::Inner { right: right.wrapping_add(moved_by) }
            }
            Kind2::Leaf { first, count } => {
                missing -= 1;
                let place = tree.prims.len() as u32;
                tree.prims.extend_from_slice(&from.prims[first as usize..][..count as usize]);
                Kind2::Leaf { first: place, count }
            }
            Kind2::Leaves { .. } => unreachable!("{NO_GROUPS}"),
        };
        tree.nodes.push(Node2 { bounds: node.bounds, kind });
        if missing == 0 {
            return;
        }
    }
}
