//! Taking triangles into a tree: a small tree over them beside what was built, under a new root.
//!
//! ```text
//! before:   built            after:       root
//!                                       /      \
//!                                 handle        graft: all triangles taken in since,
//!                                    |                 along a Morton curve, four a leaf, eight a node
//!                                  built
//! ```
//!
//! The handle is a node with one child, which stays where it is: children that are nodes lie one
//! behind the other.
//!
//! The graft is made anew each time, so that there is never more than one.

use super::node8::lowered_box;
use super::refit::block_mut;
use super::{
    Bvh8, ChangeError, ChildRef, Leaf4, Node8, NodeCopy, Statistics, Structure, TreeLayout, Visit,
};
use crate::Aabb;
use crate::bvh2::Bvh2;
use crate::memory::Line;
use crate::mesh::TriangleMesh;

/// What was built, below a root that was put above it later.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stock {
    root: ChildRef,
    lines: usize,
    nodes: usize,
    leaves: usize,
    depth: usize,
}

impl Bvh8 {
    /// Takes in triangles that can be hit and are in no leaf; the rest of the tree must fit the
    /// mesh already. The time it takes grows with the number of triangles taken in so far. A tree
    /// that came from bytes is refitted instead, once.
    ///
    /// # Errors
    /// As [`Bvh8::refit`]; a tree that did not come from bytes is then as it was.
    pub fn graft(&mut self, mesh: &TriangleMesh, prims: &[u32]) -> Result<Structure, ChangeError> {
        if prims.is_empty() {
            return Ok(Structure::Kept);
        }
        if !self.is_known {
            return self.refit(mesh);
        }
        if self.layout == TreeLayout::Compact {
            return self.change_as_fast(mesh, |tree| tree.graft(mesh, prims));
        }
        let mut all = prims.to_vec();
        let (stock, stock_bounds, stock_areas) = match &self.stock {
            None => (self.as_stock(), self.bounds, self.areas()),
            Some(stock) => {
                let root = self.node_copy(self.root);
                let grafted = Visit {
                    place: root.children[1],
                    bounds: root.child_bounds(1),
                    level: 1,
                    parent: self.root,
                };
                let mut areas = self.areas() - self.bounds.half_area();
                areas -= root.child_bounds(0).half_area();
                for visit in self.visits_below(grafted) {
                    areas -= visit.bounds.half_area();
                    if visit.place.is_leaf() {
                        all.extend(self.leaf(visit.place).prims());
                    }
                }
                (stock.clone(), root.child_bounds(0), areas)
            }
        };
        let depth = 1 + depth_over(all.len()).max(1 + stock.depth);
        if depth > Bvh2::MAX_DEPTH {
            return Err(ChangeError::TooDeep);
        }
        sort_along_curve(&mut all, mesh);
        let was_empty = stock.root == Self::NO_CHILD;

        let mut lines = self.take_lines();
        lines.truncate(stock.lines);
        let mut graft = Graft { lines, mesh, nodes: stock.nodes, leaves: stock.leaves, areas: 0.0 };
        let (root, bounds, others_areas);
        if was_empty {
            // Then the graft is the tree: a handle would lead to nothing.
            root = graft.reserve(all.len());
            bounds = graft.write(root, &all);
            others_areas = -bounds.half_area();
        } else {
            let (handle, place) = (graft.reserve_node(), graft.reserve(all.len()));
            graft.put_parent(handle, &[(stock_bounds, stock.root)]);
            let graft_bounds = graft.write(place, &all);
            root = graft.reserve_node();
            let children = [(stock_bounds, handle), (graft_bounds, place)];
            bounds = graft.put_parent(root, &children).bounds();
            others_areas = stock_areas + stock_bounds.half_area();
        }
        let Graft { lines, nodes, leaves, areas, .. } = graft;

        self.lines = lines.into();
        self.root = root;
        self.statistics.triangles += prims.len();
        self.statistics.references = self.statistics.triangles;
        self.statistics.nodes = nodes;
        self.statistics.leaves = leaves;
        self.statistics.depth = if was_empty { depth_over(all.len()) } else { depth };
        self.statistics.count_bytes(self.lines.len(), self.layout);
        self.stock = if was_empty { None } else { Some(stock) };
        self.set_bounds(bounds, others_areas + areas);
        Ok(Structure::Changed)
    }

    /// The stock of the same tree with its blocks elsewhere: where a block is now, and a line at
    /// which blocks ended.
    pub(super) fn moved_stock(
        &self,
        moved: impl Fn(ChildRef) -> ChildRef,
        moved_end: impl Fn(usize) -> usize,
    ) -> Option<Stock> {
        let stock = self.stock.as_ref()?;
        let (root, lines) = (moved(stock.root), moved_end(stock.lines));
        Some(Stock { root, lines, ..stock.clone() })
    }

    fn as_stock(&self) -> Stock {
        let Statistics { nodes, leaves, depth, .. } = self.statistics;
        Stock { root: self.root, lines: self.lines.len(), nodes, leaves, depth }
    }
}

/// How deep the tree over so many triangles is.
fn depth_over(triangles: usize) -> usize {
    let mut leaves = triangles.div_ceil(Leaf4::LANES);
    let mut depth = 1;
    while leaves > 1 {
        leaves = leaves.div_ceil(8);
        depth += 1;
    }
    depth
}

/// Sorts triangles by the places of their centres on a Morton curve through the box around these.
fn sort_along_curve(prims: &mut [u32], mesh: &TriangleMesh) {
    let center = |prim: u32| Aabb::of_triangle(mesh.triangle(prim)).center();
    let bounds = prims.iter().fold(Aabb::EMPTY, |bounds, &prim| bounds.with_point(center(prim)));
    // In f64, where no extent overflows; an axis without extent has one cell.
    let steps =
        bounds.extent().as_dvec3().map(|extent| if extent > 0.0 { CELLS / extent } else { 0.0 });
    prims.sort_by_cached_key(|&prim| {
        let cell = (center(prim).as_dvec3() - bounds.min.as_dvec3()) * steps;
        let [x, y, z] = cell.to_array().map(|x| spread(x as u64));
        (x | y << 1 | z << 2, prim)
    });
}

/// Cells of the curve along an axis.
const CELLS: f64 = 65_535.0;

/// Sixteen bits, each moved to three times its place.
fn spread(bits: u64) -> u64 {
    let bits = (bits | bits << 16) & 0xFF00_00FF;
    let bits = (bits | bits << 8) & 0xF0_0F00_F00F;
    let bits = (bits | bits << 4) & 0xC30_C30C_30C3;
    (bits | bits << 2) & 0x2492_4924_9249
}

/// Writes the tree over the triangles that are taken in.
struct Graft<'a> {
    lines: Vec<Line>,
    mesh: &'a TriangleMesh,
    nodes: usize,
    leaves: usize,
    /// The areas of all boxes.
    areas: f64,
}

impl Graft<'_> {
    /// Makes room for the top block over some triangles.
    fn reserve(&mut self, triangles: usize) -> ChildRef {
        if triangles > Leaf4::LANES {
            return self.reserve_node();
        }
        self.leaves += 1;
        let first = self.lines.len();
        self.lines.resize(first + Leaf4::LINES, Line([0; 16]));
        TreeLayout::Fast.leaf_at(first)
    }

    fn reserve_node(&mut self) -> ChildRef {
        self.nodes += 1;
        let first = self.lines.len();
        self.lines.resize(first + Node8::LINES, Line([0; 16]));
        TreeLayout::Fast.node_at(first)
    }

    /// Writes a block and all below it; gives its box.
    fn write(&mut self, place: ChildRef, prims: &[u32]) -> Aabb {
        let bounds;
        if place.is_leaf() {
            let leaf;
            let exact;
            (leaf, exact) = Leaf4::of(prims, self.mesh);
            bounds = lowered_box(exact);
            self.put(place, leaf);
        } else {
            // Whole leaves to each child, as evenly as they can be shared.
            let share = prims.len().div_ceil(Leaf4::LANES).div_ceil(8) * Leaf4::LANES;
            let children: Vec<_> =
                prims.chunks(share).map(|prims| (self.reserve(prims.len()), prims)).collect();
            let children: Vec<_> =
                children.iter().map(|&(child, prims)| (self.write(child, prims), child)).collect();
            bounds = self.put_parent(place, &children).bounds();
        }
        self.areas += bounds.half_area();
        bounds
    }

    /// Writes a node with these children.
    fn put_parent(&mut self, place: ChildRef, children: &[(Aabb, ChildRef)]) -> NodeCopy {
        let mut node = NodeCopy::EMPTY;
        for &(bounds, child) in children {
            node.push(bounds, child);
        }
        let node = Node8::of(&node);
        self.put(place, node);
        node.copy()
    }

    fn put<Block: bytemuck::Pod>(&mut self, place: ChildRef, block: Block) {
        *block_mut(&mut self.lines, TreeLayout::Fast.line(place)).expect("room was made for it") =
            block;
    }
}
