//! The pass over a tree on many threads.

use std::collections::HashMap;

use rayon::prelude::*;

use super::marks::Which;
use super::pass::{Change, Pass, Sum, block_mut};
use crate::bvh8::{ChildRef, Node8};
use crate::memory::Line;

/// So many subtrees are tasks of their own, or up to eight times as many.
const TASKS: usize = 128;

impl<W: Which> Pass<'_, W> {
    /// Makes a node and everything below it anew, many subtrees at once.
    ///
    /// From the top, nodes are opened until there are enough. Each of the others is a task, which
    /// has the lines from the first one below its node on, up to where those of the next task
    /// begin. That is enough where what is below a node lies in one piece, as in trees built here
    /// from a few levels on; a task that finds itself without some lines gives up, and its node is
    /// opened. What it has done by then is only done again.
    pub(super) fn in_parallel(&self, lines: &mut [Line], root: ChildRef) -> Option<Change> {
        let mut opened = Vec::new();
        let mut open = vec![root];
        let mut changes = HashMap::new();
        while !open.is_empty() {
            let mut tasks = Vec::new();
            while tasks.len() < TASKS && !open.is_empty() {
                tasks.clear();
                for place in std::mem::take(&mut open) {
                    let node: Node8 = *block_mut(lines, place.line())?;
                    for lane in node.lanes() {
                        let child = node.children[lane];
                        if child.is_leaf() {
                            changes.insert(child, self.leaf(lines, child.line())?);
                        } else {
                            tasks.push(Task::new(child, *block_mut(lines, child.line())?)?);
                        }
                    }
                    opened.push((place, node));
                }
                if tasks.len() < TASKS {
                    open.extend(tasks.iter().map(|task| task.place));
                }
            }
            tasks.sort_unstable_by_key(|task| task.start);
            let mut rest = &mut *lines;
            let mut rest_start = 0;
            let mut slices = Vec::with_capacity(tasks.len());
            for i in 0..tasks.len() {
                let start = tasks[i].start;
                let end = tasks.get(i + 1).map_or(rest_start + rest.len(), |next| next.start);
                let (_, after) = rest.split_at_mut_checked(start - rest_start)?;
                let (own, after) = after.split_at_mut_checked(end - start)?;
                slices.push(own);
                (rest, rest_start) = (after, end);
            }
            tasks.par_iter_mut().zip(slices).for_each(|(task, slice)| {
                task.change = self.below(&mut task.node, slice, task.start);
            });
            open.clear();
            for task in tasks {
                if let Some(change) = task.change {
                    changes.insert(task.place, change);
                    *block_mut(lines, task.place.line())? = task.node;
                } else {
                    open.push(task.place);
                }
            }
        }
        while let Some((place, mut node)) = opened.pop() {
            let mut sum = Sum::default();
            for lane in node.lanes() {
                let change = *changes.get(&node.children[lane])?;
                sum.add::<W>(&mut node, lane, change);
            }
            changes.insert(place, sum.of(&node));
            *block_mut(lines, place.line())? = node;
        }
        changes.remove(&root)
    }
}

/// A node below which everything is to be made anew.
struct Task {
    place: ChildRef,
    node: Node8,
    /// The first line below it.
    start: usize,
    change: Option<Change>,
}

impl Task {
    fn new(place: ChildRef, node: Node8) -> Option<Self> {
        let start = node.lanes().map(|lane| node.children[lane].line()).min()?;
        Some(Self { place, node, start, change: None })
    }
}
