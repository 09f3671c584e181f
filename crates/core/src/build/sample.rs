//! A sample of many fragments, from which a split is chosen nearly as well as from all.

use super::fragment::Fragment;
use crate::memory::prefetch_item;

/// How many fragments a sample has, at least.
const SIZE: usize = 4096;

/// Some fragments, spread evenly, or nothing if there are too few for a sample to be worth it.
pub(super) fn sample(fragments: &[Fragment]) -> Option<Vec<Fragment>> {
    let stride = fragments.len() / SIZE;
    if stride < 2 {
        return None;
    }
    // One from each chunk, at a place that looks random: meshes come in rows.
    let within = |chunk: usize| u64::from((chunk as u32).wrapping_mul(0x9E37_79B9));
    let place = |chunk: usize| chunk * stride + ((within(chunk) * stride as u64) >> 32) as usize;
    let count = fragments.len() / stride;
    let mut sample = Vec::with_capacity(count);
    for chunk in 0..count {
        prefetch_item(fragments, place(chunk + 16).min(fragments.len() - 1));
        sample.push(fragments[place(chunk)]);
    }
    Some(sample)
}
