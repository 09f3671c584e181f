//! Asks a tree that may hold anything for everything: nothing is known of the answers but that they
//! are of its mesh. (The fuzz target `baked` has this file, too.)

use hitscan::prelude::*;
use hitscan::{Bvh, Coherence, EdgeRule, Filled, Hit, QueryOptions, Ray};

pub(crate) fn ask_everything(bvh: &Bvh, rays: &[Ray]) {
    let closed = QueryOptions { edge_rule: Some(EdgeRule::Closed), ..QueryOptions::DEFAULT };
    let filtered = QueryOptions { filter: Some(&|hit| hit.t != 0.5), ..QueryOptions::DEFAULT };
    let of_mesh = |hit: &Hit| {
        assert!((hit.prim as usize) < bvh.mesh().triangle_count(), "{hit:?}");
        assert!(!hit.t.is_nan() && bvh.mesh().normal(hit.prim).len() == 3);
    };
    let nothing = Hit { t: 0.0, u: 0.0, v: 0.0, prim: 0, geometry: 0, instance: 0, front: true };
    let mut few = [nothing; 2];
    let mut all = Vec::new();
    for ray in rays {
        bvh.closest_hit(ray).iter().for_each(of_mesh);
        bvh.closest_hit_with(ray, &filtered).iter().for_each(of_mesh);
        for options in [&QueryOptions::DEFAULT, &closed] {
            all.clear();
            bvh.append_all_hits_with(ray, options, &mut all);
            all.iter().for_each(of_mesh);
        }
        let Filled { len, .. } = bvh.fill_all_hits_with(ray, &filtered, &mut few);
        few[..len].iter().for_each(of_mesh);
        let _ = (bvh.any_hit(ray), bvh.count_hits(ray));
    }
    for coherence in [Coherence::Coherent, Coherence::Incoherent] {
        let (mut closest, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        bvh.closest_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut closest);
        bvh.any_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut any);
        closest.iter().flatten().for_each(of_mesh);
    }
    for ray in rays.iter().take(2) {
        bvh.explain(ray).hit.iter().for_each(of_mesh);
    }
}
