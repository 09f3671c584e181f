//! The triangles and boxes on a ray's way, as tables.

use super::number::{Number, Rounded, plural};
use super::table::Table;
use super::{LISTED, edges_that_are};
use crate::explain::{
    BoxContent, BoxFate, BoxVisit, EdgeSide, Explanation, SettledBy, TriangleTest, Verdict,
};

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
    /// The triangles on the ray's way: those that tell most first, or all in order.
    pub(super) fn triangles_in_words(&self, everything: bool) -> String {
        if self.triangles.is_empty() {
            return "no triangle tested: the ray enters no box that holds any".into();
        }
        let mut kinds: Vec<(Verdict, usize)> = Vec::new();
        for test in &self.triangles {
            match kinds.iter_mut().find(|kind| kind.0 == test.verdict) {
                Some(kind) => kind.1 += 1,
                None => kinds.push((test.verdict, 1)),
            }
        }
        kinds.sort_by_key(|&(verdict, _)| verdict != Verdict::Hit);
        let kinds: Vec<String> =
            kinds.into_iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        let count = plural(self.triangles.len(), "triangle");
        let mut text = format!("{count} tested: {}", kinds.join(", "));

        let mut tests: Vec<&TriangleTest> = self.triangles.iter().collect();
        if !everything {
            let is_hit = |test: &TriangleTest| self.hit.is_some_and(|hit| hit.prim == test.prim);
            tests.sort_by(|a, b| {
                let hit_first = is_hit(b).cmp(&is_hit(a));
                let by_distance = a.distance.total_cmp(&b.distance);
                let by_t = a.nearest_t.total_cmp(&b.nearest_t);
                hit_first.then(by_distance).then(by_t).then(a.prim.cmp(&b.prim))
            });
        }
        let listed = if everything { tests.len() } else { tests.len().min(LISTED) };
        text.push_str(&self.table_of_triangles(&tests[..listed]));
        if listed < tests.len() {
            text.push_str(&format!("\n  and {} farther off", tests.len() - listed));
        }
        text
    }

    pub(super) fn table_of_triangles(&self, tests: &[&TriangleTest]) -> String {
        let header = ["triangle", "t", "A", "B", "C", "away", "by", "verdict"];
        let mut table = Table::new(header.map(str::to_owned).to_vec());
        for test in tests {
            let none = || "-".to_owned();
            let [a, b, c] = test.crossing.map_or([(); 3].map(|()| none()), |crossing| {
                crossing.weights.map(|weight| Rounded(weight).to_string())
            });
            table.add(vec![
                test.prim.to_string(),
                test.crossing.map_or_else(none, |it| Number(f64::from(it.t)).to_string()),
                a,
                b,
                c,
                Rounded(test.distance).to_string(),
                match test.settled_by {
                    SettledBy::Filter => "f32".into(),
                    SettledBy::Exact => "exact".into(),
                    SettledBy::Build => "build".into(),
                },
                self.verdict(test),
            ]);
        }
        table.lines()
    }

    fn verdict(&self, test: &TriangleTest) -> String {
        let outside = edges_that_are(test, EdgeSide::Outside);
        let on = edges_that_are(test, EdgeSide::On);
        let mut text = match (test.verdict, outside) {
            (Verdict::Hit, _) => self.rank(test).into(),
            (Verdict::Outside, Some(edges)) => format!("outside of {edges}"),
            (verdict, _) => verdict.to_string(),
        };
        if let (Some(edges), true) = (on, test.verdict != Verdict::Outside) {
            text.push_str(&format!(", exactly on {edges}"));
        }
        text
    }

    /// The boxes on the ray's way: few one by one, many by their levels.
    pub(super) fn boxes_in_words(&self, everything: bool) -> String {
        let counts = |boxes: &[&BoxVisit]| {
            FATES.map(|(fate, _)| boxes.iter().filter(|visit| visit.fate == fate).count())
        };
        let all: Vec<&BoxVisit> = self.boxes.iter().collect();
        if let [only] = all[..]
            && only.fate != BoxFate::Entered
        {
            return match only.fate {
                BoxFate::Before => "the box around everything lies before t_min".into(),
                BoxFate::Beyond => "the box around everything lies beyond t_max".into(),
                _ => "the ray passes by the box around everything".into(),
            };
        }
        let in_all = counts(&all);
        let told = in_all.iter().zip(FATES).filter(|(count, _)| **count > 0);
        let told: Vec<String> = told.map(|(count, (_, name))| format!("{count} {name}")).collect();
        let text = format!("{} looked at: {}", plural(all.len(), "box"), told.join(", "));
        if everything || all.len() <= FEW_BOXES {
            return text + &one_by_one(&all);
        }
        let shown: Vec<usize> = (0..FATES.len()).filter(|&fate| in_all[fate] > 0).collect();
        let names = shown.iter().map(|&fate| FATES[fate].1.to_owned());
        let header = ["level", "boxes"].map(str::to_owned).into_iter().chain(names);
        let mut table = Table::new(header.collect());
        let deepest = all.iter().map(|visit| visit.level).max().unwrap_or(0);
        for level in 0..=deepest {
            let boxes: Vec<&BoxVisit> =
                all.iter().filter(|visit| visit.level == level).copied().collect();
            let counts = counts(&boxes);
            let counts = shown.iter().map(|&fate| counts[fate].to_string());
            table.add(
                [level.to_string(), boxes.len().to_string()].into_iter().chain(counts).collect(),
            );
        }
        text + &table.lines()
    }
}

fn one_by_one(boxes: &[&BoxVisit]) -> String {
    let header = ["level", "", "t from", "to", "lowest corner", "highest corner", "holds"];
    let mut table = Table::new(header.map(str::to_owned).to_vec());
    let corner = |corner: glam::Vec3| {
        let [x, y, z] = corner.to_array().map(|x| Number(f64::from(x)));
        format!("{x} {y} {z}")
    };
    for visit in boxes {
        let fate = FATES.iter().find(|(fate, _)| *fate == visit.fate).map_or("", |(_, name)| name);
        let t = |t: f64| match visit.fate {
            BoxFate::Beside => "-".to_owned(),
            _ => Number(t).to_string(),
        };
        let content = match visit.content {
            BoxContent::Boxes(count) => plural(count as usize, "box"),
            BoxContent::Triangles(count) => plural(count as usize, "triangle"),
        };
        table.add(vec![
            visit.level.to_string(),
            fate.to_owned(),
            t(visit.enter),
            t(visit.leave),
            corner(visit.bounds.min),
            corner(visit.bounds.max),
            content,
        ]);
    }
    table.lines()
}
