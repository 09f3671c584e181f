//! Whether the boxes of a tree's leaves hold each triangle, in one piece or in parts.

use glam::DVec3;

use crate::Aabb;
use crate::mesh::TriangleMesh;

/// The boxes in which a tree's leaves have the triangles of a mesh.
#[derive(Debug)]
pub(crate) struct Cover<'a> {
    mesh: &'a TriangleMesh,
    /// How often each triangle is there: never, once, or more often.
    times: Vec<u8>,
    /// Boxes that do not hold the whole triangle.
    parts: Vec<(u32, Aabb)>,
}

/// A triangle, or what is left of it: a flat convex polygon.
type Piece = Vec<DVec3>;

impl<'a> Cover<'a> {
    pub(crate) fn new(mesh: &'a TriangleMesh) -> Self {
        Self { mesh, times: vec![0; mesh.triangle_count()], parts: Vec::new() }
    }

    /// Takes a leaf's box for a triangle; false if there is no such triangle.
    pub(crate) fn add(&mut self, prim: u32, bounds: Aabb) -> bool {
        let Some(times) = self.times.get_mut(prim as usize) else { return false };
        *times = times.saturating_add(1);
        if !bounds.contains(Aabb::of_triangle(self.mesh.triangle(prim))) {
            self.parts.push((prim, bounds));
        }
        true
    }

    /// Whether a triangle is there more than once.
    pub(crate) fn is_repeated(&self, prim: u32) -> bool {
        self.times[prim as usize] > 1
    }

    /// What is wrong with the whole, if anything.
    pub(crate) fn fault(mut self) -> Option<&'static str> {
        let lost = (0..self.times.len() as u32)
            .any(|prim| self.times[prim as usize] == 0 && self.mesh.can_be_hit(prim));
        if lost {
            return Some("lost a triangle that can be hit");
        }
        self.parts.sort_by_key(|part| part.0);
        let uncovered = self.parts.chunk_by(|a, b| a.0 == b.0).any(|parts| {
            let prim = parts[0].0;
            // If a box is not among the parts it holds the whole triangle.
            let all_partial = usize::from(self.times[prim as usize]) <= parts.len();
            all_partial && self.is_left_over(prim, parts)
        });
        uncovered.then_some("does not hold all of a triangle")
    }

    /// Whether any of the triangle is left when the boxes are taken out of it. What is thinner
    /// than f64 rounds does not count; a gap between neighbouring f32 does.
    fn is_left_over(&self, prim: u32, parts: &[(u32, Aabb)]) -> bool {
        let corners = self.mesh.triangle(prim).map(|corner| DVec3::from(corner.map(f64::from)));
        let reach = corners.iter().fold(0.0, |reach, corner| corner.abs().max_element().max(reach));
        let mut pieces = vec![corners.to_vec()];
        for (_, bounds) in parts {
            pieces = pieces.into_iter().flat_map(|piece| outside(piece, *bounds)).collect();
        }
        let (area, around) = measure(&corners);
        let slack = area * 2.0_f64.powi(-36) + around * reach * 2.0_f64.powi(-46);
        pieces.iter().map(|piece| measure(piece).0).sum::<f64>() > slack
    }
}

/// What of a piece lies outside a box.
fn outside(mut piece: Piece, bounds: Aabb) -> Vec<Piece> {
    let mut left_over = Vec::new();
    for axis in 0..3 {
        for (plane, sign) in [(bounds.min[axis], 1.0), (bounds.max[axis], -1.0)] {
            let height = |p: &DVec3| (p[axis] - f64::from(plane)) * sign;
            // What lies in the plane of a side lies in the box.
            if piece.iter().any(|p| height(p) < 0.0) {
                left_over.push(above(&piece, |p| -height(p)));
            }
            piece = above(&piece, height);
        }
    }
    left_over.retain(|piece| piece.len() > 2);
    left_over
}

/// The part of a piece where the height is not negative.
fn above(piece: &Piece, height: impl Fn(&DVec3) -> f64) -> Piece {
    let mut part = Vec::with_capacity(piece.len() + 1);
    for (i, a) in piece.iter().enumerate() {
        let b = &piece[(i + 1) % piece.len()];
        let (from, to) = (height(a), height(b));
        if from >= 0.0 {
            part.push(*a);
        }
        if (from < 0.0) != (to < 0.0) && from != 0.0 {
            part.push(*a + (*b - *a) * (from / (from - to)));
        }
    }
    part
}

/// The area and the circumference.
fn measure(piece: &[DVec3]) -> (f64, f64) {
    let twice: DVec3 = piece.windows(2).map(|p| (p[0] - piece[0]).cross(p[1] - piece[0])).sum();
    let around = (0..piece.len()).map(|i| piece[i].distance(piece[(i + 1) % piece.len()])).sum();
    (twice.length() / 2.0, around)
}
