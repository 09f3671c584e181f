//! Blocks of the compact layout, unfolded in registers.

#[cfg(target_arch = "x86_64")]
use fearless_simd::Avx2;
use fearless_simd::{Simd, f32x4, f32x8, prelude::*};
use hitscan_core::bvh8::{ChildAt, ChildRef, CompactNode8, Leaf4, Node8, lowered};
use hitscan_core::{Bvh8, TriangleMesh};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{_mm_cvtsi64_si128, _mm256_cvtepi32_ps, _mm256_cvtepu8_epi32};

use super::{Blocks, Family, Node};

/// Blocks of [`TreeLayout::Compact`](hitscan_core::TreeLayout::Compact): boxes in steps, triangles
/// by their corners' indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compact;

/// Room for an unfolded node and an unfolded leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    node: Node8,
    leaf: Leaf4,
}

impl Blocks for Compact {
    type Room = Room;

    type Node<'a> = Unfolded<'a>;

    const ROOM: Room = Room { node: Node8::of_planes(Node8::NO_CHILDREN), leaf: Leaf4::EMPTY };

    #[inline(always)]
    fn node<'a, S: Simd>(simd: S, tree: &'a Bvh8, at: ChildAt, room: &'a mut Room) -> Unfolded<'a> {
        let CompactNode8 { children, low, high, step, places, .. } = tree.compact_node(at);
        let planes = room.node.planes_mut();
        for axis in 0..3 {
            let step = f32x8::splat(simd, step[axis]);
            let low = f32x8::splat(simd, low[axis]);
            let high = f32x8::splat(simd, high[axis]);
            // Not fused: these are the numbers that `CompactNode8::of` has compared.
            let low_sides = as_floats(simd, places[axis][0]) * step + low;
            let high_sides = as_floats(simd, places[axis][1]) * step + low;
            low_sides.store_array(&mut planes[axis][0]);
            high_sides.min(high).store_array(&mut planes[axis][1]);
        }
        for plane in &mut planes[0][0] {
            *plane = lowered(*plane);
        }
        Unfolded { boxes: &room.node, children }
    }

    #[inline(always)]
    fn leaf<'a, S: Simd>(
        simd: S,
        tree: &'a Bvh8,
        mesh: &TriangleMesh,
        at: ChildAt,
        room: &'a mut Room,
    ) -> &'a Leaf4 {
        let leaf = tree.compact_leaf(at);
        let positions = mesh.positions();
        let mut corners = [[[0.0; 4]; 3]; 3];
        for (corner, vertices) in corners.iter_mut().zip(&leaf.vertices) {
            let [a, b, c, d] = [0, 1, 2, 3].map(
                #[inline(always)]
                |lane| f32x4::load_array(simd, position(positions, vertices[lane])),
            );
            let (ac, bd) = (a.zip_low(c), b.zip_low(d));
            ac.zip_low(bd).store_array(&mut corner[0]);
            ac.zip_high(bd).store_array(&mut corner[1]);
            let (ac, bd) = (a.zip_high(c), b.zip_high(d));
            ac.zip_low(bd).store_array(&mut corner[2]);
        }
        let reach = tree.reach();
        let far = (reach[0] >= Leaf4::HUGE) | (reach[1] >= Leaf4::HUGE) | (reach[2] >= Leaf4::HUGE);
        room.leaf = Leaf4::of_corners(&corners, *leaf.marked_prims(), far);
        &room.leaf
    }

    #[inline(always)]
    fn prefetch(tree: &Bvh8, at: ChildRef) {
        tree.prefetch_compact(at);
    }
}

/// A node whose boxes are unfolded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unfolded<'a> {
    boxes: &'a Node8,
    children: &'a [ChildRef; 8],
}

impl<'a> Node for Unfolded<'a> {
    type Children = &'a [ChildRef; 8];

    #[inline(always)]
    fn boxes(&self) -> &Node8 {
        self.boxes
    }

    #[inline(always)]
    fn children<S: Simd>(&self, _: S) -> &'a [ChildRef; 8] {
        self.children
    }
}

impl Family for &[ChildRef; 8] {
    #[inline(always)]
    fn child(self, lane: usize) -> ChildRef {
        self[lane]
    }

    #[inline(always)]
    fn child_at(self, lane: usize) -> ChildAt {
        ChildAt::from(self[lane])
    }
}

/// A vertex, and a fourth number that does not matter: whatever comes next, so that one load does.
#[inline(always)]
fn position(positions: &[[f32; 3]], vertex: u32) -> [f32; 4] {
    let first = (vertex as usize).saturating_mul(3);
    let four = positions.as_flattened().get(first..first.saturating_add(4));
    match four.and_then(<[f32]>::first_chunk) {
        Some(four) => *four,
        None => last_position(positions, vertex),
    }
}

/// A vertex that is the last one, or one that is not there, which is NaN.
#[cold]
#[inline(never)]
fn last_position(positions: &[[f32; 3]], vertex: u32) -> [f32; 4] {
    let [x, y, z] = positions.get(vertex as usize).copied().unwrap_or([f32::NAN; 3]);
    [x, y, z, 0.0]
}

/// Eight bytes as numbers.
#[inline(always)]
fn as_floats<S: Simd>(simd: S, bytes: [u8; 8]) -> f32x8<S> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        return f32x8::load_array(simd, as_floats_avx2(avx2, bytes));
    }
    f32x8::load_array(simd, bytes.map(f32::from))
}

#[cfg(target_arch = "x86_64")]
fearless_simd::kernel!(
    #[inline(always)]
    fn as_floats_avx2(avx2: Avx2, bytes: [u8; 8]) -> [f32; 8] {
        let bytes = _mm_cvtsi64_si128(i64::from_le_bytes(bytes));
        let floats: f32x8<Avx2> = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)).simd_into(avx2);
        floats.to_array()
    }
);
