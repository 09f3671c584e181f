//! The same bits as the single-ray queries, for every length.

use hitscan_batch::{BatchOptions, BatchRaycast};
use hitscan_core::{Hit, Ray};
use hitscan_traversal::{Bvh, Coherence, EdgeRule, Faces, QueryOptions, Raycast};

use crate::world;

/// Lengths around those of packets and of chunks.
const LENGTHS: [usize; 12] = [0, 1, 7, 8, 9, 255, 256, 257, 4095, 4096, 4097, world::MANY];

/// All of a hit's numbers as bits, so that −0 is not 0.
fn bits(hit: &Hit) -> [u32; 7] {
    let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
    [t, u, v, hit.prim, hit.geometry, hit.instance, hit.front.into()]
}

fn assert_as_single(tree: &Bvh, rays: &[Ray], options: &BatchOptions<'_>) -> usize {
    let query = &options.query;
    let closest = tree.closest_hits_with(rays, options).expect("nobody cancels");
    let any = tree.any_hits_with(rays, options).expect("nobody cancels");
    let counts = tree.count_hits_of_with(rays, options).expect("nobody cancels");
    let all = tree.all_hits_of_with(rays, options).expect("nobody cancels");
    let n = rays.len();
    assert_eq!([closest.len(), any.len(), counts.len(), all.ray_count()], [n; 4]);
    assert_eq!((all.offsets[0], all.offsets[n], all.iter().len()), (0, all.hits.len(), n));
    for (i, ray) in rays.iter().enumerate() {
        let single = tree.closest_hit_with(ray, query);
        assert_eq!(closest[i].as_ref().map(bits), single.as_ref().map(bits), "ray {i} of {n}");
        assert_eq!(any[i], tree.any_hit_with(ray, query), "ray {i} of {n}");
        assert_eq!(counts[i], tree.count_hits_with(ray, query), "ray {i} of {n}");
        let mut hits = Vec::new();
        tree.append_all_hits_with(ray, query, &mut hits);
        let row: Vec<[u32; 7]> = all.of_ray(i).iter().map(bits).collect();
        assert_eq!(row, hits.iter().map(bits).collect::<Vec<_>>(), "ray {i} of {n}");
        assert_eq!(all.offsets[i + 1] - all.offsets[i], counts[i], "ray {i} of {n}");
    }
    assert!(all.iter().zip(&counts).all(|(row, &count)| row.len() == count));
    all.hits.len()
}

#[test]
fn every_length_answers_as_single_rays() {
    let tree = world::tree();
    for length in LENGTHS {
        let hits = assert_as_single(&tree, &world::rays(length), &BatchOptions::default());
        assert!(hits >= length, "{hits} hits of {length} rays test too little");
    }
}

#[test]
fn the_short_names_answer_as_the_long_ones() {
    let (tree, rays) = (world::tree(), world::rays(500));
    let options = BatchOptions::default();
    assert_eq!(Ok(tree.closest_hits(&rays)), tree.closest_hits_with(&rays, &options));
    assert_eq!(Ok(tree.any_hits(&rays)), tree.any_hits_with(&rays, &options));
    assert_eq!(Ok(tree.count_hits_of(&rays)), tree.count_hits_of_with(&rays, &options));
    assert_eq!(Ok(tree.all_hits_of(&rays)), tree.all_hits_of_with(&rays, &options));
}

#[test]
fn answers_overwrite_what_the_memory_held() {
    let (tree, rays) = (world::tree(), world::rays(500));
    let options = BatchOptions::default();
    let (closest, any) = (tree.closest_hits(&rays), tree.any_hits(&rays));
    let held = closest.iter().flatten().next_back().copied();
    assert!(held.is_some() && closest.contains(&None), "a hit and a miss");
    let mut hits = vec![held; rays.len()];
    assert_eq!(tree.closest_hits_into(&rays, &options, &mut hits), Ok(()));
    assert_eq!(hits, closest);
    for before in [false, true] {
        let mut hits = vec![before; rays.len()];
        assert_eq!(tree.any_hits_into(&rays, &options, &mut hits), Ok(()));
        assert_eq!(hits, any);
    }
}

#[test]
fn options_reach_every_ray() {
    let (tree, rays) = (world::tree(), world::rays(1000));
    let odd = |hit: &Hit| hit.prim % 2 == 1;
    let queries = [
        QueryOptions { faces: Faces::Front, ..QueryOptions::DEFAULT },
        QueryOptions { faces: Faces::Back, ..QueryOptions::DEFAULT },
        QueryOptions { skip: Some(8), ..QueryOptions::DEFAULT },
        QueryOptions { filter: Some(&odd), ..QueryOptions::DEFAULT },
        QueryOptions { edge_rule: Some(EdgeRule::Closed), ..QueryOptions::DEFAULT },
    ];
    let plain = tree.all_hits_of(&rays).hits.len();
    let mut changed = 0;
    for query in queries {
        for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
            let options = BatchOptions { query, coherence, ..BatchOptions::default() };
            changed += usize::from(assert_as_single(&tree, &rays, &options) != plain);
        }
    }
    assert!(changed >= 9, "faces, skip and filter must change something: {changed}");
}

#[test]
fn invalid_rays_miss_and_their_neighbours_do_not() {
    let (tree, rays) = (world::tree(), world::rays(world::MANY));
    let hits = tree.closest_hits(&rays);
    assert!(rays.iter().zip(&hits).all(|(ray, hit)| ray.is_valid() || hit.is_none()));
    let invalid = rays.iter().filter(|ray| !ray.is_valid()).count();
    let missed = hits.iter().filter(|hit| hit.is_none()).count();
    assert!(invalid > 100 && missed < rays.len() / 2, "{invalid} invalid, {missed} missed");
}
