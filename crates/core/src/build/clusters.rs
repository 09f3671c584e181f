//! Leaves made of neighbours in an order.

use fearless_simd::Simd;
use glam::{Mat4, Vec4};
use rayon::prelude::*;

use super::Steps;
use super::bins::area_unit;
use super::fragment::{Fragment, Growing};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::simd::with_simd;

/// So many fragments are cut into leaves without a look at those beyond.
const CHUNK: usize = 4096;

/// What a leaf costs beyond its area, in areas of the average leaf.
const LEAF_COST: f32 = 0.35;

/// A leaf to be: some fragments that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Cluster {
    pub(super) bounds: Growing,
    /// The first one's place in the order.
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Cuts fragments, in an order, into leaves of the least area.
pub(super) fn of_order(
    fragments: &[Fragment],
    order: &[u32],
    bounds: Growing,
    steps: &Steps<'_>,
) -> Result<Vec<Cluster>, Cancelled> {
    let unit = Vec4::splat(area_unit(bounds));
    let chunks = order.par_chunks(CHUNK).enumerate().map(|(number, order)| {
        steps.part(order.len(), || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || cut(simd, fragments, order, (number * CHUNK) as u32, unit),
            ))
        })
    });
    let chunks: Vec<Vec<Cluster>> = chunks.collect::<Result<_, Cancelled>>()?;
    Ok(chunks.concat())
}

/// For each fragment the least cost of all up to it: that of the leaf which ends there, and the
/// least of all before.
#[inline(always)]
fn cut(
    simd: impl Simd,
    fragments: &[Fragment],
    order: &[u32],
    start: u32,
    unit: Vec4,
) -> Vec<Cluster> {
    const LANES: usize = Leaf4::LANES;
    let mut areas = Vec::with_capacity(order.len());
    let mut before = [Growing::EMPTY; LANES - 1];
    for &place in order {
        let fragment = &fragments[place as usize];
        let mut ending = [Growing::EMPTY; LANES];
        ending[0].add(simd, fragment);
        for lane in 1..LANES {
            ending[lane] = before[lane - 1];
            ending[lane].add(simd, fragment);
        }
        let [x, y, z, w] = ending.map(|bounds| bounds.extent_in(unit));
        let by_axis = Mat4::from_cols(x, y, z, w).transpose();
        let (x, y, z) = (by_axis.x_axis, by_axis.y_axis, by_axis.z_axis);
        areas.push((x * y + y * z + z * x).to_array());
        before.copy_from_slice(&ending[..LANES - 1]);
    }
    let whole: f32 = areas.iter().map(|areas| areas[LANES - 1]).sum();
    let leaf_cost = LEAF_COST * whole / order.len() as f32;
    let mut least = vec![0.0_f32; order.len() + 1];
    let mut counts = vec![0_u8; order.len()];
    for end in 1..=order.len() {
        let mut best = (f32::INFINITY, 1);
        for count in 1..=LANES.min(end) {
            let cost = least[end - count] + areas[end - 1][count - 1];
            if cost <= best.0 {
                best = (cost, count);
            }
        }
        least[end] = best.0 + leaf_cost;
        counts[end - 1] = best.1 as u8;
    }
    let mut clusters = Vec::with_capacity(order.len() / 2);
    let mut end = order.len();
    while end > 0 {
        let count = usize::from(counts[end - 1]);
        let mut bounds = Growing::EMPTY;
        for &place in &order[end - count..end] {
            bounds.add(simd, &fragments[place as usize]);
        }
        end -= count;
        clusters.push(Cluster { bounds, first: start + end as u32, count: count as u32 });
    }
    clusters
}
