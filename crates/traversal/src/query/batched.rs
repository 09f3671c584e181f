//! Queries that may be asked of many rays at once.

use hitscan_core::{Hit, Ray, TriangleMesh};

use super::eight::{AnyEight, ClosestEight, Eight};
use super::{Any, Closest, Count, Query};

/// A query that may be asked of many rays at once: it gives one answer a ray.
pub(crate) trait Batched: Query + Clone {
    type Answer;

    /// A ray's query, before its walk.
    fn new(ray: &Ray) -> Self;

    /// What it found.
    fn answer(&self, mesh: &TriangleMesh) -> Self::Answer;
}

/// A query that rays in flight may have: it is asked of one ray after another, and their walks end
/// in any order.
pub(crate) trait InFlight: Query + Clone {
    /// Where the answers of a slice of rays go.
    type Answers: ?Sized;

    /// A ray's query, before its walk.
    fn first(ray: &Ray) -> Self;

    /// Becomes another ray's query, and keeps what memory it has.
    fn restart(&mut self, ray: &Ray);

    /// Gives what it found for the ray of this number.
    fn give(&self, number: usize, mesh: &TriangleMesh, answers: &mut Self::Answers);
}

impl<Q: Batched> InFlight for Q {
    type Answers = [Q::Answer];

    #[inline(always)]
    fn first(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn restart(&mut self, ray: &Ray) {
        *self = Self::new(ray);
    }

    #[inline(always)]
    fn give(&self, number: usize, mesh: &TriangleMesh, answers: &mut [Q::Answer]) {
        if let Some(answer) = answers.get_mut(number) {
            *answer = self.answer(mesh);
        }
    }
}

/// A query that may be asked of eight rays side by side.
pub(crate) trait Packed: Batched + Copy {
    /// Eight of them, a lane each.
    type Eight: Eight<One = Self>;
}

impl Packed for Closest {
    type Eight = ClosestEight;
}

impl Packed for Any {
    type Eight = AnyEight;
}

impl Batched for Closest {
    type Answer = Option<Hit>;

    #[inline(always)]
    fn new(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn answer(&self, mesh: &TriangleMesh) -> Option<Hit> {
        self.best.some_hit(mesh)
    }
}

impl Batched for Any {
    type Answer = bool;

    #[inline(always)]
    fn new(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn answer(&self, _: &TriangleMesh) -> bool {
        self.found
    }
}

impl Batched for Count {
    type Answer = usize;

    #[inline(always)]
    fn new(ray: &Ray) -> Self {
        Self::new(ray)
    }

    #[inline(always)]
    fn answer(&self, _: &TriangleMesh) -> usize {
        self.count
    }
}
