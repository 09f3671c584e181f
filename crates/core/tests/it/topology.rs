//! How triangles hang together, on meshes where it is known.

use hitscan_core::TriangleMesh;
use hitscan_core::mesh::{Edge, Topology, Weld};
use hitscan_testkit::meshes;

fn mesh(positions: &[[f32; 3]], indices: &[[u32; 3]]) -> TriangleMesh {
    TriangleMesh::new(positions.to_vec(), indices.to_vec()).expect("indices in range")
}

/// The mesh with its triangles changed.
fn with_triangles(mesh: &TriangleMesh, change: impl FnOnce(&mut Vec<[u32; 3]>)) -> TriangleMesh {
    let mut indices = mesh.indices().to_vec();
    change(&mut indices);
    TriangleMesh::new(mesh.positions().to_vec(), indices).expect("indices in range")
}

/// A strip of `2 · length` triangles around, which a half turn makes one-sided.
fn strip(length: u32, turned: bool) -> TriangleMesh {
    let positions: Vec<[f32; 3]> = (0..length)
        .flat_map(|i| {
            let around = std::f32::consts::TAU * i as f32 / length as f32;
            let half = if turned { around / 2.0 } else { 0.0 };
            [-0.25_f32, 0.25].map(|side| {
                let radius = 1.0 + side * half.cos();
                [radius * around.cos(), radius * around.sin(), side * half.sin()]
            })
        })
        .collect();
    let indices = (0..length).flat_map(|i| {
        let (p, q) = (2 * i, 2 * i + 1);
        let (r, s) = match (i + 1 == length, turned) {
            (true, true) => (1, 0),
            (true, false) => (0, 1),
            (false, _) => (p + 2, q + 2),
        };
        [[p, r, q], [q, r, s]]
    });
    mesh(&positions, &indices.collect::<Vec<_>>())
}

#[test]
fn closed_meshes_have_no_open_edge() {
    for (name, mesh) in [
        ("tetrahedron", meshes::tetrahedron()),
        ("sphere", meshes::icosphere(1.0, [0.0; 3], 3)),
        ("torus", meshes::torus(1.0, 0.25, 24, 12)),
        ("slivers", meshes::slivers(50)),
    ] {
        for (weld, mesh) in [
            (Weld::Indices, mesh.clone()),
            (Weld::Positions, mesh.clone()),
            (Weld::Positions, meshes::unshared(&mesh)),
        ] {
            let topology = Topology::of(&mesh, weld);
            assert_eq!(topology.edges, mesh.triangle_count() * 3 / 2, "{name}");
            assert_eq!(topology.pieces, 1, "{name}");
            assert!(topology.is_closed() && meshes::is_closed(&mesh), "{name}");
            assert_eq!(topology.open, [], "{name}");
            assert_eq!(topology.non_manifold, [], "{name}");
            assert_eq!(topology.inconsistent, [], "{name}");
            assert_eq!(topology.flipped, [0_u32; 0], "{name}");
            assert_eq!(topology.one_sided, 0, "{name}");
        }
    }
}

#[test]
fn a_soup_without_welding_is_all_open() {
    let soup = meshes::unshared(&meshes::icosphere(1.0, [0.0; 3], 2));
    let topology = Topology::of(&soup, Weld::Indices);
    assert_eq!(topology.open.len(), 3 * soup.triangle_count());
    assert_eq!(topology.pieces, soup.triangle_count());
}

#[test]
fn zeros_of_both_signs_are_one_place() {
    let plus = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let minus = [[1.0, 0.0, 0.0], [-0.0, 0.0, -0.0], [0.0, -1.0, 0.0]];
    let soup = TriangleMesh::from_soup(&[plus, minus]).expect("a small soup");
    assert_eq!(Topology::of(&soup, Weld::Positions).open.len(), 4);
}

#[test]
fn a_missing_triangle_opens_three_edges() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 2);
    let lost = sphere.triangle(100);
    let holed = with_triangles(&sphere, |triangles| {
        triangles.remove(100);
    });
    let topology = Topology::of(&holed, Weld::Positions);
    assert_eq!((topology.open.len(), topology.boundaries), (3, 1));
    assert!(!topology.is_closed());
    for edge in &topology.open {
        let [from, to] = edge.ends(&holed);
        assert!(lost.contains(&from) && lost.contains(&to), "{edge:?}");
    }
    assert!(topology.open.is_sorted());
}

#[test]
fn a_flipped_triangle_is_found_by_its_three_edges() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 2);
    let flipped = with_triangles(&sphere, |triangles| triangles[77].swap(0, 1));
    let topology = Topology::of(&flipped, Weld::Positions);
    assert_eq!(topology.inconsistent.len(), 3);
    assert_eq!(topology.flipped, [77]);
    assert!(topology.is_closed(), "a flipped triangle makes no hole");
    assert_eq!((topology.pieces, topology.one_sided), (1, 0));
}

#[test]
fn the_smaller_part_is_what_is_flipped() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 2);
    let count = sphere.triangle_count() as u32;
    let kept: Vec<u32> = (0..count).filter(|prim| prim % 3 == 0).collect();
    let turned = with_triangles(&sphere, |triangles| {
        (0..count).filter(|prim| prim % 3 != 0).for_each(|i| triangles[i as usize].swap(1, 2));
    });
    assert_eq!(Topology::of(&turned, Weld::Positions).flipped, kept);
    // One of two: the one that the first does not agree with.
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let pair = mesh(&corners, &[[0, 1, 2], [0, 3, 2]]);
    assert_eq!(Topology::of(&pair, Weld::Positions).flipped, [1]);
}

#[test]
fn pieces_are_judged_each_by_itself() {
    let ball = |x| meshes::icosphere(1.0, [x, 0.0, 0.0], 1);
    let turned = with_triangles(&ball(5.0), |triangles| {
        triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
    });
    let topology = Topology::of(&meshes::joined(&[ball(0.0), turned]), Weld::Positions);
    assert_eq!((topology.pieces, topology.inconsistent.len()), (2, 0));
    assert_eq!(topology.flipped, [0_u32; 0]);
}

#[test]
fn a_strip_with_a_half_turn_has_one_side() {
    for length in [5, 6, 17] {
        let plain = Topology::of(&strip(length, false), Weld::Indices);
        assert_eq!((plain.one_sided, plain.inconsistent.len()), (0, 0), "{length}");
        assert_eq!((plain.open.len(), plain.boundaries), (2 * length as usize, 2));
        let turned = Topology::of(&strip(length, true), Weld::Indices);
        assert_eq!((turned.pieces, turned.one_sided), (1, 1), "{length}");
        assert_eq!((turned.open.len(), turned.boundaries), (2 * length as usize, 1), "one rim");
        assert_eq!(turned.inconsistent.len(), 1, "{length}");
        assert_eq!(turned.flipped, [0_u32; 0], "no turning mends it");
    }
}

#[test]
fn an_edge_of_three_triangles_is_not_manifold() {
    let corners =
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]];
    let book = mesh(&corners, &[[0, 1, 2], [1, 0, 3], [4, 1, 0]]);
    let topology = Topology::of(&book, Weld::Positions);
    assert_eq!(topology.non_manifold, [Edge { prim: 0, side: 0 }]);
    assert_eq!(topology.open.len(), 6);
    assert!(!topology.is_closed());
    // With a fourth page the middle is even; the covers are still open.
    let book = with_triangles(&book, |triangles| triangles.push([0, 1, 4]));
    let topology = Topology::of(&book, Weld::Positions);
    assert_eq!(topology.non_manifold.len(), 1);
    assert!(!topology.is_closed());
}

#[test]
fn two_boxes_that_share_an_edge_are_closed() {
    let boxes = meshes::joined(&[
        meshes::cuboid([0.0; 3], [1.0; 3]),
        meshes::cuboid([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
    ]);
    let topology = Topology::of(&boxes, Weld::Positions);
    assert_eq!((topology.non_manifold.len(), topology.open.len()), (1, 0));
    assert!(topology.is_closed());
    assert_eq!(topology.pieces, 2);
}

#[test]
fn broken_triangles_have_no_part_in_the_surface() {
    let sphere = meshes::icosphere(1.0, [0.0; 3], 1);
    let mut positions = sphere.positions().to_vec();
    let touched = sphere.indices().iter().filter(|corners| corners.contains(&0)).count();
    positions[0][1] = f32::NAN;
    let broken = sphere.clone().with_positions(positions).expect("as many positions");
    let topology = Topology::of(&broken, Weld::Positions);
    assert_eq!(topology.open.len(), touched, "the hole around the vertex is open");
    // A triangle with two corners in one place closes nothing and opens nothing.
    let doubled = with_triangles(&sphere, |triangles| triangles.push([3, 3, 4]));
    assert_eq!(Topology::of(&doubled, Weld::Positions), Topology::of(&sphere, Weld::Positions));
    assert_eq!(Topology::of(&TriangleMesh::default(), Weld::Positions), Topology::default());
}
