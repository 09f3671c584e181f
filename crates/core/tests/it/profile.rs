//! What a tree looks like, block by block.

use hitscan_core::bvh8::TreeProfile;
use hitscan_core::{Quality, TriangleMesh};
use hitscan_testkit::meshes;

use crate::tree;

#[test]
fn profiles_count_every_block_and_tell_overlap() {
    let mesh = meshes::terrain(60, 60, 1);
    let tree = tree(&mesh, Quality::Balanced);
    let (profile, statistics) = (TreeProfile::new(&tree, &mesh), tree.statistics());
    assert_eq!(profile.nodes_by_level.iter().sum::<usize>(), statistics.nodes);
    assert_eq!(profile.leaves_by_level.iter().sum::<usize>(), statistics.leaves);
    assert_eq!(profile.leaves_by_level.len(), statistics.depth);
    let triangles = profile.leaves_by_size.iter().enumerate().map(|(size, count)| size * count);
    assert_eq!(triangles.sum::<usize>(), statistics.references);
    let children = profile.nodes_by_children.iter().enumerate().map(|(n, count)| n * count);
    assert_eq!(children.sum::<usize>() + 1, statistics.nodes + statistics.leaves);
    // Nothing overlaps in a row of triangles that lie apart, and all of it in copies of one.
    let apart: Vec<_> = (0..64)
        .map(|i| [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, y]| [x + 3.0 * i as f32, y, x]))
        .collect();
    let apart = TriangleMesh::from_soup(&apart).expect("a few");
    assert_eq!(TreeProfile::new(&self::tree(&apart, Quality::Fast), &apart).overlap, 0.0);
    let copies = meshes::copies(64);
    let tree = self::tree(&copies, Quality::Fast);
    let statistics = tree.statistics();
    let others = statistics.nodes + statistics.leaves - statistics.depth;
    let overlap = TreeProfile::new(&tree, &copies).overlap;
    assert!((overlap - others as f64).abs() < 1.0, "{overlap} of {others}");
    let none = TriangleMesh::default();
    assert_eq!(TreeProfile::new(&self::tree(&none, Quality::Fast), &none).overlap, 0.0);
}
