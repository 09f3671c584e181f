//! A binary tree whose subtrees can be moved.

use crate::Aabb;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::bvh8::Leaf4;

/// How many places are looked at for one subtree, so that no mesh makes the search quadratic.
const MOST_PLACES: usize = 4096;

const NONE: u32 = u32::MAX;

const ROOT: u32 = 0;

/// A binary tree down to the subtrees that fit one leaf.
pub(super) struct Links {
    nodes: Vec<Link>,
}

#[derive(Clone, Copy)]
struct Link {
    bounds: Aabb,
    parent: u32,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Inner([u32; 2]),
    /// A subtree that stays as it is, by its root's place in the tree it came from.
    Unit(u32),
}

/// A subtree, and the one that it is to become the sibling of.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) node: u32,
    pub(super) to: u32,
    /// By how much the area of all inner nodes shrinks.
    pub(super) gain: f64,
}

impl Links {
    pub(super) fn of(bvh2: &Bvh2) -> Self {
        // Nodes lie in depth-first order: children come after their parents.
        let mut counts = vec![0_u32; bvh2.nodes.len()];
        for (index, node) in bvh2.nodes.iter().enumerate().rev() {
            counts[index] = match node.kind {
                Kind2::Leaf { count, .. } => count,
                Kind2::Leaves { .. } => unreachable!("{NO_GROUPS}"),
                Kind2::Inner { right } => counts[index + 1] + counts[right as usize],
            };
        }
        let mut links = Self { nodes: Vec::with_capacity(bvh2.nodes.len() / 2) };
        let mut open = if bvh2.nodes.is_empty() { vec![] } else { vec![(0, NONE)] };
        while let Some((index, parent)) = open.pop() {
            let place = links.nodes.len() as u32;
            let node = bvh2.nodes[index as usize];
            let kind = match node.kind {
                Kind2::Inner { right } if counts[index as usize] > Leaf4::LANES as u32 => {
                    open.extend([(right, place), (index + 1, place)]);
                    Kind::Inner([NONE; 2])
                }
                _ => Kind::Unit(index),
            };
            links.nodes.push(Link { bounds: node.bounds, parent, kind });
            if parent != NONE {
                let from = if links.children(parent).is_some_and(|c| c[0] == NONE) { 0 } else { 1 };
                links.set_child(parent, from, place);
            }
        }
        links
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn area(&self, node: u32) -> f64 {
        self.bounds(node).half_area()
    }

    fn bounds(&self, node: u32) -> Aabb {
        self.nodes[node as usize].bounds
    }

    fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    fn children(&self, node: u32) -> Option<[u32; 2]> {
        match self.nodes[node as usize].kind {
            Kind::Inner(children) => Some(children),
            Kind::Unit(_) => None,
        }
    }

    fn set_child(&mut self, parent: u32, place: usize, child: u32) {
        if let Kind::Inner(children) = &mut self.nodes[parent as usize].kind {
            children[place] = child;
        }
        self.nodes[child as usize].parent = parent;
    }

    fn sibling(&self, node: u32) -> u32 {
        let [left, right] = self.children(self.parent(node)).unwrap_or([node; 2]);
        if left == node { right } else { left }
    }

    /// The move that saves most, if one saves anything: a search from the subtree up to the root
    /// and down into every subtree on the way that can still beat the best place found.
    pub(super) fn best_move(&self, node: u32) -> Option<Move> {
        let parent = self.parent(node);
        if node == ROOT || parent == ROOT {
            return None;
        }
        let bounds = self.bounds(node);
        let area = bounds.half_area();
        let mut best: Option<Move> = None;
        let mut least = 0.0;
        // Taking the subtree out saves its parent, and what the nodes above shrink by.
        let mut saved = self.area(parent);
        let mut beside = self.sibling(node);
        let mut pivot = parent;
        let mut shrunk = self.bounds(beside);
        let mut open = Vec::with_capacity(64);
        let mut places = MOST_PLACES;
        loop {
            open.push((saved, beside));
            while let Some((saved, at)) = open.pop() {
                // No place below costs less than the subtree's own area.
                if saved - area <= least || places == 0 {
                    continue;
                }
                places -= 1;
                let joined = self.bounds(at).union(bounds).half_area();
                let gain = saved - joined;
                if gain > least {
                    least = gain;
                    best = Some(Move { node, to: at, gain });
                }
                if let Some([left, right]) = self.children(at) {
                    // The node itself grows, and one more is put in below.
                    let below = gain + self.area(at);
                    open.extend([(below, left), (below, right)]);
                }
            }
            if pivot != parent {
                shrunk = shrunk.union(self.bounds(beside));
                saved += self.area(pivot) - shrunk.half_area();
            }
            if pivot == ROOT {
                // Beside its own sibling it is already.
                return best.filter(|best| best.to != self.sibling(node));
            }
            beside = self.sibling(pivot);
            pivot = self.parent(pivot);
        }
    }

    /// The nodes that must be as they were when the move was found.
    pub(super) fn around(&self, Move { node, to, .. }: Move) -> [u32; 5] {
        [node, to, self.parent(node), self.sibling(node), self.parent(to)]
    }

    /// Whether a node lies in another one's subtree.
    pub(super) fn is_below(&self, mut node: u32, top: u32) -> bool {
        while node != NONE && node != top {
            node = self.parent(node);
        }
        node == top
    }

    pub(super) fn apply(&mut self, Move { node, to, .. }: Move) {
        let (parent, sibling) = (self.parent(node), self.sibling(node));
        let above = self.parent(parent);
        self.replace(parent, sibling);
        // The parent comes along, and goes between the new sibling and what was above that.
        let new_above = self.parent(to);
        self.replace(to, parent);
        self.set_child(parent, 0, to);
        self.set_child(parent, 1, node);
        self.nodes[parent as usize].bounds = self.bounds(to).union(self.bounds(node));
        self.refit(new_above);
        self.refit(above);
    }

    /// Puts a node where another one is.
    fn replace(&mut self, old: u32, new: u32) {
        let parent = self.parent(old);
        let place = self.children(parent).map_or(0, |children| usize::from(children[1] == old));
        self.set_child(parent, place, new);
    }

    fn refit(&mut self, mut node: u32) {
        while node != NONE {
            let Some([left, right]) = self.children(node) else { return };
            let bounds = self.bounds(left).union(self.bounds(right));
            if bounds == self.bounds(node) {
                return;
            }
            self.nodes[node as usize].bounds = bounds;
            node = self.parent(node);
        }
    }

    /// The tree in depth-first order; `from` is the one that [`Self::of`] was given.
    pub(super) fn into_tree(self, from: &Bvh2) -> Bvh2 {
        let mut tree = Bvh2 {
            nodes: Vec::with_capacity(from.nodes.len()),
            prims: Vec::with_capacity(from.prims.len()),
            ..Bvh2::default()
        };
        let mut open = if self.nodes.is_empty() { vec![] } else { vec![(ROOT, None)] };
        while let Some((node, right_of)) = open.pop() {
            let place = tree.nodes.len() as u32;
            if let Some(parent) = right_of {
                let parent: &mut Node2 = &mut tree.nodes[parent as usize];
                parent.kind = Kind2::Inner { right: place };
            }
            match self.nodes[node as usize].kind {
                Kind::Unit(root) => copy_subtree(from, root, &mut tree),
                Kind::Inner([left, right]) => {
                    open.extend([(right, Some(place)), (left, None)]);
                    let kind = Kind2::Inner { right: place };
                    tree.nodes.push(Node2 { bounds: self.bounds(node), kind });
                }
            }
        }
        tree
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
