//! The quickest builder: leaves of neighbours along a curve, and bins above them.
//!
//! ```text
//! build(triangles):
//!     sort them along a curve through space
//!     cut the order into leaves of the least area
//!     build a tree over the leaves by the surface area heuristic
//! ```

use rayon::prelude::*;

use super::binned_sah::{self, Units};
use super::clusters::{self, Cluster};
use super::extent::Extent;
use super::forest::Forest;
use super::fragment::{Fragment, Growing};
use super::morton;
use super::partition::partition;
use super::{BuildStage, Meter};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;
use fearless_simd::Simd;

pub(super) fn build(
    fragments: &[Fragment],
    mesh: &TriangleMesh,
    meter: Meter<'_>,
) -> Result<Bvh2, Cancelled> {
    if fragments.is_empty() {
        return Ok(Bvh2::default());
    }
    let steps = meter.stage(BuildStage::Leaves, 3 * fragments.len())?;
    let extent = with_simd!(simd => simd.vectorize(
        #[inline(always)]
        || Extent::of(simd, fragments),
    ));
    let order = morton::order(fragments, extent.centers, &steps)?;
    let clusters = clusters::of_order(fragments, &order, extent.bounds, &steps)?;
    steps.finish();
    let as_fragment =
        |(index, cluster): (usize, &Cluster)| Fragment::new(cluster.bounds.bounds(), index as u32);
    let mut leaves: Vec<Fragment> =
        clusters.par_iter().with_min_len(4096).enumerate().map(as_fragment).collect();
    let steps = meter.stage(BuildStage::Splits, leaves.len())?;
    let forest = binned_sah::build_forest::<Clusters>(&mut leaves, &steps)?;
    let cluster = |leaf: &Fragment| &clusters[leaf.prim() as usize];
    let all_are_there = fragments.len() == mesh.triangle_count();
    let mut firsts = Vec::with_capacity(leaves.len());
    let mut prims = Vec::with_capacity(fragments.len());
    for leaf in &leaves {
        let &Cluster { first, count, .. } = cluster(leaf);
        firsts.push(prims.len() as u32);
        let places = &order[first as usize..(first + count) as usize];
        if all_are_there {
            prims.extend_from_slice(places);
        } else {
            prims.extend(places.iter().map(|&place| fragments[place as usize].prim()));
        }
    }
    forest.into_tree(prims, &steps, |leaf| {
        let (first, count) = (firsts[leaf as usize], cluster(&leaves[leaf as usize]).count);
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
