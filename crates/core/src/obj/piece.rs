//! What one piece of an OBJ file holds.

use std::ops::Range;

/// Something wrong at a place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    /// Where, in bytes from the start of the file.
    pub(super) offset: usize,
    /// What, in words.
    pub(super) message: String,
}

/// What a scan knows of the file around its piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// Whether a warning stops the scan.
    pub(super) strict: bool,
    /// Vertices before the piece and in the whole file; `None` while they are not counted yet.
    pub(super) vertices: Option<(usize, usize)>,
}

/// A polygon of more than three corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    /// How many triangle faces stand before it in the piece.
    pub(super) triangles_before: usize,
    /// Where its corners end in [`Piece::corners`]; they begin where the previous ones end.
    pub(super) corners_end: usize,
}

/// Which of the three names a statement sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameKind {
    Object,
    Group,
    Material,
}

/// A name that holds for the triangles after it.
#[derive(Clone, Debug)]
pub(super) struct NameChange {
    pub(super) kind: NameKind,
    /// How many triangles of the piece come before it.
    pub(super) triangles_before: usize,
    /// Where the name stands in the file, blanks around it included.
    pub(super) text: Range<usize>,
}

/// Corners given relative to the vertices read so far: right up to adding the number of vertices
/// before the piece.
#[derive(Debug, Default)]
pub(super) struct Relative {
    /// Places in the flattened [`Piece::triangles`].
    pub(super) in_triangles: Vec<usize>,
    /// Places in [`Piece::corners`].
    pub(super) in_corners: Vec<usize>,
    /// The least of them; below zero where it reaches before the piece.
    pub(super) least: i64,
}

/// What one piece of the file holds.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) positions: Vec<[f64; 3]>,
    /// The greatest magnitude of a finite coordinate.
    pub(super) reach: f64,
    /// Faces of three corners, in order.
    pub(super) triangles: Vec<[u32; 3]>,
    /// Faces of more corners, in order.
    pub(super) polygons: Vec<Polygon>,
    /// The corners of the faces of more than three corners.
    pub(super) corners: Vec<u32>,
    pub(super) relative: Relative,
    /// The greatest index, counted from 1.
    pub(super) greatest: u64,
    /// How many triangles all the faces make.
    pub(super) triangle_count: usize,
    pub(super) names: Vec<NameChange>,
    pub(super) skipped: usize,
    /// The first `MeshReport::MAX_WARNINGS`.
    pub(super) warnings: Vec<Fault>,
    pub(super) warning_count: usize,
}

impl Piece {
    /// How many faces made triangles.
    pub(super) fn face_count(&self) -> usize {
        self.triangles.len() + self.polygons.len()
    }
}
