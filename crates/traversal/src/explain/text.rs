//! An explanation in words: the verdict in one line, then the reasons.

mod number;
mod way;

use std::fmt;

use hitscan_core::Hit;

use super::nearby::NearbyDefect;
use super::triangle::{EdgeSide, SettledBy, TriangleTest, Verdict};
use super::{Explanation, triangle};
use number::{Number, Point, plural};

/// How many things of a kind are listed where not everything is asked for.
const LISTED: usize = 8;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let everything = f.alternate();
        if !self.agrees() {
            writeln!(f, "WRONG: the tree and brute force do not agree; please report this mesh")?;
        }
        write!(f, "{}", self.headline())?;
        if self.fault.is_some() {
            return Ok(());
        }
        writeln!(f)?;
        let mut row = |label: &str, text: &str| write!(f, "\n{label:<12}{text}");
        if let Some(hit) = &self.hit {
            row("point", &self.point(f64::from(hit.t)).to_string())?;
            if let Some(test) = self.triangles.iter().find(|test| test.prim == hit.prim) {
                row("triangle", &self.place_in_triangle(test))?;
            }
        }
        row("line", &self.line(everything))?;
        if let Some(miss) = &self.nearest_miss {
            row("nearest miss", &self.near_miss(miss))?;
        }
        row("boxes", &self.boxes_in_words())?;
        self.list_boxes(everything, &mut row)?;
        row("triangles", &self.triangles_in_words())?;
        self.list_triangles(everything, &mut row)?;
        row("brute force", &self.brute_force())?;
        let wrong = self.nearby.len();
        if wrong == 0 {
            let around = if self.hit.is_some() || self.nearest_miss.is_some() {
                "nothing wrong near by"
            } else {
                "nothing near by"
            };
            return row("mesh", around);
        }
        let listed = if everything { wrong } else { wrong.min(LISTED) };
        for (i, defect) in self.nearby[..listed].iter().enumerate() {
            row(if i == 0 { "mesh" } else { "" }, &self.defect(defect))?;
        }
        if listed < wrong {
            row("", &format!("and {} more", wrong - listed))?;
        }
        Ok(())
    }
}

impl Explanation {
    /// The verdict in one line.
    #[must_use]
    pub fn headline(&self) -> String {
        if let Some(fault) = self.fault {
            return format!("miss: the ray is not valid: {fault}");
        }
        if let Some(hit) = &self.hit {
            let (side, triangle) = (side(hit.front), self.triangle(hit.prim));
            return format!("hit: the {side} of {triangle} at t = {}", Number(f64::from(hit.t)));
        }
        let range = triangle::range(&self.ray);
        let at = |hit: &Hit| format!("{} at t = {}", self.triangle(hit.prim), shown_t(hit.t));
        let met = self.on_line.iter().find(|hit| range.contains(&hit.t));
        if let Some(met) = met {
            let why = self.triangles.iter().find(|test| test.prim == met.prim);
            let why = match why.map(|test| test.verdict) {
                Some(Verdict::FaceCulled) => {
                    format!("but its {} does not count", side(met.front))
                }
                Some(Verdict::Skipped) => "but it is to be skipped".into(),
                Some(Verdict::Filtered) => "but the filter option refuses it".into(),
                _ => "but it does not count".into(),
            };
            return format!("miss: the ray meets {}, {why}", at(met));
        }
        let before = self.on_line.iter().rfind(|hit| hit.t < *range.start());
        let beyond = self.on_line.iter().find(|hit| hit.t > *range.end());
        let start = if self.ray.t_min == 0.0 { "behind the origin" } else { "before t_min" };
        match (before, beyond, &self.nearest_miss) {
            (Some(before), None, _) => {
                format!("miss: the surface lies {start}: {}", at(before))
            }
            (None, Some(beyond), _) => {
                format!("miss: the surface lies beyond t_max: {}", at(beyond))
            }
            (Some(before), Some(beyond), _) => format!(
                "miss: the surface lies {start} and beyond t_max: {} and {}",
                at(before),
                at(beyond)
            ),
            (None, None, Some(miss)) if miss.distance == 0.0 => {
                format!("miss: the ray touches only {}, {}", self.triangle(miss.prim), why(miss))
            }
            (None, None, Some(miss)) => format!(
                "miss: the ray passes {} from the nearest triangle, {}",
                Number(miss.distance),
                self.number_and_name(miss.prim)
            ),
            (None, None, None) => "miss: the mesh has no triangle that can be hit".into(),
        }
    }

    /// What becomes of a triangle ([`Bvh::explain_triangle`](crate::Bvh::explain_triangle)) in one
    /// line.
    #[must_use]
    pub fn triangle_in_words(&self, test: &TriangleTest) -> String {
        self.one_triangle(test)
    }

    /// A triangle with the name of its object or group.
    fn triangle(&self, prim: u32) -> String {
        format!("triangle {}", self.number_and_name(prim))
    }

    fn number_and_name(&self, prim: u32) -> String {
        let names = self.mesh.parts().names_of(prim);
        let name = names.object.or(names.group);
        name.map_or_else(|| prim.to_string(), |name| format!("{prim} of {name}"))
    }

    /// A point of the ray in the mesh's own coordinates.
    fn point(&self, t: f64) -> Point {
        let origin = self.mesh.origin();
        let coordinate = |axis: usize| {
            f64::from(self.ray.origin[axis]) + t * f64::from(self.ray.direction[axis])
        };
        Point { coordinates: [0, 1, 2].map(coordinate), origin }
    }

    /// Where in its triangle a hit is, and where the triangle comes from.
    fn place_in_triangle(&self, test: &TriangleTest) -> String {
        let mut text = weights(test);
        if let Some(on) = edges_that_are(test, EdgeSide::On) {
            text.push_str(&format!(", exactly on {on}"));
        }
        text.push_str(&format!("; settled {}", settled(test.settled_by)));
        let parts = self.mesh.parts();
        let polygon = parts.polygon_of(test.prim);
        if polygon != test.prim {
            text.push_str(&format!("; polygon {polygon}"));
        }
        let names = parts.names_of(test.prim);
        for (kind, name) in [("group", names.group), ("material", names.material)] {
            // Where there is no object the group stands beside the number already.
            let told = kind == "group" && names.object.is_none();
            if let (Some(name), false) = (name, told) {
                text.push_str(&format!("; {kind} {name}"));
            }
        }
        text
    }

    /// What the ray's whole line hits.
    fn line(&self, everything: bool) -> String {
        let count = self.on_line.len();
        if count == 0 {
            return "hits no triangle, whatever t".into();
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
            format!("{} at t = {}{place}", hit.prim, shown_t(hit.t))
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
        let away = if miss.distance == 0.0 {
            "met".into()
        } else {
            let t = Number(miss.nearest_t);
            format!("{} away at t = {t}", Number(miss.distance))
        };
        let weights = match miss.verdict {
            Verdict::Outside => format!(" ({})", weights(miss)),
            _ => String::new(),
        };
        format!("{}, {away}: {}{weights}", self.triangle(miss.prim), why(miss))
    }

    fn brute_force(&self) -> String {
        let count = plural(self.mesh.triangle_count(), "triangle");
        match (self.by_brute_force, self.agrees()) {
            (None, true) => format!("{count} tested: none is hit"),
            (Some(_), true) => format!("{count} tested: the same hit, bit for bit"),
            (None, false) => format!("{count} tested: none is hit, but the tree says one is"),
            (Some(hit), false) => format!(
                "{count} tested: {} at t = {} is hit, but the tree says otherwise",
                self.triangle(hit.prim),
                shown_t(hit.t)
            ),
        }
    }

    fn defect(&self, defect: &NearbyDefect) -> String {
        let edge = |edge: hitscan_core::mesh::Edge| {
            let name = EDGES[edge.side as usize % 3];
            format!("edge {name} of triangle {}", edge.prim)
        };
        match *defect {
            NearbyDefect::OpenEdge(open) => {
                format!("{} is open: no triangle is on its other side", edge(open))
            }
            NearbyDefect::NonManifoldEdge { edge: shared, triangles } => {
                format!("{} belongs to {triangles} triangles", edge(shared))
            }
            NearbyDefect::InconsistentEdge { edge: shared, other } => {
                format!("{} runs the same way in triangle {other}: one is flipped", edge(shared))
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
}

/// The edges of a triangle, by number.
const EDGES: [&str; 3] = ["AB", "BC", "CA"];

fn side(front: bool) -> &'static str {
    if front { "front" } else { "back" }
}

fn settled(by: SettledBy) -> &'static str {
    match by {
        SettledBy::Filter => "by the filter in f32",
        SettledBy::Exact => "exactly, because f32 left it open",
        SettledBy::Build => "when the tree was built",
    }
}

/// A `t` that f32 can or cannot hold.
fn shown_t(t: f32) -> Number {
    Number(f64::from(t))
}

fn weights(test: &TriangleTest) -> String {
    let Some(crossing) = test.crossing else { return "no point of its plane".into() };
    let [a, b, c] = crossing.weights.map(Number);
    format!("A {a}, B {b}, C {c}")
}

/// The edges that the line passes on one side, as text.
fn edges_that_are(test: &TriangleTest, side: EdgeSide) -> Option<String> {
    let crossing = test.crossing?;
    let edges = EDGES.iter().zip(crossing.edges).filter(|edge| edge.1 == side);
    let names: Vec<&str> = edges.map(|edge| *edge.0).collect();
    match names[..] {
        [] => None,
        [one] => Some(format!("edge {one}")),
        _ => Some(format!("edges {}", names.join(" and "))),
    }
}

/// Why a triangle is not hit, or that it is.
fn why(test: &TriangleTest) -> String {
    let t = || test.crossing.map_or(f32::NAN, |crossing| crossing.t);
    match test.verdict {
        Verdict::Outside => match edges_that_are(test, EdgeSide::Outside) {
            Some(edges) => format!("the line passes outside of {edges}"),
            None => "the line passes outside".into(),
        },
        Verdict::Before => format!("the line hits it at t = {}, before t_min", shown_t(t())),
        Verdict::Beyond => format!("the line hits it at t = {}, beyond t_max", shown_t(t())),
        Verdict::Parallel => "the ray is parallel to it".into(),
        Verdict::InPlane => "the ray lies in its plane".into(),
        Verdict::NoArea => "it has no area".into(),
        Verdict::LeftToNeighbour => "the touch of its edge counts for a neighbour".into(),
        verdict => verdict.to_string(),
    }
}
