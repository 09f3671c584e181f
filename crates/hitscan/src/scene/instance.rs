//! One mesh at one place, and how a ray gets into its space and its hits out of it.

use std::sync::Arc;

use hitscan_core::{Aabb, Hit, Ray, RayF64};
use hitscan_traversal::{Bvh, Coherence, QueryOptions, Raycast};

use super::SceneError;
use crate::transform::{Inverse, Transform, longest, reciprocal_power_of_two};

/// A ray that hits nothing, because it has no direction.
pub(super) const MISS: Ray =
    Ray { origin: [0.0; 3], t_min: 0.0, direction: [0.0; 3], t_max: f32::INFINITY };

/// Object-space directions as long as this are left as they are; trees answer for all of them.
const LENGTHS: std::ops::RangeInclusive<f64> = 8.673_617_379_884_035e-19..=1.152_921_504_606_847e18;

/// A mesh at a place in the world.
///
/// Many instances may share one tree: it is behind an [`Arc`].
#[derive(Clone, Debug)]
pub struct Instance {
    bvh: Arc<Bvh>,
    transform: Transform,
    inverse: Inverse,
    mask: u32,
    /// Whether object space is world space, so that rays go in untouched.
    identity: bool,
}

/// A ray in object space, and what its `t` must be multiplied with to be the world's.
#[derive(Clone, Copy)]
struct ObjectRay {
    ray: Ray,
    /// A power of two; 1 for all but extreme scales.
    t_scale: f64,
}

impl Instance {
    /// A mesh at a place, visible to every mask.
    ///
    /// # Errors
    /// [`SceneError::NotFinite`] or [`SceneError::Singular`] if the transform cannot be inverted,
    /// [`SceneError::Projective`] if a `glam::Mat4` is not affine.
    ///
    /// ```
    /// use hitscan::{Bvh, BuildOptions, Instance, SceneError, Transform, TriangleMesh};
    /// let tree = Bvh::build(TriangleMesh::default(), &BuildOptions::default());
    /// let flat = Instance::new(tree, Transform::scale([1.0, 1.0, 0.0]));
    /// assert_eq!(flat.unwrap_err(), SceneError::Singular);
    /// ```
    pub fn new<T>(bvh: impl Into<Arc<Bvh>>, transform: T) -> Result<Self, SceneError>
    where
        T: TryInto<Transform, Error: Into<SceneError>>,
    {
        let (bvh, transform) = (bvh.into(), transform.try_into().map_err(Into::into)?);
        let inverse = transform.inverse()?;
        let identity = transform == Transform::IDENTITY && bvh.mesh().origin() == [0.0; 3];
        Ok(Self { bvh, transform, inverse, mask: u32::MAX, identity })
    }

    /// The same instance, visible only to queries whose mask shares a bit with this one.
    #[must_use]
    pub fn with_mask(self, mask: u32) -> Self {
        Self { mask, ..self }
    }

    /// The tree and, in it, the mesh.
    #[must_use]
    pub fn bvh(&self) -> &Arc<Bvh> {
        &self.bvh
    }

    /// The map from object space to world space.
    #[must_use]
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// Only queries whose mask shares a bit with this one see the instance.
    #[must_use]
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// A box around the placed mesh, in world units: around the corners of the mesh's own box,
    /// and so not always the smallest.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        let bounds = self.bvh.bounds();
        if bounds.is_empty() || self.identity {
            return bounds;
        }
        self.transform.bounds(bounds, self.bvh.mesh().origin())
    }

    /// A world ray in the mesh's own coordinates, ready for its [`Bvh`]: taken back through the
    /// transform and to the mesh's local origin in f64, then rounded once. `t` stays the same.
    ///
    /// A ray that f32 cannot hold there comes out invalid, and misses.
    ///
    /// ```
    /// use hitscan::prelude::*;
    /// use hitscan::{BuildOptions, Bvh, Instance, RayF64, TriangleMesh};
    /// let mesh = TriangleMesh::from_soup(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])?;
    /// let tree = Bvh::build(mesh, &BuildOptions::default());
    /// // Out there, f32 has steps of half a unit.
    /// let place = [[1.0, 0.0, 0.0, 5e6], [0.0, 1.0, 0.0, 4e6], [0.0, 0.0, 1.0, 0.0]];
    /// let house = Instance::new(tree, place)?;
    /// let ray = RayF64::new([5_000_000.25, 4_000_000.125, 10.0], [0.0, 0.0, -1.0]);
    /// let hit = house.bvh().closest_hit(&house.ray_to_object(&ray)).ok_or("the roof")?;
    /// assert_eq!((hit.t, hit.u, hit.v), (10.0, 0.25, 0.125));
    /// assert_eq!(house.normal(hit.prim), [0.0, 0.0, 1.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray_to_object(&self, ray: &RayF64) -> Ray {
        if self.identity {
            return ray.relative_to([0.0; 3]);
        }
        self.inverse.ray(ray).relative_to(self.bvh.mesh().origin())
    }

    /// The world's unit normal of a triangle, on the side that the mesh calls front; zero if it
    /// has no area or is not of this mesh.
    #[must_use]
    pub fn normal(&self, prim: u32) -> [f32; 3] {
        let mesh = self.bvh.mesh();
        if prim as usize >= mesh.triangle_count() {
            return [0.0; 3];
        }
        if self.identity {
            return mesh.normal(prim);
        }
        let [a, b, c] = mesh.triangle(prim).map(|p| glam::DVec3::from(p.map(f64::from)));
        let normal = glam::DVec3::from(self.inverse.normal((b - a).cross(c - a).into()));
        // First to a length near 1: extreme scales would overflow the square of the length.
        let normal = normal / normal.abs().max_element();
        normal.normalize_or_zero().as_vec3().into()
    }

    /// The ray in object space; [`MISS`] if it is invalid.
    fn object_ray(&self, ray: &Ray) -> ObjectRay {
        if !ray.is_valid() {
            return ObjectRay { ray: MISS, t_scale: 1.0 };
        }
        if self.identity {
            return ObjectRay { ray: *ray, t_scale: 1.0 };
        }
        let moved = self.inverse.ray(&RayF64::from(*ray));
        let longest = longest(moved.direction);
        let (t_scale, t_max) = if LENGTHS.contains(&longest) {
            (1.0, ray.t_max)
        } else {
            // A `t` past f32 is no hit, and must not become one by being scaled.
            (reciprocal_power_of_two(longest), ray.t_max.min(f32::MAX))
        };
        let scaled = RayF64 {
            t_min: moved.t_min / t_scale,
            direction: moved.direction.map(|x| x * t_scale),
            t_max: f64::from(t_max) / t_scale,
            ..moved
        };
        ObjectRay { ray: scaled.relative_to(self.bvh.mesh().origin()), t_scale }
    }

    /// Runs a query in object space, its filter seeing hits as the world sees them.
    fn query<Answer>(
        &self,
        number: u32,
        ray: &Ray,
        options: &QueryOptions<'_>,
        run: impl FnOnce(&Bvh, &Ray, &QueryOptions<'_>, &dyn Fn(Hit) -> Hit) -> Answer,
    ) -> Answer {
        let ObjectRay { ray, t_scale } = self.object_ray(ray);
        let world = |hit: Hit| world_hit(hit, number, t_scale);
        match options.filter {
            None => run(&self.bvh, &ray, options, &world),
            Some(filter) => {
                let filter = |hit: &Hit| filter(&world_hit(*hit, number, t_scale));
                run(&self.bvh, &ray, &QueryOptions { filter: Some(&filter), ..*options }, &world)
            }
        }
    }

    pub(super) fn closest_hit(
        &self,
        number: u32,
        ray: &Ray,
        options: &QueryOptions<'_>,
    ) -> Option<Hit> {
        self.query(number, ray, options, |bvh, ray, options, world| {
            bvh.closest_hit_with(ray, options).map(world)
        })
    }

    pub(super) fn any_hit(&self, number: u32, ray: &Ray, options: &QueryOptions<'_>) -> bool {
        self.query(number, ray, options, |bvh, ray, options, _| bvh.any_hit_with(ray, options))
    }

    pub(super) fn count_hits(&self, number: u32, ray: &Ray, options: &QueryOptions<'_>) -> usize {
        self.query(number, ray, options, |bvh, ray, options, _| bvh.count_hits_with(ray, options))
    }

    pub(super) fn append_all_hits(
        &self,
        number: u32,
        ray: &Ray,
        options: &QueryOptions<'_>,
        hits: &mut Vec<Hit>,
    ) {
        self.query(number, ray, options, |bvh, ray, options, world| {
            let first = hits.len();
            bvh.append_all_hits_with(ray, options, hits);
            for hit in &mut hits[first..] {
                *hit = world(*hit);
            }
        });
    }

    pub(super) fn closest_hits_chunk(
        &self,
        number: u32,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [Option<Hit>],
    ) {
        // A filter needs to know its ray's scale, which a chunk cannot tell it.
        if options.filter.is_some() {
            for (ray, hit) in rays.iter().zip(hits) {
                *hit = self.closest_hit(number, ray, options);
            }
            return;
        }
        if self.identity {
            self.bvh.closest_hits_chunk(rays, options, coherence, hits);
            for hit in hits.iter_mut().flatten() {
                hit.instance = number;
            }
            return;
        }
        let moved: Vec<ObjectRay> = rays.iter().map(|ray| self.object_ray(ray)).collect();
        let object_rays: Vec<Ray> = moved.iter().map(|moved| moved.ray).collect();
        self.bvh.closest_hits_chunk(&object_rays, options, coherence, hits);
        for (hit, moved) in hits.iter_mut().zip(&moved) {
            *hit = hit.map(|hit| world_hit(hit, number, moved.t_scale));
        }
    }

    pub(super) fn any_hits_chunk(
        &self,
        number: u32,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [bool],
    ) {
        if options.filter.is_some() {
            for (ray, hit) in rays.iter().zip(hits) {
                *hit = self.any_hit(number, ray, options);
            }
            return;
        }
        if self.identity {
            return self.bvh.any_hits_chunk(rays, options, coherence, hits);
        }
        let object_rays: Vec<Ray> = rays.iter().map(|ray| self.object_ray(ray).ray).collect();
        self.bvh.any_hits_chunk(&object_rays, options, coherence, hits);
    }
}

/// An instance's hit as the scene gives it.
fn world_hit(hit: Hit, instance: u32, t_scale: f64) -> Hit {
    Hit { t: (f64::from(hit.t) * t_scale) as f32, instance, ..hit }
}
