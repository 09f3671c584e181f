//! Leaves made of neighbours in an order.

use fearless_simd::Simd;
use glam::{Mat4, Vec4};
use rayon::prelude::*;

use super::Steps;
use super::bins::area_unit;
use super::fragment::{Fragment, Growing};
use super::morton::{self, Key};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::memory::prefetch_item;
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// So many triangles are cut into leaves without a look at those beyond.
const CHUNK: usize = 4096;

/// What a leaf costs beyond its area, in areas of the average leaf.
const LEAF_COST: f32 = 0.35;

/// Cuts triangles, in an order, into leaves of the least area.
pub(super) fn of_order(
    mesh: &TriangleMesh,
    order: &[Key],
    bounds: Growing,
    steps: &Steps<'_>,
) -> Result<Vec<Fragment>, Cancelled> {
    let unit = Vec4::splat(area_unit(bounds));
    let chunks = order.par_chunks(CHUNK).enumerate().map(|(number, order)| {
        steps.part(order.len(), || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || {
                    let fragments = gather(mesh, order);
                    cut(simd, &fragments, (number * CHUNK) as u32, unit)
                },
            ))
        })
    });
    let chunks: Vec<Vec<Fragment>> = chunks.collect::<Result<_, Cancelled>>()?;
    Ok(chunks.concat())
}

/// The triangles' boxes, in their order.
#[inline(always)]
fn gather(mesh: &TriangleMesh, order: &[Key]) -> Vec<Fragment> {
    const AHEAD: usize = 16;
    let mut fragments = Vec::with_capacity(order.len());
    for (place, &key) in order.iter().enumerate() {
        if let Some(&next) = order.get(place + 2 * AHEAD) {
            prefetch_item(mesh.indices(), morton::prim(next) as usize);
        }
        if let Some(&next) = order.get(place + AHEAD) {
            for &vertex in &mesh.indices()[morton::prim(next) as usize] {
                prefetch_item(mesh.positions(), vertex as usize);
            }
        }
        fragments.push(Fragment::of_triangle(mesh.triangle(morton::prim(key)), 0));
    }
    fragments
}

/// For each fragment the least cost of all up to it: that of the leaf which ends there, and the
/// least of all before.
#[inline(always)]
fn cut(simd: impl Simd, fragments: &[Fragment], start: u32, unit: Vec4) -> Vec<Fragment> {
    const LANES: usize = Leaf4::LANES;
    let mut areas = Vec::with_capacity(fragments.len());
    let mut before = [Growing::EMPTY; LANES - 1];
    for fragment in fragments {
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
    let leaf_cost = LEAF_COST * whole / fragments.len() as f32;
    let mut counts = vec![0_u8; fragments.len()];
    // The least costs of all up to the last four ends; before the first there is nothing.
    let mut least = [f32::INFINITY; LANES];
    least[0] = 0.0;
    for (areas, place) in areas.iter().zip(&mut counts) {
        let (mut best, mut count) = (least[0] + areas[0], 1_u8);
        for more in 1..LANES {
            let cost = least[more] + areas[more];
            let is_better = cost <= best;
            best = if is_better { cost } else { best };
            count = if is_better { more as u8 + 1 } else { count };
        }
        *place = count;
        least = [best + leaf_cost, least[0], least[1], least[2]];
    }
    let mut leaves = Vec::with_capacity(fragments.len() / 2);
    let mut end = fragments.len();
    while end > 0 {
        // Where all costs are infinite, more were counted than there are.
        let first = end.saturating_sub(counts[end - 1].into());
        let mut bounds = Growing::EMPTY;
        for fragment in &fragments[first..end] {
            bounds.add(simd, fragment);
        }
        leaves.push(Fragment::of_run(bounds, start + first as u32, (end - first) as u32));
        end = first;
    }
    leaves
}
