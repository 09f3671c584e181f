//! A mesh in the making: vertices in f64 and faces of any number of corners, to triangles.
//!
//! What is odd is treated as in OBJ: a face of fewer than three corners is skipped, a vertex may
//! be NaN or infinite, and both are warnings.

use std::collections::HashMap;

use super::ReadError;
use super::fault::{Fault, Place, Source, Warnings};
use crate::mesh::{MeshReport, Part, Parts, TriangleMesh};
use crate::origin;
use crate::polygon::Triangulator;

/// A mesh in the making.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) warnings: Warnings,
    positions: Vec<[f64; 3]>,
    /// The greatest magnitude of a finite coordinate.
    reach: f64,
    /// A polygon's are a fan until they are cut.
    triangles: Vec<[u32; 3]>,
    polygons: Vec<Polygon>,
    /// The corners of all polygons.
    corners: Vec<u32>,
    faces: usize,
    skipped: usize,
    runs: Vec<Part>,
    names: Vec<String>,
    by_name: HashMap<String, u32>,
}

/// A face of more than three corners.
#[derive(Clone, Copy, Debug)]
struct Polygon {
    first_triangle: usize,
    /// Where its corners end in [`Draft::corners`]; they begin where the previous ones end.
    corners_end: usize,
}

impl Draft {
    pub(crate) fn new(strict: bool) -> Self {
        Self {
            warnings: Warnings::new(strict),
            positions: Vec::new(),
            reach: 0.0,
            triangles: Vec::new(),
            polygons: Vec::new(),
            corners: Vec::new(),
            faces: 0,
            skipped: 0,
            runs: Vec::new(),
            names: Vec::new(),
            by_name: HashMap::new(),
        }
    }

    /// Reads a file. `fill` reads all of it into a draft; or up to the face of a number, counted
    /// over the faces that make triangles, of which it gives the place. `end` is the file's.
    pub(crate) fn read(
        source: &Source<'_>,
        end: Place,
        fill: impl Fn(&mut Self, Option<usize>) -> Result<Option<Place>, Fault>,
    ) -> Result<(TriangleMesh, MeshReport), ReadError> {
        let mut draft = Self::new(source.strict);
        fill(&mut draft, None).map_err(|fault| source.error(fault))?;
        // What was read once can be read again.
        let again = |face| fill(&mut Self::new(false), Some(face)).ok().flatten();
        draft.finish(source, |face| again(face).unwrap_or(Place::Byte(0)), end)
    }

    /// Makes room for vertices and faces that the file is known to have bytes for.
    pub(crate) fn reserve(&mut self, vertices: usize, faces: usize) {
        self.positions.reserve(vertices);
        self.triangles.reserve(faces);
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn vertices(&self) -> usize {
        self.positions.len()
    }

    /// Adds a vertex.
    pub(crate) fn vertex(
        &mut self,
        position: [f64; 3],
        place: impl FnOnce() -> Place,
    ) -> Result<(), Fault> {
        if position.iter().all(|x| x.abs() <= GREATEST_COORDINATE) {
            self.reach = position.iter().fold(self.reach, |reach, x| reach.max(x.abs()));
        } else {
            let [x, y, z] = position;
            self.warnings.add(place(), || {
                format!("the vertex ({x}, {y}, {z}) is not finite in single precision")
            })?;
        }
        self.positions.push(position);
        Ok(())
    }

    /// Adds a face over vertices that there are, or will be.
    pub(crate) fn face(
        &mut self,
        corners: &[u32],
        place: impl FnOnce() -> Place,
    ) -> Result<(), Fault> {
        match *corners {
            [a, b, c] => self.triangles.push([a, b, c]),
            [] | [_] | [_, _] => {
                self.skipped += 1;
                return self.warnings.add(place(), || match corners.len() {
                    0 => "a face without corners is skipped".into(),
                    1 => "a face of 1 corner is skipped".into(),
                    count => format!("a face of {count} corners is skipped"),
                });
            }
            [first, ref others @ ..] => {
                let first_triangle = self.triangles.len();
                self.triangles.extend(others.windows(2).map(|pair| [first, pair[0], pair[1]]));
                self.corners.extend_from_slice(corners);
                self.polygons.push(Polygon { first_triangle, corners_end: self.corners.len() });
            }
        }
        self.faces += 1;
        Ok(())
    }

    /// How many faces made triangles so far.
    pub(crate) fn faces(&self) -> usize {
        self.faces
    }

    /// From here on, triangles belong to an object of this name; empty for none.
    pub(crate) fn object(&mut self, name: &str) {
        self.part([Some(name), None, None]);
    }

    /// From here on, triangles go by these names of object, group and material.
    pub(crate) fn part(&mut self, names: [Option<&str>; 3]) {
        let first_prim = self.triangles.len() as u32;
        // Names that change again before a triangle comes were never used.
        self.runs.pop_if(|run| run.first_prim == first_prim);
        let [object, group, material] = names.map(|name| self.name(name?));
        let last = self.runs.last().map(|run| [run.object, run.group, run.material]);
        if last.unwrap_or_default() != [object, group, material] {
            self.runs.push(Part { first_prim, object, group, material });
        }
    }

    /// The number of a name; each is kept once.
    fn name(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() {
            return None;
        }
        if let Some(&number) = self.by_name.get(name) {
            return Some(number);
        }
        let number = self.names.len() as u32;
        self.names.push(name.into());
        self.by_name.insert(name.into(), number);
        Some(number)
    }

    /// Cuts the polygons and makes the mesh. `place` tells where a face stands, counted over the
    /// faces that made triangles; `end` is the end of the file.
    pub(crate) fn finish(
        mut self,
        source: &Source<'_>,
        place: impl Fn(usize) -> Place,
        end: Place,
    ) -> Result<(TriangleMesh, MeshReport), ReadError> {
        let mut report = MeshReport {
            vertices: self.positions.len(),
            polygons: self.faces,
            triangles: self.triangles.len(),
            skipped: self.skipped,
            ..MeshReport::default()
        };
        let at = |index: u32| self.positions[index as usize];
        let origin = origin::local_origin(self.reach, [self.triangles.as_flattened()], at);
        let relative = |position: &[f64; 3]| {
            std::array::from_fn(|axis| (position[axis] - origin[axis]) as f32)
        };
        let positions: Vec<[f32; 3]> = self.positions.iter().map(relative).collect();
        drop(std::mem::take(&mut self.positions));
        let polygons = self.cut(&positions);
        self.runs.pop_if(|run| run.first_prim as usize == self.triangles.len());
        let mesh = TriangleMesh::new(positions, self.triangles)
            .map_err(|error| ReadError::Mesh { file: source.name.into(), source: error })?
            .with_origin(origin)
            .with_parts(Parts::new(self.runs, self.names, polygons));

        let found = report.count_defects(&mesh).into_iter().map(|(prim, message)| {
            Fault::new(place(mesh.parts().polygon_of(prim) as usize), message)
        });
        self.warnings.tell(found.collect(), source, &mut report)?;
        if mesh.triangle_count() == 0 {
            let message = "the file holds no triangles";
            if source.strict {
                return Err(source.error(Fault::new(end, message)));
            }
            report.warn(0, message);
        }
        Ok((mesh, report))
    }

    /// Cuts the polygons, and gives the face of each triangle; none where all are triangles.
    fn cut(&mut self, positions: &[[f32; 3]]) -> Vec<u32> {
        if self.polygons.is_empty() {
            return Vec::new();
        }
        let mut triangulator = Triangulator::new();
        let mut faces = Vec::with_capacity(self.triangles.len());
        let (mut from, mut face) = (0, 0);
        for polygon in &self.polygons {
            let corners = &self.corners[from..polygon.corners_end];
            from = polygon.corners_end;
            let own = polygon.first_triangle..polygon.first_triangle + corners.len() - 2;
            while faces.len() < own.start {
                faces.push(face);
                face += 1;
            }
            triangulator.cut(corners, positions, &mut self.triangles[own.clone()]);
            faces.resize(own.end, face);
            face += 1;
        }
        while faces.len() < self.triangles.len() {
            faces.push(face);
            face += 1;
        }
        faces
    }
}

/// The greatest magnitude that rounds to a finite f32: halfway from the greatest f32 to 2¹²⁸, the
/// tie itself excluded.
const GREATEST_COORDINATE: f64 = 340_282_356_779_733_620_000_000_000_000_000_000_000.0;
