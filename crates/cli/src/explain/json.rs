//! An explanation as JSON. Structs, because a `serde_json::Value` would widen every f32.

use hitscan::explain::{
    BoxContent, BoxFate, BoxVisit, EdgeSide, NearbyDefect, SettledBy, TriangleTest, Verdict,
};
use hitscan::{Edge, Explanation, Hit, Ray};
use serde::Serialize;

use crate::file_lines::FileLines;

/// The explanation as text.
pub(super) fn text(
    explanation: &Explanation,
    asked: Option<&TriangleTest>,
    lines: &FileLines,
) -> Result<String, serde_json::Error> {
    let test = |test: &TriangleTest| Test::new(explanation, test, lines);
    let hit = |hit: &Hit| HitJson::new(explanation, hit, lines);
    serde_json::to_string_pretty(&ExplanationJson {
        schema: 1,
        hit: explanation.hit.is_some(),
        verdict: explanation.verdict_in_words(),
        agrees: explanation.agrees(),
        ray: RayJson::new(&explanation.ray),
        origin: explanation.mesh().origin(),
        fault: explanation.fault.map(|fault| fault.to_string()),
        nearest: explanation.hit.as_ref().map(hit),
        brute_force: explanation.by_brute_force.as_ref().map(hit),
        triangles_in_mesh: explanation.mesh().triangle_count(),
        on_line: explanation.on_line.iter().map(hit).collect(),
        boxes: explanation.boxes.iter().map(BoxJson::new).collect(),
        triangles: explanation.triangles.iter().map(test).collect(),
        nearest_miss: explanation.nearest_miss.as_ref().map(test),
        asked: asked.map(test),
        nearby: explanation.nearby.iter().map(NearbyJson::new).collect(),
    })
}

#[derive(Debug, Serialize)]
struct ExplanationJson<'a> {
    schema: u32,
    hit: bool,
    verdict: String,
    /// Whether brute force says the same.
    agrees: bool,
    /// Relative to `origin`.
    ray: RayJson,
    /// What all coordinates here are relative to.
    origin: [f64; 3],
    fault: Option<String>,
    nearest: Option<HitJson<'a>>,
    brute_force: Option<HitJson<'a>>,
    triangles_in_mesh: usize,
    on_line: Vec<HitJson<'a>>,
    boxes: Vec<BoxJson>,
    triangles: Vec<Test<'a>>,
    nearest_miss: Option<Test<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<Test<'a>>,
    nearby: Vec<NearbyJson>,
}

#[derive(Debug, Serialize)]
struct RayJson {
    origin: [f32; 3],
    direction: [f32; 3],
    /// `null` where infinite.
    t_min: f32,
    t_max: f32,
}

impl RayJson {
    fn new(ray: &Ray) -> Self {
        let (origin, direction, t_min, t_max) = (ray.origin, ray.direction, ray.t_min, ray.t_max);
        Self { origin, direction, t_min, t_max }
    }
}

/// Where a triangle comes from.
#[derive(Debug, Serialize)]
struct Source<'a> {
    prim: u32,
    polygon: u32,
    line: Option<usize>,
    object: Option<&'a str>,
    group: Option<&'a str>,
    material: Option<&'a str>,
}

impl<'a> Source<'a> {
    fn new(explanation: &'a Explanation, prim: u32, lines: &FileLines) -> Self {
        let parts = explanation.mesh().parts();
        let names = parts.names_of(prim);
        Self {
            prim,
            polygon: parts.polygon_of(prim),
            line: lines.of(prim),
            object: names.object,
            group: names.group,
            material: names.material,
        }
    }
}

#[derive(Debug, Serialize)]
struct HitJson<'a> {
    #[serde(flatten)]
    source: Source<'a>,
    t: f32,
    u: f32,
    v: f32,
    front: bool,
}

impl<'a> HitJson<'a> {
    fn new(explanation: &'a Explanation, hit: &Hit, lines: &FileLines) -> Self {
        let source = Source::new(explanation, hit.prim, lines);
        Self { source, t: hit.t, u: hit.u, v: hit.v, front: hit.front }
    }
}

#[derive(Debug, Serialize)]
struct Test<'a> {
    #[serde(flatten)]
    source: Source<'a>,
    verdict: &'static str,
    settled_by: &'static str,
    /// Of the line and the triangle's plane.
    t: Option<f32>,
    front: Option<bool>,
    /// Of the corners A, B, C.
    weights: Option<[f64; 3]>,
    /// Where the line passes AB, BC, CA.
    edges: Option<[&'static str; 3]>,
    /// `null` where the triangle is not finite.
    distance: f64,
    nearest_t: f64,
}

impl<'a> Test<'a> {
    fn new(explanation: &'a Explanation, test: &TriangleTest, lines: &FileLines) -> Self {
        let edge = |side| match side {
            EdgeSide::Inside => "inside",
            EdgeSide::On => "on",
            EdgeSide::Outside => "outside",
        };
        Self {
            source: Source::new(explanation, test.prim, lines),
            verdict: verdict(test.verdict),
            settled_by: match test.settled_by {
                SettledBy::Filter => "filter",
                SettledBy::Exact => "exact",
                SettledBy::Build => "build",
            },
            t: test.crossing.map(|crossing| crossing.t),
            front: test.crossing.map(|crossing| crossing.front),
            weights: test.crossing.map(|crossing| crossing.weights),
            edges: test.crossing.map(|crossing| crossing.edges.map(edge)),
            distance: test.distance,
            nearest_t: test.nearest_t,
        }
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Hit => "hit",
        Verdict::Outside => "outside",
        Verdict::LeftToNeighbour => "left_to_neighbour",
        Verdict::Before => "before",
        Verdict::Beyond => "beyond",
        Verdict::Parallel => "parallel",
        Verdict::InPlane => "in_plane",
        Verdict::NoArea => "no_area",
        Verdict::NotFinite => "not_finite",
        Verdict::FaceCulled => "face_culled",
        Verdict::Skipped => "skipped",
        Verdict::Filtered => "filtered",
    }
}

#[derive(Debug, Serialize)]
struct BoxJson {
    level: u32,
    fate: &'static str,
    min: [f32; 3],
    max: [f32; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    boxes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    triangles: Option<u32>,
    /// `null` where the line misses the box.
    enter: Option<f64>,
    leave: Option<f64>,
}

impl BoxJson {
    fn new(visit: &BoxVisit) -> Self {
        let met = visit.fate != BoxFate::Beside;
        let (boxes, triangles) = match visit.content {
            BoxContent::Boxes(count) => (Some(count), None),
            BoxContent::Triangles(count) => (None, Some(count)),
        };
        Self {
            level: visit.level,
            fate: match visit.fate {
                BoxFate::Entered => "entered",
                BoxFate::Beside => "beside",
                BoxFate::Before => "before",
                BoxFate::Beyond => "beyond",
                BoxFate::Hidden => "hidden",
            },
            min: visit.bounds.min.into(),
            max: visit.bounds.max.into(),
            boxes,
            triangles,
            enter: met.then_some(visit.enter),
            leave: met.then_some(visit.leave),
        }
    }
}

/// What is wrong near by: its kind, and what of it there is.
#[derive(Debug, Serialize)]
struct NearbyJson {
    kind: &'static str,
    prim: u32,
    /// 0 is AB, 1 is BC, 2 is CA.
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<u8>,
    /// Another triangle that is concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<u32>,
}

impl NearbyJson {
    fn new(defect: &NearbyDefect) -> Self {
        let at_edge =
            |kind, edge: Edge, other| Self { kind, prim: edge.prim, edge: Some(edge.side), other };
        let of = |kind, prim, other| Self { kind, prim, edge: None, other };
        match *defect {
            NearbyDefect::OpenEdge(edge) => at_edge("open_edge", edge, None),
            NearbyDefect::NonManifoldEdge { edge, .. } => at_edge("non_manifold_edge", edge, None),
            NearbyDefect::InconsistentEdge { edge, other } => {
                at_edge("inconsistent_edge", edge, Some(other))
            }
            NearbyDefect::Duplicate(duplicate) => {
                of("duplicate", duplicate.prim, Some(duplicate.of))
            }
            NearbyDefect::NoArea(prim) => of("no_area", prim, None),
            NearbyDefect::NotFinite(prim) => of("not_finite", prim, None),
        }
    }
}
