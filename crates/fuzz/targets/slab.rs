//! Boxes that a ray touches exactly are entered: a triangle in each box, with its corners at the
//! box's, and rays at these corners; what is touched is told by exact arithmetic.

#![no_main]

use hitscan::{Quality, Ray};
use hitscan_fuzz::answers::{Hits, demand, hits, judge, mesh, tree};
use hitscan_fuzz::{Bytes, Triangle};
use hitscan_testkit::Oracle;
use libfuzzer_sys::fuzz_target;

/// A number of few bits and any magnitude, so that sums and differences are often exact; now and
/// then any bits at all.
fn number(bytes: &mut Bytes<'_>, powers: u8) -> f32 {
    match bytes.byte() {
        255 => f32::from_bits(bytes.word()),
        byte => {
            let (whole, power) = (f64::from(byte as i8), bytes.up_to(powers) as i32);
            (whole * f64::powi(2.0, power - i32::from(powers) / 2)) as f32
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes::new(bytes);
    // Numbers of one magnitude, of a few, of all.
    let powers = [0, 6, 30, 200][bytes.up_to(3)];
    let point = |bytes: &mut Bytes<'_>| [(); 3].map(|()| number(bytes, powers));
    let mut boxes = Vec::new();
    for _ in 0..5 + bytes.up_to(20) {
        boxes.push([point(&mut bytes), point(&mut bytes)]);
    }
    let corner =
        |ends: &[[f32; 3]; 2], which: u8| [0, 1, 2].map(|i| ends[usize::from(which >> i & 1)][i]);
    let mut triangles: Vec<Triangle> = Vec::new();
    for ends in &boxes {
        let which = [bytes.byte(), bytes.byte(), bytes.byte()];
        triangles.push(which.map(|which| corner(ends, which)));
    }
    let mut rays = Vec::new();
    let origin = point(&mut bytes);
    for _ in 0..1 + bytes.up_to(15) {
        let how = bytes.byte();
        let target = corner(&boxes[bytes.up_to(boxes.len() as u8 - 1)], how);
        let mut way = point(&mut bytes);
        // Often along an axis or in its plane, where slabs are met from beginning to end or never.
        for axis in 0..3 {
            if how >> (3 + axis) & 1 == 1 {
                way[axis] = if bytes.byte() & 1 == 0 { 0.0 } else { -0.0 };
            }
        }
        rays.push(match how >> 6 {
            0 => Ray::new(origin, [0, 1, 2].map(|axis| target[axis] - origin[axis])),
            _ => Ray::new([0, 1, 2].map(|axis| target[axis] - way[axis]), way),
        });
    }
    let bvh = tree(&triangles, Quality::Balanced);
    let oracle = Oracle::new(&mesh(&triangles));
    let found: Vec<Hits> = rays.iter().map(|ray| hits(&bvh, ray)).collect();
    for (ray, hits) in rays.iter().zip(&found) {
        judge(&oracle, ray, hits);
    }
    demand(&triangles, &rays, &found);
});
