//! A triangle that is cut into parts, and boxes around them that are never too small.
//!
//! docs/decisions/0010 has the proof.

mod cover;

pub(crate) use cover::Cover;

use glam::{DVec3, Vec3};

use crate::Aabb;

/// How far a computed crossing may be off along an axis, relative to the triangle's greatest
/// coordinate there: sixteen roundings in f64, of which twelve are needed.
const CROSSING_SLACK: f64 = 8.0 * f64::EPSILON;

/// A triangle that is cut into parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    corners: [DVec3; 3],
    bounds: Aabb,
    slack: DVec3,
}

impl Cut {
    pub(crate) fn new(corners: [[f32; 3]; 3]) -> Self {
        let bounds = Aabb::of_triangle(corners);
        let reach = bounds.min.abs().max(bounds.max.abs());
        Self {
            corners: corners.map(|corner| Vec3::from(corner).as_dvec3()),
            bounds,
            slack: reach.as_dvec3() * CROSSING_SLACK,
        }
    }

    /// A box around the part of the triangle that lies in `region`, no larger than `region`; empty
    /// only if there is no such part.
    pub(crate) fn within(&self, region: Aabb) -> Aabb {
        let mut part = region;
        for axis in 0..3 {
            if self.bounds.min[axis] < part.min[axis] || self.bounds.max[axis] > part.max[axis] {
                part = self.between(axis, part);
                if part.is_empty() {
                    return Aabb::EMPTY;
                }
            }
        }
        part
    }

    /// A box around the part in `region`, as far as the region's two planes across one axis tell.
    fn between(&self, axis: usize, region: Aabb) -> Aabb {
        let planes = [region.min[axis], region.max[axis]].map(f64::from);
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for i in 0..3 {
            let (a, b) = (self.corners[i], self.corners[(i + 1) % 3]);
            if planes[0] <= a[axis] && a[axis] <= planes[1] {
                min = min.min(a);
                max = max.max(a);
            }
            for plane in planes {
                if (a[axis] < plane && plane < b[axis]) || (b[axis] < plane && plane < a[axis]) {
                    let crossing = a + (b - a) * ((plane - a[axis]) / (b[axis] - a[axis]));
                    min = min.min(crossing - self.slack);
                    max = max.max(crossing + self.slack);
                }
            }
        }
        let min = Vec3::from(min.to_array().map(round_down));
        let max = Vec3::from(max.to_array().map(|x| -round_down(-x)));
        Aabb { min: min.max(region.min), max: max.min(region.max) }
    }
}

fn round_down(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) > x { nearest.next_down() } else { nearest }
}
