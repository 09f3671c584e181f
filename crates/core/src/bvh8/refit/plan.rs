//! The tasks of a pass, on many threads.

use fearless_simd::{Fallback, Simd};
use rayon::prelude::*;

use super::boxes::{NO_BOX, Rows, set_boxes};
use super::marks::Which;
use super::pass::{Boxes, Change, List, Pass, block, block_mut};
use crate::bvh8::{ChildRef, Node8, TreeLayout};
use crate::memory::Line;
use crate::simd::with_simd;

/// From this many lines on, a tree is refitted in parallel.
const PARALLEL_FROM: usize = 16_384;

/// At most so many subtrees are wanted as tasks of their own; there may be eight times as many.
const TASKS: usize = 128;

/// From so many lines a task on, more tasks cost more than they gain.
const LINES_A_TASK: usize = 2048;

/// So many times nodes are opened whose tasks gave up.
const ROUNDS: usize = 3;

/// The subtrees that a pass makes anew as tasks, and what is above them; kept, what was found out
/// serves the next pass, too.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The root, and the nodes below those that were opened.
    tops: Vec<Top>,
    /// Tasks that can be done at once, round by round, each in the order of their lines.
    rounds: Vec<Vec<usize>>,
    /// Those that come after that, one after the other.
    rest: Vec<usize>,
}

impl<W: Which> Pass<'_, W> {
    /// Makes everything below a root anew that is a node, and its boxes, many subtrees at once.
    ///
    /// From the top, nodes are opened until there are enough. Each of the others is a task, which
    /// has the lines from the first one below its node on, up to where those of the next task
    /// begin. That is enough where what is below a node lies in one piece, as in trees built here
    /// from a few levels on; a task that finds itself without some lines gives up before it has
    /// changed any, and its node is opened. What still gives up then is done one after the other.
    ///
    /// The plan is that of the last pass over the same tree, or an empty one.
    pub(super) fn in_tasks(
        &self,
        lines: &mut [Line],
        root: ChildRef,
        plan: &mut Plan,
    ) -> Option<Change> {
        if plan.tops.is_empty() {
            self.plan(lines, root, plan)?;
        } else {
            for round in &plan.rounds {
                self.run(&mut plan.tops, round, lines)?;
            }
        }
        let mut boxes = Boxes::new();
        for &index in &plan.rest {
            let Top { node, list, change, .. } = &mut plan.tops[index];
            *change = Some(self.below(node, lines, 0, list, &mut boxes)?);
            if self.keeps && !list.is_gathered() {
                self.gather(list, lines);
            }
        }
        self.join(&mut plan.tops, lines)
    }

    /// Finds the tasks, and does those that can be done at once.
    fn plan(&self, lines: &mut [Line], root: ChildRef, plan: &mut Plan) -> Option<()> {
        let wanted = (lines.len() / LINES_A_TASK).min(TASKS);
        plan.tops.push(Top::new(root, lines)?);
        plan.rest.push(0);
        if W::IN_PART || lines.len() < PARALLEL_FROM {
            return Some(());
        }
        for _ in 0..ROUNDS {
            if plan.rest.is_empty() {
                break;
            }
            let mut tasks = open(&mut plan.tops, &plan.rest, lines)?;
            while !tasks.is_empty() && tasks.len() < wanted {
                tasks = open(&mut plan.tops, &tasks, lines)?;
            }
            tasks.sort_unstable_by_key(|&index| plan.tops[index].start);
            self.run(&mut plan.tops, &tasks, lines)?;
            let is_done = |&index: &usize| plan.tops[index].change.is_some();
            let (done, rest) = tasks.iter().partition(|index| is_done(index));
            plan.rounds.push(done);
            plan.rest = rest;
        }
        Some(())
    }

    /// Makes what is below some nodes anew, all at once.
    fn run(&self, tops: &mut [Top], tasks: &[usize], lines: &mut [Line]) -> Option<()> {
        let mut at_once = Vec::with_capacity(tasks.len());
        let (mut rest, mut rest_start) = (lines, 0);
        for (i, &index) in tasks.iter().enumerate() {
            let end = tasks.get(i + 1).map_or(rest_start + rest.len(), |&next| tops[next].start);
            let Top { start, node, ref mut list, .. } = tops[index];
            let (_, after) = rest.split_at_mut_checked(start - rest_start)?;
            let (own, after) = after.split_at_mut_checked(end - start)?;
            at_once.push((node, std::mem::take(list), own, start));
            (rest, rest_start) = (after, end);
        }
        let done = at_once.into_par_iter().map_init(<(Boxes, List)>::default, |room, task| {
            let (boxes, spare) = room;
            let (mut node, mut kept, own, start): (_, _, &mut [Line], _) = task;
            let list = if self.keeps { &mut kept } else { spare };
            let change = self.below(&mut node, own, start, list, boxes);
            if self.keeps && change.is_some() && !list.is_gathered() {
                self.gather(list, own);
            }
            (node, kept, change)
        });
        let done: Vec<_> = done.collect();
        for (&index, (node, list, change)) in tasks.iter().zip(done) {
            let top = &mut tops[index];
            (top.node, top.list, top.change) = (node, list, change);
        }
        Some(())
    }

    /// Makes the opened nodes anew, with the boxes of what is below them; puts all into their
    /// places.
    fn join(&self, tops: &mut [Top], lines: &mut [Line]) -> Option<Change> {
        let mut all = Change::NONE;
        for index in (0..tops.len()).rev() {
            let (before, after) = tops.split_at_mut(index + 1);
            let top = &mut before[index];
            if let Some(mut change) = top.change.take() {
                all.areas += change.areas;
                all.dropped.append(&mut change.dropped);
                top.bounds = change.bounds;
            } else {
                let mut below = after[top.first - index - 1..].iter();
                let mut boxes = [NO_BOX; 8];
                for (lane, child) in children(&top.node).enumerate() {
                    boxes[lane] = if child.is_leaf() {
                        let line = TreeLayout::Fast.line(child);
                        self.pack(block_mut(lines, line)?, &mut all.dropped)
                    } else {
                        below.next()?.bounds
                    };
                }
                let sums: [f64; 4];
                (top.bounds, sums) = with_simd!(simd => simd.vectorize(
                    #[inline(always)]
                    || {
                        let (bounds, areas) = set_boxes(simd, &mut top.node, &boxes);
                        (bounds, *areas)
                    },
                ));
                all.areas += sums.iter().sum::<f64>();
            }
            *block_mut(lines, TreeLayout::Fast.line(top.place))? = top.node;
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
        let node = tops[index].node;
        for child in children(&node).filter(|child| !child.is_leaf()) {
            tops.push(Top::new(child, lines)?);
        }
    }
    Some((first..tops.len()).collect())
}

/// The children of a node.
fn children(node: &Node8) -> impl Iterator<Item = ChildRef> + use<> {
    let children = node.children(Fallback::new());
    (0..node.child_count()).map(move |lane| children.child(lane))
}

/// A node at the top of the tree.
#[derive(Clone, Debug)]
struct Top {
    place: ChildRef,
    node: Node8,
    /// The first line below it.
    start: usize,
    /// Where its children that are nodes begin, if it was opened.
    first: usize,
    /// What is below it, if it is a task; empty if that is not known.
    list: List,
    /// What that task has found.
    change: Option<Change>,
    /// Its box, when it is made.
    bounds: Rows,
}

impl Top {
    fn new(place: ChildRef, lines: &[Line]) -> Option<Self> {
        let node: Node8 = *block(lines, TreeLayout::Fast.line(place))?;
        let start = TreeLayout::Fast.line(children(&node).next()?);
        let (list, change, bounds) = (List::default(), None, NO_BOX);
        Some(Self { place, node, start, first: 0, list, change, bounds })
    }
}
