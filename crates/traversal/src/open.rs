//! A triangle that the filter left open, and how it is decided.

mod refined;

use hitscan_core::bvh8::Leaf4;
use hitscan_core::{Ray, TriangleMesh};

use crate::exact::{Exact, Side};
use crate::options::EdgeRule;
use refined::Refined;

/// A ray and a triangle of a leaf: decided by the leaf's own numbers where these suffice, and else
/// exactly, by the corners in the mesh.
#[derive(Clone, Copy)]
pub(crate) struct Open<'a> {
    ray: &'a Ray,
    mesh: &'a TriangleMesh,
    prim: u32,
    refined: Refined,
}

impl<'a> Open<'a> {
    #[inline(always)]
    pub(crate) fn new(ray: &'a Ray, mesh: &'a TriangleMesh, leaf: &Leaf4, lane: usize) -> Self {
        let lane = lane % Leaf4::LANES;
        let (prim, _) = Leaf4::unmarked(leaf.marked_prims()[lane]);
        Self { ray, mesh, prim, refined: Refined::new(ray, leaf, lane) }
    }

    /// The side on which the ray's whole line hits the triangle, if it does.
    #[inline(always)]
    pub(crate) fn hit_side(&self, rule: EdgeRule) -> Option<Side> {
        self.refined.hit_side().unwrap_or_else(|| self.exact().hit_side(rule))
    }

    /// Where it does, right in its sign and to 10⁻⁴ of itself.
    #[inline(always)]
    pub(crate) fn t(&self) -> f32 {
        self.refined.t().unwrap_or_else(|| self.exact().t())
    }

    /// The weights of the second and third corner there, in [0, 1] and with a sum of at most 1. To
    /// be asked for hits only.
    #[inline(always)]
    pub(crate) fn weights(&self) -> (f32, f32) {
        self.refined.weights().unwrap_or_else(|| self.exact().weights())
    }

    #[inline(always)]
    fn exact(&self) -> Exact {
        Exact::new(self.ray, self.mesh.triangle(self.prim))
    }
}

/// The weights of a sure hit whose U, V and D are not good enough: that of a triangle which is
/// small beside its distance.
#[cold]
#[inline(never)]
pub(crate) fn poor_weights(
    ray: &Ray,
    mesh: &TriangleMesh,
    leaf: &Leaf4,
    lane: usize,
) -> (f32, f32) {
    Open::new(ray, mesh, leaf, lane).weights()
}
