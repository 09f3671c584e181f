//! The volume of a closed mesh, from its triangles and from the crossings of rays.

use hitscan_core::{Aabb, Hit, Ray, TriangleMesh};

use crate::rays::corners;
use crate::vector::{cross, dot, narrow, scale, sub, wide};

/// The volume that a closed mesh encloses, by the divergence theorem: a sixth of the sum of
/// `a · (b × c)` over its triangles, in f64, about the middle of its box. Negative if it is inside
/// out.
#[must_use]
pub fn by_divergence(mesh: &TriangleMesh) -> f64 {
    let [low, high] = corners(mesh.bounds());
    let middle = std::array::from_fn(|axis| low[axis].midpoint(high[axis]));
    let sixfold = |prim| {
        let [a, b, c] = mesh.triangle(prim).map(|corner| sub(wide(corner), middle));
        dot(a, cross(b, c))
    };
    (0..mesh.triangle_count() as u32).map(sixfold).sum::<f64>() / 6.0
}

/// Parallel rays through the middles of the cells of a square grid across a box.
#[derive(Clone, Debug)]
pub struct Grid {
    /// `side · side` rays along one axis, from before the box, with directions of length 1.
    pub rays: Vec<Ray>,
    cell: f64,
}

impl Grid {
    /// The grid of `side` by `side` cells across `axis`.
    #[must_use]
    pub fn across(bounds: Aabb, axis: usize, side: u32) -> Self {
        let [low, high] = corners(bounds);
        let extent = sub(high, low);
        let [right, up] = [(axis + 1) % 3, (axis + 2) % 3];
        let step = scale(extent, 1.0 / f64::from(side));
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        let ray = |i: u32| {
            let mut origin = low;
            origin[axis] -= 0.125 * extent[axis];
            origin[right] += (f64::from(i % side) + 0.5) * step[right];
            origin[up] += (f64::from(i / side) + 0.5) * step[up];
            Ray::new(narrow(origin), direction)
        };
        Self { rays: (0..side * side).map(ray).collect(), cell: step[right] * step[up] }
    }

    /// The volume by the crossings of each ray, in any order: a back is where it leaves, a front
    /// where it enters.
    #[must_use]
    pub fn volume<'a>(&self, hits: impl IntoIterator<Item = &'a [Hit]>) -> f64 {
        let way = |hit: &Hit| if hit.front { -f64::from(hit.t) } else { f64::from(hit.t) };
        hits.into_iter().flatten().map(way).sum::<f64>() * self.cell
    }

    /// The volume by the crossings of each ray, near to far, of which every other one enters; the
    /// same as [`Self::volume`] for a surface that does not cross itself.
    #[must_use]
    pub fn volume_by_parity<'a>(&self, hits: impl IntoIterator<Item = &'a [Hit]>) -> f64 {
        let inside = |hits: &[Hit]| -> f64 {
            let pairs = hits.chunks_exact(2);
            pairs.map(|pair| f64::from(pair[1].t) - f64::from(pair[0].t)).sum()
        };
        hits.into_iter().map(inside).sum::<f64>() * self.cell
    }
}
