//! The scene of a glTF file: its meshes' trees built, and placed as its nodes place them.

use std::sync::Arc;

use hitscan_core::gltf::GltfScene;
use hitscan_core::{BuildOptions, BuildProgress, BuildWatch, Cancelled, TriangleMesh};
use hitscan_traversal::Bvh;

use super::{Instance, Scene, SceneError};
use crate::transform::Transform;

impl Scene {
    /// The scene of a glTF file: instance `i` is the file's placement `i`, and meshes that are
    /// placed many times share one tree. A mesh that its transform flattens is an instance of its
    /// own, with the transform applied to its vertices.
    ///
    /// # Errors
    /// [`SceneError::TooManyInstances`] past 2³²−2 of them.
    ///
    /// ```
    /// use hitscan::file::ReadOptions;
    /// use hitscan::prelude::*;
    /// use hitscan::{BuildOptions, Ray, Scene, gltf};
    ///
    /// // `gltf::read_file` does the same with a path.
    /// let text = br#"{"asset": {"version": "2.0"},
    ///     "nodes": [{"mesh": 0, "name": "low"}, {"mesh": 0, "translation": [0, 0, 2]}],
    ///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    ///     "accessors": [{"bufferView": 0, "componentType": 5121, "type": "VEC3", "count": 3}],
    ///     "bufferViews": [{"buffer": 0, "byteLength": 9}],
    ///     "buffers": [{"byteLength": 9, "uri": "data:;base64,AAAAAQAAAAEA"}]}"#;
    /// let (file, report) = gltf::read_bytes(text, "two.gltf", &ReadOptions::default())?;
    /// assert_eq!((report.triangles, file.placements.len()), (1, 2));
    /// let scene = Scene::from_gltf(&file, &BuildOptions::default())?;
    /// let hit = scene.closest_hit(&Ray::new([0.2, 0.2, 9.0], [0.0, 0.0, -1.0])).ok_or("a hit")?;
    /// assert_eq!((hit.instance, hit.t), (1, 7.0));
    /// assert_eq!(file.placements[0].name.as_deref(), Some("low"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_gltf(file: &GltfScene, options: &BuildOptions) -> Result<Self, SceneError> {
        Self::from_gltf_with(file, options, &BuildWatch::default())
    }

    /// As [`Scene::from_gltf`], with a callback for progress and a token to end it early, as
    /// [`Bvh::build_with`] takes them.
    ///
    /// Trees are built one after the other. The callback gets the stage of the tree that is being
    /// built, and how much of all trees is done, by their triangles.
    ///
    /// # Errors
    /// [`SceneError::Cancelled`] if the token was cancelled before all trees were ready; else as
    /// [`Scene::from_gltf`].
    pub fn from_gltf_with(
        file: &GltfScene,
        options: &BuildOptions,
        watch: &BuildWatch<'_>,
    ) -> Result<Self, SceneError> {
        let is_flat = |rows| Transform::from(rows).inverse().is_err();
        let flat = file.placements.iter().filter(|placement| is_flat(placement.rows));
        let flat = flat.map(|placement| file.meshes[placement.mesh].triangle_count());
        let shared = file.meshes.iter().map(|mesh| mesh.triangle_count());
        let mut builds =
            Builds { options, watch, done: 0, all: shared.chain(flat).sum::<usize>().max(1) };

        let trees = file.meshes.iter().map(|mesh| builds.build(Arc::clone(mesh)));
        let trees = trees.collect::<Result<Vec<_>, Cancelled>>()?;
        let mut scene = Self::new();
        for (i, placement) in file.placements.iter().enumerate() {
            scene.add_instance(if is_flat(placement.rows) {
                let tree = builds.build(Arc::new(file.flattened(i)))?;
                Instance::new(tree, Transform::IDENTITY)?
            } else {
                Instance::new(Arc::clone(&trees[placement.mesh]), placement.rows)?
            })?;
        }
        Ok(scene)
    }
}

/// The builds of many trees, watched as one.
struct Builds<'a> {
    options: &'a BuildOptions,
    watch: &'a BuildWatch<'a>,
    /// Triangles that have their trees.
    done: usize,
    all: usize,
}

impl Builds<'_> {
    fn build(&mut self, mesh: Arc<TriangleMesh>) -> Result<Arc<Bvh>, Cancelled> {
        let triangles = mesh.triangle_count();
        let (done, part, all) = (self.done as f64, triangles as f64, self.all as f64);
        let BuildWatch { progress, cancel } = *self.watch;
        let tell = progress.map(|progress| {
            move |of_tree: BuildProgress| {
                let fraction = (done + part * of_tree.fraction) / all;
                progress(BuildProgress { fraction, ..of_tree });
            }
        });
        let progress = tell.as_ref().map(|tell| tell as &(dyn Fn(BuildProgress) + Sync));
        let bvh = Bvh::build_with(mesh, self.options, &BuildWatch { progress, cancel })?;
        self.done += triangles;
        Ok(Arc::new(bvh))
    }
}
