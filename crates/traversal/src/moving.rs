//! Trees that follow their mesh when it moves, and how good they still are.

use std::sync::Arc;

use hitscan_core::bvh2::InvalidTree;
use hitscan_core::bvh8::{Structure, TreeProfile};
use hitscan_core::mesh::EditError;
use hitscan_core::{Aabb, BuildOptions};

use crate::bvh::Bvh;

/// How good a tree is, now and when it was built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeQuality {
    /// The SAH cost now: the nodes and leaves that a random ray through the tree's box is
    /// expected to visit.
    pub sah_cost: f64,
    /// What it was when the tree was built.
    pub built_sah_cost: f64,
}

impl TreeQuality {
    /// How many times the tree costs what it cost when it was built: 1 if nothing has moved. A
    /// factor of two makes rays about twice as slow.
    #[must_use]
    pub fn degradation(&self) -> f64 {
        // No tree costs less than its root; the empty one has no cost at all.
        self.sah_cost.max(1.0) / self.built_sah_cost.max(1.0)
    }
}

impl Bvh {
    /// Moves all vertices of the mesh and fits the tree to them, on the rayon pool that the
    /// caller is in.
    ///
    /// Positions are relative to the mesh's origin. The answers are those of a tree built anew
    /// over the moved mesh, bit for bit, and it takes a fraction of the time. Rays become slower
    /// the more the mesh has lost its shape: [`Bvh::quality`] tells. Where the tree has triangles
    /// in parts ([`hitscan_core::Quality::High`]) they become whole again with the first refit.
    ///
    /// Who refits again is expected to go on: the second refit finds out which vertices each leaf
    /// has, and the later ones are nearly twice as fast. That takes about ten bytes a triangle,
    /// as long as this `Bvh` lives; a clone does not have it.
    ///
    /// Works in place if this `Bvh` is the only one that has the tree and the mesh; where clones
    /// of it are kept they stay as they are, and copying takes longer than fitting. A tree in
    /// [`TreeLayout::Compact`](hitscan_core::TreeLayout::Compact) is unfolded into the other layout
    /// and back, which takes longer too, and as much memory as that layout meanwhile.
    ///
    /// # Errors
    /// [`EditError::VertexRange`] if there are not as many positions as vertices,
    /// [`EditError::NotFinite`] if a position is NaN or infinite, [`EditError::InvalidTree`] if the
    /// tree was opened and a leaf of it is such as no tree over this mesh has; that is looked at
    /// once. Then nothing has changed.
    ///
    /// ```
    /// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
    /// use hitscan_traversal::{Bvh, Raycast};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = TriangleMesh::from_soup(&[corners])?;
    /// let mut bvh = Bvh::build(mesh, &BuildOptions::default());
    /// bvh.refit(&corners.map(|[x, y, z]| [x, y, z + 2.0]))?;
    /// let hit = bvh.closest_hit(&Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!(hit.t, 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refit(&mut self, positions: &[[f32; 3]]) -> Result<(), EditError> {
        self.check_leaves()?;
        self.move_all(positions)?;
        self.follow();
        Ok(())
    }

    /// How good the tree is, against what it was when it was built.
    #[must_use]
    pub fn quality(&self) -> TreeQuality {
        let sah_cost = self.tree.statistics().sah_cost;
        TreeQuality { sah_cost, built_sah_cost: self.built_sah_cost }
    }

    /// What the tree looks like, level by level and leaf by leaf, and how much its boxes overlap.
    #[must_use]
    pub fn profile(&self) -> TreeProfile {
        TreeProfile::new(&self.tree, &self.mesh)
    }

    /// The boxes of the tree, each before those within it: the level, 0 for the box around
    /// everything, and the box, relative to the mesh's origin. An empty tree has none.
    pub fn boxes(&self) -> impl Iterator<Item = (usize, Aabb)> {
        let boxes = self.tree.visits().map(|visit| (visit.level, visit.bounds));
        boxes.filter(|(_, bounds)| !bounds.is_empty())
    }

    /// Looks at the leaves of a tree that was opened, before its first change.
    pub(crate) fn check_leaves(&mut self) -> Result<(), InvalidTree> {
        self.refitter.check_leaves(&self.tree, &self.mesh)
    }

    /// Moves all vertices and leaves the tree behind.
    pub(crate) fn move_all(&mut self, positions: &[[f32; 3]]) -> Result<(), EditError> {
        let (vertices, count) = (self.mesh.positions().len(), positions.len());
        if count != vertices {
            return Err(EditError::VertexRange { first: 0, count, vertices });
        }
        if Arc::get_mut(&mut self.mesh).is_none() {
            // Who cannot change anything need not copy the mesh first.
            self.mesh.check_positions(0, positions)?;
        }
        Arc::make_mut(&mut self.mesh).move_vertices(0, positions)
    }

    /// Fits the tree, whose leaves were checked, to the mesh; tells whether it has still the same
    /// blocks.
    pub(crate) fn follow(&mut self) -> Structure {
        let tree = Arc::make_mut(&mut self.tree);
        let followed = self.refitter.refit(tree, &self.mesh);
        let options = BuildOptions { layout: self.layout(), ..BuildOptions::default() };
        followed.unwrap_or_else(|_| self.rebuild(&options))
    }

    /// Builds the tree anew over the mesh as it is now.
    pub(crate) fn rebuild(&mut self, options: &BuildOptions) -> Structure {
        *self = Self::build(self.mesh.clone(), options).with_level(self.level);
        Structure::Changed
    }
}
