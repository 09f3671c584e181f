//! Queries that may be asked of many rays at once.

use hitscan_core::{Hit, Ray, TriangleMesh};

use super::eight::{AnyEight, ClosestEight, Eight};
use super::{Any, Closest, Query};

/// A query that may be asked of many rays at once: it gives one answer a ray.
pub(crate) trait Batched: Query + Copy {
    type Answer;

    /// Eight of them, a lane each.
    type Eight: Eight<One = Self>;

    /// A ray's query, before its walk.
    fn new(ray: &Ray) -> Self;

    /// What it found.
    fn answer(&self, ray: &Ray, mesh: &TriangleMesh) -> Self::Answer;
}

impl Batched for Closest {
    type Answer = Option<Hit>;
    type Eight = ClosestEight;

    #[inline(always)]
    fn new(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn answer(&self, ray: &Ray, mesh: &TriangleMesh) -> Option<Hit> {
        self.best.some_hit(ray, mesh)
    }
}

impl Batched for Any {
    type Answer = bool;
    type Eight = AnyEight;

    #[inline(always)]
    fn new(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn answer(&self, _: &Ray, _: &TriangleMesh) -> bool {
        self.found
    }
}
