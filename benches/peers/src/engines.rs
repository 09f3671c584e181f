//! The contestants: each an API of an engine, all behind one trait.
//!
//! What makes the comparison fair: every engine is given the rays in its own layout before the
//! clock starts, writes distance and triangle into memory that is already there, and is cut into
//! the same chunks on the same thread pool; only hitscan's batch calls allocate what they return.

mod bvh;
pub mod embree;
pub mod hitscan;
pub mod obvhs;
pub mod parry;
pub mod tinybvh;

use std::ops::Range;

use ::hitscan::{Bvh, Ray, TriangleMesh};
use rayon::prelude::*;

use crate::args::Casting;
use crate::rays::Query;

pub use self::hitscan::ENGINE as HITSCAN;

/// All engines, whether they can be had or not.
pub const NAMES: [&str; 8] =
    [HITSCAN, "embree-medium", "embree-high", "tinybvh", "tinybvh-hq", "obvhs", "parry3d", "bvh"];

/// Rays that a thread casts at a time, as in hitscan's batches.
const CHUNK: usize = 4096;

/// What a ray hit: the distance, and the triangle where the API tells it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    pub t: f32,
    pub prim: u32,
}

impl Answer {
    pub const MISS: Self = Self { t: f32::INFINITY, prim: u32::MAX };
    /// What an any-hit query says: something was hit.
    pub const HIT: Self = Self { t: 0.0, prim: 0 };

    pub fn is_hit(self) -> bool {
        self.t < f32::INFINITY
    }

    pub fn any(hit: bool) -> Self {
        if hit { Self::HIT } else { Self::MISS }
    }
}

/// An API of an engine, with a mesh.
pub trait Contestant: Send {
    fn engine(&self) -> &'static str;
    /// `single`, `batch`, or what kind of packet.
    fn api(&self) -> &'static str;
    /// Takes rays in the engine's own layout. Not timed.
    fn take(&mut self, rays: &[Ray], query: Query);
    /// Throws the answers away. Not timed.
    fn clear(&mut self);
    /// Casts all rays on the thread pool that it is called in. Timed.
    fn cast(&mut self);
    /// One answer a ray. Not timed.
    fn answers(&self) -> Vec<Answer>;
}

/// An engine that casts a range of the rays it was given into one answer each.
trait Caster: Send + Sync {
    fn engine(&self) -> &'static str;
    fn api(&self) -> &'static str {
        "single"
    }
    fn take(&mut self, rays: &[Ray], query: Query);
    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]);
    fn any(&self, rays: Range<usize>, answers: &mut [Answer]);
}

/// A contestant that is cut into chunks by the arena.
struct Chunked<C> {
    caster: C,
    query: Query,
    answers: Vec<Answer>,
}

impl<C: Caster> Chunked<C> {
    fn boxed(caster: C) -> Box<dyn Contestant>
    where
        C: 'static,
    {
        Box::new(Self { caster, query: Query::Closest, answers: Vec::new() })
    }
}

impl<C: Caster> Contestant for Chunked<C> {
    fn engine(&self) -> &'static str {
        self.caster.engine()
    }

    fn api(&self) -> &'static str {
        self.caster.api()
    }

    fn take(&mut self, rays: &[Ray], query: Query) {
        self.query = query;
        self.answers = vec![Answer::MISS; rays.len()];
        self.caster.take(rays, query);
    }

    fn clear(&mut self) {
        self.answers.fill(Answer::MISS);
    }

    fn cast(&mut self) {
        let Self { caster, query, answers } = self;
        answers.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, answers)| {
            let rays = chunk * CHUNK..chunk * CHUNK + answers.len();
            match query {
                Query::Closest => caster.closest(rays, answers),
                Query::Any => caster.any(rays, answers),
            }
        });
    }

    fn answers(&self) -> Vec<Answer> {
        self.answers.clone()
    }
}

/// Every contestant that was asked for and can be had. What cannot be had is said on stderr.
pub fn all(mesh: &TriangleMesh, bvh: &Bvh, args: &Casting) -> Vec<Box<dyn Contestant>> {
    let one = |made: anyhow::Result<Box<dyn Contestant>>| made.map(|made| vec![made]);
    let mut contestants = hitscan::contestants(bvh);
    let mut invite = |name: &str, made: anyhow::Result<Vec<Box<dyn Contestant>>>| match made {
        Ok(made) => contestants.extend(made),
        Err(why) => eprintln!("  {name}: left out: {why:#}"),
    };
    invite("embree", embree::contestants(mesh, args));
    if args.wants("tinybvh") || args.wants("tinybvh-hq") {
        invite("tinybvh", tinybvh::contestants(mesh, args));
    }
    if args.wants("obvhs") {
        invite("obvhs", Ok(vec![obvhs::contestant(mesh)]));
    }
    if args.wants("parry3d") {
        invite("parry3d", one(parry::contestant(mesh)));
    }
    if args.wants("bvh") {
        invite("bvh", one(bvh::contestant(mesh)));
    }
    contestants
}
