//! Compact blocks: no box shrinks, whatever the coordinates, and a tree is the same one.

use hitscan_core::build::build;
use hitscan_core::bvh8::{ChildRef, CompactNode8, NodeCopy, Structure, lowered};
use hitscan_core::{Aabb, BuildOptions, Bvh2, Bvh8, Quality, TreeLayout, TriangleMesh, baked};
use hitscan_testkit::{Random, meshes};

fn binary(mesh: &TriangleMesh, quality: Quality) -> Bvh2 {
    build(mesh, &BuildOptions::from(quality))
}

fn compact(mesh: &TriangleMesh, quality: Quality) -> Bvh8 {
    Bvh8::from_bvh2_in(TreeLayout::Compact, &binary(mesh, quality), mesh)
}

/// A node over these boxes, exactly as it is and as a compact one gives it back.
fn there_and_back(boxes: &[Aabb]) -> (NodeCopy, NodeCopy) {
    let mut node = NodeCopy::EMPTY;
    for (i, &bounds) in boxes.iter().enumerate() {
        // As every node has it.
        let mut min = bounds.min;
        min.x = lowered(min.x);
        node.push(Aabb { min, ..bounds }, ChildRef::node(4 * i));
    }
    (node, CompactNode8::of(&node).decoded())
}

/// Checks that boxes did not shrink, and stayed within the box around all of them.
fn check(boxes: &[Aabb]) {
    let (exact, decoded) = there_and_back(boxes);
    let all = exact.bounds();
    assert_eq!((exact.child_count, exact.children), (decoded.child_count, decoded.children));
    for lane in 0..8 {
        let [exact, decoded] = [exact, decoded].map(|node| node.child_bounds(lane));
        assert_eq!(exact.is_empty(), decoded.is_empty(), "lane {lane} of {boxes:?}");
        assert!(decoded.contains(exact), "lane {lane} of {boxes:?}: {decoded:?}");
        assert!(all.contains(decoded), "lane {lane} of {boxes:?}: {decoded:?}");
    }
}

/// Two numbers in order.
fn ordered([a, b]: [f32; 2]) -> [f32; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

fn box_of(mut number: impl FnMut() -> f32) -> Aabb {
    let axes = [0, 1, 2].map(|_| ordered([number(), number()]));
    Aabb { min: axes.map(|axis| axis[0]).into(), max: axes.map(|axis| axis[1]).into() }
}

#[test]
fn no_box_shrinks() {
    let mut random = Random::new(1);
    let any_bits = |random: &mut Random| loop {
        let number = f32::from_bits(random.bits() as u32);
        if number.is_finite() {
            return number;
        }
    };
    let awkward = [
        0.0,
        -0.0,
        1e-45,
        -1e-45,
        1e-38,
        1e-30,
        -1e-30,
        1.0,
        1.0 + f32::EPSILON,
        -1.0,
        255.0,
        1e30,
        -1e30,
        f32::MAX,
        f32::MIN,
        f32::MAX / 255.0,
        16_777_216.0,
        16_777_215.0,
    ];
    for round in 0..20_000 {
        let count = 1 + random.below(8);
        let scale = 10_f64.powi(random.whole(-44, 38));
        let offset = 10_f64.powi(random.whole(-44, 38));
        let boxes: Vec<Aabb> = (0..count)
            .map(|_| {
                box_of(|| match round % 4 {
                    0 => any_bits(&mut random),
                    1 => awkward[random.below(awkward.len())],
                    // Far off, down to a few steps of f32.
                    2 => (offset + scale * random.unit()) as f32,
                    _ => (scale * (random.unit() - 0.5)) as f32,
                })
            })
            .collect();
        if boxes.iter().all(|bounds| bounds.min.is_finite() && bounds.max.is_finite()) {
            check(&boxes);
        }
    }
}

#[test]
fn flat_and_empty_boxes_stay_what_they_are() {
    let flat = |x: f32| Aabb { min: [x, 0.0, -1.0].into(), max: [x, 0.0, 1.0].into() };
    check(&[flat(3.0)]);
    check(&[flat(3.0), flat(3.0 + f32::EPSILON * 2.0), Aabb::EMPTY]);
    check(&[Aabb::EMPTY; 8]);
    let (_, decoded) = there_and_back(&[flat(3.0), flat(3.0)]);
    assert_eq!(decoded.child_bounds(0), flat(3.0), "an axis without extent is kept exactly");
    check(&[]);
}

/// A place is one of 256, so that a plane is off by less than a step.
#[test]
fn boxes_are_at_most_a_step_larger() {
    let mut random = Random::new(2);
    for _ in 0..1000 {
        let boxes: Vec<Aabb> = (0..8).map(|_| box_of(|| random.unit() as f32)).collect();
        let (exact, decoded) = there_and_back(&boxes);
        let step = exact.bounds().extent() / 255.0 * 1.001;
        for lane in 0..8 {
            let [exact, decoded] = [exact, decoded].map(|node| node.child_bounds(lane));
            assert!((exact.min - decoded.min).cmple(step).all());
            assert!((decoded.max - exact.max).cmple(step).all());
        }
    }
}

fn samples() -> Vec<TriangleMesh> {
    vec![
        TriangleMesh::default(),
        meshes::tetrahedron(),
        meshes::copies(300),
        meshes::exponential(241, 2e-36, 2.0),
        meshes::with_broken_triangles(&meshes::icosphere(1.0, [0.0; 3], 3)),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e-30, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1e30, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1.2e38, [0.0; 3]),
        meshes::transformed(&meshes::torus(2.0, 0.5, 24, 12), 1.0, [1e6, -2e5, 3e4]),
        meshes::beams(2_000, 1),
        meshes::stack(100),
        meshes::terrain(90, 90, 1),
    ]
}

#[test]
fn a_compact_tree_is_the_fast_one_in_other_blocks() {
    for (i, mesh) in samples().iter().enumerate() {
        for quality in Quality::ALL {
            let fast = Bvh8::from_bvh2(&binary(mesh, quality), mesh);
            let compact = compact(mesh, quality);
            assert_eq!(compact.validate(mesh), Ok(()), "mesh {i}, {quality:?}");
            assert!(compact == fast.in_layout(TreeLayout::Compact, mesh), "mesh {i}, {quality:?}");
            assert_eq!((compact.bounds(), compact.reach()), (fast.bounds(), fast.reach()));
            assert_eq!(compact.visits().count(), fast.visits().count());
            for (compact_visit, visit) in compact.visits().zip(fast.visits()) {
                assert!(compact_visit.bounds.contains(visit.bounds));
                assert_eq!(compact_visit.place.is_leaf(), visit.place.is_leaf());
                if visit.place.is_leaf() {
                    let prims = compact.marked_prims(compact_visit.place);
                    assert_eq!(prims, fast.marked_prims(visit.place));
                }
            }
            let [statistics, fast_statistics] = [&compact, &fast].map(|tree| tree.statistics());
            assert_eq!(statistics.bytes(), size_of_val(compact.lines()));
            assert!(
                statistics.sah_cost >= fast_statistics.sah_cost * 0.999_99,
                "mesh {i} {quality:?} {} {}",
                statistics.sah_cost,
                fast_statistics.sah_cost
            );
            assert!(statistics.sah_cost <= fast_statistics.sah_cost * 1.2, "{statistics:?}");
            let unfolded = compact.in_layout(TreeLayout::Fast, mesh);
            assert_eq!(unfolded.validate(mesh), Ok(()), "mesh {i}, {quality:?}");
            assert_eq!(unfolded.lines().len(), fast.lines().len());
            let folded = unfolded.in_layout(TreeLayout::Compact, mesh);
            assert!(
                folded.visits().eq(compact.visits()),
                "mesh {i}, {quality:?}: boxes grow again"
            );
        }
    }
}

#[test]
fn a_refitted_compact_tree_is_the_refitted_fast_one() {
    for mesh in [meshes::terrain(60, 60, 1), meshes::with_broken_triangles(&meshes::tetrahedron())]
    {
        for quality in [Quality::Fast, Quality::Balanced] {
            let mut fast = Bvh8::from_bvh2(&binary(&mesh, quality), &mesh);
            let mut compact = compact(&mesh, quality);
            let lift = |&[x, y, z]: &[f32; 3]| {
                [x, y + x * z.min(1.0), z].map(|x| if x.is_finite() { x } else { 0.0 })
            };
            let positions: Vec<_> = mesh.positions().iter().map(lift).collect();
            let moved = mesh.clone().with_positions(positions).expect("as many");
            assert_eq!(compact.refit(&moved), fast.refit(&moved), "{quality:?}");
            assert_eq!(compact.validate(&moved), Ok(()));
            assert!(compact == fast.in_layout(TreeLayout::Compact, &moved), "{quality:?}");
        }
    }
}

#[test]
fn a_compact_tree_takes_triangles_in() {
    let mut mesh = meshes::terrain(20, 20, 1);
    let mut tree = compact(&mesh, Quality::Balanced);
    for height in [1.0, 2.0, 3.0] {
        let first = mesh.positions().len() as u32;
        let corners = [[0.0, height, 0.0], [1.0, height, 0.0], [0.0, height, 1.0]];
        let added =
            mesh.add_triangles(&corners, &[[first, first + 1, first + 2]]).expect("three corners");
        let prims: Vec<u32> = added.collect();
        assert_eq!(tree.graft(&mesh, &prims), Ok(Structure::Changed));
        assert_eq!((tree.layout(), tree.validate(&mesh)), (TreeLayout::Compact, Ok(())));
    }
}

#[test]
fn compact_trees_are_saved_and_read() {
    for mesh in samples() {
        let tree = compact(&mesh, Quality::High);
        let mut bytes = Vec::new();
        baked::write(&mut bytes, &mesh, &tree).expect("memory takes all");
        let (mesh, read) = baked::from_bytes(&bytes).expect("it is right");
        assert_eq!((read.layout(), read.validate(&mesh)), (TreeLayout::Compact, Ok(())));
        assert_eq!(read.statistics().bytes(), tree.statistics().bytes());
        let mut again = Vec::new();
        baked::write(&mut again, &mesh, &read).expect("memory takes all");
        assert!(bytes == again);
    }
}

/// A file over a sphere whose numbers are changed, and what it is told.
fn told(change: impl FnOnce(&mut [u8])) -> String {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    let mut bytes = Vec::new();
    baked::write(&mut bytes, &mesh, &compact(&mesh, Quality::Balanced)).expect("memory takes all");
    change(&mut bytes);
    baked::reseal(&mut bytes);
    baked::from_bytes(&bytes).map_or_else(|error| error.to_string(), |_| "nothing".into())
}

#[test]
fn no_forged_compact_tree_is_read() {
    const FIRST_NODE: usize = 256 + 64;
    let set = |bytes: &mut [u8], place: usize, number: u32| {
        bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
    };
    // The way down by first children.
    let first_leaf = |bytes: &[u8]| {
        let mut place = FIRST_NODE;
        loop {
            let child = u32::from_le_bytes(bytes[place..place + 4].try_into().unwrap());
            place = 256 + 64 * (child as usize % (1 << 30));
            if child >> 31 == 1 {
                return place;
            }
        }
    };
    assert_eq!(told(|_| ()), "nothing");
    for (what, fault) in [
        (told(|bytes| set(bytes, FIRST_NODE, 1)), "children do not lie side by side"),
        (told(|bytes| set(bytes, FIRST_NODE + 32, 9)), "a node has no children, or too many"),
        (told(|bytes| set(bytes, 256, 1)), "the first leaf is not empty"),
        (told(|bytes| set(bytes, 12, 0)), "wrong number of nodes or leaves"),
        (told(|bytes| set(bytes, 12, 2)), "an unknown layout"),
        // A vertex and a triangle that are not there.
        (
            told(|bytes| set(bytes, first_leaf(bytes) + 4, 642)),
            "a leaf has a triangle that is not there",
        ),
        (
            told(|bytes| set(bytes, first_leaf(bytes) + 48, 1280)),
            "a leaf has a triangle that is not there",
        ),
    ] {
        assert!(what.ends_with(fault), "{what}, not {fault}");
    }
}
