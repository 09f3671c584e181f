//! A sample of many fragments, from which a split is chosen nearly as well as from all.

use super::fragment::Fragment;

/// How many fragments a sample has, at least.
const SIZE: usize = 4096;

/// Some fragments, spread evenly, or nothing if there are too few for a sample to be worth it.
pub(super) fn sample(fragments: &[Fragment]) -> Option<Vec<Fragment>> {
    let stride = fragments.len() / SIZE;
    (stride >= 2).then(|| {
        // One from each chunk, at a place that looks random: meshes come in rows.
        let place = |chunk: usize| u64::from((chunk as u32).wrapping_mul(0x9E37_79B9));
        let chunks = fragments.chunks_exact(stride).enumerate();
        let one = |(index, chunk): (usize, &[Fragment])| {
            chunk[((place(index) * stride as u64) >> 32) as usize]
        };
        chunks.map(one).collect()
    })
}
