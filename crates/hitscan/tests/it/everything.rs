//! Asks a tree that may hold anything for everything: nothing is known of the answers but that they
//! are of its mesh. (The fuzz target `baked` has this file, too.)

use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, DynamicBvh, EdgeRule, Filled, Hit, QueryOptions, Ray, TreeLayout,
};

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

/// Looks at a tree from all sides, changes it in all ways, and asks what comes of that.
pub(crate) fn change_everything(bvh: &Bvh, rays: &[Ray]) {
    let _ = (bvh.validate(), bvh.profile(), bvh.boxes().count(), bvh.write_to(std::io::sink()));
    for ray in rays.iter().take(2) {
        let _ = bvh.explain(ray).to_string();
    }
    for layout in TreeLayout::ALL {
        ask_everything(&bvh.in_layout(layout), rays);
    }
    let vertices = bvh.mesh().positions().len();
    let positions: Vec<[f32; 3]> = (0..vertices).map(|at| [at as f32, 0.5, -1.0]).collect();
    let mut refitted = bvh.clone();
    for _ in 0..3 {
        refitted.refit(&positions).expect("as many positions as before");
        ask_everything(&refitted, rays);
    }
    let mut moving = DynamicBvh::new(bvh.clone(), BuildOptions::default());
    for vertex in [0, vertices / 2] {
        let _ = moving.update_vertices(vertex, &[[1.0, 2.0, 3.0]]);
        let _ = moving.add_triangles(&[[5.0, 0.0, 0.0]], &[[0, vertices as u32, 1]]);
        let _ = moving.remove_triangles(&[vertex as u32]);
        ask_everything(moving.bvh(), rays);
    }
}
