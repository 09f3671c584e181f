//! Whether a mesh lies too far from zero for f32, and the local origin it gets then.
//!
//! The rule: a mesh gets a local origin if a coordinate of a vertex in use is not exactly an f32
//! and the greatest coordinate is more than 16 times the greatest extent (so that f32 would lose
//! four bits and more of every detail). Vertices that are not finite, or that no face uses, do not
//! count. The origin is the middle of the box around the vertices in use, rounded on each axis to
//! the least power of two that is no less than the greatest extent: a short number, from which
//! the distance to each vertex is exact in f64 and rounded once to f32.

/// How many extents from zero a mesh may lie without a local origin.
const FARTHEST: f64 = 16.0;

/// The local origin of a mesh; zero where it needs none. `reach` is the greatest magnitude of a
/// finite coordinate, `indices` are the corners of all triangles in any pieces, and `position`
/// gives a vertex.
pub(crate) fn local_origin<'a>(
    reach: f64,
    indices: impl IntoIterator<Item = &'a [u32]>,
    mut position: impl FnMut(u32) -> [f64; 3],
) -> [f64; 3] {
    let mut used = Used::default();
    for chunk in indices.into_iter().flat_map(|indices| indices.chunks(CHUNK)) {
        // A mesh near zero shows itself within a few triangles.
        if reach <= FARTHEST * used.extent() {
            return [0.0; 3];
        }
        for &index in chunk {
            used.grow(position(index));
        }
    }
    used.origin()
}

/// How many indices are looked at before asking again whether the mesh is near zero.
const CHUNK: usize = 1 << 10;

/// The vertices that faces use.
struct Used {
    min: [f64; 3],
    max: [f64; 3],
    inexact: bool,
}

impl Default for Used {
    fn default() -> Self {
        Self { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3], inexact: false }
    }
}

impl Used {
    fn grow(&mut self, position: [f64; 3]) {
        if !position.iter().all(|&x| (x as f32).is_finite()) {
            return;
        }
        for (axis, x) in position.into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(x);
            self.max[axis] = self.max[axis].max(x);
            self.inexact |= f64::from(x as f32) != x;
        }
    }

    /// The greatest extent of the box; negative where it is empty.
    fn extent(&self) -> f64 {
        (0..3).map(|axis| self.max[axis] - self.min[axis]).fold(f64::NEG_INFINITY, f64::max)
    }

    fn origin(&self) -> [f64; 3] {
        let reach = self.min.iter().chain(&self.max).fold(0.0, |reach: f64, x| reach.max(x.abs()));
        let extent = self.extent();
        if !self.inexact || extent < 0.0 || reach <= FARTHEST * extent {
            return [0.0; 3];
        }
        // The extent of a single point is none: any short number near it will do.
        let step = (extent.max(reach * f64::from(f32::EPSILON))).log2().ceil().exp2();
        std::array::from_fn(|axis| {
            let middle = 0.5 * (self.min[axis] + self.max[axis]);
            // `+ 0.0` because an axis that is rounded to zero from below gives −0.
            (middle / step).round() * step + 0.0
        })
    }
}
