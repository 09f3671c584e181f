//! Ear cutting for polygons of very many corners.
//!
//! Whoever goes round and round looking for ears takes quadratic time where only the ends of a
//! long strip are ears. Here a corner is looked at again only when something near it changed:
//!
//! ```text
//! each convex corner waits in a queue
//! the first: if a reflex corner lies in its triangle, it waits for that one instead
//! else the triangle is cut off, and the corner's two neighbours go into the queue
//! a reflex corner that is cut off or becomes convex: all that wait for it go into the queue
//! ```
//!
//! Reflex corners are found through a grid (Held, "FIST: Fast Industrial-Strength Triangulation of
//! Polygons", 2001), row by row, so that needles look into few cells.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::doubled_area;

/// No corner.
const NONE: u32 = u32::MAX;

/// What a corner is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Convex,
    Reflex,
    /// Cut off, or left out because it is on the line between its neighbours.
    Gone,
}

/// Cuts a polygon that runs counter-clockwise; writes three places in it for each ear. `false` if
/// no ear is left before all is cut, as it may be where the polygon crosses itself.
pub(super) fn cut(plane: &[[f64; 2]], ears: &mut Vec<u32>) -> bool {
    ears.clear();
    let mut ring = Ring::new(plane);
    let grid = Grid::new(&ring);
    while let Some(corner) = ring.queue.pop_front() {
        ring.is_queued[corner as usize] = false;
        if ring.kinds[corner as usize] != Kind::Convex || ring.count < 3 {
            continue;
        }
        let ear = ring.ear(corner);
        if ring.count > 3
            && let Some(blocker) = grid.first_in(&ring, ear)
        {
            ring.wait(corner, blocker);
            continue;
        }
        ears.extend(ear);
        ring.remove(corner);
    }
    ring.count < 3
}

/// What is left of a polygon.
struct Ring<'a> {
    plane: &'a [[f64; 2]],
    previous: Vec<u32>,
    next: Vec<u32>,
    kinds: Vec<Kind>,
    /// How many corners are left.
    count: usize,
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    /// For each corner the last entry of those in `waiting` that wait for it.
    last_waiting: Vec<u32>,
    /// A corner that waits, and the entry before.
    waiting: Vec<[u32; 2]>,
    /// Corners to be looked at.
    changed: Vec<u32>,
}

impl<'a> Ring<'a> {
    fn new(plane: &'a [[f64; 2]]) -> Self {
        let count = plane.len() as u32;
        let mut ring = Self {
            plane,
            previous: (0..count).map(|i| if i == 0 { count - 1 } else { i - 1 }).collect(),
            next: (0..count).map(|i| if i + 1 == count { 0 } else { i + 1 }).collect(),
            kinds: vec![Kind::Reflex; plane.len()],
            count: plane.len(),
            queue: VecDeque::with_capacity(plane.len()),
            is_queued: vec![false; plane.len()],
            last_waiting: vec![NONE; plane.len()],
            waiting: Vec::new(),
            changed: Vec::new(),
        };
        for corner in 0..count {
            ring.look_at(corner);
        }
        ring
    }

    /// A corner between its neighbours.
    fn ear(&self, corner: u32) -> [u32; 3] {
        [self.previous[corner as usize], corner, self.next[corner as usize]]
    }

    fn at(&self, corners: [u32; 3]) -> [[f64; 2]; 3] {
        corners.map(|corner| self.plane[corner as usize])
    }

    /// Finds out anew what a corner is, and queues it if it may be an ear.
    fn look_at(&mut self, corner: u32) {
        self.changed.push(corner);
        while let Some(corner) = self.changed.pop() {
            if self.kinds[corner as usize] == Kind::Gone || self.count < 3 {
                continue;
            }
            let area = doubled_area(self.at(self.ear(corner)));
            if area == 0.0 {
                let [before, _, after] = self.ear(corner);
                self.unlink(corner);
                self.changed.extend([after, before]);
                continue;
            }
            let kind = if area > 0.0 { Kind::Convex } else { Kind::Reflex };
            let was = std::mem::replace(&mut self.kinds[corner as usize], kind);
            if was == Kind::Reflex && kind == Kind::Convex {
                self.wake(corner);
            }
            self.queue_if_convex(corner);
        }
    }

    fn queue_if_convex(&mut self, corner: u32) {
        let place = corner as usize;
        if self.kinds[place] == Kind::Convex && !self.is_queued[place] {
            self.is_queued[place] = true;
            self.queue.push_back(corner);
        }
    }

    /// Cuts a corner off.
    fn remove(&mut self, corner: u32) {
        let [before, _, after] = self.ear(corner);
        self.unlink(corner);
        self.look_at(before);
        self.look_at(after);
    }

    fn unlink(&mut self, corner: u32) {
        let [before, _, after] = self.ear(corner);
        self.next[before as usize] = after;
        self.previous[after as usize] = before;
        self.kinds[corner as usize] = Kind::Gone;
        self.count -= 1;
        self.wake(corner);
    }

    /// Lets a corner wait until another one is no longer reflex.
    fn wait(&mut self, corner: u32, blocker: u32) {
        let last = &mut self.last_waiting[blocker as usize];
        self.waiting.push([corner, *last]);
        *last = self.waiting.len() as u32 - 1;
    }

    fn wake(&mut self, blocker: u32) {
        let mut entry = std::mem::replace(&mut self.last_waiting[blocker as usize], NONE);
        while let Some(&[corner, before]) = self.waiting.get(entry as usize) {
            self.queue_if_convex(corner);
            entry = before;
        }
    }

    /// Whether a reflex corner keeps an ear from being cut off: it lies in it, its edges included.
    fn blocks(&self, corner: u32, ear: [u32; 3]) -> bool {
        if self.kinds[corner as usize] != Kind::Reflex || ear.contains(&corner) {
            return false;
        }
        let ([a, b, c], p) = (self.at(ear), self.plane[corner as usize]);
        if p == b {
            // The polygon touches itself there: what leaves into the ear leaves through its base.
            let [before, _, after] = self.at(self.ear(corner));
            let is_between =
                |q: [f64; 2]| doubled_area([a, b, q]) > 0.0 && doubled_area([b, c, q]) > 0.0;
            return is_between(before) || is_between(after);
        }
        p != a
            && p != c
            && [[a, b, p], [b, c, p], [c, a, p]].into_iter().all(|part| doubled_area(part) >= 0.0)
    }
}

/// The corners, by cells of a grid over the polygon. Nearly all that are reflex are so from the
/// beginning, but one may become so when a spike is left out.
struct Grid {
    low: [f64; 2],
    /// Cells for each unit of length.
    scale: [f64; 2],
    /// Cells on a side.
    side: usize,
    /// Where each cell's corners begin.
    starts: Vec<u32>,
    corners: Vec<u32>,
}

impl Grid {
    const MOST: usize = 1024;

    fn new(ring: &Ring<'_>) -> Self {
        let left = || (0..ring.plane.len()).filter(|&i| ring.kinds[i] != Kind::Gone);
        let side = (ring.count as f64).sqrt().ceil().clamp(1.0, Self::MOST as f64);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in ring.plane {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let scale = [0, 1].map(|axis| side / (high[axis] - low[axis]).max(f64::MIN_POSITIVE));
        let side = side as usize;
        let mut grid = Self { low, scale, side, starts: vec![0; side * side + 1], corners: vec![] };
        let cell = |grid: &Self, i: usize| {
            let [column, row] = [0, 1].map(|axis| grid.cell(axis, ring.plane[i][axis]));
            row * side + column
        };
        for i in left() {
            let cell = cell(&grid, i);
            grid.starts[cell + 1] += 1;
        }
        for cell in 0..side * side {
            grid.starts[cell + 1] += grid.starts[cell];
        }
        grid.corners = vec![0; grid.starts[side * side] as usize];
        let mut ends = grid.starts.clone();
        for i in left() {
            let end = &mut ends[cell(&grid, i)];
            grid.corners[*end as usize] = i as u32;
            *end += 1;
        }
        grid
    }

    /// The cell of a coordinate along an axis.
    fn cell(&self, axis: usize, x: f64) -> usize {
        (((x - self.low[axis]) * self.scale[axis]) as usize).min(self.side - 1)
    }

    /// The first reflex corner found that keeps an ear from being cut off.
    fn first_in(&self, ring: &Ring<'_>, ear: [u32; 3]) -> Option<u32> {
        let triangle = ring.at(ear);
        let mut rows = self.cells(1, triangle.map(|[_, y]| y));
        rows.find_map(|row| {
            let columns = self.columns(triangle, row);
            let first = self.starts[row * self.side + columns.start()] as usize;
            let last = self.starts[row * self.side + columns.end() + 1] as usize;
            let corners = &self.corners[first..last];
            corners.iter().copied().find(|&corner| ring.blocks(corner, ear))
        })
    }

    /// The cells that some coordinates span.
    fn cells(&self, axis: usize, xs: [f64; 3]) -> RangeInclusive<usize> {
        let least = xs.into_iter().fold(f64::INFINITY, f64::min);
        let greatest = xs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        self.cell(axis, least)..=self.cell(axis, greatest)
    }

    /// The cells of a row that a triangle may meet: one more on either side, for rounding.
    fn columns(&self, triangle: [[f64; 2]; 3], row: usize) -> RangeInclusive<usize> {
        // The row and half of each of its neighbours.
        let [bottom, top] = [-0.5, 1.5].map(|i| self.low[1] + (row as f64 + i) / self.scale[1]);
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..3 {
            let ([x, y], [to_x, to_y]) = (triangle[i], triangle[(i + 1) % 3]);
            let at = |height: f64| x + (to_x - x) * ((height - y) / (to_y - y)).clamp(0.0, 1.0);
            if y.max(to_y) < bottom || y.min(to_y) > top {
                continue;
            }
            let ends = if y == to_y { [x, to_x] } else { [at(bottom), at(top)] };
            least = least.min(ends[0]).min(ends[1]);
            greatest = greatest.max(ends[0]).max(ends[1]);
        }
        let first = self.cell(0, least).saturating_sub(1);
        let last = (self.cell(0, greatest) + 1).min(self.side - 1);
        first.min(last)..=last
    }
}
