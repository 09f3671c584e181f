//! Trees on disk: what is written is read, and nothing else.

mod changed;
mod forged;

use std::io::{self, Write};
use std::sync::Arc;

use hitscan_core::baked::{self, BakedError, BakedFault};
use hitscan_core::memory::{Line, SharedBytes};
use hitscan_core::mesh::{Part, Parts};
use hitscan_core::{Bvh8, Quality, TriangleMesh};
use hitscan_testkit::meshes;

use crate::tree;

/// Bytes that begin at a multiple of 64 in memory, and where they end.
struct Aligned(Vec<Line>, usize);

impl Aligned {
    fn copy_of(bytes: &[u8]) -> SharedBytes {
        let mut lines = vec![Line([0; 16]); bytes.len().div_ceil(64)];
        bytemuck::cast_slice_mut(&mut lines)[..bytes.len()].copy_from_slice(bytes);
        Arc::new(Self(lines, bytes.len()))
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.0)[..self.1]
    }
}

fn baked(mesh: &TriangleMesh, quality: Quality) -> Vec<u8> {
    let mut bytes = Vec::new();
    baked::write(&mut bytes, mesh, &tree(mesh, quality)).expect("memory takes all");
    bytes
}

fn view(bytes: &[u8]) -> Result<(TriangleMesh, Bvh8), BakedError> {
    baked::view(&Aligned::copy_of(bytes), ..)
}

/// A mesh with everything that a file can hold.
fn full_mesh() -> TriangleMesh {
    let mesh = meshes::with_broken_triangles(&meshes::torus(2.0, 0.5, 12, 7));
    let run = |first_prim, object, material| Part { first_prim, object, group: None, material };
    let runs = vec![run(0, Some(0), None), run(9, Some(1), Some(2))];
    let names = ["ring", "the größte\n", ""].map(String::from).to_vec();
    let polygons = (0..mesh.triangle_count() as u32).map(|prim| prim / 2).collect();
    mesh.with_origin([4.5e6, -0.1, 7.0]).with_parts(Parts::new(runs, names, polygons))
}

fn same_mesh(a: &TriangleMesh, b: &TriangleMesh) -> bool {
    let bits = |mesh: &TriangleMesh| -> Vec<u32> {
        mesh.positions().as_flattened().iter().map(|x| x.to_bits()).collect()
    };
    bits(a) == bits(b)
        && a.indices() == b.indices()
        && a.origin() == b.origin()
        && a.parts() == b.parts()
}

fn fault<T>(result: Result<T, BakedError>) -> BakedFault {
    match result {
        Ok(_) => panic!("this should not open"),
        Err(error) => error.fault,
    }
}

#[test]
fn what_is_written_is_read() {
    let copies = meshes::copies(9);
    let one = TriangleMesh::from_soup(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]).unwrap();
    let beams = meshes::beams(300, 5);
    for mesh in [full_mesh(), TriangleMesh::default(), one, copies, beams] {
        for quality in Quality::ALL {
            let built = tree(&mesh, quality);
            let bytes = baked(&mesh, quality);
            assert!(baked::is_baked(&bytes));
            let followed = [&bytes[..], b"what comes after it"].concat();
            let mut stream = &followed[..];
            let opened = [
                baked::from_bytes(&bytes).unwrap(),
                baked::read(&mut stream).unwrap(),
                view(&bytes).unwrap(),
            ];
            assert_eq!(stream, b"what comes after it");
            for (read_mesh, read) in opened {
                assert!(same_mesh(&read_mesh, &mesh));
                assert_eq!(read_mesh.content_hash(), mesh.content_hash());
                assert_eq!(read.validate(&read_mesh), Ok(()));
                assert_eq!(read.statistics(), built.statistics());
                assert_eq!((read.bounds(), read.reach()), (built.bounds(), built.reach()));
                assert_eq!(read.lines().len(), built.lines().len());
                let mut again = Vec::new();
                baked::write(&mut again, &read_mesh, &read).unwrap();
                assert!(again == bytes, "equal trees make equal files");
            }
        }
    }
}

#[test]
fn a_view_begins_anywhere_on_a_line() {
    let mesh = full_mesh();
    let bytes = baked(&mesh, Quality::High);
    let pack = Aligned::copy_of(&[&[7; 128], &bytes[..], &[9; 50]].concat());
    let (first, end) = (128, 128 + bytes.len());
    assert!(same_mesh(&baked::view(&pack, first..end).unwrap().0, &mesh));
    assert!(matches!(fault(baked::view(&pack, first..)), BakedFault::Length { .. }));
    assert!(matches!(fault(baked::view(&pack, end + 999..)), BakedFault::NotBaked));
    let reversed = std::ops::Range { start: 5, end: 2 };
    assert!(matches!(fault(baked::view(&pack, reversed)), BakedFault::NotBaked));
    let shifted = Aligned::copy_of(&[&[0; 4], &bytes[..]].concat());
    assert!(matches!(fault(baked::view(&shifted, 4..)), BakedFault::Misaligned));
}

#[test]
fn a_file_is_whole_or_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.hscan");
    let names = || std::fs::read_dir(folder.path()).unwrap().count();
    let mesh = full_mesh();
    let built = tree(&mesh, Quality::Fast);
    baked::save(&path, &mesh, &built).unwrap();
    let first = std::fs::read(&path).unwrap();
    let other = meshes::tetrahedron();
    baked::save(&path, &other, &tree(&other, Quality::Fast)).unwrap();
    assert!(same_mesh(&baked::load(&path).unwrap().0, &other), "a file is replaced");
    assert_eq!(names(), 1);
    std::fs::write(&path, first).unwrap();
    assert!(same_mesh(&baked::load(&path).unwrap().0, &mesh));

    let folders = [folder.path().to_owned(), folder.path().join("not there/mesh.hscan")];
    for path in folders {
        let error = baked::save(&path, &mesh, &built).unwrap_err();
        assert!(matches!(error.fault, BakedFault::Io(_)));
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    }
    assert_eq!(names(), 1);
}

#[test]
fn a_writer_that_is_full_is_an_error() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mesh = full_mesh();
    let built = tree(&mesh, Quality::Fast);
    for room in [0, 100, 256, 300, baked(&mesh, Quality::Fast).len() - 1] {
        let fault = fault(baked::write(Full(room), &mesh, &built));
        assert!(matches!(fault, BakedFault::Io(_)), "{fault}");
    }
}

#[test]
fn a_file_that_was_cut_short_is_refused_at_every_length() {
    let bytes = baked(&full_mesh(), Quality::High);
    for len in 0..bytes.len() {
        let short = &bytes[..len];
        for fault in
            [fault(baked::from_bytes(short)), fault(baked::read(short)), fault(view(short))]
        {
            match fault {
                BakedFault::NotBaked => assert!(len < 8),
                BakedFault::Length { found, expected } => {
                    assert_eq!(found, len as u64);
                    assert!(expected == bytes.len() as u64 || len < 256 && expected == 256);
                }
                fault => panic!("{len} bytes: {fault}"),
            }
        }
    }
    let longer = [&bytes[..], b"!"].concat();
    for fault in [fault(baked::from_bytes(&longer)), fault(view(&longer))] {
        assert!(matches!(fault, BakedFault::Length { .. }));
    }
}

#[test]
fn every_flip_is_noticed_by_those_who_read_all() {
    let mut bytes = baked(&full_mesh(), Quality::High);
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            bytes[place] ^= flip;
            match fault(baked::from_bytes(&bytes)) {
                BakedFault::NotBaked => assert!(place < 8),
                BakedFault::Version { .. } => assert!((8..12).contains(&place)),
                BakedFault::Damaged { .. } => {}
                fault => panic!("byte {place}: {fault}"),
            }
            bytes[place] ^= flip;
        }
    }
}

#[test]
fn another_version_is_told_from_damage() {
    let versions = [
        (2, "an earlier version of hitscan: its format is 2", ""),
        (4, "a later version of hitscan: its format is 4", ", or update hitscan"),
    ];
    for (version, whose, what_else) in versions {
        let mut bytes = baked(&full_mesh(), Quality::Fast);
        bytes[8] = version;
        // Whatever another version has behind its number.
        bytes[100..].fill(0x5a);
        for fault in [fault(baked::from_bytes(&bytes)), fault(view(&bytes))] {
            assert!(matches!(fault, BakedFault::Version { found } if found == u32::from(version)));
            assert_eq!(
                fault.to_string(),
                format!(
                    "this tree was baked by {whose}, and this version reads format 3; bake the \
                     mesh again{what_else}"
                )
            );
        }
    }
    assert!(matches!(fault(baked::from_bytes(b"o cube\nv 0 0 0\n")), BakedFault::NotBaked));
}

#[test]
fn a_tree_of_another_mesh_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.hscan");
    let mesh = full_mesh();
    baked::save(&path, &mesh, &tree(&mesh, Quality::Balanced)).unwrap();
    let renamed = mesh.clone().with_parts(Parts::default());
    assert_eq!(baked::load_for(&path, &renamed).unwrap().validate(&renamed), Ok(()));

    let mut positions = mesh.positions().to_vec();
    positions[5][1] = positions[5][1].next_up();
    let mut indices = mesh.indices().to_vec();
    indices[3].rotate_left(1);
    let moved = TriangleMesh::new(positions, mesh.indices().to_vec()).unwrap();
    let turned = TriangleMesh::new(mesh.positions().to_vec(), indices).unwrap();
    let origin = mesh.origin();
    for other in [moved.with_origin(origin), turned.with_origin(origin), mesh.with_origin([0.0; 3])]
    {
        let error = baked::load_for(&path, &other).unwrap_err();
        assert!(matches!(error.fault, BakedFault::Stale));
        let told = format!("{}: the tree was baked of another mesh; bake it again", path.display());
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn a_shared_mesh_is_copied_when_it_changes() {
    let bytes = Aligned::copy_of(&baked(&full_mesh(), Quality::Fast));
    let (mesh, tree) = baked::view(&bytes, ..).unwrap();
    let copy = mesh.clone();
    let moved = mesh.with_positions(vec![[0.0; 3]; copy.positions().len()]).unwrap();
    assert!(same_mesh(&copy, &full_mesh()));
    assert_eq!(moved.indices(), copy.indices());
    drop(bytes);
    assert_eq!(tree.validate(&copy), Ok(()), "a tree keeps its bytes");
}

#[test]
fn a_mapped_file_is_walked_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.hscan");
    let mesh = full_mesh();
    baked::save(&path, &mesh, &tree(&mesh, Quality::High)).unwrap();
    let file: SharedBytes = Arc::new(hitscan_core::memory::MappedFile::open(&path).unwrap());
    let (mapped, mapped_tree) = baked::view(&file, ..).unwrap();
    // The old bytes stay for those who have them.
    let other = meshes::tetrahedron();
    baked::save(&path, &other, &tree(&other, Quality::Fast)).unwrap();
    assert!(same_mesh(&mapped, &mesh));
    assert_eq!(mapped_tree.validate(&mapped), Ok(()));
}
