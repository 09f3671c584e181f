//! Whole-number scenes against exact brute force in i128.

#![no_main]

use hitscan::{Quality, Ray};
use hitscan_fuzz::answers::{demand, hits, tree};
use hitscan_fuzz::{Bytes, Scene};
use hitscan_testkit::whole::{Met, meet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes::new(bytes);
    // Few different numbers make coincidences, large ones make products that f32 rounds.
    let reach = [1, 2, 5, 100, 1 << 12, 1 << 20][bytes.up_to(5)];
    let scene = Scene::of(&mut bytes, |bytes| {
        let number = if reach < 128 { i32::from(bytes.byte() as i8) } else { bytes.word() as i32 };
        (number % (reach + 1)) as f32
    });
    let is_whole = |ray: &Ray| {
        ray.is_valid() && ray.origin.iter().chain(&ray.direction).all(|x| x.fract() == 0.0)
    };
    let rays: Vec<Ray> = scene.unbounded_rays().filter(is_whole).collect();
    if rays.is_empty() {
        return;
    }
    let bvh = tree(&scene.triangles, Quality::Balanced);
    let found: Vec<_> = rays.iter().map(|ray| hits(&bvh, ray)).collect();
    for (ray, found) in rays.iter().zip(&found) {
        let met: Vec<Option<Met>> = scene.triangles.iter().map(|prim| meet(ray, prim)).collect();
        for (hits, rule) in [(&found.closed, 0), (&found.once, 1)] {
            for (prim, met) in met.iter().enumerate() {
                let mut of_prim = hits.iter().filter(|hit| hit.prim as usize == prim);
                let (hit, again) = (of_prim.next(), of_prim.next());
                let front = met.and_then(|met| [met.closed, met.once][rule]);
                assert_eq!(hit.map(|hit| hit.front), front, "rule {rule}, {prim}: {ray:?}");
                assert_eq!(again, None, "rule {rule}, {prim} twice: {ray:?}");
                if let (Some(hit), Some(met)) = (hit, met) {
                    let off = (f64::from(hit.t) - met.t).abs();
                    assert!(off <= 1.01e-4 * met.t.abs(), "t of {prim} is {}: {ray:?}", met.t);
                }
            }
            assert!(hits.is_sorted_by(|p, q| (p.t, p.prim) < (q.t, q.prim)), "{ray:?}");
        }
    }
    demand(&scene.triangles, &rays, &found);
});
