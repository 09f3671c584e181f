//! Polygons to triangles: as everyone expects where that is right, by ear cutting where it is not.
//!
//! A polygon of n corners always makes n − 2 triangles, wound as it is. A quad is cut from its
//! first corner unless only the other diagonal lies inside. More corners make a fan around the
//! first one if that covers the polygon, else they are cut by ears (Held's FIST, in the form that
//! mapbox gave it) after dropping the coordinate along which the best-fit plane (Newell's normal)
//! is steepest. Corners that ears leave out lie on the line between their neighbours: they make
//! triangles without area, so that every edge of the polygon is an edge of a triangle.

use earcut::Earcut;

/// More corners than this make a fan, right or not: ear cutting numbers its nodes with 32 bits.
const MOST_CORNERS: usize = 1 << 24;

/// How many corners are tried as the middle of a fan.
const MOST_APEXES: usize = 8;

/// Cuts polygons; keeps its memory from one to the next.
pub(super) struct Triangulator {
    earcut: Earcut<f64>,
    /// The corners in the plane.
    plane: Vec<[f64; 2]>,
    /// Three places in the polygon for each ear.
    ears: Vec<u32>,
}

impl Triangulator {
    pub(super) fn new() -> Self {
        Self { earcut: Earcut::new(), plane: Vec::new(), ears: Vec::new() }
    }

    /// Writes the triangles of a polygon, as many as `out` has room for: two fewer than corners.
    pub(super) fn cut(&mut self, corners: &[u32], positions: &[[f32; 3]], out: &mut [[u32; 3]]) {
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
        self.earcut.earcut_slice(&self.plane, &[], &mut self.ears);
        let (ears, _) = self.ears.as_chunks::<3>();
        let area: f64 = ears.iter().map(|&ear| self.doubled_area(ear.map(|i| i as usize))).sum();
        let ears = ears.iter().map(|&[a, b, c]| if area < 0.0 { [a, c, b] } else { [a, b, c] });
        let mut written = 0;
        for (ear, triangle) in ears.zip(&mut *out) {
            *triangle = ear.map(|i| corners[i as usize]);
            written += 1;
        }
        out[written..].fill([corners[0]; 3]);
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
    /// counter-clockwise, or is thinner than `thinnest`.
    fn is_fan(&self, apex: usize, thinnest: f64) -> bool {
        let count = self.plane.len();
        let at = |i: usize| if apex + i < count { apex + i } else { apex + i - count };
        let [x, y] = self.plane[apex];
        let distance = |i: usize| (self.plane[i][0] - x).hypot(self.plane[i][1] - y);
        (2..count).all(|i| {
            let (b, c) = (at(i - 1), at(i));
            let area = self.doubled_area([apex, b, c]);
            area > 0.0 || thinnest > 0.0 && -area <= thinnest * distance(b).max(distance(c))
        })
    }

    /// How far apart the corners may be that rounding to f32 makes one.
    fn rounding(&self) -> f64 {
        let reach = self.plane.as_flattened().iter().fold(0.0, |reach: f64, x| reach.max(x.abs()));
        2.0 * f64::from(f32::EPSILON) * reach
    }

    fn turns_left(&self, a: usize, b: usize, c: usize) -> bool {
        self.doubled_area([a, b, c]) > 0.0
    }

    fn doubled_area(&self, [a, b, c]: [usize; 3]) -> f64 {
        let [a, b, c] = [self.plane[a], self.plane[b], self.plane[c]];
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }
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
