//! The PLY reader, for text and for binary files of either byte order.
//!
//! The header names elements, how many of each follow, and what each consists of. Vertices,
//! faces and triangle strips make the mesh; all else is read over. Strips are wound as in the
//! Stanford archive: every other triangle is turned round, and an index of −1 begins anew.

mod body;
mod element;
mod header;
mod scalar;

use crate::file::ReadError;
use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source};
use crate::file::words::grouped;
use crate::mesh::{MeshReport, TriangleMesh};
use body::{BinaryBody, Body, TextBody};
use element::{Element, Kind, Role};
use header::{Encoding, Header};

/// Reads a file.
pub(crate) fn read(source: &Source<'_>) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let header = Header::read(source.bytes).map_err(|fault| source.error(fault))?;
    let element = header.elements.iter().find(|element| element.kind == Kind::Vertex);
    let vertices = element.map_or(0, |element| element.count as usize);
    Draft::read(source, header.encoding.place(source.bytes.len()), |draft, wanted| {
        let mut reader = Reader { header: &header, vertices, draft, corners: Vec::new() };
        reader.file(source.bytes, wanted)
    })
}

struct Reader<'a> {
    header: &'a Header,
    /// How many vertices there are, or will be.
    vertices: usize,
    draft: &'a mut Draft,
    /// The corners of the face being read.
    corners: Vec<u32>,
}

impl Reader<'_> {
    /// Reads all; or up to the face of a number, of which it gives the place.
    fn file(&mut self, bytes: &[u8], wanted: Option<usize>) -> Result<Option<Place>, Fault> {
        let start = self.header.length;
        match self.header.encoding {
            Encoding::Text => self.body(TextBody::new(bytes, start), wanted),
            Encoding::Little => self.body(BinaryBody::<false>::new(bytes, start), wanted),
            Encoding::Big => self.body(BinaryBody::<true>::new(bytes, start), wanted),
        }
    }

    fn body(&mut self, mut body: impl Body, wanted: Option<usize>) -> Result<Option<Place>, Fault> {
        self.expect_bytes(body.left())?;
        for element in &self.header.elements {
            match element.kind {
                Kind::Vertex => self.vertices(element, &mut body)?,
                Kind::Face | Kind::Strips => {
                    if let Some(place) = self.faces(element, &mut body, wanted)? {
                        return Ok(Some(place));
                    }
                }
                Kind::Other => skip(element, &mut body)?,
            }
        }
        let left = body.left();
        if left > 0 {
            self.draft.warnings.add(body.place(), || {
                format!("{} bytes follow the last element", grouped(left as u128))
            })?;
        }
        Ok(None)
    }

    /// Believes no count that the file has no bytes for.
    fn expect_bytes(&self, left: usize) -> Result<(), Fault> {
        let binary = self.header.encoding != Encoding::Text;
        let mut needed = 0_u128;
        for element in &self.header.elements {
            needed += u128::from(element.count) * element.least_bytes(binary) as u128;
            // The last number of a text has no blank behind it.
            if needed > left as u128 + 1 {
                let message = format!(
                    "with {} of `{}` at least {} bytes must follow the header, not {}",
                    grouped(element.count.into()),
                    element.name,
                    grouped(needed),
                    grouped(left as u128)
                );
                return Err(Fault::new(Place::Text(element.offset), message));
            }
        }
        Ok(())
    }

    fn vertices(&mut self, element: &Element, body: &mut impl Body) -> Result<(), Fault> {
        self.draft.reserve(element.count as usize, 0);
        for i in 0..element.count {
            let place = body.start_item(element, i)?;
            let mut position = [0.0; 3];
            for property in &element.properties {
                match property.role {
                    Role::Coordinate(axis) => position[axis] = body.value(property.scalar)?,
                    _ => body.skip(property)?,
                }
            }
            body.end_item()?;
            self.draft.vertex(position, || place)?;
        }
        Ok(())
    }

    fn faces(
        &mut self,
        element: &Element,
        body: &mut impl Body,
        wanted: Option<usize>,
    ) -> Result<Option<Place>, Fault> {
        for i in 0..element.count {
            let place = body.start_item(element, i)?;
            self.corners.clear();
            for property in &element.properties {
                match (property.role, property.list) {
                    (Role::Corners, Some(count)) => {
                        let count = body.count(count)?;
                        for _ in 0..count {
                            let at = body.place();
                            let index = body.value(property.scalar)?;
                            let corner = self.corner(index, element.kind, at)?;
                            self.corners.push(corner);
                        }
                    }
                    _ => body.skip(property)?,
                }
            }
            body.end_item()?;
            if element.kind == Kind::Face {
                self.draft.face(&self.corners, || place.clone())?;
            } else {
                self.strips(&place)?;
            }
            if wanted.is_some_and(|face| self.draft.faces() > face) {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// A corner, which must be a vertex, or [`BREAK`] between strips.
    fn corner(&self, index: f64, kind: Kind, at: Place) -> Result<u32, Fault> {
        // Whole numbers of 32 bits are exact in f64.
        if index >= 0.0 && index < self.vertices as f64 {
            return Ok(index as u32);
        }
        if kind == Kind::Strips && index == -1.0 {
            return Ok(BREAK);
        }
        let message = format!("there is no vertex {index}: the file has {}", self.vertices);
        Err(Fault::new(at, message))
    }

    /// Adds the triangles of the strips among the corners.
    fn strips(&mut self, place: &Place) -> Result<(), Fault> {
        for strip in self.corners.split(|&corner| corner == BREAK) {
            for (i, triangle) in strip.windows(3).enumerate() {
                let [a, b, c] = [triangle[0], triangle[1], triangle[2]];
                let turned = if i % 2 == 0 { [a, b, c] } else { [b, a, c] };
                self.draft.face(&turned, || place.clone())?;
            }
        }
        Ok(())
    }
}

/// What stands between two strips. No vertex has this number: there are fewer.
const BREAK: u32 = u32::MAX;

/// Reads over an element that makes no part of the mesh.
fn skip(element: &Element, body: &mut impl Body) -> Result<(), Fault> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for i in 0..element.count {
        body.start_item(element, i)?;
        for property in &element.properties {
            body.skip(property)?;
        }
        body.end_item()?;
    }
    Ok(())
}
