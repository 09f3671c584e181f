//! `hitscan explain`: why a ray hits what it hits, or why it misses.

mod json;

use std::io::Write;

use anyhow::{Context, bail};
use hitscan::explain::TriangleTest;
use hitscan::{Explanation, QueryOptions, RayF64};

use crate::args::ExplainArgs;
use crate::failure::Usage;
use crate::file_lines::FileLines;
use crate::mesh_file;

pub(crate) fn run(args: &ExplainArgs) -> anyhow::Result<()> {
    let built = mesh_file::read_and_build(&args.mesh, args.format)?;
    let mesh = built.bvh.mesh();
    if let Some(prim) = args.triangle.filter(|&prim| prim as usize >= mesh.triangle_count()) {
        let count = mesh.triangle_count();
        return Err(Usage(format!("--triangle {prim}: the mesh has {count} triangles")).into());
    }
    let given = RayF64 {
        origin: args.origin,
        direction: args.direction,
        t_min: args.t_min,
        t_max: args.t_max,
    };
    let ray = given.relative_to(mesh.origin());
    let options = QueryOptions {
        faces: args.faces.faces(),
        edge_rule: Some(args.edges.edge_rule()),
        ..QueryOptions::DEFAULT
    };
    let explanation = built.bvh.explain_with(&ray, &options);
    let asked = args.triangle.and_then(|prim| built.bvh.explain_triangle(&ray, prim, &options));
    let hit = explanation.hit.map(|hit| hit.prim);
    let miss = explanation.nearest_miss.map(|test| test.prim);
    let told = hit.into_iter().chain(miss);
    let lines = FileLines::find(&args.mesh.mesh, mesh, told.chain(args.triangle));
    let mut text = if args.json {
        json::text(&explanation, asked.as_ref(), &lines)?
    } else {
        words(args, &explanation, asked.as_ref(), &lines)
    };
    text.push('\n');
    std::io::stdout().write_all(text.as_bytes()).context("stdout")?;
    if !explanation.agrees() {
        bail!("the tree's answer is not that of a test of every triangle");
    }
    Ok(())
}

fn words(
    args: &ExplainArgs,
    explanation: &Explanation,
    asked: Option<&TriangleTest>,
    lines: &FileLines,
) -> String {
    let mut text = explanation.summary(args.full);
    let mut row = |label: &str, told: &str| text.push_str(&format!("\n{label:<14}{told}"));
    if let Some(test) = asked {
        row("asked for", &explanation.triangle_in_words(test));
    }
    let told = lines.in_words();
    if !told.is_empty() {
        row("file", &told);
    }
    if explanation.fault.is_some() && is_valid(args) {
        row("note", "as it was given it is: single precision cannot hold this ray");
    }
    if explanation.fault.is_none() {
        text.push_str(&format!("\n\n{}", explanation.way(args.full)));
    }
    text
}

/// Whether the ray is valid as it was given.
fn is_valid(args: &ExplainArgs) -> bool {
    let finite = args.origin.iter().chain(&args.direction).all(|x| x.is_finite());
    finite && args.direction != [0.0; 3] && args.t_min <= args.t_max
}
