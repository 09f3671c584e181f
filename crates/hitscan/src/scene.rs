//! Meshes placed in a world: rays against many instances of a few trees.

mod error;
#[cfg(feature = "gltf")]
mod gltf;
mod instance;

use std::cmp::Ordering;
use std::sync::Arc;

use hitscan_core::{Aabb, Hit, Ray};
use hitscan_traversal::{Bvh, Coherence, QueryOptions, Raycast};

pub use error::SceneError;
pub use instance::Instance;
use instance::MISS;

use crate::transform::Transform;

/// Meshes placed in a world.
///
/// A ray in world space is moved into each instance's object space, with the inverse and the
/// product in f64 and one rounding to f32 at the end. `t` stays what it was: it is in units of
/// the world ray's direction, whatever the scale. Facing is decided in object space, so that a
/// mirrored instance keeps its inside and its outside. On equal `t` the lowest
/// (instance, geometry, prim) wins. An instance with [`Transform::IDENTITY`] answers bit for bit
/// as its bare [`Bvh`].
///
/// World coordinates count from zero: where a mesh has a local origin, it is taken into account.
/// Each instance has no leaks of its own; between two instances that only touch, each rounds the
/// ray for itself.
///
/// `QueryOptions::skip` names a triangle by its index alone, so it is skipped in every instance;
/// use `QueryOptions::filter`, which sees the hit's instance, to leave out one of them.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::{Bvh, BuildOptions, Ray, Scene, Transform, TriangleMesh};
/// use std::sync::Arc;
///
/// let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = TriangleMesh::from_soup(&[corners])?;
/// let tree = Arc::new(Bvh::build(mesh, &BuildOptions::default()));
/// let mut scene = Scene::new();
/// let low = scene.add(tree.clone(), Transform::IDENTITY)?;
/// let high = scene.add(tree, Transform::translation([0.0, 0.0, 2.0]))?;
///
/// let down = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
/// let up = Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, 1.0]);
/// assert_eq!(scene.closest_hit(&down).map(|hit| (hit.instance, hit.t)), Some((high, 3.0)));
/// assert_eq!(scene.closest_hit(&up).map(|hit| (hit.instance, hit.t)), Some((low, 5.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    instances: Vec<Instance>,
}

impl Scene {
    /// A scene with nothing in it: every ray misses.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Places a mesh, visible to every mask, and gives the instance's number: the first is 0.
    ///
    /// `transform` is a [`Transform`] or anything that one is made from, a `glam::Mat4` included.
    ///
    /// # Errors
    /// As [`Instance::new`]; [`SceneError::TooManyInstances`] past 2³²−2 of them.
    pub fn add<T>(&mut self, bvh: impl Into<Arc<Bvh>>, transform: T) -> Result<u32, SceneError>
    where
        T: TryInto<Transform, Error: Into<SceneError>>,
    {
        self.add_instance(Instance::new(bvh, transform)?)
    }

    /// Places an instance, such as one with a mask of its own, and gives its number.
    ///
    /// # Errors
    /// [`SceneError::TooManyInstances`] past 2³²−2 of them.
    pub fn add_instance(&mut self, instance: Instance) -> Result<u32, SceneError> {
        // u32::MAX stands for "none" in files of hits.
        let number = u32::try_from(self.instances.len()).ok().filter(|&n| n < u32::MAX - 1);
        let number = number.ok_or(SceneError::TooManyInstances)?;
        self.instances.push(instance);
        Ok(number)
    }

    /// Moves an instance to another place.
    ///
    /// # Errors
    /// [`SceneError::NoInstance`], or as [`Instance::new`]; the instance then stays where it was.
    pub fn set_transform<T>(&mut self, instance: u32, transform: T) -> Result<(), SceneError>
    where
        T: TryInto<Transform, Error: Into<SceneError>>,
    {
        let place = self.instance_mut(instance)?;
        *place = Instance::new(Arc::clone(place.bvh()), transform)?.with_mask(place.mask());
        Ok(())
    }

    /// Gives an instance another tree, such as the newest state of a [`hitscan_traversal::DynamicBvh`],
    /// and gives back the one that it had. Place and mask stay.
    ///
    /// Other instances keep the tree that they share. To move a mesh without a copy of it, take
    /// its tree out by swapping in an empty one, refit it, and swap it in again.
    ///
    /// # Errors
    /// [`SceneError::NoInstance`].
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::{BuildOptions, DynamicBvh, Ray, Scene, Transform, TriangleMesh};
    ///
    /// let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = TriangleMesh::from_soup(&[corners])?;
    /// let mut sheet = DynamicBvh::build(mesh, BuildOptions::default());
    /// let mut scene = Scene::new();
    /// let placed = scene.add(sheet.bvh().clone(), Transform::translation([0.0, 0.0, 2.0]))?;
    ///
    /// sheet.refit(&corners.map(|[x, y, z]| [x, y, z + 1.0]))?;
    /// scene.set_bvh(placed, sheet.bvh().clone())?;
    /// let down = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.closest_hit(&down).map(|hit| hit.t), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_bvh(
        &mut self,
        instance: u32,
        bvh: impl Into<Arc<Bvh>>,
    ) -> Result<Arc<Bvh>, SceneError> {
        let place = self.instance_mut(instance)?;
        let placed = Instance::new(bvh, *place.transform())?.with_mask(place.mask());
        Ok(Arc::clone(std::mem::replace(place, placed).bvh()))
    }

    fn instance_mut(&mut self, instance: u32) -> Result<&mut Instance, SceneError> {
        let count = self.instances.len();
        let place = self.instances.get_mut(instance as usize);
        place.ok_or(SceneError::NoInstance { instance, count })
    }

    /// The instances, in the order of their numbers.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// A box around everything, in world units; empty for an empty scene.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.instances.iter().map(Instance::bounds).fold(Aabb::EMPTY, Aabb::union)
    }

    /// The geometric unit normal in world space at a hit, on the side that the mesh calls front.
    ///
    /// It goes through the inverse transpose: under a scale of −2 along x, the normal (1, 0, 0)
    /// becomes (−1, 0, 0). Zero for a hit that is not of this scene.
    #[must_use]
    pub fn normal(&self, hit: &Hit) -> [f32; 3] {
        let instance = self.instances.get(hit.instance as usize);
        instance.map_or([0.0; 3], |instance| instance.normal(hit.prim))
    }

    /// The name of the object at a hit or, failing that, of the group; `None` where the mesh
    /// names neither.
    #[must_use]
    pub fn object_name(&self, hit: &Hit) -> Option<&str> {
        let instance = self.instances.get(hit.instance as usize)?;
        let names = instance.bvh().mesh().parts().names_of(hit.prim);
        names.object.or(names.group)
    }

    /// The instances that a query sees, with their numbers.
    fn seen(&self, options: &QueryOptions<'_>) -> impl Iterator<Item = (u32, &Instance)> {
        let mask = options.mask;
        (0..).zip(&self.instances).filter(move |(_, instance)| instance.mask() & mask != 0)
    }
}

impl Raycast for Scene {
    fn closest_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        for (number, instance) in self.seen(options) {
            best = nearer(best, instance.closest_hit(number, &shortened(ray, best), options));
        }
        best
    }

    fn any_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> bool {
        self.seen(options).any(|(number, instance)| instance.any_hit(number, ray, options))
    }

    fn count_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> usize {
        self.seen(options).map(|(number, instance)| instance.count_hits(number, ray, options)).sum()
    }

    fn append_all_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>, hits: &mut Vec<Hit>) {
        let first = hits.len();
        for (number, instance) in self.seen(options) {
            instance.append_all_hits(number, ray, options, hits);
        }
        hits[first..].sort_by(order);
    }

    fn closest_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [Option<Hit>],
    ) {
        assert_eq!(rays.len(), hits.len(), "one hit a ray");
        let mut seen = self.seen(options);
        match seen.next() {
            None => return hits.fill(None),
            Some((number, first)) => {
                first.closest_hits_chunk(number, rays, options, coherence, hits);
            }
        }
        let (mut pruned, mut found) = (Vec::new(), Vec::new());
        for (number, instance) in seen {
            pruned.clear();
            pruned.extend(rays.iter().zip(&*hits).map(|(ray, hit)| shortened(ray, *hit)));
            found.resize(rays.len(), None);
            instance.closest_hits_chunk(number, &pruned, options, coherence, &mut found);
            for (hit, found) in hits.iter_mut().zip(&found) {
                *hit = nearer(*hit, *found);
            }
        }
    }

    fn any_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [bool],
    ) {
        assert_eq!(rays.len(), hits.len(), "one answer a ray");
        let mut seen = self.seen(options);
        match seen.next() {
            None => return hits.fill(false),
            Some((number, first)) => {
                first.any_hits_chunk(number, rays, options, coherence, hits);
            }
        }
        let (mut open, mut found) = (Vec::new(), Vec::new());
        for (number, instance) in seen {
            open.clear();
            open.extend(rays.iter().zip(&*hits).map(|(ray, &hit)| if hit { MISS } else { *ray }));
            found.resize(rays.len(), false);
            instance.any_hits_chunk(number, &open, options, coherence, &mut found);
            for (hit, found) in hits.iter_mut().zip(&found) {
                *hit |= found;
            }
        }
    }
}

/// The ray up to the nearest hit so far. Closed at its end, so that a tie is still found, and then
/// loses to the lower number.
fn shortened(ray: &Ray, best: Option<Hit>) -> Ray {
    ray.with_interval(ray.t_min, best.map_or(ray.t_max, |hit| hit.t))
}

/// The hit that comes first; the one that was there already if they are equal.
fn nearer(a: Option<Hit>, b: Option<Hit>) -> Option<Hit> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if order(&b, &a).is_lt() { b } else { a }),
        (a, b) => a.or(b),
    }
}

/// Near to far; on equal `t` by (instance, geometry, prim). No `t` is NaN, and −0 equals 0.
fn order(a: &Hit, b: &Hit) -> Ordering {
    let key = |hit: &Hit| (hit.instance, hit.geometry, hit.prim);
    a.t.partial_cmp(&b.t).unwrap_or(Ordering::Equal).then_with(|| key(a).cmp(&key(b)))
}
