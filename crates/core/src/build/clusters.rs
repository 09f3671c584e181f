//! Leaves made of neighbours in an order, and groups of neighbouring leaves.

use fearless_simd::Simd;
use glam::Vec4;
use rayon::prelude::*;

use super::Steps;
use super::fragment::{Fragment, Growing, half_areas};
use super::morton::{self, Key};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::memory::prefetch_item;
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// So many triangles are cut into leaves without a look at those beyond.
const CHUNK: usize = 4096;

/// The most leaves in a group: they fit one node.
pub(super) const GROUP: usize = 8;

/// What a leaf and a group cost beyond their areas, in areas of the average run of as many as fit.
const LEAF_COST: f32 = 0.35;
const GROUP_COST: f32 = 0.1;

/// Runs of triangles in an order, and runs of those runs.
#[derive(Default)]
pub(super) struct Clusters {
    pub(super) leaves: Vec<Fragment>,
    pub(super) groups: Vec<Fragment>,
}

/// Cuts triangles, in an order, into leaves of the least area, and these into groups.
pub(super) fn of_order(
    mesh: &TriangleMesh,
    order: &[Key],
    bounds: Growing,
    steps: &Steps<'_>,
) -> Result<Clusters, Cancelled> {
    let unit = Vec4::splat(bounds.bounds().area_unit());
    let chunks = order.par_chunks(CHUNK).enumerate().map(|(number, order)| {
        steps.part(order.len(), || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || {
                    let fragments = gather(mesh, order);
                    let start = (number * CHUNK) as u32;
                    let leaves = cut::<{ Leaf4::LANES }>(simd, &fragments, start, unit, LEAF_COST);
                    let groups = cut::<GROUP>(simd, &leaves, 0, unit, GROUP_COST);
                    Clusters { leaves, groups }
                },
            ))
        })
    });
    let chunks: Vec<Clusters> = chunks.collect::<Result<_, Cancelled>>()?;
    let mut all = Clusters::default();
    for mut chunk in chunks {
        for group in &mut chunk.groups {
            group.set_first(group.run().0 + all.leaves.len() as u32);
        }
        all.leaves.append(&mut chunk.leaves);
        all.groups.append(&mut chunk.groups);
    }
    Ok(all)
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
        fragments.push(Fragment::of_triangle(mesh.corners(morton::prim(key)), 0));
    }
    fragments
}

/// Cuts boxes into runs of at most `MOST`, in order.
///
/// For each box the least cost of all up to it: that of the run which ends there, and the least of
/// all before.
#[inline(always)]
fn cut<const MOST: usize>(
    simd: impl Simd,
    fragments: &[Fragment],
    start: u32,
    unit: Vec4,
    run_cost: f32,
) -> Vec<Fragment> {
    let mut areas = Vec::with_capacity(fragments.len());
    // Boxes of the runs that end at a place, by their length less one; before the first there is
    // nothing.
    let mut ending = [Growing::EMPTY; MOST];
    for fragment in fragments {
        for longer in (1..MOST).rev() {
            ending[longer] = ending[longer - 1];
            ending[longer].add(simd, fragment);
        }
        ending[0] = Growing::EMPTY;
        ending[0].add(simd, fragment);
        areas.push(areas_of(&ending, unit));
    }
    let whole: f32 = areas.iter().map(|areas| areas[MOST - 1]).sum();
    let run_cost = run_cost * whole / fragments.len() as f32;
    let mut counts = vec![0_u8; fragments.len()];
    // The least costs of all up to the last few ends.
    let mut least = [f32::INFINITY; MOST];
    least[0] = 0.0;
    for (areas, place) in areas.iter().zip(&mut counts) {
        let (mut best, mut count) = (least[0] + areas[0], 1_u8);
        for more in 1..MOST {
            let cost = least[more] + areas[more];
            let is_better = cost <= best;
            best = if is_better { cost } else { best };
            count = if is_better { more as u8 + 1 } else { count };
        }
        *place = count;
        least.copy_within(..MOST - 1, 1);
        least[0] = best + run_cost;
    }
    let mut runs = Vec::with_capacity(fragments.len() / 2);
    let mut end = fragments.len();
    while end > 0 {
        // Where all costs are infinite, more were counted than there are.
        let first = end.saturating_sub(counts[end - 1].into());
        let mut bounds = Growing::EMPTY;
        for fragment in &fragments[first..end] {
            bounds.add(simd, fragment);
        }
        runs.push(Fragment::of_run(bounds, start + first as u32, (end - first) as u32));
        end = first;
    }
    runs.reverse();
    runs
}

/// Half the areas of some boxes, four at a time.
#[inline(always)]
fn areas_of<const MOST: usize>(boxes: &[Growing; MOST], unit: Vec4) -> [f32; MOST] {
    let mut areas = [0.0; MOST];
    for (boxes, areas) in boxes.as_chunks::<4>().0.iter().zip(areas.as_chunks_mut::<4>().0) {
        *areas = half_areas(boxes.map(|bounds| bounds.extent_in(unit))).to_array();
    }
    areas
}
