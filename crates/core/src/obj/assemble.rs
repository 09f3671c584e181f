//! From scanned pieces to one mesh, the same whatever the pieces and threads.

use std::ops::Range;

use rayon::prelude::*;

use super::piece::{Context, Fault, Piece};
use super::{ObjOptions, names, origin, scan};
use crate::file::ReadError;
use crate::mesh::{MeshReport, Parts, TriangleMesh};
use crate::polygon::Triangulator;
use crate::text;

/// A file being read.
pub(super) struct Source<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) name: &'a str,
    pub(super) options: ObjOptions,
}

/// Where each piece's things begin in the whole; one entry more than there are pieces.
struct Starts {
    vertex: Vec<usize>,
    triangle: Vec<usize>,
    face: Vec<usize>,
}

impl Source<'_> {
    /// Reads the file in pieces of about `piece_length` bytes.
    pub(super) fn read(
        &self,
        piece_length: usize,
    ) -> Result<(TriangleMesh, MeshReport), ReadError> {
        let ranges = text::pieces(self.bytes, piece_length);
        let mut pieces = self.scan(&ranges)?;
        let starts = Starts {
            vertex: running_total(pieces.iter().map(|piece| piece.positions.len())),
            triangle: running_total(pieces.iter().map(|piece| piece.triangle_count)),
            face: running_total(pieces.iter().map(Piece::face_count)),
        };
        let mut report = MeshReport {
            vertices: starts.vertex[pieces.len()],
            polygons: starts.face[pieces.len()],
            triangles: starts.triangle[pieces.len()],
            skipped: pieces.iter().map(|piece| piece.skipped).sum(),
            ..MeshReport::default()
        };
        make_absolute(&mut pieces, &starts.vertex);
        let parts_of_names = names::runs(self.bytes, &pieces, &starts.triangle);
        let warnings = pieces.iter_mut().flat_map(|piece| std::mem::take(&mut piece.warnings));
        let mut warnings: Vec<Fault> = warnings.take(MeshReport::MAX_WARNINGS).collect();
        let warning_count: usize = pieces.iter().map(|piece| piece.warning_count).sum();

        let origin = origin::local_origin(&pieces, &starts.vertex);
        let positions = positions(&mut pieces, &starts.vertex, origin);
        let (indices, polygons) = triangles(&pieces, &starts, &positions);
        drop(pieces);
        let (runs, names) = parts_of_names;
        let mesh = TriangleMesh::new(positions, indices)
            .map_err(|source| ReadError::Mesh { file: self.name.into(), source })?
            .with_origin(origin)
            .with_parts(Parts::new(runs, names, polygons));

        let findings = report.count_defects(&mesh);
        let found: Vec<Fault> = findings
            .into_iter()
            .map(|(prim, message)| {
                let offset = self.face_of(mesh.parts().polygon_of(prim) as usize, &ranges, &starts);
                Fault { offset, message }
            })
            .collect();
        report.warning_count = warning_count + found.len();
        warnings.extend(found);
        warnings.sort_by_key(|fault| fault.offset);
        if self.options.strict && !warnings.is_empty() {
            return Err(self.error(warnings.swap_remove(0)));
        }
        warnings.truncate(MeshReport::MAX_WARNINGS);
        self.tell(warnings, &mut report)?;
        Ok((mesh, report))
    }

    /// Scans all pieces; the error is the first in the file.
    fn scan(&self, ranges: &[Range<usize>]) -> Result<Vec<Piece>, ReadError> {
        let context = Context { strict: self.options.strict, vertices: None };
        let scan = |range: &Range<usize>| scan::scan(self.bytes, range.clone(), context);
        let scanned: Result<Vec<Piece>, Fault> = ranges.par_iter().map(scan).collect();
        if let Ok(pieces) = scanned {
            let total: usize = pieces.iter().map(|piece| piece.positions.len()).sum();
            let mut before = 0;
            let in_range = |piece: &Piece| {
                let reaches_back = piece.relative.least + before as i64;
                before += piece.positions.len();
                piece.greatest <= total as u64 && reaches_back >= 0
            };
            if pieces.iter().all(in_range) {
                return Ok(pieces);
            }
        }
        Err(self.error(self.first_fault(ranges)))
    }

    /// Scans again, now knowing how many vertices there are, up to the first fault. What is no
    /// text at all is told as such.
    #[cold]
    fn first_fault(&self, ranges: &[Range<usize>]) -> Fault {
        if let Some(fault) = scan::nul(self.bytes, 0..self.bytes.len()) {
            return fault;
        }
        let count = |range: &Range<usize>| scan::count_vertices(self.bytes, range.clone());
        let total = ranges.par_iter().map(count).sum();
        let mut before = 0;
        for range in ranges {
            let context = Context { strict: self.options.strict, vertices: Some((before, total)) };
            match scan::scan(self.bytes, range.clone(), context) {
                Ok(piece) => before += piece.positions.len(),
                Err(fault) => return fault,
            }
        }
        debug_assert!(false, "the second scan must find what the first one found");
        Fault { offset: 0, message: "a vertex index is out of range".into() }
    }

    /// Where a face stands, counted over the faces that make triangles.
    fn face_of(&self, face: usize, ranges: &[Range<usize>], starts: &Starts) -> usize {
        let piece = starts.face.partition_point(|&first| first <= face) - 1;
        let offset =
            scan::face_offset(self.bytes, ranges[piece].clone(), face - starts.face[piece]);
        offset.unwrap_or(ranges[piece].start)
    }

    /// Puts the warnings into the report, with their lines.
    fn tell(&self, warnings: Vec<Fault>, report: &mut MeshReport) -> Result<(), ReadError> {
        let mut places = text::Places::new(self.bytes);
        let count = std::mem::take(&mut report.warning_count);
        for warning in warnings {
            report.warn(places.of(warning.offset).0, warning.message);
        }
        report.warning_count = count;
        if report.triangles == 0 {
            let message = "the file holds no triangles";
            report.warn(0, message);
            if self.options.strict {
                return Err(self.error(Fault { offset: self.bytes.len(), message: message.into() }));
            }
        }
        Ok(())
    }

    fn error(&self, fault: Fault) -> ReadError {
        let (line, column) = text::Places::new(self.bytes).of(fault.offset);
        ReadError::Syntax { file: self.name.into(), line, column, message: fault.message }
    }
}

fn running_total(counts: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut total = 0;
    std::iter::once(0)
        .chain(counts.map(|count| {
            total += count;
            total
        }))
        .collect()
}

/// Adds the number of vertices before each piece to the piece's relative indices.
fn make_absolute(pieces: &mut [Piece], first_vertex: &[usize]) {
    pieces.par_iter_mut().zip(first_vertex).for_each(|(piece, &before)| {
        let before = before as u32;
        let relative = std::mem::take(&mut piece.relative);
        let triangles = piece.triangles.as_flattened_mut();
        for place in relative.in_triangles {
            triangles[place] = triangles[place].wrapping_add(before);
        }
        for place in relative.in_corners {
            piece.corners[place] = piece.corners[place].wrapping_add(before);
        }
    });
}

/// The vertices of all pieces relative to `origin`, each coordinate rounded once.
fn positions(pieces: &mut [Piece], first_vertex: &[usize], origin: [f64; 3]) -> Vec<[f32; 3]> {
    let mut positions = vec![[0.0; 3]; first_vertex[pieces.len()]];
    let mut rest = &mut positions[..];
    let mut jobs = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let (own, after) = rest.split_at_mut(piece.positions.len());
        jobs.push((std::mem::take(&mut piece.positions), own));
        rest = after;
    }
    jobs.into_par_iter().for_each(|(from, to)| {
        for (from, to) in from.iter().zip(to) {
            *to = std::array::from_fn(|axis| (from[axis] - origin[axis]) as f32);
        }
    });
    positions
}

/// The triangles of all pieces, and for each its polygon (none where each polygon is a triangle).
fn triangles(
    pieces: &[Piece],
    starts: &Starts,
    positions: &[[f32; 3]],
) -> (Vec<[u32; 3]>, Vec<u32>) {
    let count = starts.triangle[pieces.len()];
    let mut indices = vec![[0; 3]; count];
    let has_polygons = pieces.iter().any(|piece| !piece.polygons.is_empty());
    let mut polygons = vec![0; if has_polygons { count } else { 0 }];
    let (mut free_indices, mut free_polygons) = (&mut indices[..], &mut polygons[..]);
    let mut jobs = Vec::with_capacity(pieces.len());
    for (piece, &first_face) in pieces.iter().zip(&starts.face) {
        let (own_indices, rest) = free_indices.split_at_mut(piece.triangle_count);
        free_indices = rest;
        let own = if has_polygons { piece.triangle_count } else { 0 };
        let (own_polygons, rest) = free_polygons.split_at_mut(own);
        free_polygons = rest;
        jobs.push((piece, first_face, own_indices, own_polygons));
    }
    jobs.into_par_iter().for_each_init(
        Triangulator::new,
        |triangulator, (piece, first_face, indices, polygons)| {
            let mut output = Output { indices, polygons, face: first_face as u32 };
            let (mut triangle, mut corner) = (0, 0);
            for polygon in &piece.polygons {
                output.triangles(&piece.triangles[triangle..polygon.triangles_before]);
                let corners = &piece.corners[corner..polygon.corners_end];
                triangulator.cut(corners, positions, output.next_face(corners.len() - 2));
                (triangle, corner) = (polygon.triangles_before, polygon.corners_end);
            }
            output.triangles(&piece.triangles[triangle..]);
        },
    );
    (indices, polygons)
}

/// What is still to be written of a piece's triangles.
struct Output<'a> {
    indices: &'a mut [[u32; 3]],
    /// Empty if no one asks which polygon a triangle came from.
    polygons: &'a mut [u32],
    /// The number of the next face.
    face: u32,
}

impl<'a> Output<'a> {
    /// Room for the triangles of the next face.
    fn next_face(&mut self, count: usize) -> &'a mut [[u32; 3]] {
        let (own, rest) = std::mem::take(&mut self.indices).split_at_mut(count);
        self.indices = rest;
        if !self.polygons.is_empty() {
            let (own, rest) = std::mem::take(&mut self.polygons).split_at_mut(count);
            own.fill(self.face);
            self.polygons = rest;
        }
        self.face += 1;
        own
    }

    /// Writes faces that are triangles.
    fn triangles(&mut self, triangles: &[[u32; 3]]) {
        let (own, rest) = std::mem::take(&mut self.indices).split_at_mut(triangles.len());
        own.copy_from_slice(triangles);
        self.indices = rest;
        if !self.polygons.is_empty() {
            let (own, rest) = std::mem::take(&mut self.polygons).split_at_mut(triangles.len());
            for (polygon, face) in own.iter_mut().zip(self.face..) {
                *polygon = face;
            }
            self.polygons = rest;
        }
        self.face += triangles.len() as u32;
    }
}
