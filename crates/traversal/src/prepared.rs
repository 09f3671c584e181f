//! What is computed once for a ray, before its walk.

use fearless_simd::Simd;
use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

use crate::leaf::direction_bound;
use crate::slab::SlabRay;

/// What the tests of boxes and triangles need of a ray besides its own numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prepared {
    pub(crate) slab: SlabRay,
    /// The greatest magnitude in the direction; infinite if the ray is too large for the filter.
    pub(crate) direction_bound: f32,
}

impl Prepared {
    /// No ray.
    pub(crate) const UNSET: Self = Self { slab: SlabRay::UNSET, direction_bound: 0.0 };

    /// Takes a ray to be cast at a mesh whose coordinates do not exceed `reach` in magnitude;
    /// `false` if it is invalid.
    #[inline(always)]
    #[must_use]
    pub(crate) fn set<S: Simd>(&mut self, simd: S, ray: &Ray, reach: &[f32; 4]) -> bool {
        let Some(lengths) = self.slab.set_ordinary(simd, ray, reach) else {
            return self.set_unusual(ray, reach);
        };
        self.direction_bound = direction_bound(lengths);
        true
    }

    #[cold]
    #[inline(never)]
    fn set_unusual(&mut self, ray: &Ray, reach: &[f32; 4]) -> bool {
        if !ray.is_valid() {
            return false;
        }
        let is_huge = is_huge(&ray.origin) || is_huge(&ray.direction);
        let lengths = ray.direction.map(f32::abs);
        self.direction_bound = if is_huge { f32::INFINITY } else { direction_bound(lengths) };
        self.slab.set_unusual(ray, reach);
        true
    }
}

/// Whether products of such numbers may overflow in the filter.
fn is_huge(v: &[f32; 3]) -> bool {
    v.iter().any(|x| x.abs() >= Leaf4::HUGE)
}
