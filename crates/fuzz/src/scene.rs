//! Small scenes made of bytes, full of shared corners and of rays aimed at them.

use hitscan::Ray;

use crate::{Bytes, Triangle};

/// Triangles that share corners, and rays at them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The triangles.
    pub triangles: Vec<Triangle>,
    /// The rays: more than one packet of them, now and then.
    pub rays: Vec<Ray>,
}

impl Scene {
    /// A scene whose coordinates come from `number`. Directions come from it, too, or lead from
    /// one such point to another.
    #[must_use]
    pub fn of(bytes: &mut Bytes<'_>, mut number: impl FnMut(&mut Bytes<'_>) -> f32) -> Self {
        let kind = bytes.byte();
        let mut point = |bytes: &mut Bytes<'_>| [(); 3].map(|()| number(bytes));
        let corners: Vec<_> = (0..3 + bytes.up_to(9)).map(|_| point(bytes)).collect();
        let corner = |bytes: &mut Bytes<'_>| corners[bytes.up_to(corners.len() as u8 - 1)];
        let mut triangle = |_| [(); 3].map(|()| corner(bytes));
        let count = 1 + usize::from(kind % 24);
        let triangles: Vec<Triangle> = (0..count).map(&mut triangle).collect();
        let count = if kind >= 0xE0 { 70 } else { 1 + bytes.up_to(11) };
        let first = point(bytes);
        let rays = (0..count).map(|_| {
            let how = bytes.byte();
            // Many rays from one point, so that packets form and few bytes make many rays.
            let origin = if how & 1 == 0 { first } else { point(bytes) };
            let target = match how >> 1 & 3 {
                0 | 1 => corner(bytes),
                2 => middle(&[corner(bytes), corner(bytes)]),
                _ => middle(&triangles[bytes.up_to(triangles.len() as u8 - 1)]),
            };
            let ray = match how >> 3 & 3 {
                0 => Ray::new(origin, point(bytes)),
                // Backwards from the target: exactly through it, if nothing is rounded.
                1 => {
                    let way = point(bytes);
                    Ray::new([0, 1, 2].map(|axis| target[axis] - way[axis]), way)
                }
                _ => Ray::new(origin, [0, 1, 2].map(|axis| target[axis] - origin[axis])),
            };
            match how >> 5 {
                0 => ray.with_interval(f32::NEG_INFINITY, f32::INFINITY),
                1 => ray.with_interval(-1.0, 1.0),
                2 => ray.with_interval(0.0, 1.0),
                _ => ray,
            }
        });
        let rays = rays.collect();
        Self { triangles, rays }
    }

    /// The rays over their whole lines or from their origins on, whatever their intervals.
    pub fn unbounded_rays(&self) -> impl Iterator<Item = Ray> {
        self.rays.iter().map(|ray| {
            let t_min = if ray.t_min < 0.0 { f32::NEG_INFINITY } else { 0.0 };
            ray.with_interval(t_min, f32::INFINITY)
        })
    }
}

fn middle(points: &[[f32; 3]]) -> [f32; 3] {
    let weight = 1.0 / points.len() as f32;
    [0, 1, 2].map(|axis| points.iter().map(|p| p[axis] * weight).sum::<f32>())
}
