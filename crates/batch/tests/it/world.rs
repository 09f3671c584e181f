//! A small mesh and rays at it.

use hitscan_core::{BuildOptions, Ray, TriangleMesh};
use hitscan_traversal::Bvh;

/// Rays enough for several chunks on any number of threads.
pub(crate) const MANY: usize = 20_000;

/// A few triangles stacked along z, so that rays have between none and many hits.
pub(crate) fn tree() -> Bvh {
    let triangle = |i: usize| {
        let (z, wide) = (i as f32 - 4.0, 0.5 + 0.3 * i as f32);
        [[-wide, -wide, z], [wide, -wide, z + 0.2], [0.0, wide, z - 0.1]]
    };
    let triangles: Vec<[[f32; 3]; 3]> = (0..9).map(triangle).collect();
    let mesh = TriangleMesh::from_soup(&triangles).expect("nine triangles");
    Bvh::build(mesh, &BuildOptions::default())
}

/// Rays at it from all sides, every 97th of them invalid.
pub(crate) fn rays(count: usize) -> Vec<Ray> {
    // The golden ratio's multiples spread evenly, in any number of them.
    let spread = |i: usize, k: f64| ((i as f64 * k).fract() * 2.0 - 1.0) as f32;
    let ray = |i: usize| {
        let target = [spread(i, 0.618_034), spread(i, 0.414_214), 3.0 * spread(i, 0.732_051)];
        let origin = [9.0 * spread(i, 0.236_068), 9.0 * spread(i, 0.645_751), 9.0];
        let direction = std::array::from_fn(|axis| target[axis] - origin[axis]);
        match i % 97 {
            96 => Ray::new([f32::NAN, 0.0, 0.0], direction),
            48 => Ray::new(origin, [0.0; 3]),
            _ => Ray::new(origin, direction),
        }
    };
    (0..count).map(ray).collect()
}
