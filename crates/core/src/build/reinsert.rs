//! An optimiser: takes subtrees out of a binary tree and puts them where they cost least.
//!
//! Meister and Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", 2018.
//!
//! ```text
//! a few times, with more subtrees each time, those with the largest boxes:
//!     for each, in parallel: find the place where it saves most area
//!     move them, the one that saves most first, unless the tree around has changed
//! ```
//!
//! Subtrees that fit one leaf are moved as a whole: with single triangles the area of inner nodes
//! falls further, but the leaves of the wide tree grow: 2 % more to visit on a building than before.

mod links;

use fearless_simd::Simd;
use rayon::prelude::*;

use super::{BuildStage, Meter, Steps};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use crate::simd::with_simd;
use links::{Links, Move};

/// How often. Sixteen rounds: no better. Two: under 1 % worse. With fewer subtrees each time instead
/// of more, it takes as long for the same, and much longer to find out that nothing is gained.
const ROUNDS: usize = 4;

/// A round that gains less, of the area of all inner nodes, is the last one. Scans and buildings gain
/// 7e-4 and more in the first one, terrains of a regular grid 1e-5.
const LEAST_GAIN: f64 = 1e-4;

/// Gives a tree over the same leaves that costs less, or the same tree.
pub(super) fn reinsert(bvh2: Bvh2, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let Some(mut links) = Links::of(&bvh2) else { return Ok(bvh2) };
    let all = (1..=ROUNDS).map(|fraction| links.root() as usize / fraction).sum();
    let steps = meter.stage(BuildStage::Moves, all)?;
    let area = inner_area(&bvh2);
    let least = LEAST_GAIN * area;
    let mut gains = 0.0;
    for fraction in (1..=ROUNDS).rev() {
        let gain = with_simd!(simd => improve(simd, &mut links, fraction, &steps)?);
        gains += gain;
        if gain < least {
            break;
        }
    }
    steps.finish();
    if gains < least {
        return Ok(bvh2);
    }
    let moved = links.into_tree(&bvh2);
    let better = inner_area(&moved) < area && moved.depth() <= Bvh2::MAX_DEPTH;
    Ok(if better { moved } else { bvh2 })
}

/// Moves what it pays to move of the largest `1 / fraction` of all subtrees; gives how much area
/// that saves.
fn improve(
    simd: impl Simd,
    links: &mut Links,
    fraction: usize,
    steps: &Steps<'_>,
) -> Result<f64, Cancelled> {
    /// For so many subtrees places are looked for without a break.
    const CHUNK: usize = 256;
    let mut nodes: Vec<u32> = (0..links.root()).collect();
    let count = nodes.len() / fraction;
    if count < nodes.len() {
        let mut areas: Vec<f32> = nodes.iter().map(|&node| links.area(node)).collect();
        let (_, &mut least, _) = areas.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
        // In the order of the tree, where one search fetches what the next one needs.
        nodes.retain(|&node| links.area(node) >= least);
    }
    let best_moves = |chunk: &[u32]| -> Result<Vec<Move>, Cancelled> {
        steps.part(chunk.len(), || {
            simd.vectorize(
                #[inline(always)]
                || {
                    // As an iterator's `filter_map` the search was a call out of this level.
                    let (mut open, mut moves) = (Vec::with_capacity(64), Vec::new());
                    for &node in chunk {
                        moves.extend(links.best_move(simd, node, &mut open));
                    }
                    moves
                },
            )
        })
    };
    let moves: Result<Vec<Vec<Move>>, Cancelled> =
        nodes.par_chunks(CHUNK).map(best_moves).collect();
    let mut moves = moves?.concat();
    moves.par_sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
    let mut changed = vec![false; links.root() as usize + 1];
    let mut gain = 0.0;
    for step in moves {
        let around = links.around(step);
        if around.iter().any(|&node| changed[node as usize]) || links.is_below(step.to, step.node) {
            continue;
        }
        for node in around {
            changed[node as usize] = true;
        }
        links.apply(simd, step);
        gain += f64::from(step.gain);
    }
    Ok(links.unscaled(gain))
}

/// The area of all inner nodes: what a random ray meets.
fn inner_area(bvh2: &Bvh2) -> f64 {
    let inner = bvh2.nodes.iter().filter(|node| matches!(node.kind, Kind2::Inner { .. }));
    inner.map(|node| node.bounds.half_area()).sum()
}
