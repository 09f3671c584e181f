//! `hitscan cast`: rays in, hits out, a chunk at a time.

use std::io::Write;

use anstream::eprintln;
use anyhow::Context;
use hitscan::file::MeshFormat;
use hitscan::{Instance, Ray, RayF64, Transform};

use crate::args::{CastArgs, InputFormat, TableFormat};
use crate::failure::Usage;
use crate::hits::{Answered, HitSink, Target};
use crate::mesh_file;
use crate::milliseconds::Milliseconds;
use crate::number::grouped;
use crate::progress::Stage;
use crate::query::{self, Answers, PlacedMesh};
use crate::rays::{self, GivenRays, RaySource};
use crate::single::SingleAnswer;
use crate::summary::{Summary, mrays_per_second};

pub(crate) fn run(args: &CastArgs) -> anyhow::Result<()> {
    let (mesh_format, rays_format) = input_formats(&args.format)?;
    let target = Target::new(args.out.as_deref(), args.out_format)?;
    let given = given_ray(args);
    let mut source: Box<dyn RaySource> = match (&args.rays, given) {
        (Some(path), _) => rays::open(path, rays_format)?,
        (None, Some(ray)) => Box::new(GivenRays(vec![ray])),
        (None, None) => return Err(Usage("give --rays, or --origin and --direction".into()).into()),
    };
    let built = mesh_file::read_and_build(&args.mesh, mesh_format)?;
    let transform = args.transform.map_or(Transform::IDENTITY, Transform::from);
    let mesh = PlacedMesh(Instance::new(built.bvh, transform).context("--transform")?);

    let single = given.is_some() && target.is_stdout();
    let mut sink: Box<dyn HitSink> = match given {
        Some(_) if single && args.json => Box::new(SingleAnswer::Json(args.query)),
        Some(_) if single && SingleAnswer::is_read_by_people() => Box::new(SingleAnswer::Words),
        _ => target.open(args.query)?,
    };
    let mut summary = Summary {
        schema: 1,
        query: args.query.name(),
        rays: 0,
        hits: 0,
        unrepresentable_rays: 0,
        load_ms: built.load_ms,
        build_ms: built.build_ms,
        read_ms: Milliseconds::default(),
        cast_ms: Milliseconds::default(),
        write_ms: Milliseconds::default(),
        mrays_per_second: 0.0,
    };
    cast(args, &mesh, source.as_mut(), sink.as_mut(), &target, &mut summary)?;
    let (result, write_ms) = Milliseconds::of(|| sink.finish());
    result?;
    summary.write_ms.0 += write_ms.0;
    summary.mrays_per_second = mrays_per_second(summary.rays, summary.cast_ms.0);
    tell(&summary, args, &target, single)
}

/// Reads, casts and writes chunk after chunk.
fn cast(
    args: &CastArgs,
    mesh: &PlacedMesh,
    source: &mut dyn RaySource,
    sink: &mut dyn HitSink,
    target: &Target<'_>,
    summary: &mut Summary,
) -> anyhow::Result<()> {
    let stage = if target.is_stdout() && SingleAnswer::is_read_by_people() {
        // A bar would run through the hits on the same terminal.
        Stage::hidden()
    } else {
        Stage::rays("casting", source.expected())
    };
    let advance = |rays: usize| stage.advance(rays as u64);
    let options = query::options(args);
    let (mut world_rays, mut mesh_rays) = (Vec::new(), Vec::new());
    loop {
        let (result, read_ms) = Milliseconds::of(|| source.read_chunk(&mut world_rays));
        result?;
        summary.read_ms.0 += read_ms.0;
        if world_rays.is_empty() {
            break;
        }
        if let Some(expected) = source.expected() {
            stage.set_length(expected);
        }
        move_rays(mesh, &world_rays, &mut mesh_rays);
        summary.unrepresentable_rays += unrepresentable(&world_rays, &mesh_rays);
        let answers = || Answers::of(args.query, mesh.0.bvh(), &mesh_rays, options);
        let (answers, cast_ms) = Milliseconds::of(answers);
        let answers = answers?;
        summary.cast_ms.0 += cast_ms.0;
        let chunk =
            Answered { first_ray: summary.rays, rays: &world_rays, answers: &answers, mesh };
        let (result, write_ms) = Milliseconds::of(|| sink.write_chunk(&chunk));
        result?;
        summary.write_ms.0 += write_ms.0;
        summary.rays += world_rays.len() as u64;
        summary.hits += answers.hits();
        advance(world_rays.len());
    }
    stage.done();
    Ok(())
}

fn move_rays(mesh: &PlacedMesh, world_rays: &[RayF64], mesh_rays: &mut Vec<Ray>) {
    use rayon::prelude::*;
    world_rays.par_iter().map(|ray| mesh.0.ray_to_object(ray)).collect_into_vec(mesh_rays);
}

/// How many rays are valid in f64 but no longer in f32.
fn unrepresentable(world_rays: &[RayF64], mesh_rays: &[Ray]) -> u64 {
    let valid = |ray: &RayF64| {
        let finite = ray.origin.iter().chain(&ray.direction).all(|x| x.is_finite());
        finite && ray.direction != [0.0; 3] && ray.t_min <= ray.t_max
    };
    let pairs = world_rays.iter().zip(mesh_rays);
    pairs.filter(|(world, mesh)| !mesh.is_valid() && valid(world)).count() as u64
}

/// The ray that the command line itself gives.
fn given_ray(args: &CastArgs) -> Option<RayF64> {
    Some(RayF64 {
        origin: args.origin?,
        direction: args.direction?,
        t_min: args.t_min.unwrap_or(0.0),
        t_max: args.t_max.unwrap_or(f64::INFINITY),
    })
}

/// What `--format` says of the mesh and of the rays.
fn input_formats(
    formats: &[InputFormat],
) -> Result<(Option<MeshFormat>, Option<TableFormat>), Usage> {
    let (mut mesh, mut rays) = (None, None);
    let mut set_mesh = |format| mesh.replace(format).is_none_or(|before| before == format);
    let mut set_rays = |format| rays.replace(format).is_none_or(|before| before == format);
    for &format in formats {
        let first = match format {
            InputFormat::Mesh(format) => set_mesh(format),
            InputFormat::Rays(format) => set_rays(format),
        };
        if !first {
            let what = "--format says two things of MESH, or two of RAYS";
            return Err(Usage(what.into()));
        }
    }
    Ok((mesh, rays))
}

/// Tells the summary where it does not run into the hits.
fn tell(
    summary: &Summary,
    args: &CastArgs,
    target: &Target<'_>,
    single: bool,
) -> anyhow::Result<()> {
    if summary.unrepresentable_rays > 0 {
        let rays = match summary.unrepresentable_rays {
            1 => "1 ray misses".to_owned(),
            count => format!("{} rays miss", grouped(count)),
        };
        eprintln!(
            "\u{1b}[1;33mwarning\u{1b}[0m: {rays} because single precision cannot hold what it \
             takes near the mesh"
        );
    }
    match (args.json, target.is_stdout()) {
        (true, true) => eprintln!("{}", serde_json::to_string(summary)?),
        (true, false) => {
            writeln!(std::io::stdout(), "{}", serde_json::to_string(summary)?).context("stdout")?;
        }
        (false, _) if single && SingleAnswer::is_read_by_people() => {}
        (false, _) => eprintln!("{summary}"),
    }
    Ok(())
}
