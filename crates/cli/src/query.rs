//! What is asked of rays, and the answers to a chunk of them.

use hitscan::prelude::*;
use hitscan::{AllHits, BatchOptions, Bvh, Hit, Instance, QueryOptions, Ray, RayF64};

use crate::args::{CastArgs, Query};
use crate::interrupt::{self, Interrupted};

/// A mesh with its tree, where it stands in the world.
#[derive(Debug)]
pub(crate) struct PlacedMesh(pub(crate) Instance);

/// What there is to tell of a hit in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HitDetail<'a> {
    /// The point, in f64.
    pub(crate) point: [f64; 3],
    /// Whether the point needs more digits than f32 has.
    pub(crate) is_far: bool,
    pub(crate) normal: [f32; 3],
    /// The object's name, else the group's.
    pub(crate) object: Option<&'a str>,
}

impl PlacedMesh {
    /// What there is to tell of a hit of this mesh by this ray.
    pub(crate) fn detail(&self, ray: &RayF64, hit: &Hit) -> HitDetail<'_> {
        let t = f64::from(hit.t);
        let names = self.0.bvh().mesh().parts().names_of(hit.prim);
        HitDetail {
            // Adding 0 makes 0 of −0, which nobody wants to read.
            point: std::array::from_fn(|axis| ray.origin[axis] + t * ray.direction[axis] + 0.0),
            is_far: self.is_far(),
            normal: self.0.normal(hit.prim).map(|coordinate| coordinate + 0.0),
            object: names.object.or(names.group),
        }
    }

    /// Whether world coordinates may need more digits than f32 has.
    fn is_far(&self) -> bool {
        let moved = self.0.transform().rows.iter().any(|row| row[3] != 0.0);
        moved || self.0.bvh().mesh().origin() != [0.0; 3]
    }
}

/// The answers to a chunk of rays.
#[derive(Debug)]
pub(crate) enum Answers {
    Closest(Vec<Option<Hit>>),
    Any(Vec<bool>),
    All(AllHits),
    Count(Vec<usize>),
}

impl Answers {
    /// Asks `query` of all rays.
    pub(crate) fn of(
        query: Query,
        bvh: &Bvh,
        rays: &[Ray],
        options: QueryOptions<'_>,
    ) -> Result<Self, Interrupted> {
        interrupt::watched(|token| {
            let options =
                &BatchOptions { query: options, cancel: Some(token), ..BatchOptions::default() };
            Ok(match query {
                Query::Closest => Self::Closest(bvh.closest_hits_with(rays, options)?),
                Query::Any => Self::Any(bvh.any_hits_with(rays, options)?),
                Query::All => Self::All(bvh.all_hits_of_with(rays, options)?),
                Query::Count => Self::Count(bvh.count_hits_of_with(rays, options)?),
            })
        })
    }

    /// How many hits there are: rays that hit, or for all and count every single hit.
    pub(crate) fn hits(&self) -> u64 {
        match self {
            Self::Closest(hits) => hits.iter().flatten().count() as u64,
            Self::Any(hits) => hits.iter().filter(|&&hit| hit).count() as u64,
            Self::All(all) => all.hits.len() as u64,
            Self::Count(counts) => counts.iter().map(|&count| count as u64).sum(),
        }
    }
}

/// The options of a query, as the command line gives them.
pub(crate) fn options(args: &CastArgs) -> QueryOptions<'static> {
    QueryOptions {
        faces: args.faces.faces(),
        edge_rule: args.edges.map(|edges| edges.edge_rule()),
        ..QueryOptions::DEFAULT
    }
}
