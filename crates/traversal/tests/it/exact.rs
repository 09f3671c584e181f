//! Ties that f64 cannot decide: long edges that run nearly as the ray does.

use hitscan_core::{Ray, TriangleMesh};
use hitscan_testkit::{Oracle, Rule, Sides};
use hitscan_traversal::{Bvh, Raycast};

/// Through a corner from which an edge of 2⁴⁰ runs almost along the ray. On which side the edge is
/// passed depends on digits of the corner that are lost when it is taken from the edge's far end.
#[test]
fn an_edge_that_f64_cannot_tell_from_the_ray() {
    let power = |exponent| f32::powi(2.0, exponent);
    let along = [1.0, 3.0, 16.0];
    let far = along.map(|x| x * power(36));
    let direction = along.map(|x| x * power(-18));
    for (y, z) in [(13.0, 17.0), (15.0, 17.0), (15.0, 19.0), (37.0, 49.0), (41.0, 53.0)] {
        let near = [0.0, y * power(-20), z * power(-18)];
        let origin = [0, 1, 2].map(|axis| near[axis] - direction[axis]);
        let mut triangles = Vec::new();
        for i in 0..27 {
            let third = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1].map(|x| x as f32);
            triangles.extend([[near, far, third], [far, near, third]]);
        }
        let mesh = TriangleMesh::from_soup(&triangles).expect("a few triangles");
        let oracle = Oracle::new(&mesh);
        let bvh = Bvh::build(mesh, &Default::default());
        let ray = Ray::new(origin, direction);
        let exact = oracle.all(&ray, Sides::Both, Rule::Once);
        let mut exact: Vec<u32> = exact.iter().map(|hit| hit.prim).collect();
        let mut found: Vec<u32> = bvh.all_hits(&ray).iter().map(|hit| hit.prim).collect();
        exact.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, exact, "{ray:?}");
        assert!(!found.is_empty() && found.len() < triangles.len(), "{found:?}");
    }
}
