//! `hitscan inspect`: what is in a mesh and how good its tree is.

mod boxes;

use std::io::Write;

use anyhow::Context;
use comfy_table::{Table, presets};
use hitscan::{Bvh, MeshReport, TreeProfile, TriangleMesh};
use serde::Serialize;

use self::boxes::BoxFormat;
use crate::args::InspectArgs;
use crate::mesh_file::{self, BuiltMesh};
use crate::milliseconds::Milliseconds;
use crate::number::{Shortest, bytes, grouped};
use crate::values::LayoutName;

pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<()> {
    let format = args.levels.as_deref().map(BoxFormat::of).transpose()?;
    let mut built = mesh_file::read_and_build(&args.mesh, args.format)?;
    if built.is_baked {
        built.report = MeshReport::of_mesh(built.bvh.mesh());
    }
    if let (Some(path), Some(format)) = (&args.levels, format) {
        boxes::write(&built.bvh, args.level, path, format)?;
    }
    let inspection = Inspection::new(&args.mesh.mesh.display().to_string(), args, &built);
    let text = if args.json {
        serde_json::to_string_pretty(&inspection)?
    } else {
        inspection.table().trim_fmt()
    };
    writeln!(std::io::stdout(), "{text}").context("stdout")
}

/// Everything that `inspect` tells.
#[derive(Debug, Serialize)]
struct Inspection<'a> {
    schema: u32,
    mesh: String,
    triangles: usize,
    vertices: usize,
    polygons: usize,
    objects: usize,
    /// `None` where the mesh has no finite triangle.
    bounds: Option<Bounds>,
    /// Of all finite triangles, in square mesh units.
    area: f64,
    /// Where the mesh's own coordinates are relative to; zero unless it lies far from zero.
    origin: [f64; 3],
    degenerate: usize,
    duplicate: usize,
    non_finite: usize,
    /// `None` for a baked file, which does not know what its mesh file held, as the next two.
    skipped: Option<usize>,
    warnings: Option<Vec<WarningJson<'a>>>,
    warning_count: Option<usize>,
    load_ms: Milliseconds,
    build_ms: Milliseconds,
    quality: &'static str,
    layout: &'static str,
    nodes: usize,
    leaves: usize,
    depth: usize,
    sah_cost: f64,
    /// The end-point overlap.
    overlap: f64,
    nodes_by_level: Vec<usize>,
    leaves_by_level: Vec<usize>,
    leaves_by_size: [usize; 5],
    nodes_by_children: [usize; 9],
    /// Of the tree.
    bytes: usize,
    bytes_per_triangle: f64,
    bytes_by_part: BytesByPart,
    simd: &'static str,
    threads: usize,
}

/// Memory by what it is for.
#[derive(Clone, Copy, Debug, Serialize)]
struct BytesByPart {
    nodes: usize,
    leaves: usize,
    mesh_positions: usize,
    mesh_indices: usize,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Bounds {
    min: [f64; 3],
    max: [f64; 3],
}

#[derive(Clone, Copy, Debug, Serialize)]
struct WarningJson<'a> {
    line: usize,
    message: &'a str,
}

impl<'a> Inspection<'a> {
    fn new(name: &str, args: &InspectArgs, built: &'a BuiltMesh) -> Self {
        let BuiltMesh { bvh, report, is_baked, load_ms, build_ms } = built;
        let mesh = bvh.mesh();
        let statistics = bvh.statistics();
        let TreeProfile {
            nodes_by_level,
            leaves_by_level,
            leaves_by_size,
            nodes_by_children,
            overlap,
        } = bvh.profile();
        let warnings = report.warnings.iter();
        let warnings =
            warnings.map(|warning| WarningJson { line: warning.line, message: &warning.message });
        let of_file = !is_baked;
        Self {
            schema: 1,
            mesh: name.to_owned(),
            triangles: mesh.triangle_count(),
            vertices: mesh.positions().len(),
            polygons: report.polygons,
            objects: mesh.parts().object_count(),
            bounds: bounds(mesh),
            area: area(mesh),
            origin: mesh.origin(),
            degenerate: report.degenerate,
            duplicate: report.duplicate,
            non_finite: report.non_finite,
            skipped: of_file.then_some(report.skipped),
            warnings: of_file.then(|| warnings.collect()),
            warning_count: of_file.then_some(report.warning_count),
            load_ms: *load_ms,
            build_ms: *build_ms,
            quality: if *is_baked { "baked" } else { args.mesh.quality_name().name() },
            layout: LayoutName::of(bvh.layout()).name(),
            nodes: statistics.nodes,
            leaves: statistics.leaves,
            depth: statistics.depth,
            sah_cost: statistics.sah_cost,
            overlap,
            nodes_by_level,
            leaves_by_level,
            leaves_by_size,
            nodes_by_children,
            bytes: statistics.bytes(),
            bytes_per_triangle: statistics.bytes_per_triangle(),
            bytes_by_part: BytesByPart {
                nodes: statistics.node_bytes,
                leaves: statistics.leaf_bytes,
                mesh_positions: size_of_val(mesh.positions()),
                mesh_indices: size_of_val(mesh.indices()),
            },
            simd: Bvh::level(bvh).name(),
            threads: rayon::current_num_threads(),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        let count = |number: usize| grouped(number as u64);
        let corner = |[x, y, z]: [f64; 3]| {
            format!("{} {} {}", Shortest(x as f32), Shortest(y as f32), Shortest(z as f32))
        };
        let [min, max] = match &self.bounds {
            Some(bounds) => [corner(bounds.min), corner(bounds.max)],
            None => ["none".to_owned(), "none".to_owned()],
        };
        let mut row = |name: &str, value: String| {
            table.add_row([name.to_owned(), value]);
        };
        row("mesh", self.mesh.clone());
        row("triangles", count(self.triangles));
        row("vertices", count(self.vertices));
        row("polygons", count(self.polygons));
        row("objects", count(self.objects));
        row("lowest corner", min);
        row("highest corner", max);
        row("area", Shortest(self.area as f32).to_string());
        if self.origin != [0.0; 3] {
            row("kept relative to", self.origin.map(|x| Shortest(x).to_string()).join(" "));
        }
        row("degenerate", count(self.degenerate));
        row("duplicate", count(self.duplicate));
        row("not finite", count(self.non_finite));
        if let Some((skipped, warnings)) = self.skipped.zip(self.warning_count) {
            row("skipped faces", count(skipped));
            row("warnings", count(warnings));
        }
        row("", String::new());
        row("quality", self.quality.to_owned());
        row("layout", self.layout.to_owned());
        row("nodes", count(self.nodes));
        row("  by level", list(&self.nodes_by_level));
        row("leaves", count(self.leaves));
        row("  by level", list(&self.leaves_by_level));
        row("  by size", list(&self.leaves_by_size));
        row("depth", count(self.depth));
        row("SAH cost", format!("{:.2}", self.sah_cost));
        row("overlap", format!("{:.2}", self.overlap));
        row("memory", bytes(self.bytes as u64));
        let BytesByPart { nodes, leaves, mesh_positions, mesh_indices } = self.bytes_by_part;
        for (name, part) in
            [("  nodes", nodes), ("  leaves", leaves), ("mesh", mesh_positions + mesh_indices)]
        {
            row(name, bytes(part as u64));
        }
        row("bytes a triangle", format!("{:.1}", self.bytes_per_triangle));
        row("", String::new());
        row("load time", self.load_ms.to_string());
        row("build time", self.build_ms.to_string());
        row("threads", count(self.threads));
        row("SIMD level", self.simd.to_owned());
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        table
    }
}

/// Some counts, one after the other.
fn list(counts: &[usize]) -> String {
    let counts: Vec<String> = counts.iter().map(|&number| grouped(number as u64)).collect();
    counts.join(" ")
}

/// The box around all finite triangles, in the file's own coordinates.
fn bounds(mesh: &TriangleMesh) -> Option<Bounds> {
    let bounds = mesh.bounds();
    let in_file = |corner: [f32; 3]| -> [f64; 3] {
        std::array::from_fn(|axis| {
            let origin = mesh.origin()[axis];
            // Without an origin the f32 is what the file said: keep its few digits.
            if origin == 0.0 {
                shortest_f64(corner[axis])
            } else {
                f64::from(corner[axis]) + origin
            }
        })
    };
    (!bounds.is_empty())
        .then(|| Bounds { min: in_file(bounds.min.into()), max: in_file(bounds.max.into()) })
}

/// The f64 that prints with the digits of the f32: 0.1, not 0.10000000149011612.
fn shortest_f64(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(f64::from(number))
}

/// The area of all finite triangles.
fn area(mesh: &TriangleMesh) -> f64 {
    let area = |prim: u32| {
        let [a, b, c] = mesh.triangle(prim).map(|p| glam::DVec3::from(p.map(f64::from)));
        (b - a).cross(c - a).length() / 2.0
    };
    let areas = (0..mesh.triangle_count() as u32).map(area);
    // From 0, because the sum of nothing is −0.
    areas.filter(|area| area.is_finite()).fold(0.0, |sum, area| sum + area)
}
