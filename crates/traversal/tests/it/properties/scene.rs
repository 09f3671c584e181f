//! Small random scenes: few different numbers, so that rays meet edges and vertices often.

use hitscan_core::Ray;
use proptest::collection::vec;
use proptest::prelude::*;

use super::Triangle;

/// Triangles that share corners, and rays at them.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub(super) triangles: Vec<Triangle>,
    pub(super) rays: Vec<Ray>,
}

/// Whole numbers from −`reach` to `reach`, zeros of both signs among them.
pub(super) fn whole(reach: i32) -> impl Strategy<Value = f32> {
    (-reach..=reach, any::<bool>())
        .prop_map(|(x, minus)| if x == 0 && minus { -0.0 } else { x as f32 })
}

/// Numbers of about one, of 24 bits.
pub(super) fn middling() -> impl Strategy<Value = f32> {
    (-0xFF_FFFF..=0xFF_FFFF_i32).prop_map(|x| x as f32 / 0x80_0000 as f32)
}

/// Anything that an f32 can be, the awkward more often than chance would have it.
pub(super) fn anything() -> impl Strategy<Value = f32> {
    let powers =
        prop::sample::select(vec![-149, -126, -100, -60, -40, -20, 0, 20, 37, 38, 63, 120]);
    let specials = [
        f32::from_bits(1),
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::MIN,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];
    prop_oneof![
        3 => any::<u32>().prop_map(f32::from_bits),
        4 => whole(3),
        6 => (-40..=40, powers).prop_map(|(x, power)| (f64::from(x) * f64::powi(2.0, power)) as f32),
        1 => prop::sample::select(specials.to_vec()),
    ]
}

/// Numbers of much the same magnitude, whatever it is, with their signs.
pub(super) fn any_magnitude() -> impl Strategy<Value = Vec<f32>> {
    (-140..=120_i32, vec((middling(), 0..8_i32), 3..10)).prop_map(|(power, numbers)| {
        let scaled = |(x, less)| (f64::from(x) * f64::powi(2.0, power - less)) as f32;
        numbers.into_iter().map(scaled).collect()
    })
}

/// A scene of some of these numbers.
pub(super) fn scene_of(
    numbers: impl Strategy<Value = Vec<f32>>,
    triangles: usize,
    rays: usize,
) -> impl Strategy<Value = Scene> {
    let corners = vec(any::<[u8; 3]>(), 3..16);
    let picks = vec(any::<[u8; 3]>(), 1..triangles);
    let aims = vec(any::<[u8; 10]>(), 1..rays);
    let octant = prop::option::of(0..8_u8);
    (numbers, corners, picks, aims, octant).prop_map(|(numbers, corners, picks, aims, octant)| {
        let number = |pick: u8| {
            let number = numbers[usize::from(pick & 0x7F) % numbers.len()];
            if pick & 0x80 == 0 { number } else { -number }
        };
        let corners: Vec<[f32; 3]> = corners.iter().map(|picks| picks.map(number)).collect();
        let corner = |pick: u8| corners[usize::from(pick) % corners.len()];
        let triangles: Vec<Triangle> = picks.iter().map(|picks| picks.map(corner)).collect();
        let rays = aims.iter().map(|&aim| ray(aim, octant, number, corner, &triangles)).collect();
        Scene { triangles, rays }
    })
}

/// A ray at a corner, the middle of two corners, the middle of a triangle, or nothing. With an
/// octant, all directions have its signs, so that packets can form.
fn ray(
    [kind, picks @ ..]: [u8; 10],
    octant: Option<u8>,
    number: impl Fn(u8) -> f32,
    corner: impl Fn(u8) -> [f32; 3],
    triangles: &[Triangle],
) -> Ray {
    let [a, b, c, d, e, f, pick, other, sum] = picks;
    let mix = |points: &[[f32; 3]]| {
        let weight = 1.0 / points.len() as f32;
        [0, 1, 2].map(|axis| points.iter().map(|p| p[axis] * weight).sum::<f32>())
    };
    let target = match kind % 4 {
        0 => corner(pick),
        1 => mix(&[corner(pick), corner(other)]),
        _ => mix(&triangles[usize::from(pick) % triangles.len()]),
    };
    let mut direction = [a, b, c].map(&number);
    let ray = if let Some(octant) = octant {
        for axis in 0..3 {
            let sign = if octant >> axis & 1 == 0 { 1.0 } else { -1.0_f32 };
            direction[axis] = direction[axis].abs().copysign(sign);
        }
        Ray::new([0, 1, 2].map(|axis| target[axis] - direction[axis]), direction)
    } else {
        let origin = [d, e, f].map(&number);
        if kind & 16 != 0 {
            direction = [0, 1, 2].map(|axis| target[axis] - origin[axis]);
        }
        Ray::new(origin, direction)
    };
    match sum % 8 {
        0 => ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
        1 => ray.with_interval(-2.0, 0.5),
        2 => ray.with_interval(1.0, number(other)),
        _ => ray,
    }
}
