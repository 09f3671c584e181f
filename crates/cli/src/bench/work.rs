//! What rays of one kind visit in a tree.

use hitscan::{Bvh, Cost, Ray};
use rayon::prelude::*;
use serde::Serialize;

use super::workload::Workload;
use crate::args::Query;

/// What a ray does on average, each cast by itself: in a batch they share some of it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Work {
    /// The share of the rays that hit.
    pub(crate) hit_share: f64,
    /// Nodes visited.
    pub(crate) nodes_per_ray: f64,
    /// Leaves visited.
    pub(crate) leaves_per_ray: f64,
    /// Triangles decided exactly.
    pub(crate) exact_per_ray: f64,
    /// What the visited nodes and leaves take in memory.
    pub(crate) bytes_per_ray: f64,
}

impl Work {
    /// Casts every ray once, counting. Nothing is timed here: counting takes time itself.
    pub(crate) fn of(bvh: &Bvh, workload: &Workload) -> Self {
        let cast = |ray: &Ray| match workload.query {
            Query::Any => bvh.any_hit_counted(ray),
            _ => {
                let (hit, cost) = bvh.closest_hit_counted(ray);
                (hit.is_some(), cost)
            }
        };
        let rays: Vec<(bool, Cost)> = workload.rays.par_iter().map(cast).collect();
        let a_ray = |part: &dyn Fn(&(bool, Cost)) -> u64, digits: i32| {
            let mean = rays.iter().map(part).sum::<u64>() as f64 / rays.len().max(1) as f64;
            let step = 10_f64.powi(digits);
            (mean * step).round() / step
        };
        Self {
            hit_share: a_ray(&|&(hit, _)| u64::from(hit), 4),
            nodes_per_ray: a_ray(&|(_, cost)| cost.nodes.into(), 4),
            leaves_per_ray: a_ray(&|(_, cost)| cost.leaves.into(), 4),
            exact_per_ray: a_ray(&|(_, cost)| cost.exact.into(), 6),
            bytes_per_ray: a_ray(&|(_, cost)| cost.bytes(bvh.layout()), 1),
        }
    }
}
