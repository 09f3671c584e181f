//! Builders: from a mesh to a binary tree.

mod binned_sah;
mod bins;
mod clusters;
mod curve;
mod extent;
mod few;
mod forest;
mod fragment;
mod morton;
mod partition;
mod reinsert;
mod room;
mod sample;
mod slices;
mod sorted;
mod spatial_sah;
mod watch;

use crate::bvh2::Bvh2;
use crate::bvh8::TreeLayout;
use crate::cancel::Cancelled;
use crate::mesh::TriangleMesh;

pub(crate) use watch::Steps;
pub use watch::{BuildProgress, BuildStage, BuildWatch, Meter};

/// How much time to spend on a better tree. Every quality gives the same answers.
///
/// A build of [`Self::Fast`] or [`Self::Balanced`] needs up to some 185 bytes a triangle beside the
/// mesh while it lasts, one of [`Self::High`] up to twice that; the tree, which takes 60 to 80, is
/// among them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// The shortest build: neighbours along a Morton curve share leaves and the nodes above these,
    /// with binned SAH further up. Rays visit about a tenth more than with [`Self::Balanced`]. For
    /// meshes that are rebuilt often.
    Fast,
    /// A good tree in little time: binned SAH with up to 32 bins.
    #[default]
    Balanced,
    /// The best tree: triangles with large empty boxes are cut into parts, which takes up to a
    /// fifth more memory, and subtrees are moved where they cost least. For meshes that are built
    /// once and cast at often, above all those of buildings and machines; on scans it gains little.
    High,
}

impl Quality {
    /// Every quality, the quickest build first.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Balanced, Self::High];
}

/// How to build a tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildOptions {
    /// How much time to spend on a better tree; [`Quality::Balanced`] by default.
    pub quality: Quality,
    /// What the wide tree is made of: speed against memory; [`TreeLayout::Fast`] by default.
    /// Builders do not look at it.
    pub layout: TreeLayout,
}

impl From<Quality> for BuildOptions {
    fn from(quality: Quality) -> Self {
        Self { quality, ..Self::default() }
    }
}

/// Builds a binary tree on the rayon pool that the caller is in.
///
/// The tree is the same whatever the number of threads. Triangles without area and triangles with
/// a NaN or infinite corner are left out: they are never hit.
#[must_use]
pub fn build(mesh: &TriangleMesh, options: &BuildOptions) -> Bvh2 {
    let bvh2 = build_metered(mesh, options, Meter::unwatched());
    bvh2.unwrap_or_else(|Cancelled| unreachable!("no token was given"))
}

/// As [`build()`], watched; the stage [`BuildStage::Blocks`] is left to who makes blocks.
///
/// # Errors
/// [`Cancelled`] if the token was cancelled before the tree was ready.
pub fn build_metered(
    mesh: &TriangleMesh,
    options: &BuildOptions,
    meter: Meter<'_>,
) -> Result<Bvh2, Cancelled> {
    let bvh2 = match options.quality {
        Quality::Fast => curve::build(mesh, meter)?,
        Quality::Balanced => binned_sah::build(fragment::of_mesh(mesh, meter)?, meter)?,
        Quality::High => {
            let fragments = fragment::of_mesh(mesh, meter)?;
            reinsert::reinsert(spatial_sah::build(fragments, mesh, meter)?, meter)?
        }
    };
    debug_assert_eq!(bvh2.validate(mesh), Ok(()));
    Ok(bvh2)
}
