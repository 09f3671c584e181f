//! All hits of rays in flight.

use std::ops::ControlFlow;

use hitscan_core::{Hit, Ray, TriangleMesh};

use super::once::put_in_order;
use crate::options::EdgeRule;

use super::{Candidate, InFlight, Query, finite_t_max};

/// All hits of a ray in flight. The next ray in its place takes its memory over.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    t_max: f32,
    /// In the order in which they were met; those of a split triangle once for each leaf.
    met: Vec<Candidate>,
}

impl Query for Listed {
    const NEAR_FIRST: bool = false;
    const WEIGHTS: bool = true;
    const EDGE_RULE: EdgeRule = EdgeRule::Once;

    #[inline(always)]
    fn t_max(&self) -> f32 {
        self.t_max
    }

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) -> ControlFlow<()> {
        self.met.push(candidate);
        ControlFlow::Continue(())
    }
}

impl InFlight for Listed {
    type Answers = Lists;

    #[inline(always)]
    fn first(ray: &Ray) -> Self {
        Self { t_max: finite_t_max(ray), met: Vec::new() }
    }

    #[inline(always)]
    fn restart(&mut self, ray: &Ray) {
        self.t_max = finite_t_max(ray);
        self.met.clear();
    }

    #[inline(always)]
    fn give(&self, number: usize, mesh: &TriangleMesh, lists: &mut Lists) {
        if !self.met.is_empty() {
            lists.take(number, mesh, &self.met);
        }
    }
}

/// The lists of a slice of rays, one behind the other as their walks end.
#[derive(Debug)]
pub(crate) struct Lists {
    hits: Vec<Hit>,
    /// By ray: where its list begins, and how long it is.
    places: Vec<(usize, usize)>,
}

impl Lists {
    /// Empty lists for so many rays.
    pub(crate) fn new(rays: usize) -> Self {
        Self { hits: Vec::new(), places: vec![(0, 0); rays] }
    }

    // Not a part of the kernel, whose registers it would take.
    #[inline(never)]
    fn take(&mut self, number: usize, mesh: &TriangleMesh, met: &[Candidate]) {
        let first = self.hits.len();
        let met = met.iter().filter(|candidate| candidate.is_of(mesh));
        self.hits.extend(met.map(Candidate::hit));
        put_in_order(&mut self.hits, first);
        self.places[number] = (first, self.hits.len() - first);
    }

    /// Appends the lists in the order of the rays, and tells how long each is.
    pub(crate) fn append_to(&self, hits: &mut Vec<Hit>, counts: &mut [usize]) {
        hits.reserve(self.hits.len());
        for (&(first, len), count) in self.places.iter().zip(counts) {
            hits.extend_from_slice(&self.hits[first..][..len]);
            *count = len;
        }
    }
}
