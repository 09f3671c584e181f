//! However it is asked, and whatever the numbers: the answer of every triangle alone.

use hitscan_core::{BuildOptions, Hit, Quality, Ray, TriangleMesh};
use hitscan_testkit::{Oracle, Rule, Sides};
use hitscan_traversal::{Bvh, Coherence, EdgeRule, Level, QueryOptions, Raycast};
use proptest::collection::vec;
use proptest::prelude::*;

use super::scene::{Scene, any_magnitude, anything, scene_of, whole};
use super::{Verdict, all_bits, all_with, bits, cases, tree};

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn few_whole_numbers(scene in scene_of(vec(whole(4), 3..8), 60, 150)) {
        check(&scene)?;
    }

    #[test]
    fn numbers_of_any_magnitude(scene in scene_of(any_magnitude(), 40, 100)) {
        check(&scene)?;
    }

    #[test]
    fn a_mesh_smaller_than_any_normal_number(scene in scene_of(vec(whole(1000), 3..8), 40, 100)) {
        check(&shrunk(scene))?;
    }

    #[test]
    fn raw_bits(scene in scene_of(vec(anything(), 3..8), 40, 100)) {
        check(&scene)?;
    }
}

/// Single rays, batches of every coherence, every level and quality, against every triangle on
/// its own: there no box can be missed, and nothing pruned. What is hit at all is told by whole
/// numbers.
fn check(scene: &Scene) -> Verdict {
    let alone: Vec<Bvh> = scene.triangles.iter().map(|&triangle| tree(&[triangle])).collect();
    let mesh = TriangleMesh::from_soup(&scene.triangles).expect("not too many triangles");
    let oracle = Oracle::new(&mesh);
    let brute = |ray: &Ray, edge_rule| brute_force(&alone, ray, edge_rule);
    let closed: Vec<Vec<Hit>> = scene.rays.iter().map(|ray| brute(ray, EdgeRule::Closed)).collect();
    let once: Vec<Vec<Hit>> = scene.rays.iter().map(|ray| brute(ray, EdgeRule::Once)).collect();
    for (ray, (closed, once)) in scene.rays.iter().zip(closed.iter().zip(&once)) {
        if ray.t_min.to_bits() == 0 && ray.t_max == f32::INFINITY {
            for (hits, rule) in [(closed, Rule::Closed), (once, Rule::Once)] {
                let mut exact: Vec<u32> =
                    oracle.all(ray, Sides::Both, rule).iter().map(|hit| hit.prim).collect();
                exact.sort_unstable();
                prop_assert_eq!(prims(hits), exact, "{:?} by whole numbers: {:?}", rule, ray);
            }
        }
    }
    for quality in Quality::ALL {
        let bvh = Bvh::build(mesh.clone(), &BuildOptions::from(quality));
        for level in Level::available() {
            let bvh = bvh.clone().with_level(level);
            compare(&bvh, &scene.rays, &closed, &once)?;
        }
    }
    Ok(())
}

/// The scene so small that its coordinates are no normal numbers, and neither is the slack of its
/// boxes along rays as short as ordinary ones are.
fn shrunk(mut scene: Scene) -> Scene {
    let (size, length) = ((-140.0_f32).exp2(), (-65.0_f32).exp2());
    for x in scene.triangles.as_flattened_mut().as_flattened_mut() {
        *x *= size;
    }
    for ray in &mut scene.rays {
        ray.origin = ray.origin.map(|x| x * size);
        ray.direction = ray.direction.map(|x| x * length);
        (ray.t_min, ray.t_max) = (ray.t_min * (size / length), ray.t_max * (size / length));
    }
    scene
}

const NOTHING: Hit =
    Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: false };

fn compare(bvh: &Bvh, rays: &[Ray], closed: &[Vec<Hit>], once: &[Vec<Hit>]) -> Verdict {
    for (ray, (closed, once)) in rays.iter().zip(closed.iter().zip(once)) {
        let expected = closed.first().map(bits);
        prop_assert_eq!(bvh.closest_hit(ray).as_ref().map(bits), expected, "closest of {:?}", ray);
        prop_assert_eq!(bvh.any_hit(ray), expected.is_some(), "any of {:?}", ray);
        prop_assert_eq!(bvh.count_hits(ray), once.len(), "count of {:?}", ray);
        prop_assert_eq!(all_bits(&bvh.all_hits(ray)), all_bits(once), "all of {:?}", ray);
        let mut buffer = vec![once.first().copied().unwrap_or(NOTHING); once.len() / 2];
        let filled = bvh.fill_all_hits_with(ray, &QueryOptions::DEFAULT, &mut buffer);
        prop_assert_eq!((filled.len, filled.truncated), (buffer.len(), once.len() > buffer.len()));
        prop_assert_eq!(all_bits(&buffer), all_bits(&once[..buffer.len()]), "some of {:?}", ray);
        let touched = all_with(bvh, ray, &super::CLOSED);
        prop_assert_eq!(all_bits(&touched), all_bits(closed), "all touched by {:?}", ray);
    }
    for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
        let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        bvh.closest_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut hits);
        bvh.any_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut any);
        for (i, closed) in closed.iter().enumerate() {
            let expected = closed.first().map(bits);
            let found = hits[i].as_ref().map(bits);
            prop_assert_eq!(found, expected, "closest of {:?}, {:?}", rays[i], coherence);
            prop_assert_eq!(any[i], expected.is_some(), "any of {:?}, {:?}", rays[i], coherence);
        }
    }
    Ok(())
}

/// The hits of each triangle alone, near to far.
fn brute_force(alone: &[Bvh], ray: &Ray, edge_rule: EdgeRule) -> Vec<Hit> {
    let options = QueryOptions { edge_rule: Some(edge_rule), ..QueryOptions::DEFAULT };
    let mut hits = Vec::new();
    for (prim, bvh) in (0..).zip(alone) {
        hits.extend(all_with(bvh, ray, &options).iter().map(|hit| Hit { prim, ..*hit }));
    }
    hits.sort_by(|p, q| p.t.total_cmp(&q.t).then(p.prim.cmp(&q.prim)));
    hits
}

fn prims(hits: &[Hit]) -> Vec<u32> {
    let mut prims: Vec<u32> = hits.iter().map(|hit| hit.prim).collect();
    prims.sort_unstable();
    prims
}

/// There the walk's low planes lie inside of the boxes: nothing is below the least number.
#[test]
fn a_mesh_at_the_least_number_is_met() {
    let corner = |i: u32| [(i % 20) as f32, (i / 20) as f32];
    let triangle = |i: u32| {
        let [y, z] = corner(i);
        [[f32::MIN, y, z], [f32::MIN, y + 1.0, z], [f32::MIN, y, z + 1.0]]
    };
    let bvh = tree(&(0..200).map(triangle).collect::<Vec<_>>());
    for i in 0..200 {
        let [y, z] = corner(i);
        let ray = Ray::new([0.0, y + 0.25, z + 0.25], [-4.0, 0.0, 0.0]);
        assert_eq!(bvh.closest_hit(&ray).map(|hit| hit.prim), Some(i));
    }
}

/// NaN, infinities and zero directions, alone and among valid rays.
#[test]
fn invalid_rays_miss_and_disturb_nobody() {
    let bvh = tree(&[[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]]);
    let good = Ray::new([0.1, 0.2, 5.0], [0.0, 0.0, -1.0]);
    for bad in hitscan_testkit::rays::invalid() {
        assert!(!bad.is_valid(), "{bad:?}");
        assert_eq!(bvh.closest_hit(&bad), None, "{bad:?}");
        assert!(!bvh.any_hit(&bad), "{bad:?}");
        assert_eq!((bvh.count_hits(&bad), bvh.all_hits(&bad).len()), (0, 0), "{bad:?}");
        let rays: Vec<Ray> = (0..70).map(|i| if i % 9 == 4 { bad } else { good }).collect();
        let mut hits = vec![None; rays.len()];
        bvh.closest_hits_chunk(&rays, &QueryOptions::DEFAULT, Coherence::Coherent, &mut hits);
        for (i, hit) in hits.iter().enumerate() {
            assert_eq!(hit.is_some(), i % 9 != 4, "{bad:?}");
        }
    }
}
