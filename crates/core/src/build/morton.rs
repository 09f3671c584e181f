//! Triangles in the order of a space-filling curve.
//!
//! Morton, 1966: the bits of the three coordinates of a cell, interleaved, number the cells so that
//! neighbours in the order are neighbours in space, mostly.

mod radix;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use fearless_simd::{Fallback, Simd};
use glam::{Vec3A, Vec4};
use rayon::prelude::*;

use super::Steps;
use super::bins::ROUNDER;
use super::extent::{Extent, PARALLEL_PASS_FROM};
use super::fragment::{self, Fragment};
use crate::Aabb;
use crate::cancel::Cancelled;
use crate::memory::{in_huge_pages, list_of_parts, list_of_parts_and};
use crate::mesh::TriangleMesh;
use crate::simd::with_simd;
use radix::Radix;

/// Cells along each axis, as a power of two.
const BITS: u32 = 11;
const CELLS: usize = 1 << BITS;

/// The last cell along an axis.
const LAST_CELL: f32 = (CELLS - 1) as f32;

/// The bits of a key below its cell.
const INDEX_BITS: u32 = 31;

/// So many keys, at the least, are sorted without a break.
const PART: usize = 8192;

/// A triangle's cell, and its index.
type Key = u64;

/// Stands for the key of a triangle that is never hit.
const NO_KEY: Key = Key::MAX;

/// The cells of all triangles that can be hit.
pub(super) struct Keys {
    /// One for each triangle of the mesh.
    keys: Vec<Key>,
    /// How many can be hit, and how far these reach.
    pub(super) count: usize,
    pub(super) extent: Extent,
}

impl Keys {
    /// Looks at all triangles.
    pub(super) fn of_mesh(mesh: &TriangleMesh, steps: &Steps<'_>) -> Result<Self, Cancelled> {
        // How far centres reach is not known yet; corners reach a little further.
        let reach = reach(mesh.positions());
        let keys = Self::in_cells(mesh, &Cells::within(reach), |count| steps.part(count, || ()))?;
        let centers = keys.extent.centers.bounds();
        // Unless some corners are far away and no triangle has them.
        if 2.0 * longest(centers) < longest(reach) {
            return Self::in_cells(mesh, &Cells::within(centers), |_| steps.check());
        }
        Ok(keys)
    }

    /// `begin` is told of how many triangles come next.
    fn in_cells(
        mesh: &TriangleMesh,
        cells: &Cells,
        begin: impl Fn(usize) -> Result<(), Cancelled> + Sync,
    ) -> Result<Self, Cancelled> {
        let all = mesh.triangle_count();
        let lengths: Vec<usize> = fragment::chunks(all).map(|chunk| chunk.len()).collect();
        let (keys, chunks) = list_of_parts_and(&lengths, |number, keys| {
            begin(lengths[number])?;
            let found = with_simd!(simd => simd.vectorize(
                #[inline(always)]
                || {
                    // In the closure: outside they would stay in memory.
                    let (mut count, mut extent) = (0, Extent::EMPTY);
                    for prim in fragment::chunk(number, all) {
                        let prim = prim as u32;
                        let corners = mesh.corners(prim);
                        let fragment = Fragment::of_triangle(corners, 0);
                        let key = cells.key(&fragment, prim);
                        let is_hit = mesh.can_be_hit_with(prim, corners);
                        if is_hit {
                            extent.add(simd, &fragment);
                            count += 1;
                        }
                        keys.push(&[if is_hit { key } else { NO_KEY }]);
                    }
                    (count, extent)
                },
            ));
            Ok(found)
        })?;
        let mut all = Self { keys, count: 0, extent: Extent::EMPTY };
        for (count, extent) in chunks {
            all.count += count;
            all.extent = all.extent.union(Fallback::new(), extent);
        }
        Ok(all)
    }

    /// The triangles in the order of the curve; where cells agree, in the mesh's own order.
    pub(super) fn sorted(self, steps: &Steps<'_>) -> Result<Vec<u32>, Cancelled> {
        let radix = Radix::of_count(self.count);
        let (buckets, keys) = self.in_buckets(radix, steps)?;
        let mut parts: Vec<Range<usize>> = Vec::new();
        let length = |buckets_: &Range<usize>| buckets[buckets_.end] - buckets[buckets_.start];
        for bucket in 0..radix.buckets() {
            match parts.last_mut() {
                Some(part) if length(part) < PART => part.end += 1,
                _ => parts.push(bucket..bucket + 1),
            }
        }
        let lengths: Vec<usize> = parts.iter().map(length).collect();
        list_of_parts(&lengths, |part, prims| {
            steps.part(lengths[part], || {
                let (mut sorted, mut spare) = (Vec::new(), Vec::new());
                for bucket in parts[part].clone() {
                    let keys = &keys[buckets[bucket]..buckets[bucket + 1]];
                    sorted.clear();
                    sorted.extend(keys.iter().map(|key| key.load(Relaxed)));
                    radix.sort(&mut sorted, &mut spare);
                    for key in &sorted {
                        prims.push(&[(key & ((1 << INDEX_BITS) - 1)) as u32]);
                    }
                }
            })
        })
    }

    /// The keys, each in its bucket, where they stay in order; and where buckets begin and the last
    /// one ends.
    fn in_buckets(
        self,
        radix: Radix,
        steps: &Steps<'_>,
    ) -> Result<(Vec<usize>, Vec<AtomicU64>), Cancelled> {
        const CHUNK: usize = 16_384;
        let bucket = |key: Key| radix.bucket(key);
        // By bucket, for each chunk: first how many, then where the next one goes.
        let in_chunk = |keys: &[Key]| {
            let mut counts = vec![0_u32; radix.buckets()];
            keys.iter().for_each(|&key| counts[bucket(key)] += u32::from(key != NO_KEY));
            counts
        };
        let mut places: Vec<Vec<u32>> = self.keys.par_chunks(CHUNK).map(in_chunk).collect();
        let mut starts = Vec::with_capacity(radix.buckets() + 1);
        let mut next = 0;
        for bucket in 0..radix.buckets() {
            starts.push(next as usize);
            for places in &mut places {
                next += std::mem::replace(&mut places[bucket], next);
            }
        }
        starts.push(next as usize);
        // Each is written once; that no two threads write the same is nothing a type could say.
        let mut keys: Vec<AtomicU64> = in_huge_pages(self.count);
        keys.resize_with(self.count, AtomicU64::default);
        self.keys.par_chunks(CHUNK).zip(&mut places).try_for_each(|(chunk, places)| {
            steps.part(chunk.len(), || {
                for &key in chunk.iter().filter(|&&key| key != NO_KEY) {
                    let place = &mut places[bucket(key)];
                    keys[*place as usize].store(key, Relaxed);
                    *place += 1;
                }
            })
        })?;
        Ok((starts, keys))
    }
}

/// The box around all corners that are finite.
fn reach(positions: &[[f32; 3]]) -> Aabb {
    let around = |positions: &[[f32; 3]]| {
        let (mut min, mut max) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for &position in positions {
            let position = Vec3A::from_array(position);
            if position.is_finite() {
                (min, max) = (min.min(position), max.max(position));
            }
        }
        Aabb { min: min.into(), max: max.into() }
    };
    positions.par_chunks(PARALLEL_PASS_FROM).map(around).reduce(|| Aabb::EMPTY, Aabb::union)
}

/// The longest edge of a box.
fn longest(bounds: Aabb) -> f32 {
    (bounds.max - bounds.min).max_element()
}

/// Cells of space.
struct Cells {
    origin: Vec4,
    scale: Vec4,
}

impl Cells {
    fn within(bounds: Aabb) -> Self {
        let extent = longest(bounds);
        let scale = LAST_CELL / extent;
        let scale =
            if extent > 0.0 && extent.is_finite() && scale.is_finite() { scale } else { 0.0 };
        Self { origin: bounds.min.extend(0.0), scale: Vec4::splat(scale) }
    }

    #[inline(always)]
    fn key(&self, fragment: &Fragment, prim: u32) -> Key {
        // In this order what is no number becomes 0.
        let place = (fragment.center() - self.origin) * self.scale;
        let place = place.max(Vec4::ZERO).min(Vec4::splat(LAST_CELL));
        let [x, y, z, _] = (place + Vec4::splat(ROUNDER)).to_array();
        let [x, y, z] = [x, y, z].map(|cell| u64::from(SPREAD[cell.to_bits() as usize % CELLS]));
        (x << 2 | y << 1 | z) << INDEX_BITS | u64::from(prim)
    }
}

/// The number of a cell along an axis with two zeros between each two bits.
static SPREAD: [u32; CELLS] = {
    let mut spread = [0; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut bit = 0;
        while bit < BITS {
            spread[cell] |= (cell as u32 >> bit & 1) << (3 * bit);
            bit += 1;
        }
        cell += 1;
    }
    spread
};
