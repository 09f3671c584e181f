//! What `check` tells, in words and as JSON.

use std::fmt;
use std::path::Path;

use hitscan::{Defects, Ray};
use serde::Serialize;

use super::defects::{Kind, OPEN_EDGES, Place};
use super::engine::EngineCheck;
use crate::mesh_file::BuiltMesh;
use crate::number::{Shortest, grouped};

/// What `check` tells.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schema: u32,
    mesh: String,
    /// Whether it is a baked file; all its bytes are right then.
    baked: bool,
    triangles: usize,
    vertices: usize,
    edges: usize,
    pieces: usize,
    /// Pieces that the open edges make: holes and rims.
    boundaries: usize,
    /// Pieces of the surface that have one side only.
    one_sided: usize,
    closed: bool,
    /// What coordinates are kept relative to; zero unless the mesh needs f64.
    origin: [f64; 3],
    defects: Vec<Kind>,
    engine: Engine,
}

#[derive(Debug, Serialize)]
struct Engine {
    asked_for: usize,
    /// Rays that were cast.
    rays: usize,
    random: usize,
    aimed_at_edges: usize,
    aimed_at_vertices: usize,
    hits: usize,
    /// Rays that were tested against every triangle.
    against_every_triangle: usize,
    /// Rays from outside of a closed mesh.
    even: usize,
    wrong: u64,
    first_wrong: Vec<WrongJson>,
}

/// A ray with a wrong answer, relative to the mesh's origin.
#[derive(Debug, Serialize)]
struct WrongJson {
    what: &'static str,
    origin: [f32; 3],
    direction: [f32; 3],
}

impl Report {
    pub(super) fn new(
        path: &Path,
        built: &BuiltMesh,
        defects: &Defects,
        kinds: Vec<Kind>,
        engine: &EngineCheck,
        asked_for: usize,
    ) -> Self {
        let mesh = built.bvh.mesh();
        let [random, aimed_at_edges, aimed_at_vertices] = engine.rays;
        let wrong = engine.first_wrong.iter().map(|wrong| {
            let Ray { origin, direction, .. } = wrong.ray;
            WrongJson { what: wrong.what, origin, direction }
        });
        Self {
            schema: 1,
            mesh: path.display().to_string(),
            baked: built.is_baked,
            triangles: mesh.triangle_count(),
            vertices: mesh.positions().len(),
            edges: defects.topology.edges,
            pieces: defects.topology.pieces,
            boundaries: defects.topology.boundaries,
            one_sided: defects.topology.one_sided,
            closed: defects.topology.is_closed(),
            origin: mesh.origin(),
            defects: kinds,
            engine: Engine {
                asked_for,
                rays: random + aimed_at_edges + aimed_at_vertices,
                random,
                aimed_at_edges,
                aimed_at_vertices,
                hits: engine.hits,
                against_every_triangle: engine.against_all,
                even: engine.even,
                wrong: engine.wrong,
                first_wrong: wrong.collect(),
            },
        }
    }

    /// Whether anything is wrong with the mesh.
    pub(super) fn is_defective(&self) -> bool {
        self.one_sided > 0 || self.defects.iter().any(|kind| kind.count > 0)
    }

    fn headline(&self) -> String {
        let mesh = match self.is_defective() {
            false if self.triangles == 0 => "the mesh is empty".to_owned(),
            false => "the mesh is sound".to_owned(),
            true => {
                let kinds = self.defects.iter().filter(|kind| kind.count > 0);
                let mut told: Vec<String> =
                    kinds.map(|kind| noun(kind.count as u64, kind.kind)).collect();
                if self.one_sided > 0 {
                    told.push(noun(self.one_sided as u64, "pieces") + " with one side only");
                }
                match told.len() {
                    0..=3 => format!("the mesh has {}", told.join(", ")),
                    kinds => format!("the mesh has {kinds} kinds of defects"),
                }
            }
        };
        let engine = match (self.engine.wrong, self.engine.rays) {
            (_, 0) => "no rays were cast".to_owned(),
            (0, rays) => format!("the engine agrees on {}", noun(rays as u64, "rays")),
            (wrong, _) => format!("the engine is WRONG on {}", noun(wrong, "rays")),
        };
        format!("{mesh}; {engine}")
    }
}

/// A count with a noun that is given in the plural.
fn noun(count: u64, plural: &str) -> String {
    let word = match (count, plural) {
        (1, "non-finite vertices") => "non-finite vertex",
        (1, "holes or rims") => "hole or rim",
        (1, plural) => plural.strip_suffix('s').unwrap_or(plural),
        _ => plural,
    };
    format!("{} {word}", grouped(count))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.headline())?;
        let mut row = |label: &str, text: &str| writeln!(f, "{label:<21}{text}");
        row("mesh", &self.surface())?;
        if self.baked {
            row("baked tree", "every checksum, box and corner is right")?;
        }
        if self.origin != [0.0; 3] {
            let origin = self.origin.map(|x| Shortest(x).to_string()).join(" ");
            row("needs f64", &format!("yes: it is kept relative to {origin}"))?;
        }
        for kind in self.defects.iter().filter(|kind| kind.count > 0) {
            row(kind.kind, &self.places(kind))?;
        }
        let absent = self.defects.iter().filter(|kind| kind.count == 0).map(|kind| kind.kind);
        let absent: Vec<&str> = absent.collect();
        for (i, kinds) in absent.chunks(4).enumerate() {
            row(if i == 0 { "no" } else { "" }, &kinds.join(", "))?;
        }
        let engine = &self.engine;
        let [rays, random, edges, vertices, hits, all, even] = [
            engine.rays,
            engine.random,
            engine.aimed_at_edges,
            engine.aimed_at_vertices,
            engine.hits,
            engine.against_every_triangle,
            engine.even,
        ]
        .map(|count| grouped(count as u64));
        if engine.rays > 0 {
            row(
                "rays",
                &format!(
                    "{rays}: {random} at random, {edges} at edges, {vertices} at vertices; \
                     {hits} hit"
                ),
            )?;
            let agree = if engine.wrong == 0 { "agree" } else { "compared" };
            row("", &format!("nearest, any, all, count, alone and in a batch: {rays} {agree}"))?;
            row("", &format!("with a test of every triangle: {all} {agree}"))?;
            if engine.even > 0 {
                row("", &format!("an even number of crossings from outside: {even} {agree}"))?;
            }
        }
        if engine.rays < engine.asked_for {
            let asked_for = grouped(engine.asked_for as u64);
            row("", &format!("time was up before all {asked_for} rays were cast"))?;
        }
        for wrong in &engine.first_wrong {
            let numbers = |v: [f32; 3]| v.map(|x| Shortest(x).to_string()).join(",");
            let (origin, direction) = (numbers(wrong.origin), numbers(wrong.direction));
            let ray = format!("--origin {origin} --direction {direction}");
            row("WRONG", &format!("{}: {ray}", wrong.what))?;
        }
        Ok(())
    }
}

impl Report {
    /// The surface in one line.
    fn surface(&self) -> String {
        let vertices = match self.vertices {
            1 => "1 vertex".to_owned(),
            count => noun(count as u64, "vertices"),
        };
        let mut text = format!(
            "{}, {vertices}, {}, {}, {}",
            noun(self.triangles as u64, "triangles"),
            noun(self.edges as u64, "edges"),
            noun(self.pieces as u64, "pieces"),
            if self.closed { "closed" } else { "not closed" },
        );
        if self.one_sided > 0 {
            text.push_str(&format!(", {} with one side only", grouped(self.one_sided as u64)));
        }
        text
    }

    /// A kind's count and first places.
    fn places(&self, kind: &Kind) -> String {
        let mut text = grouped(kind.count as u64);
        if kind.kind == OPEN_EDGES {
            text.push_str(&format!(" around {}", noun(self.boundaries as u64, "holes or rims")));
        }
        if kind.first.is_empty() {
            return text;
        }
        let told: Vec<String> = kind.first.iter().map(place).collect();
        let more = if kind.count > kind.first.len() { ", …" } else { "" };
        text + &format!(": {}{more}", told.join(", "))
    }
}

fn place(place: &Place) -> String {
    if let Some(vertex) = place.vertex {
        return format!("vertex {vertex}");
    }
    let mut text = place.triangle.map_or_else(String::new, |prim| prim.to_string());
    if let Some(edge) = place.edge {
        text.push_str(&format!(" {edge}"));
    }
    if let Some(repeats) = place.repeats {
        text.push_str(&format!(" repeats {repeats}"));
    }
    if let Some(line) = place.line {
        text.push_str(&format!(" (line {line})"));
    }
    text
}
