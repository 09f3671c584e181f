//! The quickest builder: leaves of neighbours along a curve, and bins above them.
//!
//! ```text
//! build(triangles):
//!     sort them along a curve through space
//!     cut the order into leaves of the least area
//!     build a tree over the leaves by the surface area heuristic
//! ```

use fearless_simd::Simd;
use rayon::prelude::*;

use super::binned_sah::{self, Units};
use super::extent::Extent;
use super::forest::Forest;
use super::fragment::{Fragment, Growing};
use super::partition::partition;
use super::{BuildStage, Meter, clusters, morton};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use crate::memory::list_of_parts;
use crate::mesh::TriangleMesh;

/// So many leaves get their triangles without a break.
const CHUNK: usize = 4096;

pub(super) fn build(mesh: &TriangleMesh, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let all = mesh.triangle_count();
    let steps = meter.stage(BuildStage::Triangles, all)?;
    let (extent, count) = Extent::of_mesh(mesh, &steps)?;
    if count == 0 {
        return Ok(Bvh2::default());
    }
    let steps = meter.stage(BuildStage::Leaves, 2 * all + count)?;
    let order = morton::order(mesh, count, extent.centers, &steps)?;
    let mut leaves = clusters::of_order(mesh, &order, extent.bounds, &steps)?;
    let steps = meter.stage(BuildStage::Splits, leaves.len())?;
    let forest = binned_sah::build_forest::<Clusters>(&mut leaves, &steps)?;
    // What the leaves have, in their new order.
    let triangles = |chunk: &[Fragment]| chunk.iter().map(|leaf| leaf.run().1 as usize).sum();
    let lengths: Vec<usize> = leaves.par_chunks(CHUNK).map(triangles).collect();
    let prims = list_of_parts(&lengths, |part, prims| {
        steps.check()?;
        for leaf in leaves[part * CHUNK..].iter().take(CHUNK) {
            let (first, count) = leaf.run();
            for &key in &order[first as usize..][..count as usize] {
                prims.push(&[morton::prim(key)]);
            }
        }
        Ok(())
    })?;
    let mut next = 0;
    for leaf in &mut leaves {
        leaf.set_first(next);
        next += leaf.run().1;
    }
    forest.into_tree(prims, &steps, |leaf| {
        let (first, count) = leaves[leaf as usize].run();
        Kind2::Leaf { first, count }
    })
}

/// Leaves, as what a tree is built over.
enum Clusters {}

impl Units for Clusters {
    const PER_LEAF: usize = 1;

    /// As many as fit a node, so that what is between does not matter.
    const FEW: usize = 8;

    fn few<S: Simd>(
        simd: S,
        fragments: &mut [Fragment],
        first: usize,
        forest: &mut Forest,
    ) -> Growing {
        let (extent, left_count) = simd.vectorize(
            #[inline(always)]
            || halve_space(simd, fragments),
        );
        if let [cluster] = *fragments {
            forest.leaf(cluster.bounds(), first as u32, 0);
            return extent.bounds;
        }
        let open = forest.inner();
        let (left, right) = fragments.split_at_mut(left_count);
        Self::few(simd, left, first, forest);
        forest.right_begins(open);
        Self::few(simd, right, first + left_count, forest);
        forest.close(open, extent.bounds.bounds());
        extent.bounds
    }
}

/// Puts what lies below the middle first, or if that is all or nothing, the first half.
#[inline(always)]
fn halve_space(simd: impl Simd, fragments: &mut [Fragment]) -> (Extent, usize) {
    let extent = Extent::of(simd, fragments);
    let centers = extent.centers.bounds();
    let axis = centers.extent().max_position();
    let middle = centers.center()[axis];
    let left = partition(simd, fragments, |fragment| fragment.center_along(axis) < middle);
    (extent, if left == 0 || left == fragments.len() { fragments.len() / 2 } else { left })
}
