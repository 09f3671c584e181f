//! Any bytes as a baked tree: an error, or a tree that every ray comes through.

#![no_main]

#[path = "../../hitscan/tests/it/everything.rs"]
mod everything;

use std::sync::Arc;

use hitscan::{Bvh, Level, Quality, SharedBytes, TreeLayout, baked};
use hitscan_fuzz::answers::tree;
use hitscan_fuzz::{Bytes, Scene};
use libfuzzer_sys::fuzz_target;

/// Room for a tree of all triangles that a scene may have.
#[repr(align(64))]
struct Aligned([u8; 1 << 15]);

impl AsRef<[u8]> for Aligned {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes::new(bytes);
    let scene = Scene::of(&mut bytes, |bytes| f32::from(bytes.byte() as i8));
    let quality = Quality::ALL[bytes.up_to(2)];
    let layout = TreeLayout::ALL[bytes.up_to(1)];
    let mut file = Vec::new();
    let tree = tree(&scene.triangles, quality).in_layout(layout);
    tree.write_to(&mut file).expect("memory takes all");
    let right = file.clone();
    // What is left are changes: a place, and what is put there.
    for _ in 0..bytes.up_to(31) {
        let words = file.len() / 4;
        let place = bytes.word() as usize % words * 4;
        let word = match bytes.up_to(3) {
            // Bits that flip, a word from elsewhere, a number near to what was there, any number.
            0 => u32::from_le_bytes(word_of(&file, place)) ^ 1 << bytes.up_to(31),
            1 => u32::from_le_bytes(word_of(&file, bytes.word() as usize % words * 4)),
            2 => u32::from_le_bytes(word_of(&file, place)).wrapping_add(bytes.byte() as i8 as u32),
            _ => bytes.word(),
        };
        file[place..][..4].copy_from_slice(&word.to_le_bytes());
    }
    let cut = bytes.up_to(255);
    if cut > 200 {
        file.truncate(file.len() - (cut - 200));
    }
    let read = Bvh::from_bytes(&file);
    assert_eq!(read.is_ok(), file == right, "checksums see every change: {:?}", read.err());
    view(&file, &scene);
    baked::reseal(&mut file);
    view(&file, &scene);
    if let Ok(bvh) = Bvh::read_from(&file[..]) {
        ask(&bvh, &scene);
    }
});

fn word_of(file: &[u8], place: usize) -> [u8; 4] {
    file[place..][..4].try_into().expect("four bytes")
}

/// Walks the tree where it is, if it is let in.
fn view(file: &[u8], scene: &Scene) {
    let mut aligned = Aligned([0; 1 << 15]);
    aligned.0[..file.len()].copy_from_slice(file);
    let bytes: SharedBytes = Arc::new(aligned);
    if let Ok(bvh) = Bvh::view(&bytes, ..file.len()) {
        ask(&bvh, scene);
    }
}

fn ask(bvh: &Bvh, scene: &Scene) {
    for level in Level::available() {
        everything::ask_everything(&bvh.clone().with_level(level), &scene.rays);
    }
    everything::change_everything(bvh);
    let _ = bvh.validate();
}
