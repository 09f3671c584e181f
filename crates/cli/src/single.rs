//! The answer to one ray: in words on a terminal, or as a JSON object.

use std::io::{IsTerminal, Write};

use anyhow::Context;
use hitscan::{Hit, RayF64};
use serde::Serialize;

use crate::args::Query;
use crate::hits::{Answered, HitSink};
use crate::number::Shortest;
use crate::query::{Answers, PlacedMesh};

/// The answer to one ray.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SingleAnswer {
    /// In words.
    Words,
    /// As a JSON object.
    Json(Query),
}

impl SingleAnswer {
    /// Whether stdout is a terminal.
    pub(crate) fn is_read_by_people() -> bool {
        std::io::stdout().is_terminal()
    }
}

impl HitSink for SingleAnswer {
    fn write_chunk(&mut self, chunk: &Answered<'_>) -> anyhow::Result<()> {
        let Some(ray) = chunk.rays.first() else { return Ok(()) };
        let text = match self {
            Self::Words => words(ray, chunk.answers, chunk.mesh),
            Self::Json(query) => {
                serde_json::to_string(&AnswerJson::new(*query, ray, chunk.answers, chunk.mesh))?
            }
        };
        writeln!(std::io::stdout(), "{text}").context("stdout")
    }

    fn finish(self: Box<Self>) -> anyhow::Result<()> {
        Ok(())
    }
}

fn words(ray: &RayF64, answers: &Answers, mesh: &PlacedMesh) -> String {
    match answers {
        Answers::Closest(hits) => match hits.first() {
            Some(Some(hit)) => hit_in_words(ray, hit, mesh),
            _ => "miss".into(),
        },
        Answers::Any(hits) => if hits.contains(&true) { "hit" } else { "miss" }.into(),
        Answers::Count(counts) => match counts.first() {
            Some(1) => "1 hit".into(),
            Some(count) => format!("{count} hits"),
            None => "0 hits".into(),
        },
        Answers::All(all) => match all.hits.len() {
            0 => "miss".into(),
            _ => {
                let hits = all.hits.iter().map(|hit| hit_in_words(ray, hit, mesh));
                hits.collect::<Vec<_>>().join("\n")
            }
        },
    }
}

fn hit_in_words(ray: &RayF64, hit: &Hit, mesh: &PlacedMesh) -> String {
    let detail = mesh.detail(ray, hit);
    let [x, y, z] = detail.point.map(|x| {
        if detail.is_far { Shortest(x).to_string() } else { Shortest(x as f32).to_string() }
    });
    let [nx, ny, nz] = detail.normal;
    let side = if hit.front { "front" } else { "back" };
    let object = detail.object.map(|name| format!(" of {name}")).unwrap_or_default();
    format!(
        "hit   the {side} of triangle {prim}{object}\n\
         t     {t}\n\
         point {x} {y} {z}\n\
         uv    {u} {v}\n\
         normal {nx} {ny} {nz}",
        prim = hit.prim,
        t = Shortest(hit.t),
        u = Shortest(hit.u),
        v = Shortest(hit.v),
    )
}

/// The answer to one ray as `--json` prints it. Structs, because a `serde_json::Value` would widen
/// every f32 and print digits that are not there.
#[derive(Debug, Serialize)]
struct AnswerJson<'a> {
    schema: u32,
    query: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hit: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    #[serde(flatten)]
    closest: Option<HitJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<HitJson<'a>>>,
}

#[derive(Debug, Serialize)]
struct HitJson<'a> {
    t: f32,
    prim: u32,
    u: f32,
    v: f32,
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    nx: f32,
    ny: f32,
    nz: f32,
    front: bool,
    object: Option<&'a str>,
}

/// A world coordinate with as many digits as it has.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Coordinate {
    Near(f32),
    Far(f64),
}

impl<'a> AnswerJson<'a> {
    fn new(query: Query, ray: &RayF64, answers: &Answers, mesh: &'a PlacedMesh) -> Self {
        let none = Self {
            schema: 1,
            query: query.name(),
            hit: None,
            count: None,
            closest: None,
            hits: None,
        };
        match answers {
            Answers::Closest(hits) => {
                let hit = hits.first().copied().flatten();
                let closest = hit.map(|hit| HitJson::new(ray, &hit, mesh));
                Self { hit: Some(hit.is_some()), closest, ..none }
            }
            Answers::Any(hits) => Self { hit: Some(hits.contains(&true)), ..none },
            Answers::Count(counts) => Self { count: counts.first().copied(), ..none },
            Answers::All(all) => {
                let hits: Vec<_> =
                    all.hits.iter().map(|hit| HitJson::new(ray, hit, mesh)).collect();
                Self { count: Some(hits.len()), hits: Some(hits), ..none }
            }
        }
    }
}

impl<'a> HitJson<'a> {
    fn new(ray: &RayF64, hit: &Hit, mesh: &'a PlacedMesh) -> Self {
        let detail = mesh.detail(ray, hit);
        let [x, y, z] = detail
            .point
            .map(|x| if detail.is_far { Coordinate::Far(x) } else { Coordinate::Near(x as f32) });
        let [nx, ny, nz] = detail.normal;
        let (t, prim, u, v, front) = (hit.t, hit.prim, hit.u, hit.v, hit.front);
        Self { t, prim, u, v, x, y, z, nx, ny, nz, front, object: detail.object }
    }
}
