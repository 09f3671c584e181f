//! The kinds of defects of a mesh, with counts and first places.

use std::path::Path;

use hitscan::{Defects, Edge, MeshReport, TriangleMesh, obj};
use serde::Serialize;

use crate::file_lines::{FileLines, obj_bytes};

/// How many places of a kind are told.
const PLACES: usize = 5;

/// The kind that has a number of holes too.
pub(super) const OPEN_EDGES: &str = "open edges";

/// The defects of one kind.
#[derive(Debug, Serialize)]
pub(super) struct Kind {
    pub(super) kind: &'static str,
    pub(super) count: usize,
    /// The first few.
    pub(super) first: Vec<Place>,
}

/// Where a defect is.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) triangle: Option<u32>,
    /// The triangle's line in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    /// From corner A to B, B to C, or C to A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edge: Option<&'static str>,
    /// The triangle that this one repeats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) repeats: Option<u32>,
    /// A vertex, where it is not about a triangle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) vertex: Option<u32>,
}

impl Place {
    fn of_triangle(&prim: &u32) -> Self {
        Self { triangle: Some(prim), ..Self::default() }
    }

    fn of_edge(edge: &Edge) -> Self {
        let name = ["AB", "BC", "CA"][edge.side as usize % 3];
        Self { edge: Some(name), ..Self::of_triangle(&edge.prim) }
    }

    fn of_vertex(&vertex: &u32) -> Self {
        Self { vertex: Some(vertex), ..Self::default() }
    }
}

/// All kinds, those without a case too.
pub(super) fn kinds(
    path: &Path,
    mesh: &TriangleMesh,
    report: &MeshReport,
    defects: &Defects,
) -> Vec<Kind> {
    let topology = &defects.topology;
    let duplicate = |duplicate: &hitscan::Duplicate| Place {
        repeats: Some(duplicate.of),
        ..Place::of_triangle(&duplicate.prim)
    };
    let collapsed =
        obj_bytes(path).map_or_else(Vec::new, |bytes| obj::collapsed_triangles(&bytes, mesh));
    let mut kinds = vec![
        kind(OPEN_EDGES, &topology.open, Place::of_edge),
        kind("non-manifold edges", &topology.non_manifold, Place::of_edge),
        kind("inconsistent edges", &topology.inconsistent, Place::of_edge),
        kind("flipped faces", &topology.flipped, Place::of_triangle),
        kind("duplicate faces", &defects.duplicate, duplicate),
        kind("degenerate faces", &defects.degenerate, Place::of_triangle),
        kind("non-finite vertices", &defects.non_finite_vertices, Place::of_vertex),
        kind("non-finite faces", &defects.non_finite, Place::of_triangle),
        kind("coarse faces", &defects.coarse, Place::of_triangle),
        kind("collapsed faces", &collapsed, Place::of_triangle),
        Kind { kind: "skipped faces", count: report.skipped, first: Vec::new() },
    ];
    let places = || kinds.iter().flat_map(|kind| &kind.first);
    let lines = FileLines::find(path, mesh, places().filter_map(|place| place.triangle));
    for place in kinds.iter_mut().flat_map(|kind| &mut kind.first) {
        place.line = place.triangle.and_then(|prim| lines.of(prim));
    }
    kinds
}

fn kind<T>(kind: &'static str, found: &[T], place: impl Fn(&T) -> Place) -> Kind {
    Kind { kind, count: found.len(), first: found.iter().take(PLACES).map(place).collect() }
}
