//! What a builder sees of a triangle: its box and its index.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use crate::Aabb;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::mesh::TriangleMesh;

/// A triangle's box. Two SSE registers: the fourth lane of `min` holds the triangle's index.
#[derive(Clone, Copy)]
pub(super) struct Fragment {
    min: Vec4,
    max: Vec4,
}

impl Fragment {
    pub(super) fn new(bounds: Aabb, prim: u32) -> Self {
        // Min and max work lane by lane, so the index in the fourth lane disturbs nothing.
        Self { min: bounds.min.extend(f32::from_bits(prim)), max: bounds.max.extend(0.0) }
    }

    #[inline]
    pub(super) fn prim(self) -> u32 {
        self.min.w.to_bits()
    }

    /// The box's lowest and highest corner; the fourth lanes mean nothing.
    #[inline]
    pub(super) fn corners(self) -> (Vec4, Vec4) {
        (self.min, self.max)
    }

    /// The box's centre, halved before the sum so that it does not overflow.
    #[inline]
    pub(super) fn center(self) -> Vec4 {
        self.min * 0.5 + self.max * 0.5
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        Aabb { min: self.min.truncate(), max: self.max.truncate() }
    }
}

/// A box that grows, in two SSE registers.
#[derive(Clone, Copy)]
pub(super) struct Growing {
    min: Vec4,
    max: Vec4,
}

impl Growing {
    pub(super) const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    #[inline]
    pub(super) fn add(&mut self, fragment: Fragment) {
        self.min = self.min.min(fragment.min);
        self.max = self.max.max(fragment.max);
    }

    #[inline]
    pub(super) fn add_point(&mut self, point: Vec4) {
        self.min = self.min.min(point);
        self.max = self.max.max(point);
    }

    #[inline]
    pub(super) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    #[inline]
    pub(super) fn bounds(self) -> Aabb {
        Aabb { min: self.min.truncate(), max: self.max.truncate() }
    }

    /// Half the surface area; zero while empty.
    #[inline]
    pub(super) fn half_area(self) -> f64 {
        self.bounds().half_area()
    }
}

/// The boxes of all triangles that can be hit, in the mesh's order.
pub(super) fn of_mesh(mesh: &TriangleMesh) -> Vec<Fragment> {
    (0..mesh.triangle_count() as u32)
        .into_par_iter()
        .filter(|&prim| mesh.can_be_hit(prim))
        .map(|prim| Fragment::new(Aabb::of_triangle(mesh.triangle(prim)), prim))
        .collect()
}

/// A tree's nodes and triangles while it is built: one triangle a leaf, so that a subtree over
/// `n` fragments takes exactly `2n − 1` nodes, and threads can fill their own parts.
pub(super) struct Target<'a> {
    nodes: &'a mut [Node2],
    prims: &'a mut [u32],
    /// The index of `nodes[0]` in the whole tree.
    node_base: usize,
    /// The index of `prims[0]` in the whole tree.
    prim_base: usize,
}

impl Target<'_> {
    /// Writes a leaf over one triangle.
    pub(super) fn leaf(self, fragment: Fragment) {
        self.prims[0] = fragment.prim();
        let kind = Kind2::Leaf { first: self.prim_base as u32, count: 1 };
        self.nodes[0] = Node2 { bounds: fragment.bounds(), kind };
    }

    /// Writes an inner node whose left child has `left_count` triangles; gives the children.
    pub(super) fn inner(self, bounds: Aabb, left_count: usize) -> (Self, Self) {
        let left_nodes = 2 * left_count - 1;
        let right = self.node_base + 1 + left_nodes;
        let (own, below) = self.nodes.split_at_mut(1);
        own[0] = Node2 { bounds, kind: Kind2::Inner { right: right as u32 } };
        let (left, right_nodes) = below.split_at_mut(left_nodes);
        let (left_prims, right_prims) = self.prims.split_at_mut(left_count);
        let left = Target {
            nodes: left,
            prims: left_prims,
            node_base: self.node_base + 1,
            prim_base: self.prim_base,
        };
        let right = Target {
            nodes: right_nodes,
            prims: right_prims,
            node_base: right,
            prim_base: self.prim_base + left_count,
        };
        (left, right)
    }
}

/// Makes room for a tree over `count` fragments and lets `fill` write it.
pub(super) fn fill_tree(count: usize, fill: impl FnOnce(Target<'_>)) -> Bvh2 {
    if count == 0 {
        return Bvh2::default();
    }
    let blank = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
    let blank = Node2 { bounds: blank, kind: Kind2::Leaf { first: 0, count: 0 } };
    let mut bvh2 = Bvh2 { nodes: vec![blank; 2 * count - 1], prims: vec![0; count] };
    fill(Target { nodes: &mut bvh2.nodes, prims: &mut bvh2.prims, node_base: 0, prim_base: 0 });
    bvh2
}

/// Whether a subtree of `count` triangles at `depth` must be halved from here on to stay within
/// [`Bvh2::MAX_DEPTH`].
pub(super) fn must_halve(count: usize, depth: usize) -> bool {
    let halvings = usize::BITS - (count - 1).leading_zeros();
    depth + halvings as usize + 1 >= Bvh2::MAX_DEPTH
}

/// From this many triangles on, a subtree is worth a thread of its own.
pub(super) const PARALLEL_FROM: usize = 2048;
