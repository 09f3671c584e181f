//! Refitting: the same tree after vertices have moved.
//!
//! ```text
//! below(node): for each child that may have changed
//!     leaf: pack its triangles anew; its box is the box around them
//!     node: below(it); its box is the box around its children's boxes
//! ```
//!
//! Leaves are packed by [`Leaf4::of`], as a build packs them, so that the same mesh gives the same
//! bits. Where the tree has a triangle in parts, [`super::whole`] has made it whole before.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Bvh8, ChildRef, Leaf4, Node8, TooDeep, TreeLayout};
use crate::Aabb;
use crate::memory::Line;
use crate::mesh::TriangleMesh;

/// From this many lines on, a tree is refitted in parallel.
const PARALLEL_FROM: usize = 16_384;

/// So many subtrees are tasks of their own, or up to eight times as many.
const TASKS: usize = 128;

/// Whether a tree has still the same blocks in the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Structure {
    /// Only boxes and triangles have moved.
    Kept,
    /// Triangles were taken in: what was known of places is no longer true.
    Changed,
}

impl Bvh8 {
    /// Makes all leaves and boxes anew after vertices of the mesh have moved, on the rayon pool
    /// that the caller is in. The tree is the same whatever the number of threads.
    ///
    /// A triangle that is there in parts becomes whole: it stays in one leaf, where that costs
    /// least. Collapsed triangles leave the tree, and those that could not be hit before and now
    /// can are taken in by [`Bvh8::graft`]. The corners of all triangles in the tree must be finite.
    ///
    /// A tree in [`TreeLayout::Compact`] is unfolded into the other layout for the time of it.
    ///
    /// # Errors
    /// [`TooDeep`] if triangles must be taken in and cannot: the tree is to be built anew.
    pub fn refit(&mut self, mesh: &TriangleMesh) -> Result<Structure, TooDeep> {
        if self.layout == TreeLayout::Compact {
            return self.change_as_fast(mesh, |tree| tree.refit(mesh));
        }
        self.make_whole(mesh);
        let change = self.pass(mesh, &All);
        self.statistics.triangles = change.triangles as usize;
        self.statistics.references = change.triangles as usize;
        self.set_bounds(change.bounds, change.areas);
        let absent = self.absent(mesh);
        let structure = self.graft(mesh, &absent)?;
        debug_assert_eq!(self.validate(mesh), Ok(()));
        Ok(structure)
    }

    /// Remakes what is marked; the rest of the tree must fit the mesh already.
    pub(super) fn refit_marked(&mut self, mesh: &TriangleMesh, marks: &Marks) {
        let areas = self.areas() - self.bounds.half_area();
        let change = self.pass(mesh, marks);
        let triangles = self.statistics.triangles as isize + change.triangles;
        self.statistics.triangles = triangles as usize;
        self.statistics.references = triangles as usize;
        self.set_bounds(change.bounds, areas + change.areas);
    }

    fn pass<W: Which>(&mut self, mesh: &TriangleMesh, which: &W) -> Change {
        let root = self.root;
        let pass = Pass { mesh, which };
        let lines = self.lines_mut();
        let change = if root.is_leaf() {
            pass.leaf(lines, root.line())
        } else if W::IN_PART || lines.len() < PARALLEL_FROM {
            pass.node(lines, root.line(), 0)
        } else {
            pass.in_parallel(lines, root)
        };
        change.expect("every reference leads to a block")
    }

    /// The areas of all boxes together, the root's included.
    pub(super) fn areas(&self) -> f64 {
        self.statistics.sah_cost * self.bounds.half_area()
    }

    /// Takes the box around everything and the areas of all boxes within it together.
    pub(super) fn set_bounds(&mut self, bounds: Aabb, areas_below: f64) {
        self.bounds = if bounds.is_empty() { Aabb::EMPTY } else { bounds };
        self.reach = super::reach(self.bounds);
        let area = self.bounds.half_area();
        // Without an area, a tree costs what its root does.
        self.statistics.sah_cost = if area > 0.0 { 1.0 + areas_below / area } else { 1.0 };
    }
}

/// Which blocks are made anew.
trait Which: Sync {
    /// Whether changes are told by difference to what was before, instead of in all.
    const IN_PART: bool;

    fn is_marked(&self, child: ChildRef) -> bool;
}

struct All;

impl Which for All {
    const IN_PART: bool = false;

    #[inline(always)]
    fn is_marked(&self, _: ChildRef) -> bool {
        true
    }
}

/// Blocks by their first lines.
#[derive(Debug)]
pub(super) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    /// No marks yet, for a tree of so many lines.
    pub(super) fn new(lines: usize) -> Self {
        Self { words: vec![0; lines.div_ceil(64)] }
    }

    /// Marks a block; false if it is marked already.
    pub(super) fn add(&mut self, line: usize) -> bool {
        let (word, bit) = (&mut self.words[line / 64], 1 << (line % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Which for Marks {
    const IN_PART: bool = true;

    #[inline(always)]
    fn is_marked(&self, child: ChildRef) -> bool {
        let line = child.line();
        self.words[line / 64] >> (line % 64) & 1 != 0
    }
}

/// What a subtree is like now.
#[derive(Clone, Copy, Debug)]
struct Change {
    /// The box around it.
    bounds: Aabb,
    /// The areas of the boxes below its own: the sum, or how it has changed.
    areas: f64,
    /// The triangles in it: how many, or how many more than before.
    triangles: isize,
}

struct Pass<'a, W> {
    mesh: &'a TriangleMesh,
    which: &'a W,
}

impl<W: Which> Pass<'_, W> {
    /// Makes a leaf anew.
    #[inline]
    fn leaf(&self, lines: &mut [Line], line: usize) -> Option<Change> {
        let leaf: &mut Leaf4 = block_mut(lines, line)?;
        let mut before = 0;
        let mut kept = 0;
        let mut prims = [Leaf4::NO_PRIM; Leaf4::LANES];
        for prim in leaf.prims() {
            before += 1;
            if !self.mesh.is_collapsed(prim) {
                prims[kept] = prim;
                kept += 1;
            }
        }
        let bounds = leaf.pack(&prims[..kept], self.mesh);
        let triangles = kept as isize - if W::IN_PART { before } else { 0 };
        Some(Change { bounds, areas: 0.0, triangles })
    }

    /// Makes a node and everything below it anew; `lines` hold all that and begin at line `base`
    /// of the tree. `None` if they do not hold it.
    fn node(&self, lines: &mut [Line], line: usize, base: usize) -> Option<Change> {
        let mut node: Node8 = *block_mut(lines, line.checked_sub(base)?)?;
        let change = self.below(&mut node, lines, base)?;
        *block_mut(lines, line - base)? = node;
        Some(change)
    }

    /// Makes everything below a node anew, and its boxes.
    fn below(&self, node: &mut Node8, lines: &mut [Line], base: usize) -> Option<Change> {
        let mut sum = Sum::default();
        for lane in node.lanes() {
            let child = node.children[lane];
            let change = if !self.which.is_marked(child) {
                continue;
            } else if child.is_leaf() {
                self.leaf(lines, child.line().checked_sub(base)?)?
            } else {
                self.node(lines, child.line(), base)?
            };
            sum.add::<W>(node, lane, change);
        }
        Some(sum.of(node))
    }

    /// Makes a node and everything below it anew, many subtrees at once.
    ///
    /// From the top, nodes are opened until there are enough. Each of the others is a task, which
    /// has the lines from the first one below its node on, up to where those of the next task
    /// begin. That is enough where what is below a node lies in one piece, as in trees built here
    /// from a few levels on; a task that finds itself without some lines gives up, and its node is
    /// opened. What it has done by then is only done again.
    fn in_parallel(&self, lines: &mut [Line], root: ChildRef) -> Option<Change> {
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

/// The changes of a node's children.
#[derive(Default)]
struct Sum {
    areas: f64,
    triangles: isize,
}

impl Sum {
    /// Takes the change of a child, and gives it its box.
    #[inline(always)]
    fn add<W: Which>(&mut self, node: &mut Node8, lane: usize, change: Change) {
        self.areas += change.areas + change.bounds.half_area();
        if W::IN_PART {
            self.areas -= node.child_bounds(lane).half_area();
        }
        self.triangles += change.triangles;
        node.set_child_bounds(lane, change.bounds);
    }

    fn of(self, node: &Node8) -> Change {
        Change { bounds: node.bounds(), areas: self.areas, triangles: self.triangles }
    }
}

/// The block that begins at a line, if there are enough lines.
#[inline(always)]
pub(super) fn block_mut<Block: bytemuck::Pod>(
    lines: &mut [Line],
    first: usize,
) -> Option<&mut Block> {
    let lines = lines.get_mut(first..)?.get_mut(..size_of::<Block>() / size_of::<Line>())?;
    bytemuck::cast_slice_mut(lines).first_mut()
}
