//! A mesh of a document: its primitives as lists of triangles over one list of vertices.

use std::collections::HashMap;

use super::MAX_COUNT;
use super::accessor::Accessors;
use super::buffers::Buffers;
use super::document::{Document, DocumentMesh, Primitive};
use super::nodes::{IDENTITY, Node};
use crate::file::fault::{Place, Warnings};
use crate::file::{ReadError, ReadOptions};

/// A mesh of a document.
#[derive(Debug)]
pub(super) struct Shape<'a> {
    /// Which of the document's meshes it is.
    pub(super) index: usize,
    pub(super) name: Option<&'a str>,
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) pieces: Vec<Piece<'a>>,
}

/// A primitive that makes triangles.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) primitive: usize,
    pub(super) material: Option<&'a str>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Corners at the end that are too few for a triangle.
    pub(super) left_over: Vec<u32>,
}

/// How the corners of a primitive make triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    List,
    Strip,
    Fan,
}

impl<'a> Shape<'a> {
    /// The mesh by itself, where it is defined.
    pub(super) fn at_rest(&self) -> Node<'a> {
        Node { index: None, name: self.name, shape: 0, rows: IDENTITY }
    }

    pub(super) fn part(&self) -> String {
        format!("meshes[{}]", self.index)
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.pieces.iter().map(|piece| piece.triangles.len()).sum()
    }
}

/// Reads meshes, one after the other.
pub(super) struct Shapes<'a, 'b> {
    accessors: Accessors<'a, 'b>,
    /// How many triangles the caller allows.
    most: usize,
    /// How many corners and vertices were read so far.
    read: u128,
}

impl<'a, 'b> Shapes<'a, 'b> {
    pub(super) fn new(
        buffers: &'b Buffers<'a>,
        document: &'a Document,
        options: &ReadOptions,
    ) -> Self {
        let most = options.most_triangles.min(MAX_COUNT);
        Self { accessors: Accessors { document, buffers }, most, read: 0 }
    }

    /// Reads one of the document's meshes.
    pub(super) fn read(
        &mut self,
        index: usize,
        warnings: &mut Warnings,
    ) -> Result<Shape<'a>, ReadError> {
        let mesh: &'a DocumentMesh = &self.accessors.document.meshes[index];
        let name = mesh.name.as_deref();
        let mut shape = Shape { index, name, positions: Vec::new(), pieces: Vec::new() };
        if mesh.weights.iter().any(|&weight| weight != 0.0) {
            let message = || "morph targets are not applied: the mesh stays as it is".into();
            warnings
                .add(Place::Part(shape.part()), message)
                .map_err(|fault| self.accessors.buffers.source.error(fault))?;
        }
        // Primitives often share their vertices: each accessor is read once.
        let mut first_vertex = HashMap::new();
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let part = format!("meshes[{index}].primitives[{i}]");
            let mode = match primitive.mode.unwrap_or(4) {
                // Points and lines have no surface.
                0..=3 => continue,
                4 => Mode::List,
                5 => Mode::Strip,
                6 => Mode::Fan,
                mode => return Err(self.error(&part, format!("there is no mode {mode}"))),
            };
            let Some(position) = primitive.attributes.position else {
                // Allowed, and nothing to be hit.
                continue;
            };
            let count = self.accessors.count(position);
            let first = match first_vertex.get(&position) {
                Some(&first) => first,
                None => {
                    self.expect(count)?;
                    if shape.positions.len().saturating_add(count) > self.most {
                        let message =
                            format!("it has more than the {} vertices allowed", self.most);
                        return Err(self.error(&part, message));
                    }
                    let user = format!("{part}.attributes.POSITION");
                    let first = shape.positions.len() as u32;
                    shape.positions.append(&mut self.accessors.positions(position, &user)?);
                    first_vertex.insert(position, first);
                    first
                }
            };
            let corners = self.corners(primitive, first, count, &part)?;
            let (triangles, left_over) = triangles(mode, &corners);
            if corners.is_empty() {
                continue;
            }
            let material = primitive.material;
            let material = material.and_then(|i| self.accessors.document.materials.get(i));
            let material = material.and_then(|material| material.name.as_deref());
            shape.pieces.push(Piece { primitive: i, material, triangles, left_over });
        }
        Ok(shape)
    }

    /// The corners of a primitive over vertices that begin at `first`.
    fn corners(
        &mut self,
        primitive: &Primitive,
        first: u32,
        count: usize,
        part: &str,
    ) -> Result<Vec<u32>, ReadError> {
        let Some(index) = primitive.indices else {
            self.expect(count)?;
            return Ok((0..count as u32).map(|corner| first + corner).collect());
        };
        let user = format!("{part}.indices");
        self.expect(self.accessors.count(index))?;
        let mut corners = self.accessors.indices(index, &user)?;
        for (i, corner) in corners.iter_mut().enumerate() {
            if *corner as usize >= count {
                let message =
                    format!("number {i} is {corner}, but there are {count} vertices from 0 on");
                return Err(self.error(&user, message));
            }
            *corner += first;
        }
        Ok(corners)
    }

    /// Counts what is about to be read. Many primitives can name the same bytes, so that the
    /// length of the file is no bound.
    fn expect(&mut self, count: usize) -> Result<(), ReadError> {
        self.read += count as u128;
        let most = self.most as u128 * 3;
        if self.read <= most {
            return Ok(());
        }
        let message = format!("it holds {} corners, more than the {most} allowed", self.read);
        Err(self.error("meshes", message))
    }

    fn error(&self, part: &str, message: String) -> ReadError {
        self.accessors.buffers.error(part, message)
    }
}

/// The triangles of corners, and the corners that are left over.
fn triangles(mode: Mode, corners: &[u32]) -> (Vec<[u32; 3]>, Vec<u32>) {
    if mode == Mode::List {
        let (triangles, left_over) = corners.as_chunks::<3>();
        return (triangles.to_vec(), left_over.to_vec());
    }
    if corners.len() < 3 {
        return (Vec::new(), corners.to_vec());
    }
    let triangle = |(i, three): (usize, &[u32])| match (mode, i % 2) {
        (Mode::Fan, _) => [three[1], three[2], corners[0]],
        // Every other triangle of a strip is turned round.
        (_, 0) => [three[0], three[1], three[2]],
        _ => [three[0], three[2], three[1]],
    };
    (corners.windows(3).enumerate().map(triangle).collect(), Vec::new())
}
