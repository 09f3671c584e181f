//! An axis-aligned bounding box.

use glam::Vec3;

/// An axis-aligned box, closed on all sides.
///
/// The empty box has `min = +∞` and `max = −∞`, so that growing it by anything gives that thing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The lowest corner, in mesh units.
    pub min: Vec3,
    /// The highest corner, in mesh units.
    pub max: Vec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around a triangle.
    #[inline]
    #[must_use]
    pub fn of_triangle(triangle: [[f32; 3]; 3]) -> Self {
        let [a, b, c] = triangle.map(Vec3::from);
        Self { min: a.min(b).min(c), max: a.max(b).max(c) }
    }

    /// The smallest box around both boxes.
    #[inline]
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The smallest box around this one and a point.
    #[inline]
    #[must_use]
    pub fn with_point(self, point: impl Into<[f32; 3]>) -> Self {
        let point = Vec3::from(point.into());
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The edge lengths; zero for the empty box.
    #[inline]
    #[must_use]
    pub fn extent(self) -> Vec3 {
        (self.max - self.min).max(Vec3::ZERO)
    }

    /// The middle point. Halved before the sum, so that it does not overflow.
    #[inline]
    #[must_use]
    pub fn center(self) -> Vec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// Half the surface area, as the surface area heuristic needs it; zero for the empty box.
    /// In f64, where no f32 box overflows or vanishes.
    #[inline]
    #[must_use]
    pub fn half_area(self) -> f64 {
        let e = (self.max.as_dvec3() - self.min.as_dvec3()).max(glam::DVec3::ZERO);
        e.x * e.y + e.y * e.z + e.z * e.x
    }

    /// A power of two that, times any extent within the box, gives at most four, so that areas
    /// neither overflow nor vanish in f32. Being a power of two, it rounds nothing.
    pub(crate) fn area_unit(self) -> f32 {
        let extent = self.extent().max_element();
        let exponent = extent.to_bits() >> 23;
        f32::from_bits(254_u32.saturating_sub(exponent).max(1) << 23)
    }

    /// Half the surface area in a unit of length; zero for the empty box.
    #[inline(always)]
    pub(crate) fn half_area_in(self, unit: f32) -> f32 {
        let e = (self.max * unit - self.min * unit).max(Vec3::ZERO);
        e.x * e.y + e.y * e.z + e.z * e.x
    }

    /// Whether no point lies in the box.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Whether the other box lies in this one; the empty box lies in every box.
    #[inline]
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        other.is_empty() || self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }
}
