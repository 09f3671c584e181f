//! Top-down building by the surface area heuristic over splits of the set and of space.
//!
//! Stich, Friedrich and Dietrich, "Spatial Splits in Bounding Volume Hierarchies", 2009; room for
//! parts is shared as the tree grows, so that memory is bounded.
//!
//! ```text
//! build(fragments, room):
//!     the cheapest split of the set, by bins
//!     if its sides overlap: the cheapest split of space, by slices, that room is left for;
//!         of many fragments only if one of a sample is cheaper
//!     a plane of space cuts what it meets; but what costs less on one side, whole, stays whole
//!     build(left, its share of the room), build(right, its share)
//! ```

use fearless_simd::Simd;

use super::binned_sah::Units;
use super::bins::{Bin, Binning, Plane, Split, Weigh};
use super::extent::Extent;
use super::few;
use super::forest::Forest;
use super::fragment::{Fragment, Growing, PARALLEL_FROM, must_halve};
use super::partition::{halve, partition};
use super::room::Room;
use super::sample::sample;
use super::slices::{Slicing, SpaceSplit};
use super::sorted;
use super::{BuildStage, Meter, Steps};
use crate::Aabb;
use crate::bvh2::{Bvh2, Kind2, Node2};
use crate::bvh8::Leaf4;
use crate::cancel::Cancelled;
use crate::cut::Cut;
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;

/// How many parts there may be for each triangle, on average. 1.3: 3 % more bytes, under 1 % less
/// to visit on a building.
const MOST_PARTS: f64 = 1.2;

/// The least overlap, in areas of the whole, for which splits of space are tried. 1e-3: 1 % more to
/// visit in a city. To ask for a tenth or a fifth of the set's own area as well takes less time, and
/// leaves 1 to 7 % more to visit there and 1 to 6 % in a machine, though less in some buildings.
const LEAST_OVERLAP: f64 = 5e-4;

/// What triangles weigh. On `sponza_dabrovic` gaps of 0.5 make trees of 2 % more bytes and half a
/// percent less to visit, and those of 1 trees of as many bytes and 1 % more to visit.
const WEIGH: Weigh = Weigh { per_leaf: Leaf4::LANES as i32, per_gap: 0.7 };

/// How many times in a row splits of space are tried in vain, with a sample or all, before a subtree
/// does without. With scans, where they gain next to nothing, this takes a third off the build;
/// without: no better. Four: up to a tenth less time, 0.3 % more SAH cost on `dragon_full`.
const PATIENCE: u32 = 6;

/// Bins for sets from [`MANY`] fragments on, and for smaller ones.
const BINS: [usize; 2] = [32, 16];
const MANY: usize = 256;

/// Slices for sets from [`SOME`] fragments on, and for smaller ones. 32: no better.
const SLICES: [usize; 2] = [16, 8];
const SOME: usize = 64;

pub(super) fn build(
    fragments: Vec<Fragment>,
    mesh: &TriangleMesh,
    meter: Meter<'_>,
) -> Result<Bvh2, Cancelled> {
    with_simd!(simd => build_with(simd, fragments, mesh, meter))
}

fn build_with(
    simd: impl Simd,
    mut fragments: Vec<Fragment>,
    mesh: &TriangleMesh,
    meter: Meter<'_>,
) -> Result<Bvh2, Cancelled> {
    let count = fragments.len();
    let Some(&filler) = fragments.first() else { return Ok(Bvh2::default()) };
    let capacity = (count as f64 * MOST_PARTS) as usize;
    // So that the nodes can be numbered; there are fewer triangles.
    fragments.resize(capacity.min(1 << 31), filler);
    let bounds = Extent::of(simd, &fragments[..count]).bounds.bounds();
    let builder = Builder { simd, mesh, least_overlap: bounds.half_area() * LEAST_OVERLAP };
    let steps = meter.stage(BuildStage::Splits, fragments.len())?;
    // On one thread everything goes into one piece; what is not used is never touched.
    let alone = rayon::current_num_threads() == 1;
    let slots = if alone { fragments.len() } else { fragments.len().min(PARALLEL_FROM) };
    let mut forest = Forest::with_capacity(2 * slots);
    builder.split_many(
        Room::new(&mut fragments, count, bounds.area_unit()),
        1,
        PATIENCE,
        &mut forest,
        &steps,
    )?;
    Ok(into_tree(forest.into_nodes(&steps)?, &fragments))
}

/// Makes a tree of nodes whose leaves name slots.
fn into_tree(mut nodes: Vec<Node2>, slots: &[Fragment]) -> Bvh2 {
    let mut prims = Vec::with_capacity(slots.len());
    for node in &mut nodes {
        if let Kind2::Leaf { first, count } = &mut node.kind {
            let start = prims.len();
            for fragment in &slots[*first as usize..][..*count as usize] {
                // Parts of a triangle that are in one leaf are one.
                if !prims[start..].contains(&fragment.prim()) {
                    prims.push(fragment.prim());
                }
            }
            (*first, *count) = (start as u32, (prims.len() - start) as u32);
        }
    }
    Bvh2 { nodes, prims, ..Bvh2::default() }
}

struct Builder<'a, S> {
    simd: S,
    mesh: &'a TriangleMesh,
    /// Half the area from which an overlap is worth a look.
    least_overlap: f64,
}

impl<S: Simd> Units for Builder<'_, S> {
    const WEIGH: Weigh = WEIGH;
    const MOST_LEAVES: usize = 1;

    /// The wide tree's plan puts together again what costs less as one leaf. At 0.7: 0.2 to 0.5 %
    /// more to visit. At 1.5: 0.1 % less, a tenth longer to build.
    const APART: f32 = 1.25;

    fn leaf(&self, fragments: &[Fragment], first: usize) -> Kind2 {
        Kind2::Leaf { first: first as u32, count: fragments.len() as u32 }
    }
}

impl<S: Simd> Builder<'_, S> {
    /// As [`Self::split`], in parallel, and in parts between which the build may end.
    fn split_many(
        &self,
        room: Room<'_>,
        depth: usize,
        mut patience: u32,
        forest: &mut Forest,
        steps: &Steps<'_>,
    ) -> Result<Growing, Cancelled> {
        if room.fragments().len() < PARALLEL_FROM {
            return steps.part(room.slots(), || self.split(room, depth, patience, forest));
        }
        steps.check()?;
        let open = forest.inner();
        let (left, right) = self.divide(room, depth, &mut patience);
        let (left_bounds, right_bounds);
        let fewer = left.fragments().len().min(right.fragments().len());
        if fewer >= PARALLEL_FROM && rayon::current_num_threads() > 1 {
            let mut right_forest = Forest::with_capacity(right.slots());
            (left_bounds, right_bounds) = rayon::join(
                || self.split_many(left, depth + 1, patience, forest, steps),
                || self.split_many(right, depth + 1, patience, &mut right_forest, steps),
            );
            forest.right_begins(open);
            forest.append(right_forest);
        } else {
            left_bounds = self.split_many(left, depth + 1, patience, forest, steps);
            forest.right_begins(open);
            right_bounds = self.split_many(right, depth + 1, patience, forest, steps);
        }
        let bounds = left_bounds?.union(self.simd, right_bounds?);
        forest.close(open, bounds.bounds());
        Ok(bounds)
    }

    fn split(
        &self,
        room: Room<'_>,
        depth: usize,
        mut patience: u32,
        forest: &mut Forest,
    ) -> Growing {
        if room.fragments().len() <= few::FEW {
            let first = room.first();
            return few::split(self, self.simd, room.into_fragments(), first, forest);
        }
        let open = forest.inner();
        let (left, right) = self.divide(room, depth, &mut patience);
        let left_bounds = self.split(left, depth + 1, patience, forest);
        forest.right_begins(open);
        let right_bounds = self.split(right, depth + 1, patience, forest);
        let bounds = left_bounds.joined(right_bounds);
        forest.close(open, bounds.bounds());
        bounds
    }

    /// The cheapest split of the set.
    #[inline(always)]
    fn by_set<const BINS: usize>(
        &self,
        fragments: &[Fragment],
        extent: &Extent,
        unit: f32,
    ) -> Option<Split> {
        let binning = Binning::<BINS>::new(extent.centers);
        binning.cheapest_split(self.simd, fragments, unit, WEIGH)
    }

    /// The cheapest split of space that makes at most `room` fragments more.
    #[inline(always)]
    fn by_space<const SLICES: usize>(
        &self,
        fragments: &[Fragment],
        room: usize,
        extent: &Extent,
        unit: f32,
    ) -> Option<SpaceSplit> {
        let slicing = Slicing::<SLICES>::new(extent.bounds.bounds());
        slicing.cheapest_split(self.simd, fragments, self.mesh, unit, room, WEIGH)
    }

    fn divide<'a>(
        &self,
        mut room: Room<'a>,
        depth: usize,
        patience: &mut u32,
    ) -> (Room<'a>, Room<'a>) {
        let count = room.fragments().len();
        if must_halve(count, depth) {
            return self.halves(room);
        }
        // Splits of space are no better here, and took a tenth of the time.
        let in_order = self.simd.vectorize(
            #[inline(always)]
            || sorted::divide(self.simd, room.fragments_mut(), WEIGH),
        );
        if let Some(left) = in_order {
            return room.divide(left);
        }
        if let Some(sample) = sample(room.fragments())
            && let Some(plane) = self.by_sample(&sample, room.left(), patience)
        {
            return self.divide_set(room, plane);
        }
        let fragments = room.fragments();
        let (extent, unit, by_set) = self.simd.vectorize(
            #[inline(always)]
            || {
                let extent = Extent::of(self.simd, fragments);
                let unit = extent.bounds.bounds().area_unit();
                let by_set = if count < MANY {
                    self.by_set::<{ BINS[1] }>(fragments, &extent, unit)
                } else {
                    self.by_set::<{ BINS[0] }>(fragments, &extent, unit)
                };
                (extent, unit, by_set)
            },
        );
        let overlap = by_set.map_or(f64::INFINITY, |split| split.overlap);
        if room.left() > 0 && overlap > self.least_overlap && *patience > 0 {
            let by_space = self.simd.vectorize(
                #[inline(always)]
                || {
                    if count < SOME {
                        self.by_space::<{ SLICES[1] }>(fragments, room.left(), &extent, unit)
                    } else {
                        self.by_space::<{ SLICES[0] }>(fragments, room.left(), &extent, unit)
                    }
                },
            );
            let limit = by_set.map_or(f32::INFINITY, |split| split.plane.cost);
            if let Some(split) = by_space.filter(|split| split.cost < limit) {
                *patience = PATIENCE;
                return self.divide_space(room, split);
            }
            *patience -= 1;
        }
        let Some(split) = by_set else { return self.halves(room) };
        self.divide_set(room, split.plane)
    }

    /// The plane of the cheapest split of a set, from a sample of it, if one of space is no better.
    fn by_sample(&self, sample: &[Fragment], room: usize, patience: &mut u32) -> Option<Plane> {
        self.simd.vectorize(
            #[inline(always)]
            || {
                let extent = Extent::of(self.simd, sample);
                let unit = extent.bounds.bounds().area_unit();
                let by_set = self.by_set::<{ BINS[0] }>(sample, &extent, unit)?;
                if room > 0 && by_set.overlap > self.least_overlap && *patience > 0 {
                    let by_space = self.by_space::<{ SLICES[0] }>(sample, room, &extent, unit);
                    if by_space.is_some_and(|split| split.cost < by_set.plane.cost) {
                        return None;
                    }
                    *patience -= 1;
                }
                Some(by_set.plane)
            },
        )
    }

    fn divide_set<'a>(&self, mut room: Room<'a>, plane: Plane) -> (Room<'a>, Room<'a>) {
        let left = self.simd.vectorize(
            #[inline(always)]
            || partition(self.simd, room.fragments_mut(), |fragment| plane.is_left(fragment)),
        );
        room.divide(left)
    }

    /// Cuts what a plane meets, or gives it to one side.
    fn divide_space<'a>(&self, mut room: Room<'a>, split: SpaceSplit) -> (Room<'a>, Room<'a>) {
        let fragments = room.fragments_mut();
        let count = fragments.len();
        let left_only = partition(self.simd, fragments, |fragment| split.is_left(fragment));
        let met = &mut fragments[left_only..];
        let met = partition(self.simd, met, |fragment| split.begins_left(fragment));
        let right_only = left_only + met..count;
        let mut sides = Sides { left: split.left, right: split.right };
        let mut to_left = Vec::with_capacity(met);
        let mut to_right = Vec::with_capacity(met);
        self.simd.vectorize(
            #[inline(always)]
            || {
                for &fragment in &fragments[left_only..right_only.start] {
                    let [left, right] = self.place(fragment, &split, &mut sides);
                    to_left.extend(left);
                    to_right.extend(right);
                }
            },
        );
        let left_count = left_only + to_left.len();
        if left_count == 0 || right_only.len() + to_right.len() == 0 {
            // Boxes met the plane, but no triangle reaches across it.
            let all = to_left.iter().chain(&to_right);
            for (slot, &fragment) in fragments[left_only..].iter_mut().zip(all) {
                *slot = fragment;
            }
            return self.halves(room);
        }
        fragments[left_only..left_count].copy_from_slice(&to_left);
        room.divide_with(left_count, right_only, &to_right)
    }

    fn halves<'a>(&self, mut room: Room<'a>) -> (Room<'a>, Room<'a>) {
        let centers = Extent::of(self.simd, room.fragments()).centers;
        let left = halve(room.fragments_mut(), centers);
        room.divide(left)
    }

    /// What of a fragment goes to each side.
    #[inline(always)]
    fn place(
        &self,
        fragment: Fragment,
        split: &SpaceSplit,
        sides: &mut Sides,
    ) -> [Option<Fragment>; 2] {
        let cut = Cut::new(self.mesh.triangle(fragment.prim()));
        let part = |region: Aabb| {
            let part = cut.within(region);
            (!part.is_empty()).then(|| Fragment::new(part, fragment.prim()))
        };
        let parts = split.sides(fragment.bounds()).map(part);
        if let [Some(_), Some(_)] = parts {
            sides.keep_whole(self.simd, fragment).unwrap_or(parts)
        } else {
            parts
        }
    }
}

/// The sides of a plane as they fill up.
struct Sides {
    left: Bin,
    right: Bin,
}

impl Sides {
    /// A fragment's sides if it stays whole because that costs less: "reference unsplitting".
    #[inline(always)]
    fn keep_whole(&mut self, simd: impl Simd, fragment: Fragment) -> Option<[Option<Fragment>; 2]> {
        let (mut more_left, mut more_right) = (self.left, self.right);
        more_left.bounds.add(simd, &fragment);
        more_right.bounds.add(simd, &fragment);
        let (mut less_left, mut less_right) = (self.left, self.right);
        less_left.count -= 1;
        less_right.count -= 1;
        let cut = self.left.cost(WEIGH) + self.right.cost(WEIGH);
        let left = more_left.cost(WEIGH) + less_right.cost(WEIGH);
        let right = less_left.cost(WEIGH) + more_right.cost(WEIGH);
        if left < cut && left <= right && less_right.count > 0 {
            (self.left, self.right) = (more_left, less_right);
            Some([Some(fragment), None])
        } else if right < cut && less_left.count > 0 {
            (self.left, self.right) = (less_left, more_right);
            Some([None, Some(fragment)])
        } else {
            None
        }
    }
}
