//! An optimiser: takes subtrees out of a binary tree and puts them where they cost least.
//!
//! Meister and Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", 2018.
//!
//! ```text
//! a few times, with fewer subtrees each time, those with the largest boxes:
//!     for each, in parallel: find the place where it saves most area
//!     move them, the one that saves most first, unless the tree around has changed
//! ```
//!
//! Subtrees that fit one leaf are moved as a whole: with single triangles the area of inner nodes
//! falls further, but the leaves of the wide tree grow: 2 % more to visit on a building than before.

mod links;

use rayon::prelude::*;

use super::{BuildStage, Meter, Steps};
use crate::bvh2::{Bvh2, Kind2};
use crate::cancel::Cancelled;
use links::{Links, Move};

/// How often. Sixteen rounds: no better. Two: under 1 % worse.
const ROUNDS: usize = 4;

/// Gives a tree over the same leaves that costs less, or the same tree.
pub(super) fn reinsert(bvh2: Bvh2, meter: Meter<'_>) -> Result<Bvh2, Cancelled> {
    let mut links = Links::of(&bvh2);
    let all = (1..=ROUNDS).map(|round| links.len() / round).sum();
    let steps = meter.stage(BuildStage::Moves, all)?;
    for round in 1..=ROUNDS {
        if improve(&mut links, round, &steps)? == 0 {
            break;
        }
    }
    steps.finish();
    let moved = links.into_tree(&bvh2);
    let better = inner_area(&moved) < inner_area(&bvh2) && moved.depth() <= Bvh2::MAX_DEPTH;
    Ok(if better { moved } else { bvh2 })
}

/// Moves what it pays to move of the largest `1 / fraction` of all subtrees; gives how many moved.
fn improve(links: &mut Links, fraction: usize, steps: &Steps<'_>) -> Result<usize, Cancelled> {
    /// For so many subtrees places are looked for without a break.
    const CHUNK: usize = 256;
    let mut order: Vec<(f64, u32)> =
        (0..links.len() as u32).into_par_iter().map(|node| (links.area(node), node)).collect();
    let count = order.len() / fraction;
    if count < order.len() {
        order.select_nth_unstable_by(count, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        order.truncate(count);
    }
    let best_moves = |chunk: &[(f64, u32)]| -> Result<Vec<Move>, Cancelled> {
        let best_move = |&(_, node): &(f64, u32)| links.best_move(node);
        steps.part(chunk.len(), || chunk.iter().filter_map(best_move).collect())
    };
    let moves: Result<Vec<Vec<Move>>, Cancelled> =
        order.par_chunks(CHUNK).map(best_moves).collect();
    let mut moves = moves?.concat();
    moves.par_sort_unstable_by(|a, b| b.gain.total_cmp(&a.gain).then(a.node.cmp(&b.node)));
    let mut changed = vec![false; links.len()];
    let mut moved = 0;
    for step in moves {
        let around = links.around(step);
        if around.iter().any(|&node| changed[node as usize]) || links.is_below(step.to, step.node) {
            continue;
        }
        for node in around {
            changed[node as usize] = true;
        }
        links.apply(step);
        moved += 1;
    }
    Ok(moved)
}

/// The area of all inner nodes: what a random ray meets.
fn inner_area(bvh2: &Bvh2) -> f64 {
    let inner = bvh2.nodes.iter().filter(|node| matches!(node.kind, Kind2::Inner { .. }));
    inner.map(|node| node.bounds.half_area()).sum()
}
