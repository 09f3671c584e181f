//! hitscan itself: one ray a call, and batches that choose their own way.

use std::ops::Range;

use hitscan::prelude::*;
use hitscan::{BatchOptions, Bvh, Hit, Ray};

use super::{Answer, Caster, Chunked, Contestant};
use crate::rays::Query;

/// The name that sets hitscan apart from its peers.
pub const ENGINE: &str = "hitscan";

pub fn contestants(bvh: &Bvh) -> Vec<Box<dyn Contestant>> {
    let batch = Batch { bvh: bvh.clone(), rays: Vec::new(), answers: Answers::None };
    vec![single(bvh), Box::new(batch)]
}

/// One ray a call.
pub fn single(bvh: &Bvh) -> Box<dyn Contestant> {
    Chunked::boxed(Single { bvh: bvh.clone(), rays: Vec::new() })
}

struct Single {
    bvh: Bvh,
    rays: Vec<Ray>,
}

impl Caster for Single {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn take(&mut self, rays: &[Ray], _: Query) {
        self.rays = rays.to_vec();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            *answer = of_hit(self.bvh.closest_hit(ray));
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            *answer = Answer::any(self.bvh.any_hit(ray));
        }
    }
}

fn of_hit(hit: Option<Hit>) -> Answer {
    hit.map_or(Answer::MISS, |hit| Answer { t: hit.t, prim: hit.prim })
}

struct Batch {
    bvh: Bvh,
    rays: Vec<Ray>,
    answers: Answers,
}

enum Answers {
    None,
    Closest(Vec<Option<Hit>>),
    Any(Vec<bool>),
}

impl Contestant for Batch {
    fn engine(&self) -> &'static str {
        ENGINE
    }

    fn api(&self) -> &'static str {
        "batch"
    }

    fn take(&mut self, rays: &[Ray], query: Query) {
        self.rays = rays.to_vec();
        self.answers = match query {
            Query::Closest => Answers::Closest(vec![None; rays.len()]),
            Query::Any => Answers::Any(vec![false; rays.len()]),
        };
    }

    fn clear(&mut self) {
        match &mut self.answers {
            Answers::None => {}
            Answers::Closest(hits) => hits.fill(None),
            Answers::Any(hits) => hits.fill(false),
        }
    }

    // Into memory that is there, as with the other engines: clearing new pages for a million hits
    // takes as long as casting them.
    fn cast(&mut self) {
        let options = BatchOptions::default();
        let cast = match &mut self.answers {
            Answers::None => Ok(()),
            Answers::Closest(hits) => self.bvh.closest_hits_into(&self.rays, &options, hits),
            Answers::Any(hits) => self.bvh.any_hits_into(&self.rays, &options, hits),
        };
        cast.expect("nobody cancels");
    }

    fn answers(&self) -> Vec<Answer> {
        match &self.answers {
            Answers::None => Vec::new(),
            Answers::Closest(hits) => hits.iter().copied().map(of_hit).collect(),
            Answers::Any(hits) => hits.iter().copied().map(Answer::any).collect(),
        }
    }
}
