//! What a reader found in a mesh file.

mod area;
mod defects;

use super::TriangleMesh;
use defects::Tally;

/// What a mesh file held, and what in it was skipped or looks wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeshReport {
    /// Vertices in the file.
    pub vertices: usize,
    /// Polygons that gave at least one triangle.
    pub polygons: usize,
    /// Triangles after triangulation.
    pub triangles: usize,
    /// Faces that gave no triangle: fewer than three corners.
    pub skipped: usize,
    /// Triangles whose area is exactly zero; they keep their index and are never hit.
    pub degenerate: usize,
    /// Triangles whose corners lie where those of an earlier one do, in any order; those without
    /// area or with a corner that is not finite count there alone.
    pub duplicate: usize,
    /// Triangles with a NaN or infinite corner; they keep their index and are never hit.
    pub non_finite: usize,
    /// The first [`MeshReport::MAX_WARNINGS`] things that look wrong, in file order.
    pub warnings: Vec<Warning>,
    /// How many things look wrong in all.
    pub warning_count: usize,
}

/// Something in a mesh file that looks wrong but could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The line, counted from 1; 0 where the file as a whole is meant.
    pub line: usize,
    /// What is wrong, in words.
    pub message: String,
}

impl MeshReport {
    /// How many warnings are kept; the rest are only counted.
    pub const MAX_WARNINGS: usize = 100;

    /// What a mesh itself tells: all but what its file held besides, faces that were skipped and
    /// warnings.
    #[must_use]
    pub fn of_mesh(mesh: &TriangleMesh) -> Self {
        let polygons = (0..mesh.triangle_count() as u32).map(|prim| mesh.parts().polygon_of(prim));
        // The triangles of a polygon follow each other.
        let mut last = None;
        let polygons = polygons.filter(|&polygon| last.replace(polygon) != Some(polygon)).count();
        let (vertices, triangles) = (mesh.positions().len(), mesh.triangle_count());
        let mut report = Self { vertices, polygons, triangles, ..Self::default() };
        // The words are for a file's warnings.
        let _ = report.count_defects(mesh);
        report
    }

    /// Counts a warning, and keeps it while there is room.
    pub fn warn(&mut self, line: usize, message: impl Into<String>) {
        self.warning_count += 1;
        if self.warnings.len() < Self::MAX_WARNINGS {
            self.warnings.push(Warning { line, message: message.into() });
        }
    }

    /// Counts degenerate, duplicate and non-finite triangles. Gives the first of each kind with
    /// the words for a warning.
    pub(crate) fn count_defects(&mut self, mesh: &TriangleMesh) -> Vec<(u32, String)> {
        let defects = defects::find(mesh.positions(), mesh.indices());
        self.non_finite = defects.non_finite.count;
        self.degenerate = defects.degenerate.count;
        self.duplicate = defects.duplicate.count;
        let kinds = [
            (
                defects.non_finite,
                "has a corner that is not finite",
                "have corners that are not finite",
            ),
            (defects.degenerate, "has no area", "have no area"),
            (defects.duplicate, "repeats an earlier one", "repeat earlier ones"),
        ];
        let tell = |(tally, one, many): (Tally, &str, &str)| {
            let message = match tally.count {
                1 => format!("a triangle {one}"),
                count => format!("{count} triangles {many}; this is the first"),
            };
            tally.first.map(|prim| (prim, message))
        };
        kinds.into_iter().filter_map(tell).collect()
    }
}
