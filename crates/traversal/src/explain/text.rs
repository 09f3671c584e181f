//! An explanation in words: the verdict in one line, then the reasons, then the ray's way.

mod number;
mod table;
mod way;

use std::fmt;

use hitscan_core::Hit;
use hitscan_core::mesh::Edge;

use super::nearby::NearbyDefect;
use super::triangle::{EdgeSide, SettledBy, TriangleTest, Verdict};
use super::{Explanation, triangle};
use number::{Number, Point, Rounded, Whole, plural};

/// How many things of a kind are listed where not everything is asked for.
const LISTED: usize = 8;

/// How wide the labels are.
const LABEL: usize = 14;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everything = f.alternate();
        f.write_str(&self.summary(everything))?;
        if self.fault.is_none() {
            write!(f, "\n\n{}", self.way(everything))?;
        }
        Ok(())
    }
}

impl Explanation {
    /// The verdict in one line.
    #[must_use]
    pub fn verdict_in_words(&self) -> String {
        if let Some(fault) = self.fault {
            return format!("miss: the ray is not valid: {fault}");
        }
        if let Some(hit) = &self.hit {
            let side = side(hit.front);
            return format!("hit: the {side} of {} at t = {}", self.named(hit.prim), Whole(hit.t));
        }
        let range = triangle::range(&self.ray);
        let at = |hit: &Hit| format!("{} at t = {}", self.named(hit.prim), Whole(hit.t));
        if let Some(met) = self.on_line.iter().find(|hit| range.contains(&hit.t)) {
            let test = self.nearest_miss.filter(|test| test.prim == met.prim);
            let why = match test.map(|test| test.verdict) {
                Some(Verdict::FaceCulled) => format!("its {} does not count", side(met.front)),
                Some(Verdict::Skipped) => "it is to be skipped".into(),
                Some(Verdict::Filtered) => "the filter option refuses it".into(),
                _ => "the options leave it out".into(),
            };
            return format!("miss: the ray meets {}, but {why}", at(met));
        }
        let before = self.on_line.iter().rfind(|hit| hit.t < *range.start());
        let beyond = self.on_line.iter().find(|hit| hit.t > *range.end());
        let start = if self.ray.t_min == 0.0 { "behind the origin" } else { "before t_min" };
        match (before, beyond, &self.nearest_miss) {
            (Some(before), None, _) => format!("miss: the surface lies {start}: {}", at(before)),
            (None, Some(beyond), _) => {
                format!("miss: the surface lies beyond t_max: {}", at(beyond))
            }
            (Some(before), Some(beyond), _) => format!(
                "miss: the surface lies {start} and beyond t_max: {} and {}",
                at(before),
                at(beyond)
            ),
            (None, None, Some(miss)) if miss.distance == 0.0 => {
                format!("miss: the ray only touches {}: {}", self.named(miss.prim), why(miss))
            }
            (None, None, Some(miss)) => format!(
                "miss: the ray passes {} from the nearest triangle, number {}",
                Rounded(miss.distance),
                self.number_and_name(miss.prim)
            ),
            (None, None, None) => "miss: the mesh has no triangle that can be hit".into(),
        }
    }

    /// The verdict and the reasons, without the boxes and triangles on the ray's way; no more than
    /// a screenful unless `everything` is wanted.
    #[must_use]
    pub fn summary(&self, everything: bool) -> String {
        let mut text = String::new();
        if !self.agrees() {
            text.push_str("WRONG: the tree and brute force do not agree; please report it\n");
        }
        text.push_str(&self.verdict_in_words());
        if self.fault.is_some() {
            return text;
        }
        text.push('\n');
        let mut row = |label: &str, told: &str| text.push_str(&format!("\n{label:<LABEL$}{told}"));
        if let Some(hit) = &self.hit {
            row("point", &self.point(f64::from(hit.t)).to_string());
            if let Some(test) = self.triangles.iter().find(|test| test.prim == hit.prim) {
                row("in triangle", &self.place_in_triangle(test));
            }
        }
        row("line", &self.line(everything));
        if let Some(miss) = &self.nearest_miss {
            row("nearest miss", &self.near_miss(miss));
        }
        row("brute force", &self.brute_force());
        if self.nearby.is_empty() {
            row("mesh", "nothing wrong near by");
            return text;
        }
        let wrong = self.nearby.len();
        let listed = if everything { wrong } else { wrong.min(LISTED) };
        for (i, defect) in self.nearby[..listed].iter().enumerate() {
            row(if i == 0 { "mesh" } else { "" }, &in_words(defect));
        }
        if listed < wrong {
            row("", &format!("and {} more", wrong - listed));
        }
        text
    }

    /// The triangles and boxes on the ray's way, in tables; those that tell most unless
    /// `everything` is wanted.
    #[must_use]
    pub fn way(&self, everything: bool) -> String {
        let triangles = self.triangles_in_words(everything);
        format!("{triangles}\n\n{}", self.boxes_in_words(everything))
    }

    /// What became of a triangle ([`Bvh::explain_triangle`](crate::Bvh::explain_triangle)), in one
    /// line.
    #[must_use]
    pub fn triangle_in_words(&self, test: &TriangleTest) -> String {
        let what = match test.verdict {
            Verdict::Hit => self.rank(test).into(),
            _ => why(test),
        };
        let place = match test.crossing {
            Some(crossing) => {
                format!("; its plane is met at t = {}, {}", Whole(crossing.t), weights(test))
            }
            None => String::new(),
        };
        let away = match test.distance {
            0.0 => String::new(),
            distance => format!(", {} away", Rounded(distance)),
        };
        format!("{}{away}: {what}{place}", self.named(test.prim))
    }

    /// Whether a triangle that is hit is what the query gives.
    fn rank(&self, test: &TriangleTest) -> &'static str {
        let t = test.crossing.map(|crossing| crossing.t);
        match self.hit {
            Some(hit) if hit.prim == test.prim => "the nearest hit",
            Some(hit) if t == Some(hit.t) => "hit as near, but a higher number",
            _ => "hit, but not the nearest",
        }
    }

    /// A triangle with the name of its object or group.
    fn named(&self, prim: u32) -> String {
        format!("triangle {}", self.number_and_name(prim))
    }

    fn number_and_name(&self, prim: u32) -> String {
        let names = self.mesh().parts().names_of(prim);
        let name = names.object.or(names.group);
        name.map_or_else(|| prim.to_string(), |name| format!("{prim} of {name}"))
    }

    /// A point of the ray in the coordinates of the mesh's file.
    fn point(&self, t: f64) -> Point {
        let coordinate = |axis: usize| {
            f64::from(self.ray.origin[axis]) + t * f64::from(self.ray.direction[axis])
        };
        Point { coordinates: [0, 1, 2].map(coordinate), origin: self.mesh().origin() }
    }

    /// Where in its triangle a hit is, and where the triangle comes from.
    fn place_in_triangle(&self, test: &TriangleTest) -> String {
        let mut text = weights(test);
        if let Some(on) = edges_that_are(test, EdgeSide::On) {
            text.push_str(&format!(", exactly on {on}"));
        }
        text.push_str(match test.settled_by {
            SettledBy::Filter => "; settled by the filter in f32",
            SettledBy::Exact => "; settled exactly, because f32 left it open",
            SettledBy::Build => "; settled when the tree was built",
        });
        let mesh = self.mesh();
        let polygon = mesh.parts().polygon_of(test.prim);
        if polygon != test.prim {
            text.push_str(&format!("; polygon {polygon}"));
        }
        let names = mesh.parts().names_of(test.prim);
        // Where there is no object the group stands beside the number already.
        let group = names.group.filter(|_| names.object.is_some());
        for (kind, name) in [("group", group), ("material", names.material)] {
            text.extend(name.map(|name| format!("; {kind} {name}")));
        }
        text
    }

    /// What the ray's whole line hits.
    fn line(&self, everything: bool) -> String {
        let count = self.on_line.len();
        if count == 0 {
            return "hits nothing, whatever t".into();
        }
        let listed = if everything { count } else { count.min(LISTED) };
        let range = triangle::range(&self.ray);
        let one = |hit: &Hit| {
            let place = if hit.t < *range.start() {
                " (before t_min)"
            } else if hit.t > *range.end() {
                " (beyond t_max)"
            } else {
                ""
            };
            format!("{} at t = {}{place}", hit.prim, Whole(hit.t))
        };
        // Those around the ray's own start are of most interest.
        let first = self.on_line.partition_point(|hit| hit.t < *range.start());
        let first = first.saturating_sub(listed / 2).min(count - listed);
        let list: Vec<String> = self.on_line[first..first + listed].iter().map(one).collect();
        let more = match count - listed {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        format!("hits {}: {}{more}", plural(count, "triangle"), list.join(", "))
    }

    fn near_miss(&self, miss: &TriangleTest) -> String {
        let t = Number(miss.nearest_t);
        let away = match miss.distance {
            0.0 => format!(", met at t = {t}"),
            distance => format!(", {} away at t = {t}", Rounded(distance)),
        };
        format!("{}{away}: {}", self.named(miss.prim), why(miss))
    }

    fn brute_force(&self) -> String {
        let count = self.mesh().triangle_count();
        let all = match count {
            0 => return "there is no triangle to test".into(),
            1 => "the one triangle".into(),
            _ => format!("all {}", plural(count, "triangle")),
        };
        match (self.by_brute_force, self.agrees()) {
            (None, true) => format!("{all} tested: no hit either"),
            (Some(_), true) => format!("{all} tested: the same hit, bit for bit"),
            (None, false) => format!("{all} tested: no hit, but the tree has one"),
            (Some(hit), false) => format!(
                "{all} tested: the hit is {} at t = {}, not what the tree says",
                self.named(hit.prim),
                Whole(hit.t)
            ),
        }
    }
}

fn in_words(defect: &NearbyDefect) -> String {
    let of =
        |edge: Edge| format!("edge {} of triangle {}", EDGES[edge.side as usize % 3], edge.prim);
    match *defect {
        NearbyDefect::OpenEdge(edge) => {
            format!("{} is open: there is no triangle on its other side", of(edge))
        }
        NearbyDefect::NonManifoldEdge { edge, triangles } => {
            format!("{} belongs to {triangles} triangles", of(edge))
        }
        NearbyDefect::InconsistentEdge { edge, other } => {
            format!("{} runs the same way in triangle {other}: one of them is flipped", of(edge))
        }
        NearbyDefect::Duplicate(duplicate) => {
            let reversed = if duplicate.reversed { ", the other way round" } else { "" };
            format!("triangle {} repeats {}{reversed}", duplicate.prim, duplicate.of)
        }
        NearbyDefect::NoArea(prim) => format!("triangle {prim} has no area: it is never hit"),
        NearbyDefect::NotFinite(prim) => {
            format!("triangle {prim} has a corner that is not finite: it is never hit")
        }
    }
}

/// The edges of a triangle, by number.
const EDGES: [&str; 3] = ["AB", "BC", "CA"];

fn side(front: bool) -> &'static str {
    if front { "front" } else { "back" }
}

fn weights(test: &TriangleTest) -> String {
    let Some(crossing) = test.crossing else { return "at no point".into() };
    let [a, b, c] = crossing.weights.map(Rounded);
    format!("A {a}, B {b}, C {c}")
}

/// The edges that the line passes on one side, as text.
fn edges_that_are(test: &TriangleTest, side: EdgeSide) -> Option<String> {
    let crossing = test.crossing?;
    let edges = EDGES.iter().zip(crossing.edges).filter(|edge| edge.1 == side);
    let names: Vec<&str> = edges.map(|edge| *edge.0).collect();
    (!names.is_empty()).then(|| names.join(" and "))
}

/// Why a triangle is not hit.
fn why(test: &TriangleTest) -> String {
    let t = || Whole(test.crossing.map_or(f32::NAN, |crossing| crossing.t));
    match test.verdict {
        Verdict::Outside => match edges_that_are(test, EdgeSide::Outside) {
            Some(edges) => format!("the line passes outside of {edges}"),
            None => "the line passes outside".into(),
        },
        Verdict::Before => format!("the line hits it at t = {}, before t_min", t()),
        Verdict::Beyond => format!("the line hits it at t = {}, beyond t_max", t()),
        Verdict::Parallel => "the ray is parallel to it".into(),
        Verdict::InPlane => "the ray lies in its plane".into(),
        Verdict::NoArea => "it has no area".into(),
        Verdict::NotFinite => "it is not finite".into(),
        Verdict::LeftToNeighbour => "its edge is touched, which counts for a neighbour".into(),
        Verdict::FaceCulled => "this side of it does not count".into(),
        Verdict::Skipped => "it is to be skipped".into(),
        Verdict::Filtered => "the filter option refuses it".into(),
        Verdict::Hit => "it is hit".into(),
    }
}
