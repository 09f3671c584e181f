//! A small OBJ writer.

use std::fmt::Write as _;

use hitscan_core::TriangleMesh;

/// OBJ text in the making.
#[derive(Clone, Debug, Default)]
pub struct ObjText {
    text: String,
    vertices: u32,
}

impl ObjText {
    /// Text that begins with a comment.
    #[must_use]
    pub fn new(comment: &str) -> Self {
        Self { text: format!("# {comment}\n"), vertices: 0 }
    }

    /// Any other line, such as `o table` or `usemtl oak`.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Adds vertices, rounded to four decimals, and returns the index of the first, from 0.
    pub fn vertices(&mut self, positions: &[[f32; 3]]) -> u32 {
        let first = self.vertices;
        for position in positions {
            // Adding zero makes −0 a plain 0.
            let [x, y, z] = position.map(|x| (f64::from(x) * 1e4).round() / 1e4 + 0.0);
            let _ = writeln!(self.text, "v {x} {y} {z}");
        }
        self.vertices += positions.len() as u32;
        first
    }

    /// Adds a face over vertices counted from 0.
    pub fn face(&mut self, corners: &[u32]) {
        self.text.push('f');
        for corner in corners {
            let _ = write!(self.text, " {}", corner + 1);
        }
        self.text.push('\n');
    }

    /// Adds all of a mesh.
    pub fn mesh(&mut self, mesh: &TriangleMesh) {
        let first = self.vertices(mesh.positions());
        for corners in mesh.indices() {
            self.face(&corners.map(|corner| corner + first));
        }
    }

    /// Adds a box of six quads, facing outward, or inward if `low` and `high` are swapped on one
    /// axis or on all three.
    pub fn cuboid(&mut self, low: [f32; 3], high: [f32; 3]) {
        let corner = |i: usize| std::array::from_fn(|axis| [low, high][i >> axis & 1][axis]);
        let corners: [[f32; 3]; 8] = std::array::from_fn(corner);
        let first = self.vertices(&corners);
        for quad in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            self.face(&quad.map(|corner| corner + first));
        }
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }
}
