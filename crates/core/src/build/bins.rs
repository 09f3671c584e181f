//! Splits of a set of triangles in two, by where their centres lie.
//!
//! Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007.

use fearless_simd::Simd;
use glam::Vec4;

use super::fragment::{self, Fragment, Growing};
use crate::Aabb;

/// How centres map to bins.
#[derive(Clone, Copy)]
pub(super) struct Binning<const BINS: usize> {
    origin: Vec4,
    scale: Vec4,
}

/// A gap between two bins.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    axis: usize,
    /// The first bin on the right.
    bin: usize,
    origin: f32,
    scale: f32,
    /// In the unit that was asked for.
    pub(super) cost: f32,
}

impl Plane {
    /// The same roundings as in [`Binning::bins_of`], so that a centre is where it was counted.
    #[inline(always)]
    pub(super) fn is_left(self, fragment: &Fragment) -> bool {
        let place = (fragment.center_along(self.axis) - self.origin) * self.scale;
        place - 0.5 + ROUNDER < ROUNDER + self.bin as f32
    }
}

/// A split and how much its sides overlap.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub(super) plane: Plane,
    /// Half the area of what both sides' boxes have in common.
    pub(super) overlap: f64,
}

/// Some triangles, and a box around them.
#[derive(Clone, Copy)]
pub(super) struct Bin {
    pub(super) bounds: Growing,
    pub(super) count: u32,
}

impl Bin {
    pub(super) const EMPTY: Self = Self { bounds: Growing::EMPTY, count: 0 };

    #[inline]
    pub(super) fn union(self, simd: impl Simd, other: Self) -> Self {
        Self { bounds: self.bounds.union(simd, other.bounds), count: self.count + other.count }
    }

    #[inline]
    pub(super) fn cost(self, weigh: Weigh) -> f64 {
        self.bounds.half_area() * f64::from(weigh.of(self.count as i32))
    }

    fn overlap(self, other: Self) -> f64 {
        let (a, b) = (self.bounds.bounds(), other.bounds.bounds());
        let both = Aabb { min: a.min.max(b.min), max: a.max.min(b.max) };
        if both.is_empty() { 0.0 } else { both.half_area() }
    }
}

/// What some triangles weigh, of which an area has so many times as much to test.
#[derive(Clone, Copy)]
pub(super) struct Weigh {
    /// How many fit a leaf; a power of two.
    pub(super) per_leaf: i32,
    /// How much a lane weighs that a leaf has left, in triangles: such a leaf takes as long to test
    /// as a full one, and as many bytes.
    pub(super) per_gap: f32,
}

impl Weigh {
    /// Of units each of which is a leaf.
    pub(super) const ALONE: Self = Self { per_leaf: 1, per_gap: 0.0 };

    #[inline(always)]
    pub(super) fn of(self, count: i32) -> f32 {
        count as f32 + (-count & (self.per_leaf - 1)) as f32 * self.per_gap
    }
}

/// A number from 0 up to 2²² plus this one is rounded to a whole number, which the low bits of the
/// sum hold: cheaper than a conversion.
pub(super) const ROUNDER: f32 = (1 << 23) as f32;

/// The triangles in each bin of each axis.
pub(super) struct Bins<const BINS: usize> {
    boxes: [[Growing; BINS]; 3],
    /// By bin, then axis; the fourth stays zero.
    counts: [[u32; 4]; BINS],
}

impl<const BINS: usize> Binning<BINS> {
    #[inline(always)]
    pub(super) fn new(centers: Growing) -> Self {
        const { assert!(BINS.is_power_of_two() && BINS <= 256, "an index is masked") };
        let bounds = centers.bounds();
        let extent = (bounds.max - bounds.min).to_array();
        // An axis along which all centres agree, or whose extent is not finite, puts everything
        // into bin 0, so that no plane is found there.
        let [x, y, z] = extent.map(|extent| {
            let scale = BINS as f32 * 0.9999 / extent;
            if extent > 0.0 && scale.is_finite() && extent.is_finite() { scale } else { 0.0 }
        });
        Self { origin: bounds.min.extend(0.0), scale: Vec4::new(x, y, z, 0.0) }
    }

    #[inline(always)]
    fn bins_of(self, fragment: &Fragment) -> [usize; 3] {
        let place = (fragment.center() - self.origin) * self.scale - Vec4::splat(0.5);
        // In this order a NaN, from an axis that has no scale, becomes 0.
        let place = place.max(Vec4::ZERO).min(Vec4::splat((BINS - 1) as f32));
        let [x, y, z, _] = (place + Vec4::splat(ROUNDER)).to_array();
        [x, y, z].map(|place| place.to_bits() as usize & (BINS - 1))
    }

    #[inline(always)]
    pub(super) fn fill<'a>(
        self,
        simd: impl Simd,
        fragments: impl Iterator<Item = &'a Fragment>,
    ) -> Bins<BINS> {
        let mut boxes = [[Growing::EMPTY; BINS]; 3];
        let mut counts = [[0; 4]; BINS];
        for fragment in fragments {
            for (axis, bin) in self.bins_of(fragment).into_iter().enumerate() {
                boxes[axis][bin].add(simd, fragment);
                counts[bin][axis] += 1;
            }
        }
        Bins { boxes, counts }
    }

    /// The cheapest plane, or nothing if all centres agree. `unit` makes areas fit f32: see
    /// [`Aabb::area_unit`].
    #[inline(always)]
    pub(super) fn cheapest_plane(
        self,
        simd: impl Simd,
        bins: &Bins<BINS>,
        unit: f32,
        weigh: Weigh,
    ) -> Option<Plane> {
        // All three axes in lanes.
        let unit = Vec4::splat(unit);
        let mut rights = [Vec4::INFINITY; BINS];
        let mut sides = [Growing::EMPTY; 3];
        let mut count = [0; 4];
        for bin in (1..BINS).rev() {
            for axis in 0..3 {
                sides[axis] = sides[axis].union(simd, bins.boxes[axis][bin]);
                count[axis] += bins.counts[bin][axis];
            }
            rights[bin] = costs(&sides, count, unit, weigh);
        }
        let mut sides = [Growing::EMPTY; 3];
        let mut count = [0; 4];
        let (mut least, mut at) = (Vec4::INFINITY, Vec4::ZERO);
        for bin in 1..BINS {
            for axis in 0..3 {
                sides[axis] = sides[axis].union(simd, bins.boxes[axis][bin - 1]);
                count[axis] += bins.counts[bin - 1][axis];
            }
            let cost = costs(&sides, count, unit, weigh) + rights[bin];
            let cheaper = cost.cmplt(least);
            least = Vec4::select(cheaper, cost, least);
            at = Vec4::select(cheaper, Vec4::splat(bin as f32), at);
        }
        let (least, at) = (least.to_array(), at.to_array());
        let axis = (1..3).fold(0, |best, axis| if least[axis] < least[best] { axis } else { best });
        (least[axis] < f32::INFINITY).then(|| Plane {
            axis,
            bin: at[axis] as usize,
            origin: self.origin[axis],
            scale: self.scale[axis],
            cost: least[axis],
        })
    }

    /// The cheapest split, or nothing if all centres agree.
    #[inline(always)]
    pub(super) fn cheapest_split(
        self,
        simd: impl Simd,
        fragments: &[Fragment],
        unit: f32,
        weigh: Weigh,
    ) -> Option<Split> {
        let bins = self.fill(simd, fragments.iter());
        let plane = self.cheapest_plane(simd, &bins, unit, weigh)?;
        let side = |range: std::ops::Range<usize>| {
            let bin = |bin: usize| Bin {
                bounds: bins.boxes[plane.axis][bin],
                count: bins.counts[bin][plane.axis],
            };
            range.map(bin).fold(Bin::EMPTY, |a, b| a.union(simd, b))
        };
        let (left, right) = (side(0..plane.bin), side(plane.bin..BINS));
        Some(Split { plane, overlap: left.overlap(right) })
    }
}

/// Half the areas of three boxes, in lanes; zero for empty ones. The fourth lane repeats the third:
/// an instruction that would clear it is one that callgrind does not know.
#[inline(always)]
pub(super) fn half_areas(boxes: &[Growing; 3], unit: Vec4) -> Vec4 {
    let [x, y, z] = boxes.map(|bounds| bounds.extent_in(unit));
    fragment::half_areas([x, y, z, z])
}

/// As [`Bin::cost`], of a side along each axis; infinite where it is empty.
#[inline(always)]
pub(super) fn costs(sides: &[Growing; 3], count: [u32; 4], unit: Vec4, weigh: Weigh) -> Vec4 {
    let weight = Vec4::from_array(count.map(|count| weigh.of(count as i32)));
    let cost = half_areas(sides, unit) * weight;
    Vec4::select(weight.cmpeq(Vec4::ZERO), Vec4::INFINITY, cost)
}
