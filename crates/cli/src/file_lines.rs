//! On which lines of their file some triangles stand, where the file has lines.

use std::path::Path;

use hitscan::file::MeshFormat;
use hitscan::{TriangleMesh, obj};

use crate::mesh_file;

/// The lines of some triangles, in the order in which they were asked for.
#[derive(Debug, Default)]
pub(crate) struct FileLines(Vec<(u32, usize)>);

impl FileLines {
    /// Looks for triangles in a mesh's file; what is not found has no line.
    pub(crate) fn find(
        path: &Path,
        mesh: &TriangleMesh,
        prims: impl IntoIterator<Item = u32>,
    ) -> Self {
        let mut unique: Vec<u32> = Vec::new();
        for prim in prims {
            if !unique.contains(&prim) {
                unique.push(prim);
            }
        }
        let Some(bytes) = obj_bytes(path).filter(|_| !unique.is_empty()) else {
            return Self::default();
        };
        let polygons: Vec<u32> = unique.iter().map(|&prim| mesh.parts().polygon_of(prim)).collect();
        let lines = obj::lines_of_polygons(&bytes, &polygons);
        Self(unique.into_iter().zip(lines).filter_map(|(prim, line)| Some((prim, line?))).collect())
    }

    /// The line of a triangle.
    pub(crate) fn of(&self, prim: u32) -> Option<usize> {
        self.0.iter().find(|known| known.0 == prim).map(|known| known.1)
    }

    /// Which triangle stands on which line, as text.
    pub(crate) fn in_words(&self) -> String {
        let one = |&(prim, line): &(u32, usize)| format!("triangle {prim} on line {line}");
        self.0.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The bytes of a mesh's file, if it is OBJ by what it says; `None` if it cannot be read.
pub(crate) fn obj_bytes(path: &Path) -> Option<Vec<u8>> {
    if mesh_file::is_baked(path) {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let format = MeshFormat::of_bytes(&bytes);
    // What tells nothing of itself was read as the user said or its name says.
    matches!(format, None | Some(MeshFormat::Obj)).then_some(bytes)
}
