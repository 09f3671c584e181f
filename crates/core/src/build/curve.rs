//! The quickest builder: runs of neighbours along a curve, and bins above them.
//!
//! ```text
//! build(triangles):
//!     as with bins, if there are few; else
//!     sort them along a curve through space
//!     cut the order into leaves of the least area, and the leaves into groups likewise
//!     build a tree over the groups by the surface area heuristic
//! ```

use super::binned_sah::{self, Units};
use super::bins::Weigh;
use super::clusters::{self, Clusters};
use super::fragment::{self, Fragment};
use super::morton::Keys;
use super::{BuildStage, Meter};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use crate::mesh::TriangleMesh;

/// Fewer triangles are split by bins down to the leaves, which takes less than half a millisecond:
/// runs of so few cost rays a tenth more, as triangles are large beside the whole.
const FEW: usize = 1024;

pub(super) fn build(mesh: &TriangleMesh, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let all = mesh.triangle_count();
    if all < FEW {
        return binned_sah::build(fragment::of_mesh(mesh, meter)?, meter);
    }
    let keys = Keys::of_mesh(mesh, &meter.stage(BuildStage::Triangles, all)?)?;
    let (count, bounds) = (keys.count, keys.extent.bounds);
    if count == 0 {
        return Ok(Bvh2::default());
    }
    let steps = meter.stage(BuildStage::Leaves, all + 2 * count)?;
    let prims = keys.sorted(&steps)?;
    let Clusters { leaves, mut groups } = clusters::of_order(mesh, &prims, bounds, &steps)?;
    let steps = meter.stage(BuildStage::Splits, groups.len())?;
    let forest = binned_sah::build_forest(&Groups, &mut groups, &steps)?;
    Ok(Bvh2 { nodes: forest.into_nodes(&steps)?, leaves, prims })
}

/// Groups of leaves, as what a tree is built over.
struct Groups;

impl Units for Groups {
    const WEIGH: Weigh = Weigh::ALONE;
    const MOST_LEAVES: usize = Bvh2::MOST_LEAVES;

    fn leaf(&self, groups: &[Fragment], _: usize) -> Kind2 {
        let (first, count) = groups[0].run();
        Kind2::Leaves { first, count }
    }
}
