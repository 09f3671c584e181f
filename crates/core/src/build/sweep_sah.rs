//! Top-down building by the surface area heuristic over every possible split.
//!
//! `MacDonald` and Booth, "Heuristics for ray tracing using space subdivision", 1990; presorted
//! as in Wald, Boulos and Shirley, "Ray tracing deformable scenes using dynamic bounding volume
//! hierarchies", 2007.
//!
//! ```text
//! sort the triangles by their centres, once for each axis
//! build(three orders of the same triangles):
//!     for each axis, for each place in its order: cost = area·count left + area·count right
//!     mark the triangles left of the cheapest place; split each order, keeping it sorted
//!     build(left), build(right)
//! ```

use super::fragment::{Fragment, Growing, PARALLEL_FROM, Target, fill_tree, must_halve};
use crate::bvh2::Bvh2;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

pub(super) fn build(fragments: &[Fragment]) -> Bvh2 {
    let count = fragments.len();
    fill_tree(count, |target| {
        let mut orders = [0, 1, 2].map(|axis| {
            let mut order: Vec<u32> = (0..count as u32).collect();
            order.par_sort_unstable_by(|&a, &b| {
                let center = |i: u32| fragments[i as usize].center()[axis];
                center(a).total_cmp(&center(b)).then(a.cmp(&b))
            });
            order
        });
        let sides: Vec<AtomicBool> = (0..count).map(|_| AtomicBool::new(false)).collect();
        let all = All { fragments, is_left: &sides };
        let mut costs = vec![0.0; count];
        let mut spare = vec![0; count];
        let orders = orders.each_mut().map(Vec::as_mut_slice);
        all.split(Work { orders, costs: &mut costs, spare: &mut spare }, target, 1);
    })
}

struct All<'a> {
    fragments: &'a [Fragment],
    /// Whether a fragment goes left in the split under way. Each thread touches its own
    /// fragments only; atomics say so to the compiler, at no cost.
    is_left: &'a [AtomicBool],
}

/// The part of the three orders, and of the scratch memory, that belongs to one subtree.
struct Work<'a> {
    orders: [&'a mut [u32]; 3],
    costs: &'a mut [f64],
    spare: &'a mut [u32],
}

impl<'a> Work<'a> {
    fn split_at(self, at: usize) -> (Self, Self) {
        let [x, y, z] = self.orders.map(|order| order.split_at_mut(at));
        let (left_costs, right_costs) = self.costs.split_at_mut(at);
        let (left_spare, right_spare) = self.spare.split_at_mut(at);
        (
            Work { orders: [x.0, y.0, z.0], costs: left_costs, spare: left_spare },
            Work { orders: [x.1, y.1, z.1], costs: right_costs, spare: right_spare },
        )
    }
}

impl All<'_> {
    fn split(&self, mut work: Work<'_>, target: Target<'_>, depth: usize) {
        let count = work.orders[0].len();
        if count == 1 {
            return target.leaf(self.fragments[work.orders[0][0] as usize]);
        }
        let (axis, left_count, bounds) = self.cheapest_split(&mut work, depth);
        for (place, &i) in work.orders[axis].iter().enumerate() {
            self.is_left[i as usize].store(place < left_count, Ordering::Relaxed);
        }
        for other in (0..3).filter(|&other| other != axis) {
            self.partition_stably(work.orders[other], work.spare);
        }
        let (left_target, right_target) = target.inner(bounds.bounds(), left_count);
        let (left, right) = work.split_at(left_count);
        if left_count.min(count - left_count) >= PARALLEL_FROM {
            rayon::join(
                || self.split(left, left_target, depth + 1),
                || self.split(right, right_target, depth + 1),
            );
        } else {
            self.split(left, left_target, depth + 1);
            self.split(right, right_target, depth + 1);
        }
    }

    /// The axis, how many go left, and the box around everything.
    fn cheapest_split(&self, work: &mut Work<'_>, depth: usize) -> (usize, usize, Growing) {
        let count = work.costs.len();
        let mut cheapest = (f64::INFINITY, 0, count / 2);
        let mut bounds = Growing::EMPTY;
        for (axis, order) in work.orders.iter().enumerate() {
            let mut right = Growing::EMPTY;
            for place in (1..count).rev() {
                right.add(self.fragments[order[place] as usize]);
                work.costs[place] = right.half_area() * (count - place) as f64;
            }
            let mut left = Growing::EMPTY;
            for place in 1..count {
                left.add(self.fragments[order[place - 1] as usize]);
                let cost = left.half_area() * place as f64 + work.costs[place];
                // Of equal splits the most even one: identical triangles are halved.
                let even = |place: usize| place.abs_diff(count / 2);
                if cost < cheapest.0 || cost == cheapest.0 && even(place) < even(cheapest.2) {
                    cheapest = (cost, axis, place);
                }
            }
            bounds = left.union(right);
            bounds.add(self.fragments[order[0] as usize]);
        }
        let (_, axis, left_count) = cheapest;
        if must_halve(count, depth) {
            (axis, count / 2, bounds)
        } else {
            (axis, left_count, bounds)
        }
    }

    fn partition_stably(&self, order: &mut [u32], spare: &mut [u32]) {
        let (mut left, mut right) = (0, 0);
        for place in 0..order.len() {
            let i = order[place];
            if self.is_left[i as usize].load(Ordering::Relaxed) {
                order[left] = i;
                left += 1;
            } else {
                spare[right] = i;
                right += 1;
            }
        }
        order[left..].copy_from_slice(&spare[..right]);
    }
}
