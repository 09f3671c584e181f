//! One mesh at one place, and how a ray gets into its space and its hits out of it.

use std::sync::Arc;

use hitscan_core::{Aabb, Hit, Ray};
use hitscan_traversal::{Bvh, Coherence, QueryOptions, Raycast};

use super::SceneError;
use crate::transform::{Inverse, Transform};

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

    /// The world's unit normal of a triangle; zero if it has no area or is not of this mesh.
    pub(super) fn normal(&self, prim: u32) -> [f32; 3] {
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
        let (point, local) = (self.inverse.point(ray.origin), self.bvh.mesh().origin());
        let origin: [f64; 3] = std::array::from_fn(|axis| point[axis] - local[axis]);
        let direction = self.inverse.vector(ray.direction.map(f64::from));
        let longest = direction.iter().fold(0.0_f64, |longest, x| longest.max(x.abs()));
        let (t_scale, t_max) = if LENGTHS.contains(&longest) {
            (1.0, ray.t_max)
        } else {
            // A `t` past f32 is no hit, and must not become one by being scaled.
            (reciprocal_power_of_two(longest), ray.t_max.min(f32::MAX))
        };
        ObjectRay {
            ray: Ray {
                origin: origin.map(|x| x as f32),
                t_min: (f64::from(ray.t_min) / t_scale) as f32,
                direction: direction.map(|x| (x * t_scale) as f32),
                t_max: (f64::from(t_max) / t_scale) as f32,
            },
            t_scale,
        }
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

/// The power of two that brings a positive number between 1 and 2.
fn reciprocal_power_of_two(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) & 0x7ff;
    // Biased exponents of a number and of its reciprocal power add up to twice the bias.
    f64::from_bits(2046_u64.saturating_sub(exponent).clamp(1, 2046) << 52)
}
