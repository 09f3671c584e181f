//! `hitscan inside`: which points lie in a closed mesh.
//!
//! A ray from an inside point leaves the mesh one time more often than it enters it. Each crossing
//! counts once, on shared edges and vertices too, so any direction gives the right parity and one
//! ray a point is enough.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use anstream::eprintln;
use anyhow::Context;
use hitscan::prelude::*;
use hitscan::{BatchOptions, EdgeRule, QueryOptions, Ray, RayF64};

use crate::args::InsideArgs;
use crate::interrupt;
use crate::mesh_file;
use crate::number::grouped;
use crate::output::TextOutput;
use crate::progress::Stage;
use crate::table::{Columns, Lines};

/// Points that are read, asked about and written at once.
const CHUNK: usize = 1 << 18;
/// Askew, so that meshes along the axes are not met edge-on: that would be right, but slower.
const DIRECTION: [f64; 3] = [0.360_1, 0.812_7, 0.458_3];

pub(crate) fn run(args: &InsideArgs) -> anyhow::Result<()> {
    let stdin = args.points == Path::new("-");
    let name = if stdin { "stdin".into() } else { args.points.display().to_string() };
    let reader: Box<dyn Read> = if stdin {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(&args.points).with_context(|| name.clone())?)
    };
    let mut lines = Lines::new(BufReader::with_capacity(1 << 20, reader), name);
    let columns = Columns::read(&mut lines, ["x", "y", "z"], 3)?;

    let built = mesh_file::read_and_build(&args.mesh, args.format)?;
    let origin = built.bvh.mesh().origin();
    let target = args.out.as_deref().filter(|&path| path != Path::new("-"));
    let mut output = TextOutput::create(target)?;
    let query = QueryOptions { edge_rule: Some(EdgeRule::Once), ..QueryOptions::DEFAULT };
    let stage = Stage::points("asking", target.is_none());
    let (mut points, mut insides) = (0_u64, 0_u64);
    let mut text = b"point,inside\n".to_vec();
    loop {
        let rays: Vec<Ray> = lines.parse_block(CHUNK, |line| {
            let mut point = [0.0; 3];
            columns.parse(line, &mut point)?;
            Ok(RayF64::new(point, DIRECTION).relative_to(origin))
        })?;
        let counts = interrupt::watched(|token| {
            let options = BatchOptions { query, cancel: Some(token), ..BatchOptions::default() };
            built.bvh.count_hits_of_with(&rays, &options)
        })?;
        for count in &counts {
            let inside = count % 2;
            insides += inside as u64;
            // Writing to memory does not fail.
            let _ = writeln!(text, "{points},{inside}");
            points += 1;
        }
        output.write_all(&text).context("answers cannot be written")?;
        text.clear();
        stage.advance(rays.len() as u64);
        if rays.is_empty() {
            break;
        }
    }
    stage.done();
    output.finish()?;
    eprintln!("{} points, {} inside", grouped(points), grouped(insides));
    Ok(())
}
