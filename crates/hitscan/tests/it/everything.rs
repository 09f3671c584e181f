//! Asks a tree that may hold anything for everything: nothing is known of the answers but that they
//! are of its mesh. (The fuzz target `baked` has this file, too.)

use hitscan::prelude::*;
use hitscan::{
    BuildOptions, Bvh, Coherence, DynamicBvh, EdgeRule, EditError, Filled, Hit, QueryOptions, Ray,
    TreeLayout,
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

/// Changes a tree that may hold anything in every way; tells whether it was let in. Then it is one
/// over its mesh from the first change on, and else nothing has changed.
pub(crate) fn change_everything(bvh: &Bvh) -> bool {
    let mut saved = Vec::new();
    bvh.write_to(&mut saved).expect("memory takes all");
    for layout in TreeLayout::ALL {
        assert_eq!(bvh.in_layout(layout).layout(), layout);
    }
    let _ = bvh.boxes().count();
    let is_finite = |position: &[f32; 3]| position.iter().all(|x| x.is_finite());
    let positions: Vec<[f32; 3]> = bvh
        .mesh()
        .positions()
        .iter()
        .map(|position| if is_finite(position) { *position } else { [0.5; 3] })
        .collect();
    let mut refitted = bvh.clone();
    let refit = refitted.refit(&positions);
    let dynamic = DynamicBvh::new(bvh.clone(), BuildOptions::default());
    assert_eq!(refit.is_ok(), dynamic.is_ok());
    let Ok(mut dynamic) = dynamic else {
        assert!(matches!(refit, Err(EditError::InvalidTree(_))), "{refit:?}");
        let mut again = Vec::new();
        refitted.write_to(&mut again).expect("memory takes all");
        assert!(again == saved, "nothing has changed");
        return false;
    };
    assert_eq!(refitted.validate(), Ok(()));
    refitted.refit(&positions).expect("it was let in before");
    assert_eq!(refitted.validate(), Ok(()));
    let some = positions.len().min(3);
    dynamic.update_vertices(0, &positions[..some]).expect("all is finite");
    assert_eq!(dynamic.bvh().validate(), Ok(()));
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]];
    let first = positions.len() as u32;
    let added = dynamic.add_triangles(&corners, &[[first, first + 1, first + 2]]);
    assert_eq!(dynamic.bvh().validate(), Ok(()));
    dynamic.remove_triangles(&[0, added.expect("all is finite").start]).expect("both are there");
    assert_eq!(dynamic.bvh().validate(), Ok(()));
    // Additions may be the first change, too.
    let mut grown = DynamicBvh::new(bvh.clone(), BuildOptions::default()).expect("it was let in");
    grown.add_triangles(&corners, &[[first, first + 1, first + 2]]).expect("all is finite");
    assert_eq!(grown.bvh().validate(), Ok(()));
    true
}
