//! Top-down building by the surface area heuristic over bins.
//!
//! Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies", 2007.
//!
//! ```text
//! build(triangles):
//!     put each triangle into one of N bins by its centre, along each axis
//!     for each axis and each gap between bins: cost = area·count left + area·count right
//!     partition at the cheapest gap, or in the middle if all centres agree
//!     build(left), build(right)
//! ```

use glam::Vec4;
use rayon::prelude::*;

use super::fragment::{Fragment, Growing, PARALLEL_FROM, Target, fill_tree, must_halve};
use crate::bvh2::Bvh2;

/// From this many triangles on, binning is split over threads.
const PARALLEL_BINNING_FROM: usize = 65_536;

pub(super) fn build<const BINS: usize>(mut fragments: Vec<Fragment>) -> Bvh2 {
    fill_tree(fragments.len(), |target| split::<BINS>(&mut fragments, target, 1))
}

fn split<const BINS: usize>(fragments: &mut [Fragment], target: Target<'_>, depth: usize) {
    if let [fragment] = *fragments {
        return target.leaf(fragment);
    }
    let extent = Extent::of(fragments);
    let plane = if fragments.len() == 2 || must_halve(fragments.len(), depth) {
        None
    } else {
        Binning::<BINS>::new(extent.centers).cheapest_plane(fragments)
    };
    let left_count = match plane {
        Some(plane) => partition(fragments, |fragment| plane.is_left(fragment)),
        None => halve(fragments, extent.centers),
    };
    let (left, right) = fragments.split_at_mut(left_count);
    let (left_target, right_target) = target.inner(extent.bounds.bounds(), left_count);
    if left.len().min(right.len()) >= PARALLEL_FROM {
        rayon::join(
            || split::<BINS>(left, left_target, depth + 1),
            || split::<BINS>(right, right_target, depth + 1),
        );
    } else {
        split::<BINS>(left, left_target, depth + 1);
        split::<BINS>(right, right_target, depth + 1);
    }
}

/// The box around all boxes, and the one around their centres.
#[derive(Clone, Copy)]
struct Extent {
    bounds: Growing,
    centers: Growing,
}

impl Extent {
    const EMPTY: Self = Self { bounds: Growing::EMPTY, centers: Growing::EMPTY };

    fn of(fragments: &[Fragment]) -> Self {
        if fragments.len() < PARALLEL_BINNING_FROM {
            return Self::of_chunk(fragments);
        }
        fragments
            .par_chunks(PARALLEL_BINNING_FROM / 4)
            .map(Self::of_chunk)
            .reduce(|| Self::EMPTY, Self::union)
    }

    fn of_chunk(fragments: &[Fragment]) -> Self {
        let mut extent = Self::EMPTY;
        for &fragment in fragments {
            extent.bounds.add(fragment);
            extent.centers.add_point(fragment.center());
        }
        extent
    }

    fn union(self, other: Self) -> Self {
        Self { bounds: self.bounds.union(other.bounds), centers: self.centers.union(other.centers) }
    }
}

/// How centres map to bins.
#[derive(Clone, Copy)]
struct Binning<const BINS: usize> {
    origin: Vec4,
    scale: Vec4,
}

/// A gap between two bins.
#[derive(Clone, Copy)]
struct Plane<const BINS: usize> {
    binning: Binning<BINS>,
    axis: usize,
    /// The first bin on the right.
    bin: usize,
}

impl<const BINS: usize> Plane<BINS> {
    #[inline]
    fn is_left(self, fragment: Fragment) -> bool {
        (self.binning.bins_of(fragment)[self.axis] as usize) < self.bin
    }
}

#[derive(Clone, Copy)]
struct Bin {
    bounds: Growing,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { bounds: Growing::EMPTY, count: 0 };

    #[inline]
    fn union(self, other: Self) -> Self {
        Self { bounds: self.bounds.union(other.bounds), count: self.count + other.count }
    }

    #[inline]
    fn cost(self) -> f64 {
        self.bounds.half_area() * f64::from(self.count)
    }
}

type Bins<const BINS: usize> = [[Bin; BINS]; 3];

impl<const BINS: usize> Binning<BINS> {
    fn new(centers: Growing) -> Self {
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

    #[inline]
    fn bins_of(self, fragment: Fragment) -> [u32; 3] {
        let place = (fragment.center() - self.origin) * self.scale;
        [place.x, place.y, place.z].map(|place| (place as u32).min(BINS as u32 - 1))
    }

    fn fill(self, fragments: &[Fragment]) -> Bins<BINS> {
        let mut bins = [[Bin::EMPTY; BINS]; 3];
        for &fragment in fragments {
            for (bins, bin) in bins.iter_mut().zip(self.bins_of(fragment)) {
                let bin = &mut bins[bin as usize];
                bin.bounds.add(fragment);
                bin.count += 1;
            }
        }
        bins
    }

    fn fill_parallel(self, fragments: &[Fragment]) -> Bins<BINS> {
        if fragments.len() < PARALLEL_BINNING_FROM {
            return self.fill(fragments);
        }
        fragments.par_chunks(PARALLEL_BINNING_FROM / 4).map(|chunk| self.fill(chunk)).reduce(
            || [[Bin::EMPTY; BINS]; 3],
            |mut into, from| {
                for (into, from) in into.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
                    *into = into.union(*from);
                }
                into
            },
        )
    }

    fn cheapest_plane(self, fragments: &[Fragment]) -> Option<Plane<BINS>> {
        let mut cheapest = (f64::INFINITY, None);
        for (axis, bins) in self.fill_parallel(fragments).iter().enumerate() {
            if self.scale[axis] == 0.0 {
                continue;
            }
            let mut right_costs = [f64::INFINITY; BINS];
            let mut right = Bin::EMPTY;
            for bin in (1..BINS).rev() {
                right = right.union(bins[bin]);
                if right.count > 0 {
                    right_costs[bin] = right.cost();
                }
            }
            let mut left = Bin::EMPTY;
            for bin in 1..BINS {
                left = left.union(bins[bin - 1]);
                let cost = left.cost() + right_costs[bin];
                if left.count > 0 && cost < cheapest.0 {
                    cheapest = (cost, Some(Plane { binning: self, axis, bin }));
                }
            }
        }
        cheapest.1
    }
}

/// Moves what is left to the front; gives how many there are. The order is that of one two-ended
/// sweep, so it does not depend on threads.
fn partition(fragments: &mut [Fragment], is_left: impl Fn(Fragment) -> bool) -> usize {
    let (mut front, mut back) = (0, fragments.len());
    loop {
        while front < back && is_left(fragments[front]) {
            front += 1;
        }
        while front < back && !is_left(fragments[back - 1]) {
            back -= 1;
        }
        if front == back {
            return front;
        }
        fragments.swap(front, back - 1);
    }
}

/// Orders the middle along the axis on which centres spread most; gives half the count.
fn halve(fragments: &mut [Fragment], centers: Growing) -> usize {
    let middle = fragments.len() / 2;
    let bounds = centers.bounds();
    let extent = (bounds.max - bounds.min).to_array();
    let axis = (0..3).max_by(|&a, &b| extent[a].total_cmp(&extent[b])).unwrap_or(0);
    fragments.select_nth_unstable_by(middle, |a, b| {
        a.center()[axis].total_cmp(&b.center()[axis]).then(a.prim().cmp(&b.prim()))
    });
    middle
}
