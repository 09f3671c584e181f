//! `hitscan check`: what is wrong with a mesh, and whether the engine is right on it.

mod defects;
mod engine;
mod rays;
mod report;

use std::io::Write;

use anyhow::{Context, bail};
use hitscan::{Defects, Weld};

use crate::args::CheckArgs;
use crate::mesh_file;
use crate::number::grouped;
use crate::progress::Stage;
use engine::EngineCheck;
use report::Report;

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<()> {
    // All defects are to be told, not the first one only; of a baked file each byte is to be read.
    let mut mesh_args = args.mesh.clone();
    mesh_args.reading.strict = mesh_file::is_baked(&args.mesh.mesh);
    let built = mesh_file::read_and_build(&mesh_args, args.format)?;
    let mesh = built.bvh.mesh();
    if built.is_baked {
        let stage = Stage::spinner("looking at the tree");
        let valid = built.bvh.validate();
        stage.done();
        let told = || format!("{}: is not a tree over its mesh", args.mesh.mesh.display());
        valid.with_context(told)?;
    }
    let stage = Stage::spinner("looking at edges");
    let weld = if args.indexed { Weld::Indices } else { Weld::Positions };
    let defects = Defects::of(mesh, weld);
    stage.done();
    let stage = Stage::spinner("casting rays");
    let rays = rays::aimed(mesh, args.rays as usize, args.seed);
    let engine = EngineCheck::of(&built.bvh, defects.topology.is_closed(), &rays);
    stage.done();

    let kinds = defects::kinds(&args.mesh.mesh, mesh, &built.report, &defects);
    let report = Report::new(&args.mesh.mesh, &built, &defects, kinds, &engine, rays.len());
    let text =
        if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.to_string() };
    std::io::stdout().write_all(text.as_bytes()).context("stdout")?;
    if engine.wrong > 0 {
        bail!("{} of the checks went wrong: please report this mesh", grouped(engine.wrong));
    }
    if args.mesh.reading.strict && report.is_defective() {
        bail!("{}: the mesh has defects", args.mesh.mesh.display());
    }
    Ok(())
}
