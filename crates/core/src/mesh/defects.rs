//! Everything that is wrong with the triangles of a mesh, with the places.

use rayon::prelude::*;

use super::topology::vertex_ids;
use super::{Topology, TriangleMesh, Weld};

/// Everything that is wrong with the triangles of a mesh, with the places, in order.
///
/// A triangle is listed once among those that are not finite, without area, and duplicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defects {
    /// Vertices, used or not, with a coordinate that is NaN or infinite.
    pub non_finite_vertices: Vec<u32>,
    /// Triangles that use one of these; they are never hit.
    pub non_finite: Vec<u32>,
    /// Triangles whose corners lie on one line; they are never hit.
    pub degenerate: Vec<u32>,
    /// Triangles whose corners lie where those of an earlier one do, in any order.
    pub duplicate: Vec<Duplicate>,
    /// Triangles that span fewer than [`Defects::FEWEST_STEPS`] steps of f32 at their place: it
    /// takes f64 to tell their corners apart well.
    pub coarse: Vec<u32>,
    /// How the triangles hang together.
    pub topology: Topology,
}

/// A triangle that repeats another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duplicate {
    /// The triangle.
    pub prim: u32,
    /// The first triangle with these corners.
    pub of: u32,
    /// Whether it runs the other way round, as the back of a sheet that was given two sides.
    pub reversed: bool,
}

impl Defects {
    /// Over how many steps of f32 a triangle should reach: with fewer, four bits or less are left
    /// for its shape.
    pub const FEWEST_STEPS: u32 = 16;

    /// Looks at every triangle and every edge, in parallel on the rayon pool that the caller is
    /// in.
    ///
    /// ```
    /// use hitscan_core::TriangleMesh;
    /// use hitscan_core::mesh::{Defects, Weld};
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    /// let mesh = TriangleMesh::new(corners, vec![[0, 1, 2], [0, 1, 3], [1, 2, 0]])?;
    /// let defects = Defects::of(&mesh, Weld::Positions);
    /// assert_eq!(defects.degenerate, [1]);
    /// assert_eq!((defects.duplicate[0].prim, defects.duplicate[0].of), (2, 0));
    /// # Ok::<(), hitscan_core::MeshError>(())
    /// ```
    #[must_use]
    pub fn of(mesh: &TriangleMesh, weld: Weld) -> Self {
        let ids = vertex_ids(mesh, weld);
        let prims = || (0..mesh.triangle_count() as u32).into_par_iter();
        let finite = |prim: u32| mesh.triangle(prim).as_flattened().iter().all(|x| x.is_finite());
        let vertices = (0..mesh.positions().len() as u32).into_par_iter();
        Self {
            non_finite_vertices: vertices
                .filter(|&i| !mesh.positions()[i as usize].iter().all(|x| x.is_finite()))
                .collect(),
            non_finite: prims().filter(|&prim| !finite(prim)).collect(),
            degenerate: prims().filter(|&prim| finite(prim) && !mesh.can_be_hit(prim)).collect(),
            duplicate: duplicates(mesh),
            coarse: prims()
                .filter(|&prim| finite(prim) && is_coarse(mesh.triangle(prim)))
                .collect(),
            topology: Topology::of_vertices(&ids, mesh),
        }
    }
}

/// Whether a triangle spans only a few steps of f32; a single point spans none and is no matter of
/// precision.
fn is_coarse(corners: [[f32; 3]; 3]) -> bool {
    let bounds = crate::Aabb::of_triangle(corners);
    let span = (bounds.max.as_dvec3() - bounds.min.as_dvec3()).max_element();
    let farthest = corners.as_flattened().iter().fold(0.0_f32, |far, x| far.max(x.abs()));
    let step = f64::from(farthest.next_up()) - f64::from(farthest);
    span > 0.0 && span < step * f64::from(Defects::FEWEST_STEPS)
}

/// Triangles with an area whose corners lie where those of an earlier one do, by position: rays
/// know no indices.
fn duplicates(mesh: &TriangleMesh) -> Vec<Duplicate> {
    let ids = vertex_ids(mesh, Weld::Positions);
    let welded = |prim: u32| mesh.indices()[prim as usize].map(|index| ids[index as usize]);
    let key = |prim: u32| {
        let mut key = welded(prim);
        key.sort_unstable();
        (key, prim)
    };
    let prims = (0..mesh.triangle_count() as u32).into_par_iter();
    let mut keys: Vec<([u32; 3], u32)> = prims.map(key).collect();
    keys.par_sort_unstable();
    let mut duplicates = Vec::new();
    for group in keys.chunk_by(|a, b| a.0 == b.0) {
        let of = group[0].1;
        if group.len() < 2 || !mesh.can_be_hit(of) {
            continue;
        }
        let [a, b, c] = welded(of);
        duplicates.extend(group[1..].iter().map(|&(_, prim)| {
            let reversed = ![[a, b, c], [b, c, a], [c, a, b]].contains(&welded(prim));
            Duplicate { prim, of, reversed }
        }));
    }
    duplicates.sort_unstable();
    duplicates
}
