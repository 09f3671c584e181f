//! The boxes and triangles on a ray's way, in words.

use std::fmt;

use super::number::{Number, plural};
use super::{LISTED, settled, shown_t, weights, why};
use crate::explain::{BoxContent, BoxFate, BoxVisit, Explanation, TriangleTest, Verdict};

/// Writes a line with a label before it.
type Row<'a> = &'a mut dyn FnMut(&str, &str) -> fmt::Result;

/// Up to how many boxes are listed one by one where not everything is asked for.
const FEW_BOXES: usize = 12;

const FATES: [(BoxFate, &str); 5] = [
    (BoxFate::Entered, "entered"),
    (BoxFate::Beside, "passed by"),
    (BoxFate::Before, "before t_min"),
    (BoxFate::Beyond, "beyond t_max"),
    (BoxFate::Hidden, "behind the hit"),
];

impl Explanation {
    pub(super) fn boxes_in_words(&self) -> String {
        format!("{} looked at: {}", plural(self.boxes.len(), "box"), fates(self.boxes.iter()))
    }

    /// Few boxes one by one; many by their levels.
    pub(super) fn list_boxes(&self, everything: bool, row: Row<'_>) -> fmt::Result {
        if everything || self.boxes.len() <= FEW_BOXES {
            return self.boxes.iter().try_for_each(|visit| row("", &one_box(visit)));
        }
        let deepest = self.boxes.iter().map(|visit| visit.level).max().unwrap_or(0);
        (0..=deepest).try_for_each(|level| {
            let of_level = || self.boxes.iter().filter(move |visit| visit.level == level);
            let count = plural(of_level().count(), "box");
            row("", &format!("level {level}: {count}, {}", fates(of_level())))
        })
    }

    pub(super) fn triangles_in_words(&self) -> String {
        if self.triangles.is_empty() {
            return "none tested: no box of a leaf is entered".into();
        }
        let mut kinds: Vec<(Verdict, usize)> = Vec::new();
        for test in &self.triangles {
            match kinds.iter_mut().find(|kind| kind.0 == test.verdict) {
                Some(kind) => kind.1 += 1,
                None => kinds.push((test.verdict, 1)),
            }
        }
        let kinds: Vec<String> =
            kinds.into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        format!("{} tested: {}", plural(self.triangles.len(), "triangle"), kinds.join(", "))
    }

    /// The triangles that tell most first: those that the line hits, then those that it nearly
    /// hits.
    pub(super) fn list_triangles(&self, everything: bool, row: Row<'_>) -> fmt::Result {
        let mut tests: Vec<&TriangleTest> = self.triangles.iter().collect();
        if !everything {
            let line_hits =
                |test: &TriangleTest| !matches!(test.verdict, Verdict::Outside | Verdict::Parallel);
            tests.sort_by(|a, b| {
                let hits_first = line_hits(b).cmp(&line_hits(a));
                hits_first.then(a.distance.total_cmp(&b.distance)).then(a.prim.cmp(&b.prim))
            });
        }
        let listed = if everything { tests.len() } else { tests.len().min(LISTED) };
        for test in &tests[..listed] {
            row("", &self.one_triangle(test))?;
        }
        match tests.len() - listed {
            0 => Ok(()),
            more => row("", &format!("and {more} more, farther off")),
        }
    }

    pub(super) fn one_triangle(&self, test: &TriangleTest) -> String {
        let place = match test.crossing {
            Some(crossing) => format!("t {}, {}", shown_t(crossing.t), weights(test)),
            None => "no crossing".into(),
        };
        let away = match test.distance {
            0.0 => String::new(),
            distance => format!(", {} away", Number(distance)),
        };
        let nearest = self.hit.is_some_and(|hit| hit.prim == test.prim);
        let verdict = match test.verdict {
            Verdict::Hit if nearest => "the nearest hit".into(),
            Verdict::Hit => "hit, but not the nearest".into(),
            _ => why(test),
        };
        format!("{}: {verdict}{away}; {place}; settled {}", test.prim, settled(test.settled_by))
    }
}

/// How many boxes of each fate there are.
fn fates<'a>(boxes: impl Iterator<Item = &'a BoxVisit>) -> String {
    let mut counts = [0; FATES.len()];
    for visit in boxes {
        for (count, (fate, _)) in counts.iter_mut().zip(FATES) {
            *count += usize::from(fate == visit.fate);
        }
    }
    let told = counts.iter().zip(FATES).filter(|(count, _)| **count > 0);
    let told: Vec<String> = told.map(|(count, (_, name))| format!("{count} {name}")).collect();
    told.join(", ")
}

fn one_box(visit: &BoxVisit) -> String {
    let corner = |corner: glam::Vec3| {
        let [x, y, z] = corner.to_array().map(|x| Number(f64::from(x)));
        format!("{x} {y} {z}")
    };
    let fate = FATES.iter().find(|(fate, _)| *fate == visit.fate).map_or("", |(_, name)| name);
    let interval = if visit.fate == BoxFate::Beside {
        String::new()
    } else {
        format!(", t from {} to {}", Number(visit.enter), Number(visit.leave))
    };
    let content = match visit.content {
        BoxContent::Boxes(count) => plural(count as usize, "box"),
        BoxContent::Triangles(count) => plural(count as usize, "triangle"),
    };
    let (min, max) = (corner(visit.bounds.min), corner(visit.bounds.max));
    format!("level {}: {fate}, {min} to {max}, {content}{interval}", visit.level)
}
