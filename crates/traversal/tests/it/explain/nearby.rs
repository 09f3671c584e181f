//! What is wrong with a mesh where a ray hits or just misses.

use hitscan_core::mesh::{Duplicate, Edge};
use hitscan_core::{BuildOptions, Ray, TriangleMesh};
use hitscan_testkit::meshes;
use hitscan_traversal::Bvh;
use hitscan_traversal::explain::NearbyDefect;

/// A floor of 6 · 6 squares from 0 to 6, in two triangles each, with something done to it.
fn floor(change: impl FnOnce(&mut Vec<[f32; 3]>, &mut Vec<[u32; 3]>)) -> Bvh {
    let mut positions: Vec<[f32; 3]> =
        (0..49).map(|i| [(i % 7) as f32, (i / 7) as f32, 0.0]).collect();
    let mut indices = Vec::new();
    for i in (0..42).filter(|i| i % 7 < 6) {
        indices.extend([[i, i + 1, i + 8], [i, i + 8, i + 7]]);
    }
    change(&mut positions, &mut indices);
    let mesh = TriangleMesh::new(positions, indices).expect("indices in range");
    Bvh::build(mesh, &BuildOptions::default())
}

fn nearby(bvh: &Bvh, x: f32, y: f32) -> Vec<NearbyDefect> {
    bvh.explain(&Ray::new([x, y, 1.0], [0.0, 0.0, -1.0])).nearby
}

/// The first triangle of the square in a column and a row.
fn square(column: usize, row: usize) -> usize {
    2 * (6 * row + column)
}

#[test]
fn a_sound_mesh_has_nothing_wrong() {
    assert_eq!(nearby(&floor(|_, _| {}), 2.75, 2.625), []);
    let sphere = Bvh::build(meshes::icosphere(1.0, [0.0; 3], 3), &BuildOptions::default());
    assert_eq!(nearby(&sphere, 0.1, 0.2), []);
}

#[test]
fn a_hole_is_seen_from_beside_and_through() {
    let holed = floor(|_, indices| {
        indices.remove(square(2, 2));
    });
    let through = holed.explain(&Ray::new([2.75, 2.25, 1.0], [0.0, 0.0, -1.0]));
    assert_eq!(through.hit, None);
    let open = through.nearby.iter().filter(|it| matches!(it, NearbyDefect::OpenEdge(_)));
    assert_eq!(open.count(), 3, "{:?}", through.nearby);
    let beside = nearby(&holed, 2.25, 2.75);
    assert!(matches!(beside[..], [NearbyDefect::OpenEdge(_), ..]), "{beside:?}");
    // The rim of the floor is far from the middle, and near to a corner.
    assert_eq!(nearby(&floor(|_, _| {}), 0.25, 0.125).len(), 4);
}

#[test]
fn flipped_and_repeated_triangles_are_told() {
    let prim = square(2, 2);
    let flipped = floor(|_, indices| indices[prim].swap(0, 1));
    let edges = nearby(&flipped, 2.75, 2.25);
    let about_it = |defect: &NearbyDefect| match defect {
        NearbyDefect::InconsistentEdge { edge, other } => {
            [edge.prim, *other].contains(&(prim as u32))
        }
        _ => false,
    };
    assert!(edges.len() == 3 && edges.iter().all(about_it), "{edges:?}");

    let doubled = floor(|_, indices| {
        let [a, b, c] = indices[prim];
        indices.push([c, b, a]);
    });
    let told = nearby(&doubled, 2.75, 2.25);
    let duplicate = Duplicate { prim: 72, of: prim as u32, reversed: true };
    assert!(told.contains(&NearbyDefect::Duplicate(duplicate)), "{told:?}");
    let edge = Edge { prim: prim as u32, side: 2 };
    let shared = NearbyDefect::NonManifoldEdge { edge, triangles: 3 };
    assert!(told.contains(&shared), "{told:?}");
}

#[test]
fn triangles_that_are_never_hit_are_told() {
    let prim = square(2, 2) as u32;
    let flat = floor(|_, indices| indices.push([16, 17, 17]));
    assert_eq!(nearby(&flat, 2.75, 2.25), [NearbyDefect::NoArea(72)]);
    let broken = floor(|positions, indices| {
        positions.push([f32::NAN; 3]);
        indices[prim as usize][0] = 49;
    });
    let told = nearby(&broken, 2.75, 2.25);
    assert!(told.contains(&NearbyDefect::NotFinite(prim)), "{told:?}");
    assert!(told.iter().any(|it| matches!(it, NearbyDefect::OpenEdge(_))), "{told:?}");
}
