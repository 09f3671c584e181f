//! Leaves made of neighbours in an order, and groups of neighbouring leaves.

mod cutter;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::Steps;
use super::fragment::{Fragment, Growing};
use crate::bvh2::{Bvh2, Leaf2};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::memory::{list_of_parts, prefetch_item};
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;
use cutter::Cutter;

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
    let unit = bounds.bounds().area_unit();
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
    unit: f32,
) -> (Vec<Fragment>, Vec<Fragment>) {
    let mut cutter = Cutter::new(unit);
    let mut fragments = Vec::with_capacity(CHUNK);
    let mut leaves = Vec::with_capacity(prims.len() / 2 + 1);
    let mut groups = Vec::with_capacity(prims.len() / 8 + 1);
    for prims in prims.chunks(CHUNK) {
        gather(mesh, prims, &mut fragments);
        let before = leaves.len();
        cutter.cut::<{ Leaf4::LANES }>(simd, &fragments, first, LEAF_COST, &mut leaves);
        cutter.cut::<GROUP>(simd, &leaves[before..], before as u32, GROUP_COST, &mut groups);
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
