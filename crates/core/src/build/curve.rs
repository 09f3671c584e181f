//! The quickest builder: runs of neighbours along a curve, and bins above them.
//!
//! ```text
//! build(triangles):
//!     sort them along a curve through space
//!     cut the order into leaves of the least area, and the leaves into groups likewise
//!     build a tree over the groups by the surface area heuristic
//! ```

use std::ops::Range;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::binned_sah::{self, Units};
use super::clusters::{self, Clusters};
use super::extent::Extent;
use super::forest::Forest;
use super::fragment::{Fragment, Growing};
use super::{BuildStage, Meter, morton};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use crate::memory::list_of_parts;
use crate::mesh::TriangleMesh;

/// So many groups get their triangles without a break.
const CHUNK: usize = 512;

pub(super) fn build(mesh: &TriangleMesh, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let all = mesh.triangle_count();
    let steps = meter.stage(BuildStage::Triangles, all)?;
    let (extent, never_hit) = Extent::of_mesh(mesh, &steps)?;
    let count = all - never_hit.len();
    if count == 0 {
        return Ok(Bvh2::default());
    }
    let steps = meter.stage(BuildStage::Leaves, 2 * all + count)?;
    let order = morton::order(mesh, &never_hit, extent.centers, &steps)?;
    let mut clusters = clusters::of_order(mesh, &order, extent.bounds, &steps)?;
    let Clusters { leaves, groups } = &mut clusters;
    let steps = meter.stage(BuildStage::Splits, groups.len())?;
    let forest = binned_sah::build_forest(&Groups { leaves }, groups, &steps)?;
    // What the groups have, in their new order.
    let triangles = |group: &Fragment| -> Range<usize> {
        let leaves = &leaves[range(*group)];
        range(leaves[0]).start..range(leaves[leaves.len() - 1]).end
    };
    let in_chunk = |groups: &[Fragment]| groups.iter().map(|group| triangles(group).len()).sum();
    let lengths: Vec<usize> = groups.par_chunks(CHUNK).map(in_chunk).collect();
    let prims = list_of_parts(&lengths, |part, prims| {
        steps.check()?;
        for group in groups[part * CHUNK..].iter().take(CHUNK) {
            for &key in &order[triangles(group)] {
                prims.push(&[morton::prim(key)]);
            }
        }
        Ok(())
    })?;
    let mut next = 0;
    for group in groups {
        for leaf in &mut leaves[range(*group)] {
            leaf.set_first(next);
            next += leaf.run().1;
        }
    }
    forest.into_tree(prims, &steps, |leaf| {
        let (first, count) = leaves[leaf as usize].run();
        Kind2::Leaf { first, count }
    })
}

/// What a run is made of, in its order.
fn range(run: Fragment) -> Range<usize> {
    let (first, count) = run.run();
    first as usize..(first + count) as usize
}

/// Groups of leaves, as what a tree is built over.
struct Groups<'a> {
    leaves: &'a [Fragment],
}

impl Units for Groups<'_> {
    const PER_LEAF: usize = 1;
    const FEW: usize = 1;
    const MOST_LEAVES: usize = clusters::GROUP;

    fn few<S: Simd>(
        &self,
        simd: S,
        fragments: &mut [Fragment],
        _: usize,
        forest: &mut Forest,
    ) -> Growing {
        self.halve(simd, range(fragments[0]), forest)
    }
}

impl Groups<'_> {
    /// Builds a subtree over the leaves of a group, which become the children of one node: so what
    /// is between does not matter.
    fn halve<S: Simd>(&self, simd: S, leaves: Range<usize>, forest: &mut Forest) -> Growing {
        if leaves.len() == 1 {
            let bounds = self.leaves[leaves.start].growing();
            forest.leaf(bounds.bounds(), leaves.start as u32, 0);
            return bounds;
        }
        let open = forest.inner();
        let middle = leaves.start.midpoint(leaves.end);
        let left = self.halve(simd, leaves.start..middle, forest);
        forest.right_begins(open);
        let right = self.halve(simd, middle..leaves.end, forest);
        let bounds = left.union(simd, right);
        forest.close(open, bounds.bounds());
        bounds
    }
}
