//! A mesh that moves and changes, with a tree that is kept good.

mod rebuild;

use std::sync::Arc;

use hitscan_core::bvh2::InvalidTree;
use hitscan_core::bvh8::{ChangeError, Paths, Refitter, Structure};
use hitscan_core::mesh::EditError;
use hitscan_core::{BuildOptions, Bvh8, TreeLayout, TriangleMesh};

use crate::bvh::Bvh;
use crate::moving::TreeQuality;
use rebuild::Rebuild;

/// A mesh that moves and changes, with a tree that is kept good.
///
/// Rays are cast at [`DynamicBvh::bvh`], which always has the newest positions. Its answers are
/// those of a tree built anew over them, bit for bit.
///
/// ```
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::{Bvh, DynamicBvh, Raycast};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = TriangleMesh::from_soup(&[corners])?;
/// let mut sheet = DynamicBvh::build(mesh, BuildOptions::default()).rebuilding_from(1.5);
/// let down = Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0]);
///
/// // A corner moves, each frame anew.
/// sheet.update_vertices(2, &[[0.0, 1.0, 1.0]])?;
/// assert_eq!(sheet.bvh().closest_hit(&down).map(|hit| hit.t), Some(2.5));
///
/// // A second triangle comes, and the first one goes; indices stay.
/// let added = sheet.add_triangles(&[[1.0, 1.0, 0.0]], &[[0, 1, 3]])?;
/// assert_eq!(added, 1..2);
/// sheet.remove_triangles(&[0])?;
/// let slope = Ray::new([0.75, 0.5, 3.0], [0.0, 0.0, -1.0]);
/// assert_eq!(sheet.bvh().closest_hit(&slope).map(|hit| hit.prim), Some(1));
/// assert!(!sheet.bvh().any_hit(&down));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What it costs
///
/// - [`DynamicBvh::refit`] goes through the whole tree, in parallel. As long as no triangle comes
///   or goes, what the second one finds out makes the later ones faster: see [`Bvh::refit`].
/// - [`DynamicBvh::update_vertices`] and [`DynamicBvh::remove_triangles`] go through the leaves
///   concerned and what lies above them. For that the ways through the tree must be known: some 25
///   bytes a triangle, found when they are first needed and again after a rebuild or an addition,
///   in a few times the time of a refit.
/// - [`DynamicBvh::add_triangles`] makes a small tree over all triangles that were added since the
///   last rebuild, beside the one that was built.
/// - A clone of [`DynamicBvh::bvh`] is a snapshot. As long as it lives the next change copies the
///   mesh and the tree first; so does the first change of the mesh during a rebuild, for the mesh.
#[derive(Debug)]
pub struct DynamicBvh {
    bvh: Bvh,
    options: BuildOptions,
    rebuild_from: Option<f64>,
    /// Known only if they hold for the tree as it is.
    paths: Option<Paths>,
    rebuild: Option<Rebuild>,
}

impl DynamicBvh {
    /// Builds a tree over a mesh, on the rayon pool that the caller is in; rebuilds will use the
    /// same options.
    ///
    /// [`hitscan_core::Quality::High`] is meant for meshes that stay as they are: its triangles
    /// in parts are made whole at once.
    #[must_use]
    pub fn build(mesh: impl Into<Arc<TriangleMesh>>, options: BuildOptions) -> Self {
        Self::of_checked(Bvh::build(mesh, &options), options)
    }

    /// Takes a tree that was built or opened already, and the options for rebuilds.
    ///
    /// # Errors
    /// [`InvalidTree`] if it was opened and a leaf of it is such as no tree over its mesh has; it
    /// names the first line of the block at fault. Opening does not look at that, and neither does
    /// this where the tree was built here.
    pub fn new(mut bvh: Bvh, options: BuildOptions) -> Result<Self, InvalidTree> {
        bvh.check_leaves()?;
        Ok(Self::of_checked(bvh, options))
    }

    /// Takes a tree whose leaves need no check any more.
    fn of_checked(mut bvh: Bvh, options: BuildOptions) -> Self {
        make_whole(&mut bvh);
        Self { bvh, options, rebuild_from: None, paths: None, rebuild: None }
    }

    /// From now on, a change that leaves the tree `degradation` times as costly as it was when it
    /// was built, or more, begins a rebuild in the background: see
    /// [`DynamicBvh::rebuild_in_background`]. 1.5 is a good start: less rebuilds more often.
    ///
    /// Without this call there are no rebuilds but those asked for.
    #[must_use]
    pub fn rebuilding_from(self, degradation: f64) -> Self {
        Self { rebuild_from: Some(degradation), ..self }
    }

    /// The tree, with the newest positions.
    #[must_use]
    pub fn bvh(&self) -> &Bvh {
        &self.bvh
    }

    /// The tree, and no more changes.
    #[must_use]
    pub fn into_bvh(self) -> Bvh {
        self.bvh
    }

    /// How good the tree is, against what it was when it was last built.
    #[must_use]
    pub fn quality(&self) -> TreeQuality {
        self.bvh.quality()
    }

    /// Moves all vertices, as [`Bvh::refit`] does.
    ///
    /// # Errors
    /// As [`Bvh::refit`]. Then nothing has changed.
    pub fn refit(&mut self, positions: &[[f32; 3]]) -> Result<(), EditError> {
        self.bvh.move_all(positions)?;
        self.take_rebuilt();
        let structure = self.bvh.follow();
        self.settle(structure);
        Ok(())
    }

    /// Moves the vertices from `first` on; positions are relative to the mesh's origin.
    ///
    /// # Errors
    /// [`EditError::VertexRange`] if there are fewer vertices, [`EditError::NotFinite`] if a
    /// position is NaN or infinite. Then nothing has changed.
    pub fn update_vertices(
        &mut self,
        first: usize,
        positions: &[[f32; 3]],
    ) -> Result<(), EditError> {
        self.bvh.mesh.check_positions(first, positions)?;
        if positions.is_empty() {
            return Ok(());
        }
        Arc::make_mut(&mut self.bvh.mesh).move_vertices(first, positions)?;
        self.follow_some(|refitter, tree, mesh, paths| {
            let prims = paths.triangles_at(first..first + positions.len());
            refitter.refit_triangles(tree, mesh, paths, prims)
        });
        Ok(())
    }

    /// Adds vertices and triangles, whose indices may be those of old and of new vertices; gives
    /// the indices of the new triangles, which follow those that are there.
    ///
    /// # Errors
    /// [`EditError::NotFinite`] if a position is NaN or infinite, [`EditError::IndexOutOfRange`]
    /// if a triangle uses a vertex that does not exist, [`EditError::TooMany`] if there are more
    /// than can be numbered. Then nothing has changed.
    pub fn add_triangles(
        &mut self,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Result<std::ops::Range<u32>, EditError> {
        let mesh = &self.bvh.mesh;
        mesh.check_addition(positions, triangles)?;
        let prims = Arc::make_mut(&mut self.bvh.mesh).add_triangles(positions, triangles)?;
        let structure = if self.take_rebuilt().is_some() {
            self.bvh.follow()
        } else if self.bvh.layout() == TreeLayout::Compact {
            // All of it is made anew in any case.
            self.bvh.follow()
        } else {
            let mesh = &self.bvh.mesh;
            let added: Vec<u32> = prims.clone().filter(|&prim| mesh.can_be_hit(prim)).collect();
            let tree = Arc::make_mut(&mut self.bvh.tree);
            let grafted = self.bvh.refitter.graft(tree, mesh, &added);
            self.or_rebuild(grafted)
        };
        self.paths = None;
        self.settle(structure);
        Ok(prims)
    }

    /// Removes triangles. They are never hit again, and no other triangle gets their indices; the
    /// mesh keeps them, shrunk to a point. One that was removed before stays so.
    ///
    /// # Errors
    /// [`EditError::NoSuchTriangle`] if an index was never given. Then nothing has changed.
    pub fn remove_triangles(&mut self, prims: &[u32]) -> Result<(), EditError> {
        self.bvh.mesh.check_removal(prims)?;
        if prims.is_empty() {
            return Ok(());
        }
        Arc::make_mut(&mut self.bvh.mesh).remove_triangles(prims)?;
        self.follow_some(|refitter, tree, mesh, paths| {
            refitter.refit_triangles(tree, mesh, paths, prims)
        });
        Ok(())
    }

    /// Builds the tree anew over the mesh as it is now, and waits for it.
    pub fn rebuild(&mut self) {
        self.bvh.rebuild(&self.options);
        make_whole(&mut self.bvh);
        self.rebuild = None;
        self.paths = None;
    }

    /// Begins to build a tree over the mesh as it is now, as a task on the rayon pool that the
    /// caller is in; does nothing if one is being built already.
    ///
    /// Rays are answered by the old tree meanwhile. The first change after the new one is ready
    /// fits it to the positions of that time and puts it in the old one's place;
    /// [`DynamicBvh::swap_if_rebuilt`] does so without a change.
    pub fn rebuild_in_background(&mut self) {
        if self.rebuild.is_none() {
            let (mesh, options) = (self.bvh.mesh.clone(), self.options.clone());
            self.rebuild = Some(Rebuild::start(mesh, options));
        }
    }

    /// Whether a tree is being built, or is ready and not yet in place.
    #[must_use]
    pub fn is_rebuilding(&self) -> bool {
        self.rebuild.is_some()
    }

    /// Puts the tree that was built in the background in place, if it is ready; tells whether it
    /// was. Each change does this, too.
    pub fn swap_if_rebuilt(&mut self) -> bool {
        let Some(built_over) = self.take_rebuilt() else { return false };
        if !Arc::ptr_eq(&built_over, &self.bvh.mesh) {
            drop(built_over);
            let structure = self.bvh.follow();
            self.settle(structure);
        }
        true
    }

    /// Puts the tree that was built in the background in place, if it is ready, without fitting
    /// it to the mesh; gives the mesh that it was built over.
    fn take_rebuilt(&mut self) -> Option<Arc<TriangleMesh>> {
        let rebuilt = self.rebuild.as_ref()?.take()?;
        let built_over = rebuilt.mesh.clone();
        let (mesh, level) = (self.bvh.mesh.clone(), self.bvh.level);
        self.bvh = Bvh { mesh, level, ..rebuilt };
        self.rebuild = None;
        self.paths = None;
        Some(built_over)
    }

    /// Fits the tree to a mesh of which some triangles have changed.
    fn follow_some(
        &mut self,
        follow: impl FnOnce(
            &mut Refitter,
            &mut Bvh8,
            &TriangleMesh,
            &Paths,
        ) -> Result<Structure, ChangeError>,
    ) {
        let structure = if self.take_rebuilt().is_some() {
            self.bvh.follow()
        } else if self.bvh.layout() == TreeLayout::Compact {
            // All of it is made anew in any case.
            self.bvh.follow()
        } else {
            let mesh = &self.bvh.mesh;
            let tree = Arc::make_mut(&mut self.bvh.tree);
            let paths = self.paths.get_or_insert_with(|| Paths::new(tree, mesh));
            let followed = follow(&mut self.bvh.refitter, tree, mesh, paths);
            self.or_rebuild(followed)
        };
        self.settle(structure);
    }

    fn or_rebuild(&mut self, followed: Result<Structure, ChangeError>) -> Structure {
        followed.unwrap_or_else(|_| {
            self.rebuild();
            Structure::Changed
        })
    }

    /// After each change: forgets what does not hold any more, and rebuilds if it is time.
    fn settle(&mut self, structure: Structure) {
        if structure == Structure::Changed {
            self.paths = None;
        }
        if self.rebuild_from.is_some_and(|from| self.quality().degradation() >= from) {
            self.rebuild_in_background();
        }
    }
}

/// Makes triangles in parts whole: the cost of that counts as the tree's own, since every tree
/// that is built later pays it as well.
fn make_whole(bvh: &mut Bvh) {
    let statistics = bvh.statistics();
    if statistics.references != statistics.triangles {
        bvh.follow();
        bvh.built_sah_cost = bvh.statistics().sah_cost;
    }
}
