//! Leaves made of neighbours in an order, and groups of neighbouring leaves.

use fearless_simd::Simd;
use glam::Vec4;
use rayon::prelude::*;

use super::Steps;
use super::fragment::{Fragment, Growing, half_areas};
use crate::bvh2::{Bvh2, Leaf2};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::memory::{list_of_parts, prefetch_item};
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// So many triangles are cut into leaves without a look at those beyond, and so many make a task.
const CHUNK: usize = 4096;
const TASK: usize = 4 * CHUNK;

const GROUP: usize = Bvh2::MOST_LEAVES;

/// What a leaf and a group cost beyond their areas, in areas of the average run of as many as fit.
const LEAF_COST: f32 = 0.35;
const GROUP_COST: f32 = 0.03;

/// Runs of triangles in an order, and runs of those runs.
pub(super) struct Clusters {
    pub(super) leaves: Vec<Leaf2>,
    pub(super) groups: Vec<Fragment>,
}

/// Cuts triangles, in an order, into leaves of the least area, and these into groups.
pub(super) fn of_order(
    mesh: &TriangleMesh,
    prims: &[u32],
    bounds: Growing,
    steps: &Steps<'_>,
) -> Result<Clusters, Cancelled> {
    let unit = Vec4::splat(bounds.bounds().area_unit());
    let tasks = prims.par_chunks(TASK).enumerate().map(|(number, prims)| {
        steps.part(prims.len(), || {
            with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || of_task(simd, mesh, prims, (number * TASK) as u32, unit),
            ))
        })
    });
    let tasks: Vec<(Vec<Fragment>, Vec<Fragment>)> = tasks.collect::<Result<_, Cancelled>>()?;
    let mut groups = Vec::with_capacity(tasks.iter().map(|(_, groups)| groups.len()).sum());
    let mut before = 0;
    for (leaves, of_task) in &tasks {
        groups.extend(of_task.iter().map(|group| group.moved_by(before)));
        before += leaves.len() as u32;
    }
    let lengths: Vec<usize> = tasks.iter().map(|(leaves, _)| leaves.len()).collect();
    let leaves = list_of_parts(&lengths, |number, leaves| {
        for leaf in &tasks[number].0 {
            let (first, count) = leaf.run();
            leaves.push(&[Leaf2 { bounds: leaf.bounds(), first, count }]);
        }
        steps.check()
    })?;
    Ok(Clusters { leaves, groups })
}

/// The leaves and groups of some triangles, the first of which is at `first` in the order.
#[inline(always)]
fn of_task(
    simd: impl Simd,
    mesh: &TriangleMesh,
    prims: &[u32],
    mut first: u32,
    unit: Vec4,
) -> (Vec<Fragment>, Vec<Fragment>) {
    let mut fragments = Vec::with_capacity(CHUNK);
    let mut leaves = Vec::with_capacity(prims.len() / 2 + 1);
    let mut groups = Vec::with_capacity(prims.len() / 8 + 1);
    for prims in prims.chunks(CHUNK) {
        gather(mesh, prims, &mut fragments);
        let before = leaves.len();
        cut::<{ Leaf4::LANES }>(simd, &fragments, first, unit, LEAF_COST, &mut leaves);
        cut::<GROUP>(simd, &leaves[before..], before as u32, unit, GROUP_COST, &mut groups);
        first += prims.len() as u32;
    }
    (leaves, groups)
}

/// The triangles' boxes, in their order.
#[inline(always)]
fn gather(mesh: &TriangleMesh, prims: &[u32], fragments: &mut Vec<Fragment>) {
    const AHEAD: usize = 16;
    fragments.clear();
    for (place, &prim) in prims.iter().enumerate() {
        if let Some(&next) = prims.get(place + 2 * AHEAD) {
            prefetch_item(mesh.indices(), next as usize);
        }
        if let Some(&next) = prims.get(place + AHEAD) {
            for &vertex in &mesh.indices()[next as usize] {
                prefetch_item(mesh.positions(), vertex as usize);
            }
        }
        fragments.push(Fragment::of_triangle(mesh.corners(prim), 0));
    }
}

/// Cuts boxes into runs of at most `MOST`, in order; `start` is the place of the first one.
///
/// For each box the least cost of it and all after it: that of the run which begins there, and the
/// least of all behind.
#[inline(always)]
fn cut<const MOST: usize>(
    simd: impl Simd,
    fragments: &[Fragment],
    start: u32,
    unit: Vec4,
    run_cost: f32,
    runs: &mut Vec<Fragment>,
) {
    let count = fragments.len();
    let mut areas = vec![[0.0; MOST]; count];
    // Boxes of the runs that begin at a place, by their length less one; behind the last there is
    // nothing.
    let mut from = [Growing::EMPTY; MOST];
    let mut whole = 0.0;
    for (fragment, areas) in fragments.iter().zip(&mut areas).rev() {
        for longer in (1..MOST).rev() {
            from[longer] = from[longer - 1];
            from[longer].add(simd, fragment);
        }
        from[0] = Growing::of(fragment);
        *areas = areas_of(&from, unit);
        whole += areas[MOST - 1];
    }
    let run_cost = run_cost * whole / count as f32;
    let mut counts = vec![0_u8; count];
    // The least costs of all from the next few on. (Shifted by a loop, so that they stay in
    // registers, and compared without branches: otherwise cutting takes nearly twice as long.)
    let mut least = [f32::INFINITY; MOST];
    least[0] = 0.0;
    for (areas, count) in areas.iter().zip(&mut counts).rev() {
        let mut costs = [0.0; MOST];
        for more in 0..MOST {
            costs[more] = least[more] + (areas[more] + run_cost);
        }
        let mut best = costs[MOST - 1];
        for more in (0..MOST - 1).rev() {
            best = if costs[more] < best { costs[more] } else { best };
        }
        let mut equal = 0;
        for more in 0..MOST {
            equal |= u32::from(costs[more] <= best) << more;
        }
        // The longest of them.
        *count = (u32::BITS - equal.leading_zeros()) as u8;
        for more in (1..MOST).rev() {
            least[more] = least[more - 1];
        }
        least[0] = best;
    }
    let mut first = 0;
    while first < count {
        // Where costs are infinite, more were counted than there are, or none.
        let last = count.min(first + usize::from(counts[first].max(1))) - 1;
        let mut bounds = Growing::of(&fragments[first]);
        for more in 1..MOST {
            bounds.add(simd, &fragments[last.min(first + more)]);
        }
        let length = (last + 1 - first) as u32;
        runs.push(Fragment::of_run(bounds, start + first as u32, length));
        first = last + 1;
    }
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
