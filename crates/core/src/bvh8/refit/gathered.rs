//! The corners of many leaves, gathered before these are packed.
//!
//! ```text
//! for each batch of leaves:
//!     fetch each vertex of theirs once
//!     for each leaf: its corners are among these
//! ```
//!
//! Leaves that lie together share most of their vertices, so that there are few to fetch, and what
//! was fetched stays in the nearest cache. Which vertices these are is known from the first time
//! on.

use std::ops::Range;

use fearless_simd::f32x4;
use fearless_simd::prelude::*;

use crate::bvh8::Leaf4;
use crate::memory::prefetch_item;
use crate::mesh::{CornerRows, TriangleMesh};

/// At most so many vertices are fetched for a batch, so that a byte tells them apart.
const MOST: usize = 1 << u8::BITS;

/// So many vertices ahead, they are asked for.
const VERTICES_AHEAD: usize = 32;

/// The vertices of a batch, where they are now; the fourth numbers say nothing.
pub(super) type Fetched = [[f32; 4]; MOST];

/// No vertices yet.
pub(super) const NO_VERTICES: Fetched = [[0.0; 4]; MOST];

/// For each corner of a leaf's triangles the place among what is fetched, by lane.
type Places = [[u8; 4]; 3];

/// Which vertices the leaves of a list have.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    batches: Vec<Batch>,
    /// The vertices of all batches, and some more to look ahead.
    vertices: Vec<u32>,
    /// For each leaf.
    pub(super) places: Vec<Places>,
}

/// Where the leaves and the vertices of a batch end.
#[derive(Clone, Copy, Debug)]
struct Batch {
    leaves: usize,
    vertices: usize,
}

impl Gathered {
    /// Of leaves by their triangles, of which there are some, all of them in the mesh.
    pub(super) fn of<'a>(leaves: impl Iterator<Item = &'a Leaf4>, mesh: &TriangleMesh) -> Self {
        let mut gathered = Self::default();
        let mut numbers = Numbers::default();
        for leaf in leaves {
            if gathered.vertices.len() - numbers.first + 12 > MOST {
                gathered.end_batch(&mut numbers);
            }
            let mut places = Places::default();
            let &[first, ..] = leaf.marked_prims();
            for (lane, &prim) in leaf.marked_prims().iter().enumerate() {
                let prim = if prim == Leaf4::NO_PRIM { first } else { prim };
                for (corner, &vertex) in mesh.indices()[prim as usize].iter().enumerate() {
                    places[corner][lane] = numbers.of(vertex, &mut gathered.vertices);
                }
            }
            gathered.places.push(places);
        }
        gathered.end_batch(&mut numbers);
        let last = gathered.vertices.last().copied().unwrap_or_default();
        gathered.vertices.resize(gathered.vertices.len() + VERTICES_AHEAD, last);
        gathered.vertices.shrink_to_fit();
        gathered.places.shrink_to_fit();
        gathered
    }

    fn end_batch(&mut self, numbers: &mut Numbers) {
        let (leaves, vertices) = (self.places.len(), self.vertices.len());
        self.batches.push(Batch { leaves, vertices });
        numbers.begin(vertices);
    }

    /// The leaves of each batch, by number, and its vertices.
    pub(super) fn batches(&self) -> impl Iterator<Item = (Range<usize>, Vertices<'_>)> {
        let mut begin = Batch { leaves: 0, vertices: 0 };
        self.batches.iter().map(move |&end| {
            let leaves = begin.leaves..end.leaves;
            let vertices = Vertices {
                own: &self.vertices[begin.vertices..end.vertices],
                ahead: &self.vertices[begin.vertices + VERTICES_AHEAD..],
            };
            begin = end;
            (leaves, vertices)
        })
    }
}

/// The vertices of a batch.
#[derive(Clone, Copy)]
pub(super) struct Vertices<'a> {
    own: &'a [u32],
    ahead: &'a [u32],
}

impl Vertices<'_> {
    /// Fetches them; tells whether some number may be huge.
    #[inline(always)]
    pub(super) fn fetch<S: Simd>(
        self,
        simd: S,
        mesh: &TriangleMesh,
        corners: CornerRows<'_>,
        fetched: &mut Fetched,
    ) -> bool {
        let positions = mesh.positions();
        let mut reach = f32x4::splat(simd, 0.0);
        for ((row, &vertex), &later) in fetched.iter_mut().zip(self.own).zip(self.ahead) {
            prefetch_item(positions, later as usize);
            let numbers = match corners.row(vertex) {
                Some(numbers) => f32x4::from_slice(simd, numbers),
                None => {
                    let [x, y, z] = positions[vertex as usize];
                    f32x4::from_slice(simd, &[x, y, z, 0.0])
                }
            };
            reach = reach.max(numbers.abs());
            numbers.store_slice(row);
        }
        reach.simd_lt(f32x4::splat(simd, Leaf4::HUGE)).to_bitmask() & 7 != 7
    }
}

/// A leaf's corners, by corner and lane.
#[inline(always)]
pub(super) fn corners<S: Simd>(simd: S, fetched: &Fetched, places: &Places) -> [[f32x4<S>; 4]; 3] {
    let mut corners = [[f32x4::splat(simd, 0.0); 4]; 3];
    for corner in 0..3 {
        for lane in 0..4 {
            let row = &fetched[places[corner][lane] as usize];
            corners[corner][lane] = f32x4::from_slice(simd, row);
        }
    }
    corners
}

/// The numbers of a batch's vertices, by hashing.
struct Numbers {
    /// One more than the number of the vertex that has this slot, or the next free one; 0 is free.
    slots: [u16; 4 * MOST],
    /// Where the batch begins among all vertices.
    first: usize,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { slots: [0; 4 * MOST], first: 0 }
    }
}

impl Numbers {
    fn begin(&mut self, first: usize) {
        self.slots.fill(0);
        self.first = first;
    }

    fn of(&mut self, vertex: u32, vertices: &mut Vec<u32>) -> u8 {
        const SHIFT: u32 = u32::BITS - (4 * MOST).ilog2();
        let mut slot = (vertex.wrapping_mul(0x9E37_79B1) >> SHIFT) as usize;
        loop {
            match self.slots[slot % (4 * MOST)] {
                0 => break,
                number if vertices[self.first + number as usize - 1] == vertex => {
                    return (number - 1) as u8;
                }
                _ => slot += 1,
            }
        }
        vertices.push(vertex);
        let number = (vertices.len() - self.first) as u16;
        self.slots[slot % (4 * MOST)] = number;
        (number - 1) as u8
    }
}
