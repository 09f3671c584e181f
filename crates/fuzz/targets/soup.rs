//! Triangles and rays of raw bits: single and batch calls give what each triangle alone does.

#![no_main]

use hitscan_fuzz::answers::{demand, judge, mesh, of_each_alone};
use hitscan_fuzz::{Bytes, Scene};
use hitscan_testkit::Oracle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let scene = Scene::of(&mut Bytes::new(bytes), |bytes| f32::from_bits(bytes.word()));
    let expected = of_each_alone(&scene.triangles, &scene.rays);
    let oracle = Oracle::new(&mesh(&scene.triangles));
    for (ray, hits) in scene.rays.iter().zip(&expected) {
        // At the ends of other intervals rounding decides.
        if ray.t_min == 0.0 && ray.t_max == f32::INFINITY {
            judge(&oracle, ray, hits);
        }
    }
    demand(&scene.triangles, &scene.rays, &expected);
});
