//! Builders and layouts: every tree is whole, bounded in depth, and the same on any pool.

use hitscan_core::build::build;
use hitscan_core::bvh2::{Kind2, Leaf2, Node2};
use hitscan_core::{Aabb, BuildOptions, Bvh2, Bvh8, Quality, TriangleMesh};
use hitscan_testkit::meshes;

fn tree(mesh: &TriangleMesh, quality: Quality) -> (Bvh2, Bvh8) {
    let bvh2 = build(mesh, &BuildOptions::from(quality));
    assert_eq!(bvh2.validate(mesh), Ok(()), "{quality:?}");
    let bvh8 = Bvh8::from_bvh2(&bvh2, mesh);
    assert_eq!(bvh8.validate(mesh), Ok(()), "{quality:?}");
    (bvh2, bvh8)
}

/// Meshes that have led builders into endless splits, deep trees and NaN costs.
fn awkward() -> Vec<TriangleMesh> {
    vec![
        TriangleMesh::default(),
        meshes::tetrahedron(),
        meshes::copies(5),
        meshes::copies(20_000),
        meshes::nested(3_000),
        meshes::exponential(241, 2e-36, 2.0),
        meshes::with_broken_triangles(&meshes::icosphere(1.0, [0.0; 3], 3)),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e-30, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e37, [0.0; 3]),
        meshes::plate(8.0, [0.0; 3], [0.0, 1.0, 0.0], 40),
        meshes::beams(2_000, 1),
        meshes::transformed(&meshes::beams(2_000, 2), 1e36, [0.0; 3]),
        meshes::transformed(&meshes::beams(2_000, 3), 1e-38, [0.0; 3]),
        meshes::stack(200),
        last_corner_behind_nothing(),
    ]
}

/// One triangle in each of two opposite corners, and one without area between them in the list.
fn last_corner_behind_nothing() -> TriangleMesh {
    let at = |x: f32| [[x, x, x], [x + 0.1, x, x], [x, x + 0.1, x]];
    TriangleMesh::from_soup(&[at(0.0), [[5.0; 3]; 3], at(9.0)]).expect("finite corners")
}

#[test]
fn awkward_meshes_give_whole_trees_of_bounded_depth() {
    for mesh in awkward() {
        for quality in Quality::ALL {
            let (bvh2, bvh8) = tree(&mesh, quality);
            assert!(bvh2.depth() <= Bvh2::MAX_DEPTH);
            let hittable = (0..mesh.triangle_count() as u32).filter(|&prim| mesh.can_be_hit(prim));
            assert_eq!(bvh8.statistics().triangles, hittable.count());
            assert!(bvh2.prims.len() * 5 <= mesh.triangle_count() * 6, "too many parts");
        }
    }
}

#[test]
fn a_million_identical_triangles_build() {
    let mesh = meshes::copies(1_000_000);
    for quality in Quality::ALL {
        let bvh2 = build(&mesh, &BuildOptions::from(quality));
        // Halved again and again: twenty levels hold a million leaves.
        assert!(bvh2.depth() <= 21, "{quality:?}: {}", bvh2.depth());
    }
}

#[test]
fn trees_do_not_depend_on_the_number_of_threads() {
    let mesh = meshes::joined(&[meshes::terrain(320, 320, 7), meshes::beams(20_000, 3)]);
    for quality in Quality::ALL {
        let on_pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("a pool of a few threads").install(|| tree(&mesh, quality))
        };
        let one = on_pool(1);
        for threads in [2, 3, 8] {
            assert!(one == on_pool(threads), "{quality:?} on {threads} threads");
        }
    }
}

#[test]
fn better_qualities_cost_rays_less() {
    let mesh = meshes::city(12, 5);
    let cost = |quality| tree(&mesh, quality).1.statistics().sah_cost;
    let [fast, balanced, high] = Quality::ALL.map(cost);
    assert!(balanced <= fast * 1.02, "{balanced} against {fast}");
    assert!(high <= balanced * 1.02, "{high} against {balanced}");
}

#[test]
fn triangles_with_empty_boxes_are_cut() {
    let mesh = meshes::beams(3000, 1);
    let (bvh2, bvh8) = tree(&mesh, Quality::High);
    let statistics = bvh8.statistics();
    assert!(bvh2.prims.len() > 3300, "{} parts", bvh2.prims.len());
    assert!(statistics.references > statistics.triangles && statistics.triangles == 3000);
    let (_, balanced) = tree(&mesh, Quality::Balanced);
    assert_eq!(balanced.statistics().references, 3000);
    let costs = [statistics.sah_cost, balanced.statistics().sah_cost];
    assert!(costs[0] < 0.8 * costs[1], "{costs:?}");
}

/// A tree whose parts leave a gap is told from a whole one, even if the gap lies between
/// neighbouring numbers.
#[test]
fn validation_sees_gaps_between_parts() {
    let mesh = meshes::beams(300, 1);
    let whole = build(&mesh, &BuildOptions::from(Quality::High));
    let mut parts: Vec<(u32, usize)> = whole.nodes.iter().enumerate().filter_map(leaf).collect();
    fn leaf((index, node): (usize, &Node2)) -> Option<(u32, usize)> {
        match node.kind {
            Kind2::Leaf { first, .. } => Some((first, index)),
            Kind2::Inner { .. } | Kind2::Leaves { .. } => None,
        }
    }
    parts.sort_by_key(|&(first, _)| whole.prims[first as usize]);
    let mut gaps = 0;
    let mut seen = 0;
    for pair in parts.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        if whole.prims[a.0 as usize] != whole.prims[b.0 as usize] {
            continue;
        }
        let (low, high) = (whole.nodes[a.1].bounds, whole.nodes[b.1].bounds);
        // Where two boxes only touch, either may not lose its side.
        for axis in (0..3).filter(|&axis| low.max[axis] == high.min[axis]) {
            let mut torn = whole.clone();
            let side = &mut torn.nodes[a.1].bounds.max[axis];
            *side = side.next_down();
            gaps += 1;
            seen += usize::from(torn.validate(&mesh).is_err());
        }
    }
    assert!(gaps > 10 && seen == gaps, "{seen} of {gaps} gaps were seen");
}

#[test]
fn validation_sees_a_broken_tree() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    let whole = build(&mesh, &BuildOptions::default());
    let mut shrunk = whole.clone();
    let last = shrunk.nodes.len() - 1;
    shrunk.nodes[last].bounds.max = shrunk.nodes[last].bounds.min;
    assert!(shrunk.validate(&mesh).is_err(), "a leaf smaller than its triangle");
    let mut doubled = whole.clone();
    doubled.prims[0] = doubled.prims[1];
    assert!(doubled.validate(&mesh).is_err(), "a triangle twice, another lost");
    let mut cut = whole;
    cut.nodes.pop();
    assert!(cut.validate(&mesh).is_err(), "a node missing");
}

/// Fast trees have leaves that are no nodes; each rule about them is checked.
#[test]
fn validation_sees_broken_leaves_of_nodes() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    let whole = build(&mesh, &BuildOptions::from(Quality::Fast));
    assert_eq!(whole.validate(&mesh), Ok(()));
    let place = whole.nodes.iter().position(|node| matches!(node.kind, Kind2::Leaves { .. }));
    let place = place.expect("leaves in a node");
    let Kind2::Leaves { first, count } = whole.nodes[place].kind else {
        unreachable!("seen above")
    };
    let fails = |why: &str, breaks: &dyn Fn(&mut Bvh2)| {
        let mut broken = whole.clone();
        breaks(&mut broken);
        assert!(broken.validate(&mesh).is_err(), "{why}");
    };
    let set = |first, count| {
        move |tree: &mut Bvh2| tree.nodes[place].kind = Kind2::Leaves { first, count }
    };
    fails("no leaves", &set(first, 0));
    fails("a leaf too few", &set(first, count - 1));
    fails("leaves that do not exist", &set(whole.leaves.len() as u32, count));
    fails("so many leaves that their places overflow", &set(first, u32::MAX));
    fails("another node's leaves", &set((first + count) % whole.leaves.len() as u32, count));
    fails("too many leaves", &|tree| {
        let leaves = 0..tree.leaves.len() as u32;
        let bounds = tree.nodes[0].bounds;
        let kind = Kind2::Leaves { first: 0, count: leaves.end };
        tree.nodes = vec![Node2 { bounds, kind }];
    });
    fails("a leaf in no node", &|tree| {
        let end = tree.prims.len() as u32;
        tree.leaves.push(Leaf2 { first: end, count: 0, ..tree.leaves[0] });
    });
    fails("a leaf that sticks out", &|tree| tree.leaves[first as usize].bounds.max.x += 9.0);
    fails("a leaf smaller than its triangles", &|tree| {
        let bounds = &mut tree.leaves[first as usize].bounds;
        bounds.max = bounds.min;
    });
    fails("triangles in another order", &|tree| {
        let [a, b] = [0, 1].map(|more| tree.leaves[first as usize + more]);
        tree.leaves[first as usize] = b;
        tree.leaves[first as usize + 1] = a;
    });
    fails("triangles in no leaf", &|tree| tree.prims.push(0));
}

/// Leaves of nodes may lie in another order than their nodes, beside leaves that are nodes: no leaf
/// of the wide tree has triangles that do not lie side by side.
#[test]
fn leaves_of_nodes_need_not_be_in_the_order_of_nodes() {
    // Triangles that all lie in one place cost least in as few leaves as hold them.
    let mesh = meshes::copies(80);
    let count = mesh.triangle_count() as u32;
    let around = |prims: std::ops::Range<u32>| {
        let boxes = prims.map(|prim| Aabb::of_triangle(mesh.triangle(prim)));
        boxes.fold(Aabb::EMPTY, Aabb::union)
    };
    // Two triangles in a leaf that is a node, the others in leaves of two at the most, of which up
    // to eight are in a node, and the last leaf comes first.
    let mut leaves = Vec::new();
    let mut first = 2;
    for number in 0.. {
        let end = count.min(first + 1 + number % 2);
        if first == end {
            break;
        }
        leaves.push(Leaf2 { bounds: around(first..end), first, count: end - first });
        first = end;
    }
    let mut kinds = vec![(around(0..2), Kind2::Leaf { first: 0, count: 2 })];
    let mut end = leaves.len() as u32;
    for size in (1..=8).cycle() {
        // The last two have one leaf each, and would fit one together.
        let start = if end > 2 { end.saturating_sub(size).max(2) } else { end - 1 };
        let bounds = leaves[start as usize..end as usize].iter();
        let bounds = bounds.fold(Aabb::EMPTY, |bounds, leaf| bounds.union(leaf.bounds));
        kinds.push((bounds, Kind2::Leaves { first: start, count: end - start }));
        end = start;
        if end == 0 {
            break;
        }
    }
    // Each node has one of them on its left, and the rest on its right.
    let mut nodes = Vec::new();
    for (number, &(bounds, kind)) in kinds.iter().enumerate() {
        if number + 1 < kinds.len() {
            let rest = kinds[number..].iter();
            let bounds = rest.fold(Aabb::EMPTY, |all, (bounds, _)| all.union(*bounds));
            nodes.push(Node2 { bounds, kind: Kind2::Inner { right: nodes.len() as u32 + 2 } });
        }
        nodes.push(Node2 { bounds, kind });
    }
    let bvh2 = Bvh2 { nodes, leaves, prims: (0..count).collect() };
    assert_eq!(bvh2.validate(&mesh), Ok(()));
    let bvh8 = Bvh8::from_bvh2(&bvh2, &mesh);
    assert_eq!(bvh8.validate(&mesh), Ok(()));
    assert_eq!(bvh8.statistics().triangles, count as usize);
}

/// On smooth surfaces a tenth at the most, on boxes a little more.
#[test]
fn fast_trees_cost_little_more_than_balanced_ones() {
    let torus = meshes::torus(2.0, 0.5, 240, 120);
    for (mesh, most) in
        [(torus, 1.1), (meshes::terrain(200, 200, 7), 1.1), (meshes::city(12, 5), 1.14)]
    {
        let cost = |quality| tree(&mesh, quality).1.statistics().sah_cost;
        let ratio = cost(Quality::Fast) / cost(Quality::Balanced);
        assert!(ratio < most, "{ratio} times as much");
    }
}

/// Where triangles are large beside the whole, runs along a curve would be far worse.
#[test]
fn fast_trees_over_few_triangles_are_balanced_ones() {
    for mesh in [meshes::city(3, 5), meshes::torus(2.0, 0.5, 30, 15), meshes::beams(500, 1)] {
        assert!(mesh.triangle_count() < 1024);
        assert_eq!(tree(&mesh, Quality::Fast), tree(&mesh, Quality::Balanced));
    }
}

/// A leaf takes as many bytes and as long to test whether it is full or not.
#[test]
fn leaves_are_nearly_full() {
    let meshes = [
        (meshes::torus(2.0, 0.5, 240, 120), [3.8, 3.7]),
        (meshes::terrain(200, 200, 7), [3.8, 3.7]),
        (meshes::city(12, 5), [3.3, 3.2]),
    ];
    for (mesh, least) in meshes {
        for (quality, least) in [Quality::Balanced, Quality::High].into_iter().zip(least) {
            let (_, bvh8) = tree(&mesh, quality);
            let statistics = bvh8.statistics();
            let fill = statistics.references as f64 / statistics.leaves as f64;
            assert!(fill > least, "{quality:?}: {fill} triangles a leaf, {statistics:?}");
        }
    }
}

/// The curve's cells are laid over the corners, unless these reach much further than triangles do.
#[test]
fn a_far_vertex_of_no_triangle_leaves_fast_trees_as_good() {
    // In an order of which nothing can be made.
    let torus = meshes::torus(2.0, 0.5, 120, 60);
    let count = torus.triangle_count();
    let indices = (0..count).map(|place| torus.indices()[place * 7919 % count]).collect();
    let mesh = TriangleMesh::new(torus.positions().to_vec(), indices).expect("the same corners");
    let cost = |mesh: &TriangleMesh| tree(mesh, Quality::Fast).1.statistics().sah_cost;
    let near = cost(&mesh);
    for far in [[1e6, 0.0, 0.0], [f32::MAX, f32::MIN, 0.0], [f32::NAN, 1.0, f32::INFINITY]] {
        let mut positions = mesh.positions().to_vec();
        positions.push(far);
        let with_far = TriangleMesh::new(positions, mesh.indices().to_vec());
        let cost = cost(&with_far.expect("the same indices"));
        assert!(cost < 1.02 * near, "{far:?}: {cost} against {near}");
    }
}
