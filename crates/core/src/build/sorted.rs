//! Splits of few fragments in two, at every place of their order along each axis.

use fearless_simd::Simd;
use glam::Vec4;

use super::bins::{Weigh, half_areas};
use super::fragment::{Fragment, Growing};

/// So many are few.
pub(super) const MOST: usize = 16;

/// The bits of a key that say where its fragment is.
const PLACE: i32 = MOST as i32 - 1;

/// Puts the left side of the cheapest split first; gives how many are there. Nothing happens to one
/// fragment, to more than [`MOST`], or where all centres agree or no area is finite.
///
/// Cheaper than bins, which have to be filled as well as swept, and no place is missed: on scans
/// leaves have a tenth fewer gaps than with four and eight bins.
#[inline(always)]
pub(super) fn divide(simd: impl Simd, fragments: &mut [Fragment], weigh: Weigh) -> Option<usize> {
    match fragments.len() {
        2..=8 => divide_up_to::<8>(simd, fragments, weigh),
        9..=MOST => divide_up_to::<MOST>(simd, fragments, weigh),
        _ => None,
    }
}

/// The same for two fragments at the least and `N`, a power of two, at the most.
#[inline(always)]
fn divide_up_to<const N: usize>(
    simd: impl Simd,
    fragments: &mut [Fragment],
    weigh: Weigh,
) -> Option<usize> {
    const { assert!(N.is_power_of_two() && N <= MOST, "a place is masked") };
    let count = fragments.len();
    let mut copies = [fragments[0]; N];
    copies[..count].copy_from_slice(fragments);
    let orders = orders(&copies, count)?;
    let at = |axis: usize, place: usize| &copies[usize::from(orders[axis][place]) & (N - 1)];
    let mut bounds = Growing::EMPTY;
    copies.iter().for_each(|fragment| bounds.add(simd, fragment));
    let unit = Vec4::splat(bounds.bounds().area_unit());
    // All three axes in lanes.
    let mut rights = [Vec4::ZERO; N];
    let mut sides = [Growing::EMPTY; 3];
    for place in (1..count).rev() {
        for axis in 0..3 {
            sides[axis].add(simd, at(axis, place));
        }
        rights[place] = half_areas(&sides, unit) * weigh.of((count - place) as i32);
    }
    let mut sides = [Growing::EMPTY; 3];
    let (mut least, mut best) = (Vec4::INFINITY, Vec4::ZERO);
    for place in 1..count {
        for axis in 0..3 {
            sides[axis].add(simd, at(axis, place - 1));
        }
        let cost = half_areas(&sides, unit) * weigh.of(place as i32) + rights[place];
        let cheaper = cost.cmplt(least);
        least = Vec4::select(cheaper, cost, least);
        best = Vec4::select(cheaper, Vec4::splat(place as f32), best);
    }
    let (least, best) = (least.to_array(), best.to_array());
    let axis = (1..3).fold(0, |best, axis| if least[axis] < least[best] { axis } else { best });
    (least[axis] < f32::INFINITY).then(|| {
        for (place, slot) in fragments.iter_mut().enumerate() {
            *slot = *at(axis, place);
        }
        best[axis] as usize
    })
}

/// For each axis the places of the fragments in the order of their centres, unless all of these
/// agree.
#[inline(always)]
fn orders<const N: usize>(fragments: &[Fragment; N], count: usize) -> Option<[[u8; N]; 3]> {
    let mut keys = [[0; N]; 3];
    for (place, fragment) in fragments.iter().enumerate() {
        let [x, y, z, _] = fragment.center().to_array();
        for (keys, center) in keys.iter_mut().zip([x, y, z]) {
            // Whole numbers in the order of the centres, no two of them equal.
            let bits = center.to_bits() as i32;
            let ordered = bits ^ (bits >> 31 & i32::MAX);
            keys[place] = ordered & !PLACE | place as i32;
        }
    }
    let mut difference = 0;
    for keys in &keys {
        for key in keys {
            difference |= key ^ keys[0];
        }
    }
    if difference & !PLACE == 0 {
        return None;
    }
    let mut orders = [[0; N]; 3];
    for (keys, order) in keys.iter().zip(&mut orders) {
        // How many are less says where one belongs: without branches, and eight at a time.
        let mut ranks = [0; N];
        for &key in &keys[..count] {
            for (rank, &other) in ranks.iter_mut().zip(keys) {
                *rank += i32::from(key < other);
            }
        }
        for (place, &rank) in (0..).zip(&ranks[..count]) {
            order[rank as usize & (N - 1)] = place;
        }
    }
    Some(orders)
}
