//! Meshes written in every format and read again: the same triangles, bit for bit.

use hitscan_core::TriangleMesh;
use hitscan_core::file::MeshFormat;
use hitscan_testkit::files::{self, PlyEncoding};
use hitscan_testkit::meshes;

use super::{corners, read};

/// Meshes of all sorts, small enough to be written as text.
fn samples() -> Vec<(&'static str, TriangleMesh)> {
    vec![
        ("a sphere", meshes::icosphere(1.0, [0.0; 3], 3)),
        ("a soup", meshes::soup(200, 0.1, 7)),
        ("slivers", meshes::slivers(50)),
        (
            "far and small",
            meshes::transformed(&meshes::icosphere(1.0, [0.0; 3], 1), 1e-30, [0.0; 3]),
        ),
        ("huge", meshes::transformed(&meshes::icosphere(1.0, [0.0; 3], 1), 1e30, [0.0; 3])),
        ("copies", meshes::copies(5)),
        ("a terrain", meshes::terrain(12, 9, 3)),
    ]
}

/// The bits of all corners, with one zero instead of two.
fn bits(mesh: &TriangleMesh) -> Vec<[[u32; 3]; 3]> {
    corners(mesh).into_iter().map(|t| t.map(|p| p.map(|x| (x + 0.0).to_bits()))).collect()
}

fn assert_same(name: &str, mesh: &TriangleMesh, bytes: &[u8], format: MeshFormat) {
    assert_eq!(MeshFormat::of_bytes(bytes), Some(format), "{name} as {format}");
    let (again, report) = read(bytes);
    assert_eq!(bits(&again), bits(mesh), "{name} as {format}");
    assert_eq!(again.origin(), [0.0; 3], "{name} as {format}");
    assert_eq!(report.triangles, mesh.triangle_count(), "{name} as {format}");
    assert_eq!(report.polygons, mesh.triangle_count(), "{name} as {format}");
}

#[test]
fn every_format_gives_the_same_triangles() {
    for (name, mesh) in samples() {
        assert_same(name, &mesh, &files::stl_binary(&mesh), MeshFormat::Stl);
        assert_same(name, &mesh, files::stl_text(&mesh).as_bytes(), MeshFormat::Stl);
        for encoding in [PlyEncoding::Text, PlyEncoding::Little, PlyEncoding::Big] {
            assert_same(name, &mesh, &files::ply(&mesh, encoding), MeshFormat::Ply);
        }
        assert_same(name, &mesh, files::off(&mesh).as_bytes(), MeshFormat::Off);
        assert_same(name, &mesh, &files::glb(&mesh), MeshFormat::Gltf);
        assert_same(name, &mesh, files::gltf(&mesh).as_bytes(), MeshFormat::Gltf);
    }
}

#[test]
fn formats_with_indices_keep_the_vertices() {
    for (name, mesh) in samples() {
        let little = files::ply(&mesh, PlyEncoding::Little);
        for bytes in [little, files::off(&mesh).into_bytes(), files::glb(&mesh)] {
            let (again, report) = read(bytes);
            assert_eq!(again.indices(), mesh.indices(), "{name}");
            assert_eq!(report.vertices, mesh.positions().len(), "{name}");
        }
    }
}

#[test]
fn stl_gives_back_the_shared_vertices() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 3);
    for bytes in [files::stl_binary(&mesh), files::stl_text(&mesh).into_bytes()] {
        let (again, report) = read(bytes);
        assert_eq!(again.positions().len(), mesh.positions().len());
        assert_eq!(report.vertices, mesh.positions().len());
        assert!(meshes::is_closed(&again));
    }
}
