//! Whatever a mesh moved from, its tree answers as one built where it is.

use hitscan_core::{BuildOptions, Quality, TriangleMesh};
use hitscan_traversal::{Bvh, DynamicBvh, Level, Raycast};
use proptest::collection::vec;
use proptest::prelude::*;

use super::scene::{Scene, any_magnitude, scene_of, whole};
use super::{CLOSED, Triangle, Verdict, all_bits, all_with, bits, cases, tree};

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn few_whole_numbers(scene in scene_of(vec(whole(4), 3..8), 60, 60), shift in 1..60_usize) {
        check(&scene, shift)?;
    }

    #[test]
    fn numbers_of_any_magnitude(scene in scene_of(any_magnitude(), 60, 60), shift in 1..60_usize) {
        check(&scene, shift)?;
    }
}

/// Trees built where each triangle lies in another's place, moved to where the scene has them: at
/// once, and a few at a time, some after they were removed and others after they were added.
fn check(scene: &Scene, shift: usize) -> Verdict {
    let count = scene.triangles.len();
    let mut before = scene.triangles.clone();
    before.rotate_left(shift % count);
    let positions = scene.triangles.as_flattened();
    let mesh = |triangles: &[Triangle]| TriangleMesh::from_soup(triangles).expect("not too many");
    let expected = tree(&scene.triangles);
    for quality in Quality::ALL {
        let options = BuildOptions::from(quality);
        let mut moved = Bvh::build(mesh(&before), &options);
        moved.refit(positions).expect("all is finite");
        for level in Level::available() {
            compare(&moved.clone().with_level(level), &expected, scene)?;
        }

        let mut in_steps = DynamicBvh::build(mesh(&before), options.clone());
        for (i, some) in positions.chunks(5).enumerate() {
            in_steps.update_vertices(5 * i, some).expect("all is finite");
        }
        compare(in_steps.bvh(), &expected, scene)?;

        // Half of them are there from the beginning.
        let half = count / 2;
        let mut grown = DynamicBvh::build(mesh(&scene.triangles[..half]), options);
        for (i, triangle) in scene.triangles.iter().enumerate().skip(half) {
            let first = 3 * i as u32;
            let added = grown.add_triangles(triangle, &[[first, first + 1, first + 2]]);
            prop_assert_eq!(added, Ok(i as u32..i as u32 + 1));
        }
        compare(grown.bvh(), &expected, scene)?;
        let odd: Vec<u32> = (0..count as u32).filter(|prim| prim % 2 == 1).collect();
        grown.remove_triangles(&odd).expect("they are there");
        let mut rest = scene.triangles.clone();
        for &prim in &odd {
            rest[prim as usize] = [rest[prim as usize][0]; 3];
        }
        compare(grown.bvh(), &tree(&rest), scene)?;
    }
    Ok(())
}

fn compare(moved: &Bvh, expected: &Bvh, scene: &Scene) -> Verdict {
    for ray in &scene.rays {
        let closest = |bvh: &Bvh| bvh.closest_hit(ray).as_ref().map(bits);
        prop_assert_eq!(closest(moved), closest(expected), "{:?}", ray);
        prop_assert_eq!(moved.any_hit(ray), expected.any_hit(ray), "{:?}", ray);
        prop_assert_eq!(moved.count_hits(ray), expected.count_hits(ray), "{:?}", ray);
        prop_assert_eq!(all_bits(&moved.all_hits(ray)), all_bits(&expected.all_hits(ray)));
        let closed = |bvh: &Bvh| all_bits(&all_with(bvh, ray, &CLOSED));
        prop_assert_eq!(closed(moved), closed(expected), "{:?}", ray);
    }
    Ok(())
}
