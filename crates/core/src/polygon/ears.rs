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
//! the queue is empty: the polygon crosses itself, and any convex corner is cut off
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

/// Cuts a polygon that runs counter-clockwise; writes three places in it for each ear.
pub(super) fn cut(plane: &[[f64; 2]], ears: &mut Vec<u32>) {
    ears.clear();
    let mut ring = Ring::new(plane);
    let mut grid = Grid::new(&ring);
    while ring.count > 2 {
        // Corners that are gone would be looked at again and again.
        if 2 * ring.count < grid.corners.len() {
            grid = Grid::new(&ring);
        }
        let corner = if let Some(corner) = ring.queue.pop_front() {
            ring.is_queued[corner as usize] = false;
            if ring.kinds[corner as usize] != Kind::Convex {
                continue;
            }
            let blocker =
                if ring.count > 3 { grid.first_in(&ring, ring.ear(corner)) } else { None };
            if let Some(blocker) = blocker {
                ring.wait(corner, blocker);
                continue;
            }
            corner
        } else if let Some(corner) = ring.any_convex() {
            corner
        } else {
            return;
        };
        ears.extend(ring.ear(corner));
        ring.remove(corner);
    }
}

/// What is left of a polygon.
struct Ring<'a> {
    plane: &'a [[f64; 2]],
    previous: Vec<u32>,
    next: Vec<u32>,
    kinds: Vec<Kind>,
    /// How many corners are left, and one of them.
    count: usize,
    left: u32,
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
            left: 0,
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
        self.left = before;
        self.wake(corner);
    }

    /// A convex corner, if there is one.
    fn any_convex(&self) -> Option<u32> {
        let next = |&corner: &u32| Some(self.next[corner as usize]);
        let mut ring = std::iter::successors(Some(self.left), next).take(self.count);
        ring.find(|&corner| self.kinds[corner as usize] == Kind::Convex)
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

/// The corners, by cells of a grid over the polygon: as many corners in each row and in each
/// column, so that no cell has many, however the corners crowd. Nearly all that are reflex are so
/// from the beginning, but one may become so when a spike is left out.
struct Grid {
    /// Whether rows run along y, because the polygon's edges do: an ear is then in few of them.
    is_turned: bool,
    /// Where each column and each row begins, but the first ones.
    bounds: [Vec<f64>; 2],
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
        let side = ring.count.isqrt().clamp(1, Self::MOST);
        let bounds = [0, 1].map(|axis| {
            let mut sorted: Vec<f64> = left().map(|i| ring.plane[i][axis]).collect();
            sorted.sort_unstable_by(f64::total_cmp);
            (1..side).map(|i| sorted[i * sorted.len() / side]).collect()
        });
        let starts = vec![0; side * side + 1];
        let mut grid = Self { is_turned: false, bounds, side, starts, corners: vec![] };
        let [columns, rows] = [0, 1].map(|axis| {
            let cell = |i: usize| grid.cell(axis, ring.plane[i][axis]);
            left().map(|i| cell(i).abs_diff(cell(ring.next[i] as usize))).sum::<usize>()
        });
        if columns < rows {
            grid.is_turned = true;
            grid.bounds.reverse();
        }
        let cell = |i: usize| {
            let [x, y] = grid.turned(ring.plane[i]);
            (grid.cell(1, y) * side + grid.cell(0, x)) as u32
        };
        let cells: Vec<(u32, u32)> = left().map(|i| (cell(i), i as u32)).collect();
        for &(cell, _) in &cells {
            grid.starts[cell as usize + 1] += 1;
        }
        for cell in 0..side * side {
            grid.starts[cell + 1] += grid.starts[cell];
        }
        grid.corners = vec![0; cells.len()];
        let mut ends = grid.starts.clone();
        for (cell, i) in cells {
            let end = &mut ends[cell as usize];
            grid.corners[*end as usize] = i;
            *end += 1;
        }
        grid
    }

    /// A point with its place along a row first.
    fn turned(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        if self.is_turned { [y, x] } else { [x, y] }
    }

    /// The column of an x, or the row of a y.
    fn cell(&self, axis: usize, x: f64) -> usize {
        self.bounds[axis].partition_point(|&bound| bound <= x)
    }

    /// The first reflex corner found that keeps an ear from being cut off.
    fn first_in(&self, ring: &Ring<'_>, ear: [u32; 3]) -> Option<u32> {
        let triangle = ring.at(ear).map(|point| self.turned(point));
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

    /// The cells of a row that a triangle, some of which is in it, may meet.
    fn columns(&self, triangle: [[f64; 2]; 3], row: usize) -> RangeInclusive<usize> {
        let bounds = &self.bounds[1];
        let bottom = if row == 0 { f64::NEG_INFINITY } else { bounds[row - 1] };
        let top = bounds.get(row).copied().unwrap_or(f64::INFINITY);
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..3 {
            let ([x, y], [to_x, to_y]) = (triangle[i], triangle[(i + 1) % 3]);
            if y.max(to_y) < bottom || y.min(to_y) > top {
                continue;
            }
            // Where the edge enters and leaves the row, and what rounding may make of that.
            let at = |height: f64| {
                let height = height.clamp(y.min(to_y), y.max(to_y));
                x + (to_x - x) * ((height - y) / (to_y - y))
            };
            let ends = if y == to_y { [x, to_x] } else { [at(bottom), at(top)] };
            let slack = 8.0 * f64::EPSILON * (x.abs() + to_x.abs());
            least = least.min(ends[0].min(ends[1]) - slack);
            greatest = greatest.max(ends[0].max(ends[1]) + slack);
        }
        self.cell(0, least)..=self.cell(0, greatest)
    }
}
