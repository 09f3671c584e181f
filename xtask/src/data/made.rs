//! The large procedural meshes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use hitscan::TriangleMesh;
use hitscan_testkit::meshes;

/// A mesh that is made, not fetched.
pub(super) struct Made {
    pub(super) name: &'static str,
    pub(super) triangles: usize,
    pub(super) purpose: &'static str,
    pub(super) make: fn() -> TriangleMesh,
}

pub(super) const MADE: [Made; 3] = [
    Made {
        name: "terrain_10m",
        triangles: 9_999_392,
        purpose: "hills on a grid: far larger than any cache, nearly every ray hits",
        make: || meshes::terrain_of(10_000_000, 1),
    },
    Made {
        name: "soup_1m",
        triangles: 1_000_000,
        purpose: "random triangles in a cube: boxes overlap everywhere, the worst case for a tree",
        make: || meshes::soup(1_000_000, 0.01, 1),
    },
    Made {
        name: "forest_1m",
        triangles: 1_310_720,
        purpose: "2,560 trees: loose leaves that rays pass between, under open sky",
        make: || meshes::forest(2560, 1),
    },
];

/// Writes positions in the fewest digits that read back as the same bits.
pub(super) fn write_obj(mesh: &TriangleMesh, file: &Path) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(file)?);
        for [x, y, z] in mesh.positions() {
            writeln!(out, "v {x} {y} {z}")?;
        }
        for [a, b, c] in mesh.indices().iter().map(|corners| corners.map(|i| i + 1)) {
            writeln!(out, "f {a} {b} {c}")?;
        }
        out.flush()
    };
    write().with_context(|| file.display().to_string())
}
