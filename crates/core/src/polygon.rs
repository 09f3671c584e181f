//! Polygons to triangles: as everyone expects where that is right, by ear cutting where it is not.
//!
//! A polygon of n corners always makes n − 2 triangles, wound as it is. A quad is cut from its
//! first corner unless only the other diagonal lies inside. More corners make a fan around the
//! first one, or one of the next, if that covers the polygon; else they are cut by ears (Held's
//! FIST, in the form that mapbox gave it; polygons of very many corners by `ears.rs`, in less time)
//! after dropping the coordinate along which the best-fit
//! plane (Newell's normal) is steepest. Corners that ears leave out lie on the line between their
//! neighbours: they make triangles without area, so that every edge of the polygon is an edge of
//! a triangle. Of a polygon that crosses itself, what ears do not cover stays open, and triangles
//! of its first corner alone make up the number.

mod ears;
mod gaps;

use earcut::Earcut;

/// More corners than this make a fan, right or not: ear cutting numbers its nodes with 32 bits.
const MOST_CORNERS: usize = 1 << 24;

/// From this many corners on, ears are looked for in a way that takes no quadratic time.
const MANY_CORNERS: usize = 512;

/// How many corners are tried as the middle of a fan.
const MOST_APEXES: usize = 8;

/// Cuts polygons; keeps its memory from one to the next.
pub(crate) struct Triangulator {
    earcut: Earcut<f64>,
    /// The corners in the plane.
    plane: Vec<[f64; 2]>,
    /// Three places in the polygon for each ear.
    ears: Vec<u32>,
}

impl Triangulator {
    pub(crate) fn new() -> Self {
        Self { earcut: Earcut::new(), plane: Vec::new(), ears: Vec::new() }
    }

    /// Writes the triangles of a polygon, as many as `out` has room for: two fewer than corners.
    pub(crate) fn cut(&mut self, corners: &[u32], positions: &[[f32; 3]], out: &mut [[u32; 3]]) {
        debug_assert_eq!(corners.len(), out.len() + 2, "a polygon makes n − 2 triangles");
        if out.len() < 2 || corners.len() > MOST_CORNERS || !self.project(corners, positions) {
            return fan(corners, 0, out);
        }
        if let [a, b, c, d] = *corners {
            let flipped = !self.turns_left(0, 1, 2) || !self.turns_left(0, 2, 3);
            if flipped && self.turns_left(0, 1, 3) && self.turns_left(1, 2, 3) {
                out.copy_from_slice(&[[a, b, d], [b, c, d]]);
            } else {
                fan(corners, 0, out);
            }
            return;
        }
        let apex = (0..corners.len().min(MOST_APEXES)).find(|&apex| self.is_fan(apex, 0.0));
        match apex.or_else(|| self.is_fan(0, self.rounding()).then_some(0)) {
            Some(apex) => fan(corners, apex, out),
            None => self.cut_ears(corners, out),
        }
    }

    fn cut_ears(&mut self, corners: &[u32], out: &mut [[u32; 3]]) {
        if corners.len() < MANY_CORNERS {
            self.earcut.earcut_slice(&self.plane, &[], &mut self.ears);
        } else {
            ears::cut(&self.plane, &mut self.ears);
        }
        let (ears, _) = self.ears.as_chunks_mut::<3>();
        let area = |&ear: &[u32; 3]| doubled_area(ear.map(|i| self.plane[i as usize]));
        // The ears all run the same way round, but not always as the polygon does.
        if ears.iter().map(area).sum::<f64>() < 0.0 {
            ears.iter_mut().for_each(|ear| ear.swap(1, 2));
        }
        let (ears, _) = self.ears.as_chunks::<3>();
        let mut room = out.iter_mut();
        for (ear, triangle) in ears.iter().zip(&mut room) {
            *triangle = ear.map(|i| corners[i as usize]);
        }
        if room.len() > 0 {
            let rounding = self.rounding();
            gaps::close(corners.len() as u32, ears, |gap| {
                // An open loop with an area belongs to a polygon that crosses itself.
                if self.is_thin(gap.map(|i| i as usize), rounding)
                    && let Some(triangle) = room.next()
                {
                    *triangle = gap.map(|i| corners[i as usize]);
                }
            });
        }
        room.for_each(|triangle| *triangle = [corners[0]; 3]);
    }

    /// Puts the corners into a plane in which the polygon runs counter-clockwise; `false` if it
    /// has no area or is not finite.
    fn project(&mut self, corners: &[u32], positions: &[[f32; 3]]) -> bool {
        let point = |i: usize| glam::DVec3::from(positions[corners[i] as usize].map(f64::from));
        let first = point(0);
        let (mut sum, mut widest) = (glam::DVec3::ZERO, glam::DVec3::ZERO);
        let mut previous = point(1) - first;
        for i in 2..corners.len() {
            let edge = point(i) - first;
            let normal = previous.cross(edge);
            sum += normal;
            if normal.length_squared() > widest.length_squared() {
                widest = normal;
            }
            previous = edge;
        }
        // The loops of an eight cancel out: any of its triangles spans the plane then.
        let cancelled = sum.length_squared() <= 1e-20 * widest.length_squared();
        let normal = if cancelled { widest } else { sum };
        if !normal.is_finite() || normal == glam::DVec3::ZERO {
            return false;
        }
        let axis = normal.abs().max_position();
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let (x, y) = if normal[axis] > 0.0 { (x, y) } else { (y, x) };
        self.plane.clear();
        self.plane.extend(corners.iter().map(|&corner| {
            let position = positions[corner as usize];
            [f64::from(position[x]), f64::from(position[y])]
        }));
        true
    }

    /// Whether a fan around a corner covers the polygon: each of its triangles runs
    /// counter-clockwise, or is no thicker than `thin`.
    fn is_fan(&self, apex: usize, thin: f64) -> bool {
        let count = self.plane.len();
        let at = |i: usize| if apex + i < count { apex + i } else { apex + i - count };
        (2..count).all(|i| {
            let triangle = [apex, at(i - 1), at(i)];
            let [a, b, c] = triangle;
            self.turns_left(a, b, c) || thin > 0.0 && self.is_thin(triangle, thin)
        })
    }

    /// Whether a triangle is no thicker than `thin`.
    fn is_thin(&self, triangle: [usize; 3], thin: f64) -> bool {
        let [a, b, c] = triangle.map(|i| self.plane[i]);
        let length = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
        let longest = length(a, b).max(length(b, c)).max(length(c, a));
        doubled_area([a, b, c]).abs() <= thin * longest
    }

    /// A few steps of f32 at the size of the polygon: what is thinner is taken for rounding. Its
    /// place does not count, so that a small polygon far from zero keeps its shape.
    fn rounding(&self) -> f64 {
        let extent = |axis: usize| {
            let along = || self.plane.iter().map(|corner| corner[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        f64::from(f32::EPSILON) * extent(0).max(extent(1))
    }

    fn turns_left(&self, a: usize, b: usize, c: usize) -> bool {
        doubled_area([self.plane[a], self.plane[b], self.plane[c]]) > 0.0
    }
}

/// Twice the area of a triangle, negative where it runs clockwise.
fn doubled_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The triangles between one corner and each edge that it is not on.
fn fan(corners: &[u32], apex: usize, out: &mut [[u32; 3]]) {
    let (before, from) = corners.split_at(apex);
    let mut others = from[1..].iter().chain(before);
    let mut previous = others.next();
    for (triangle, next) in out.iter_mut().zip(others) {
        if let Some(previous) = previous.replace(next) {
            *triangle = [corners[apex], *previous, *next];
        }
    }
}
