//! The pass over a tree on many threads.

use fearless_simd::Simd;
use rayon::prelude::*;

use super::boxes::{NO_BOX, Rows, areas, set_boxes};
use super::marks::Which;
use super::pass::{Change, Pass, Room, block, block_mut};
use crate::bvh8::{ChildRef, Node8};
use crate::memory::Line;
use crate::simd::with_simd;

/// At most so many subtrees are wanted as tasks of their own; there may be eight times as many.
const TASKS: usize = 128;

/// From so many lines a task on, more tasks cost more than they gain.
const LINES_A_TASK: usize = 2048;

/// So many times nodes are opened whose tasks gave up.
const ROUNDS: usize = 3;

impl<W: Which> Pass<'_, W> {
    /// Makes a node and everything below it anew, many subtrees at once.
    ///
    /// From the top, nodes are opened until there are enough. Each of the others is a task, which
    /// has the lines from the first one below its node on, up to where those of the next task
    /// begin. That is enough where what is below a node lies in one piece, as in trees built here
    /// from a few levels on; a task that finds itself without some lines gives up before it has
    /// changed any, and its node is opened. What still gives up then is done one after the other.
    pub(super) fn in_parallel(&self, lines: &mut [Line], root: ChildRef) -> Option<Change> {
        let wanted = (lines.len() / LINES_A_TASK).min(TASKS);
        let mut tops = vec![Top::new(root, lines)?];
        let mut unopened = vec![0];
        for _ in 0..ROUNDS {
            if unopened.is_empty() {
                break;
            }
            unopened = open(&mut tops, &unopened, lines)?;
            while !unopened.is_empty() && unopened.len() < wanted {
                unopened = open(&mut tops, &unopened, lines)?;
            }
            unopened = self.run(&mut tops, unopened, lines)?;
        }
        let mut room = Room::default();
        for index in unopened {
            let top = &mut tops[index];
            top.change = Some(self.below(&mut top.node, lines, 0, &mut room)?);
        }
        self.join(tops, lines)
    }

    /// Makes what is below some nodes anew, all at once; gives those whose tasks gave up.
    fn run(
        &self,
        tops: &mut [Top],
        mut indices: Vec<usize>,
        lines: &mut [Line],
    ) -> Option<Vec<usize>> {
        indices.sort_unstable_by_key(|&index| tops[index].start);
        let mut tasks = Vec::with_capacity(indices.len());
        let (mut rest, mut rest_start) = (lines, 0);
        for (i, &index) in indices.iter().enumerate() {
            let Top { start, node, .. } = tops[index];
            let end = indices.get(i + 1).map_or(rest_start + rest.len(), |&next| tops[next].start);
            let (_, after) = rest.split_at_mut_checked(start - rest_start)?;
            let (own, after) = after.split_at_mut_checked(end - start)?;
            tasks.push((node, own, start));
            (rest, rest_start) = (after, end);
        }
        let done = tasks.into_par_iter().map_init(Room::default, |room, (mut node, own, start)| {
            let change = self.below(&mut node, own, start, room);
            (node, change)
        });
        let done: Vec<_> = done.collect();
        for (&index, (node, change)) in indices.iter().zip(done) {
            (tops[index].node, tops[index].change) = (node, change);
        }
        indices.retain(|&index| tops[index].change.is_none());
        Some(indices)
    }

    /// Makes the opened nodes anew, with the boxes of what is below them; puts all into their
    /// places.
    fn join(&self, mut tops: Vec<Top>, lines: &mut [Line]) -> Option<Change> {
        let mut all = Change::NONE;
        for index in (0..tops.len()).rev() {
            let (before, after) = tops.split_at_mut(index + 1);
            let top = &mut before[index];
            if let Some(change) = &mut top.change {
                all.areas += change.areas;
                all.dropped.append(&mut change.dropped);
                top.bounds = change.bounds;
            } else {
                let mut below = after[top.first - index - 1..].iter();
                let mut boxes = [NO_BOX; 8];
                for lane in 0..top.node.child_count as usize {
                    let child = top.node.children[lane];
                    boxes[lane] = if child.is_leaf() {
                        self.pack(block_mut(lines, child.line())?, &mut all.dropped)
                    } else {
                        below.next()?.bounds
                    };
                }
                let sums: [f64; 4];
                (top.bounds, sums) = with_simd!(simd => simd.vectorize(
                    #[inline(always)]
                    || {
                        let bounds = set_boxes(simd, &mut top.node, &boxes);
                        (bounds, *areas(simd, &top.node))
                    },
                ));
                all.areas += sums.iter().sum::<f64>();
            }
            *block_mut(lines, top.place.line())? = top.node;
            all.bounds = top.bounds;
        }
        Some(all)
    }
}

/// Opens nodes; gives the nodes below them.
fn open(tops: &mut Vec<Top>, indices: &[usize], lines: &[Line]) -> Option<Vec<usize>> {
    let first = tops.len();
    for &index in indices {
        tops[index].first = tops.len();
        let Node8 { children, child_count, .. } = tops[index].node;
        for &child in children.iter().take(child_count as usize).filter(|child| !child.is_leaf()) {
            tops.push(Top::new(child, lines)?);
        }
    }
    Some((first..tops.len()).collect())
}

/// A node at the top of the tree.
struct Top {
    place: ChildRef,
    node: Node8,
    /// The first line below it.
    start: usize,
    /// Where its children that are nodes begin, if it was opened.
    first: usize,
    /// What is below it, if that was a task.
    change: Option<Change>,
    /// Its box, when it is made.
    bounds: Rows,
}

impl Top {
    fn new(place: ChildRef, lines: &[Line]) -> Option<Self> {
        let node: Node8 = *block(lines, place.line())?;
        let start = node.lanes().map(|lane| node.children[lane].line()).min()?;
        Some(Self { place, node, start, first: 0, change: None, bounds: NO_BOX })
    }
}
