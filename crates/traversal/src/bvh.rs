//! A mesh with a tree over it, ready for rays.

use std::sync::Arc;

use hitscan_core::build::Meter;
use hitscan_core::bvh8::{Refitter, Statistics};
use hitscan_core::{
    Aabb, BuildOptions, BuildWatch, Bvh8, Cancelled, Hit, Ray, TreeLayout, TriangleMesh, build,
};

use crate::errand::One;
use crate::level::Level;
use crate::options::QueryOptions;
use crate::query::{Any, Closest};
use crate::walk::Probe;

/// A mesh with a tree over it, ready for rays.
///
/// Cheap to clone: the mesh and the tree are shared.
///
/// ```
/// use hitscan_core::{BuildOptions, Ray, TriangleMesh};
/// use hitscan_traversal::{Bvh, Raycast};
///
/// let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])?;
/// let bvh = Bvh::build(mesh, &BuildOptions::default());
/// let hit = bvh.closest_hit(&Ray::new([0.25, 0.5, 3.0], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.u, hit.v, hit.front), (3.0, 0.25, 0.5, true));
/// # Ok::<(), hitscan_core::MeshError>(())
/// ```
///
/// Rays are relative to the mesh's local origin, which is zero unless the mesh lies so far out
/// that f32 could not tell its corners apart. Rays in f64 find it wherever it is:
///
/// ```
/// use hitscan_core::{BuildOptions, RayF64, TriangleMesh};
/// use hitscan_traversal::{Bvh, Raycast};
///
/// # let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])?;
/// # let mesh = mesh.with_origin([4_500_000.0, 5_400_000.0, 0.0]);
/// # let bvh = Bvh::build(mesh, &BuildOptions::default());
/// let ray = RayF64::new([4_500_000.25, 5_400_000.5, 3.0], [0.0, 0.0, -1.0]);
/// let hit = bvh.closest_hit(&ray.relative_to(bvh.mesh().origin()));
/// assert_eq!(hit.map(|hit| hit.t), Some(3.0));
/// # Ok::<(), hitscan_core::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bvh {
    pub(crate) mesh: Arc<TriangleMesh>,
    pub(crate) tree: Arc<Bvh8>,
    pub(crate) level: Level,
    /// The SAH cost of the tree when it was built.
    pub(crate) built_sah_cost: f64,
    /// For this tree and this mesh, which nobody else changes.
    pub(crate) refitter: Refitter,
}

/// What a ray's walk cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Nodes whose eight boxes were tested.
    pub nodes: u32,
    /// Leaves whose up to four triangles were tested.
    pub leaves: u32,
    /// Triangles that the leaves' test left to be decided exactly.
    pub exact: u32,
}

impl Cost {
    /// What the nodes and leaves take in memory, each as often as it was visited, in bytes, if the
    /// tree has this layout.
    ///
    /// Without the corners of the mesh, which leaves of [`TreeLayout::Compact`] and exact decisions
    /// fetch.
    #[must_use]
    pub const fn bytes(&self, layout: TreeLayout) -> u64 {
        let nodes = self.nodes as u64 * layout.node_bytes() as u64;
        nodes + self.leaves as u64 * layout.leaf_bytes() as u64
    }
}

impl Probe for Cost {
    #[inline(always)]
    fn node(&mut self) {
        self.nodes += 1;
    }
    #[inline(always)]
    fn leaf(&mut self) {
        self.leaves += 1;
    }
    #[inline(always)]
    fn exact(&mut self, triangles: u32) {
        self.exact += triangles;
    }
}

impl Bvh {
    /// Builds a tree over a mesh, on the rayon pool that the caller is in.
    ///
    /// An empty mesh gives a tree that every ray misses.
    #[must_use]
    pub fn build(mesh: impl Into<Arc<TriangleMesh>>, options: &BuildOptions) -> Self {
        let bvh = Self::build_with(mesh, options, &BuildWatch::default());
        bvh.unwrap_or_else(|Cancelled| unreachable!("no token was given"))
    }

    /// As [`Bvh::build`], with a callback for progress and a token to end it early.
    ///
    /// # Errors
    /// [`Cancelled`] if the token was cancelled before the tree was ready. Nothing is left of it;
    /// a mesh that was given as an [`Arc`] is as it was.
    ///
    /// ```
    /// use hitscan_core::{BuildOptions, BuildWatch, CancelToken, Cancelled, TriangleMesh};
    /// use hitscan_traversal::Bvh;
    ///
    /// let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])?;
    /// let token = CancelToken::new();
    /// let progress = |progress: hitscan_core::BuildProgress| {
    ///     eprintln!("{:?}: {:.0} %", progress.stage, 100.0 * progress.fraction);
    ///     // Another thread that has the token may do this just as well.
    ///     if progress.fraction > 0.25 {
    ///         token.cancel();
    ///     }
    /// };
    /// let watch = BuildWatch { progress: Some(&progress), cancel: Some(&token) };
    /// let built = Bvh::build_with(mesh, &BuildOptions::default(), &watch);
    /// assert_eq!(built.err(), Some(Cancelled));
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    pub fn build_with(
        mesh: impl Into<Arc<TriangleMesh>>,
        options: &BuildOptions,
        watch: &BuildWatch<'_>,
    ) -> Result<Self, Cancelled> {
        let mesh = mesh.into();
        let meter = Meter::new(options.quality, *watch);
        let bvh2 = build::build_metered(&mesh, options, meter)?;
        let tree = Bvh8::from_bvh2_metered(options.layout, &bvh2, &mesh, meter)?;
        Ok(Self::of_tree(mesh, tree))
    }

    /// A mesh with its tree.
    pub(crate) fn of_tree(mesh: Arc<TriangleMesh>, tree: Bvh8) -> Self {
        let built_sah_cost = tree.statistics().sah_cost;
        let (tree, level, refitter) = (Arc::new(tree), Level::detect(), Refitter::default());
        Self { mesh, tree, level, built_sah_cost, refitter }
    }

    /// The same tree, walked at another SIMD level. The answers are the same, bit for bit.
    #[must_use]
    pub fn with_level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// The SIMD level that the tree is walked at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The same tree in another layout. The answers are the same, bit for bit.
    ///
    /// Takes a fraction of the time of a build, and memory for both while it runs. Boxes that were
    /// compact stay as large as they are, so that rays through a tree that was built compact stay a
    /// little slower than through one that was not.
    ///
    /// ```
    /// use hitscan_core::{BuildOptions, TreeLayout, TriangleMesh};
    /// use hitscan_traversal::Bvh;
    ///
    /// # let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])?;
    /// let bvh = Bvh::build(mesh, &BuildOptions::default());
    /// let compact = bvh.in_layout(TreeLayout::Compact);
    /// assert!(compact.statistics().bytes() < bvh.statistics().bytes());
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    #[must_use]
    pub fn in_layout(&self, layout: TreeLayout) -> Self {
        let tree = self.tree.in_layout(layout, &self.mesh);
        Self { tree: Arc::new(tree), ..self.clone() }
    }

    /// What the tree is made of.
    #[must_use]
    pub fn layout(&self) -> TreeLayout {
        self.tree.layout()
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &Arc<TriangleMesh> {
        &self.mesh
    }

    /// The tree.
    pub(crate) fn tree(&self) -> &Bvh8 {
        &self.tree
    }

    /// The box around everything that can be hit, relative to the mesh's origin.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.tree.bounds()
    }

    /// What the tree looks like, in numbers.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.tree.statistics()
    }

    /// The nearest hit as [`closest_hit`](crate::Raycast::closest_hit) gives it, and what finding it
    /// cost.
    #[must_use]
    pub fn closest_hit_counted(&self, ray: &Ray) -> (Option<Hit>, Cost) {
        let mut query = Closest::new(ray);
        let mut cost = Cost::default();
        self.run(&QueryOptions::DEFAULT, One { ray, query: &mut query, probe: &mut cost });
        (query.best.some_hit(&self.mesh), cost)
    }

    /// Whether there is a hit as [`any_hit`](crate::Raycast::any_hit) tells it, and what finding
    /// that out cost.
    #[must_use]
    pub fn any_hit_counted(&self, ray: &Ray) -> (bool, Cost) {
        let mut query = Any::new(ray);
        let mut cost = Cost::default();
        self.run(&QueryOptions::DEFAULT, One { ray, query: &mut query, probe: &mut cost });
        (query.found, cost)
    }
}
