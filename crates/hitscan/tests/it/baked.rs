//! Trees on disk answer as those that were saved; changed ones answer something, and come to an end.

use std::sync::Arc;

use hitscan::baked::BakedFault;
use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Coherence, Level, Quality, Ray, SharedBytes, TreeLayout, baked};
use hitscan_testkit::{Random, meshes, rays};

use crate::everything::{ask_everything, change_everything};
use crate::failures::Failures;
use crate::same_bits::Answers;
use crate::workload::workloads;

#[repr(align(64))]
#[derive(Clone)]
struct Aligned([u8; 1 << 14]);

impl Aligned {
    fn of(bytes: &[u8]) -> SharedBytes {
        let mut aligned = Self([0; 1 << 14]);
        aligned.0[..bytes.len()].copy_from_slice(bytes);
        Arc::new(aligned)
    }
}

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fn baked(bvh: &Bvh) -> Vec<u8> {
    let mut bytes = Vec::new();
    bvh.write_to(&mut bytes).expect("memory takes all");
    bytes
}

#[test]
fn opened_trees_answer_bit_for_bit() {
    let mut failures = Failures::default();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mesh.hscan");
    for workload in workloads(8) {
        let compact = BuildOptions { layout: TreeLayout::Compact, ..BuildOptions::default() };
        for options in Quality::ALL.map(BuildOptions::from).into_iter().chain([compact]) {
            let built = Bvh::build(workload.mesh.clone(), &options);
            built.save(&path).expect("a file in a temporary folder");
            let bytes = std::fs::read(&path).expect("it was saved");
            assert!(bytes == baked(&built));
            let opened = [
                ("load", Bvh::load(&path)),
                ("load_for", Bvh::load_for(&path, built.mesh().clone())),
                ("open", Bvh::open(&path)),
                ("read_from", Bvh::read_from(&bytes[..])),
                ("from_bytes", Bvh::from_bytes(&bytes)),
            ];
            let single = Answers::one_by_one(&built, &workload.rays);
            for (how, opened) in opened {
                let opened = opened.unwrap_or_else(|error| panic!("{how}: {error}"));
                let alone = Answers::one_by_one(&opened, &workload.rays);
                let crowd =
                    Answers::batched(&opened, &workload.rays, usize::MAX, Coherence::Incoherent);
                for answers in [alone, crowd] {
                    let difference = single.first_difference(&answers, &workload.rays);
                    failures.check(difference.is_none(), || {
                        let difference = difference.as_deref().unwrap_or_default();
                        format!("{}, {options:?}, {how}: {difference}", workload.name)
                    });
                }
            }
        }
    }
    failures.finish();
}

/// A small tree with some of everything in it, and rays for it.
fn small(layout: TreeLayout) -> (Vec<u8>, Vec<Ray>) {
    let mesh = meshes::joined(&[meshes::torus(2.0, 0.5, 7, 4), meshes::beams(30, 3)]);
    let rays = [
        rays::towards_box(mesh.bounds(), 12, 1),
        rays::exactly_through_vertices(&mesh, 3, 2),
        rays::axis_aligned(&mesh, 3, 3),
    ];
    let options = BuildOptions { quality: Quality::High, layout };
    (baked(&Bvh::build(mesh, &options)), rays.concat())
}

#[test]
fn flipped_bits_in_a_view_end_in_an_error_or_an_answer() {
    TreeLayout::ALL.into_iter().for_each(flip_bits);
}

fn flip_bits(layout: TreeLayout) {
    let (mut bytes, rays) = small(layout);
    let (mut opened, mut refused, mut told_apart) = (0, 0, [0; 2]);
    for place in 0..bytes.len() {
        for flip in [1, 0x80, 0xff] {
            bytes[place] ^= flip;
            match Bvh::view(&Aligned::of(&bytes), ..bytes.len()) {
                Ok(bvh) => {
                    opened += 1;
                    ask_everything(&bvh, &rays);
                    if flip == 0x80 {
                        told_apart[usize::from(change_everything(&bvh))] += 1;
                    }
                }
                Err(error) => {
                    refused += 1;
                    assert!(!matches!(error.fault, BakedFault::Io(_)), "byte {place}: {error}");
                }
            }
            bytes[place] ^= flip;
        }
    }
    assert!(opened > 1000 && refused > 256 * 3, "{layout:?}: {opened} opened, {refused} refused");
    // Whose leaves name what cannot be is opened, and not changed.
    assert!(told_apart[0] > 30 && told_apart[1] > 1000, "{layout:?}: {told_apart:?}");
}

#[test]
fn changed_numbers_under_checksums_that_fit_end_in_an_error_or_an_answer() {
    TreeLayout::ALL.into_iter().for_each(change_numbers);
}

fn change_numbers(layout: TreeLayout) {
    let (right, rays) = small(layout);
    let numbers = [0, 1, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7f7f_ffff, u32::MAX, 1 << 31];
    let mut random = Random::new(4);
    let (mut opened, mut changed) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = right.clone();
        for _ in 0..=random.below(20) {
            let place = 32 + 4 * random.below((bytes.len() - 32) / 4);
            let number = match random.below(3) {
                0 => numbers[random.below(numbers.len())],
                1 => random.below(1 << 32) as u32,
                _ => {
                    let other = 4 * random.below(bytes.len() / 4);
                    u32::from_le_bytes(bytes[other..][..4].try_into().expect("four bytes"))
                }
            };
            bytes[place..][..4].copy_from_slice(&number.to_le_bytes());
        }
        baked::reseal(&mut bytes);
        let read = Bvh::from_bytes(&bytes);
        let viewed = Bvh::view(&Aligned::of(&bytes), ..bytes.len());
        assert!(viewed.is_ok() || read.is_err(), "who reads more refuses more");
        for bvh in viewed.iter().chain(&read) {
            changed += usize::from(change_everything(bvh));
        }
        if let Ok(bvh) = viewed {
            opened += 1;
            for level in [Level::scalar(), Level::detect()] {
                ask_everything(&bvh.clone().with_level(level), &rays);
            }
            let _ = bvh.validate();
        }
    }
    assert!(opened > 100 && changed > 20, "{layout:?}: {opened} opened, {changed} changed");
}

#[test]
fn validation_sees_what_a_view_does_not_read() {
    TreeLayout::ALL.into_iter().for_each(validate_changed);
}

fn validate_changed(layout: TreeLayout) {
    let (right, _) = small(layout);
    let view = |bytes: &[u8]| Bvh::view(&Aligned::of(bytes), ..bytes.len());
    assert_eq!(view(&right).map(|bvh| bvh.validate()).expect("it is right"), Ok(()));
    let blocks = u64::from_le_bytes(right[112..120].try_into().expect("eight bytes")) as usize;
    let nodes = right[80] as usize;
    // A box of the root made smaller, a corner in the first leaf moved, a vertex moved. In the
    // compact layout: the root's own box, another vertex, and boxes that a vertex leaves.
    let places = match layout {
        TreeLayout::Fast => [256 + 192 + 32, 256 + 192 + 256 * nodes, 256 + blocks],
        TreeLayout::Compact => [256 + 64 + 36, 256 + 64 + 128 * nodes, 256 + blocks],
    };
    for place in places {
        let mut bytes = right.clone();
        bytes[place + 3] ^= 0x01;
        let bvh = view(&bytes).expect("the structure is right");
        assert!(bvh.validate().is_err(), "byte {place}");
        assert!(matches!(
            Bvh::from_bytes(&bytes).map_err(|error| error.fault),
            Err(BakedFault::Damaged { .. })
        ));
    }
}

#[test]
fn opened_trees_may_go_to_other_threads_and_outlive_their_bytes() {
    let (bytes, rays) = small(TreeLayout::Compact);
    let shared = Aligned::of(&bytes);
    let bvh = Bvh::view(&shared, ..bytes.len()).expect("it is right");
    drop(shared);
    let twin = bvh.clone();
    let hits = std::thread::spawn(move || twin.closest_hits(&rays)).join().expect("no panic");
    assert_eq!(hits, bvh.closest_hits(&small(TreeLayout::Compact).1));
    assert!(hits.iter().flatten().count() > 0);
}
