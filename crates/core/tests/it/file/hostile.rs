//! Bytes that are cut off, changed or made up: an error or a mesh, and never a panic.

use hitscan_core::file::{MeshFormat, ReadOptions, read_bytes};
use hitscan_testkit::files::{self, PlyEncoding};
use hitscan_testkit::{Random, meshes};

const FORMATS: [MeshFormat; 5] =
    [MeshFormat::Stl, MeshFormat::Ply, MeshFormat::Off, MeshFormat::Gltf, MeshFormat::Obj];

fn files() -> Vec<Vec<u8>> {
    let mesh = meshes::tetrahedron();
    vec![
        files::stl_binary(&mesh),
        files::stl_text(&mesh).into_bytes(),
        files::ply(&mesh, PlyEncoding::Text),
        files::ply(&mesh, PlyEncoding::Little),
        files::ply(&mesh, PlyEncoding::Big),
        files::off(&mesh).into_bytes(),
        files::glb(&mesh),
        files::gltf(&mesh).into_bytes(),
    ]
}

/// Reads bytes as what they show and as each format in turn, strictly and not.
fn read_in_every_way(bytes: &[u8]) {
    for format in FORMATS.map(Some).into_iter().chain([None]) {
        for strict in [false, true] {
            let options = ReadOptions { format, strict, ..ReadOptions::default() };
            if let Ok((mesh, report)) = read_bytes(bytes, "hostile", &options) {
                assert_eq!(report.triangles, mesh.triangle_count());
                assert!(mesh.triangle_count() <= bytes.len());
            }
        }
    }
}

#[test]
fn files_cut_off_at_every_byte() {
    for file in files() {
        for length in 0..file.len() {
            read_in_every_way(&file[..length]);
        }
    }
}

#[test]
fn files_with_changed_bytes() {
    let mut random = Random::new(11);
    for file in files() {
        for _ in 0..300 {
            let mut bytes = file.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = match random.below(3) {
                    0 => b"0123456789-.e \n"[random.below(15)],
                    1 => bytes[at] ^ 1 << random.below(8),
                    _ => random.below(256) as u8,
                };
            }
            read_in_every_way(&bytes);
        }
    }
}

#[test]
fn text_files_cut_off_do_not_pass_for_whole_ones() {
    let mesh = meshes::tetrahedron();
    for file in files() {
        // But for the last line end, and for the last digits of the last number or word.
        for length in 1..file.len() - 16 {
            let Ok((read, report)) = read_bytes(&file[..length], "cut", &ReadOptions::default())
            else {
                continue;
            };
            let whole = read.triangle_count() == mesh.triangle_count();
            assert!(!whole || report.warning_count > 0, "{length} of {}", file.len());
        }
    }
}
