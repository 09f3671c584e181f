//! The boxes of a tree's levels as a mesh that any viewer shows.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anstream::eprintln;
use anyhow::Context;
use hitscan::{Aabb, Bvh};

use crate::failure::Usage;
use crate::number::{Shortest, grouped};
use crate::output::WholeFile;

/// Without a level, the first ones are written until one has more boxes than this.
const MOST_BOXES: usize = 4096;

/// The corners of a box, by the bits of the axes along which they lie high.
const CORNERS: usize = 8;

/// The sides of a box by its corners, counter-clockwise seen from outside.
const SIDES: [[usize; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// What kind of mesh the boxes become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoxFormat {
    Obj,
    Ply,
}

impl BoxFormat {
    /// By the file's name.
    pub(super) fn of(path: &Path) -> anyhow::Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "obj" => Ok(Self::Obj),
            "ply" => Ok(Self::Ply),
            _ => {
                let path = path.display();
                Err(Usage(format!("--levels {path}: boxes are written as .obj or .ply")).into())
            }
        }
    }
}

/// Writes the boxes of a level, or of the first levels.
pub(super) fn write(
    bvh: &Bvh,
    level: Option<usize>,
    path: &Path,
    format: BoxFormat,
) -> anyhow::Result<()> {
    let mut by_level: BTreeMap<usize, Vec<Aabb>> = BTreeMap::new();
    for (level, bounds) in bvh.boxes() {
        by_level.entry(level).or_default().push(bounds);
    }
    let depth = by_level.len();
    match level {
        Some(level) if level >= depth => {
            let levels = if depth == 1 { "level" } else { "levels" };
            return Err(Usage(format!("--level {level}: the tree has {depth} {levels}")).into());
        }
        Some(level) => by_level.retain(|&other, _| other == level),
        None => {
            let is_small = |boxes: &&Vec<Aabb>| boxes.len() <= MOST_BOXES;
            let first_levels = by_level.values().take_while(is_small).count();
            by_level.retain(|&level, _| level < first_levels);
        }
    }
    let count: usize = by_level.values().map(Vec::len).sum();
    let mut file = WholeFile::create(path)?;
    let written = match format {
        BoxFormat::Obj => write_obj(&mut file, &by_level, bvh.mesh().origin()),
        BoxFormat::Ply => write_ply(&mut file, &by_level, bvh.mesh().origin()),
    };
    written.with_context(|| format!("{}: cannot be written", path.display()))?;
    file.finish()?;
    let told = match (level, by_level.len()) {
        (Some(level), _) => format!("level {level}"),
        (None, some) => format!("{some} of {depth} levels"),
    };
    let boxes = if count == 1 { "box" } else { "boxes" };
    eprintln!("{}: {} {boxes}, {told}", path.display(), grouped(count as u64));
    Ok(())
}

/// The corners in the file's coordinates.
fn corners(bounds: Aabb, origin: [f64; 3]) -> [[f64; 3]; CORNERS] {
    let sides = [bounds.min.to_array(), bounds.max.to_array()];
    std::array::from_fn(|corner| {
        std::array::from_fn(|axis| f64::from(sides[corner >> axis & 1][axis]) + origin[axis])
    })
}

fn write_obj(
    out: &mut impl Write,
    by_level: &BTreeMap<usize, Vec<Aabb>>,
    origin: [f64; 3],
) -> io::Result<()> {
    let mut first = 1;
    for (level, boxes) in by_level {
        writeln!(out, "o level_{level}")?;
        for &bounds in boxes {
            for [x, y, z] in corners(bounds, origin) {
                writeln!(out, "v {} {} {}", Shortest(x), Shortest(y), Shortest(z))?;
            }
            for side in SIDES {
                let [a, b, c, d] = side.map(|corner| first + corner);
                writeln!(out, "f {a} {b} {c} {d}")?;
            }
            first += CORNERS;
        }
    }
    Ok(())
}

fn write_ply(
    out: &mut impl Write,
    by_level: &BTreeMap<usize, Vec<Aabb>>,
    origin: [f64; 3],
) -> io::Result<()> {
    let count: usize = by_level.values().map(Vec::len).sum();
    write!(
        out,
        "ply\nformat ascii 1.0\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\nproperty int level\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        count * CORNERS,
        count * SIDES.len(),
    )?;
    for (&level, boxes) in by_level {
        let [red, green, blue] = color(level);
        for &bounds in boxes {
            for [x, y, z] in corners(bounds, origin) {
                let (x, y, z) = (Shortest(x), Shortest(y), Shortest(z));
                writeln!(out, "{x} {y} {z} {red} {green} {blue} {level}")?;
            }
        }
    }
    for first in (0..count).map(|i| i * CORNERS) {
        for side in SIDES {
            let [a, b, c, d] = side.map(|corner| first + corner);
            writeln!(out, "4 {a} {b} {c} {d}")?;
        }
    }
    Ok(())
}

/// A color for each level, neighbours far apart on the color circle.
fn color(level: usize) -> [u8; 3] {
    let turn = (level as f64 * 0.618_033_988_749_895).fract() * 6.0;
    [5.0, 3.0, 1.0].map(|shift| {
        let k: f64 = (turn + shift) % 6.0;
        (255.0 * (1.0 - k.min(4.0 - k).clamp(0.0, 1.0) * 0.8)) as u8
    })
}
