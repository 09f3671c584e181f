//! Rays a second as lines, one a contestant: against triangles, and against threads.

use anyhow::{Result, ensure};

use super::engine::{color, maker, rays};
use super::labels::spread;
use super::panel::Panel;
use super::rows::{Cast, distinct};
use super::scale::{Log, Scale, count, plain};
use super::sheet::Sheet;
use super::svg::{Anchor, Place};
use super::{Choice, in_words};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 190.0;
/// Beside a panel, for the values at the ends of its lines.
const RIGHT: f64 = 44.0;
/// So many panels are side by side, so that there is room for their titles.
const MOST_ACROSS: usize = 3;

/// Rays a second against the number of triangles.
pub(super) fn growth(rows: &[Cast], choice: &Choice) -> Result<String> {
    let threads = choice.threads(rows.iter().map(|row| row.threads));
    let rows: Vec<&Cast> = rows.iter().filter(|row| row.threads == threads).collect();
    let title = format!("Million rays a second as meshes grow, {}", in_words(threads));
    let triangles: Vec<f64> = rows.iter().map(|row| row.triangles as f64).collect();
    let chart = Chart {
        title: &title,
        below: "Across: triangles. Up: million rays a second. Both go by factors; the numbers are \
                those at the largest mesh.",
        x: &|row| row.triangles as f64,
        scale: &Log::over(&triangles, count),
    };
    chart.draw(&rows, choice)
}

/// Rays a second against the number of threads, at the largest mesh of each kind.
pub(super) fn threads(rows: &[Cast], choice: &Choice) -> Result<String> {
    let largest = |row: &&Cast| {
        let rivals = rows.iter().filter(|other| kind(other) == kind(row));
        rivals.map(|other| other.triangles).max() == Some(row.triangles)
    };
    let rows: Vec<&Cast> = rows.iter().filter(largest).collect();
    let threads: Vec<f64> = rows.iter().map(|row| row.threads as f64).collect();
    let marks = distinct(threads.iter().copied()).into_iter().map(|x| (x, format!("{x}")));
    let chart = Chart {
        title: "Million rays a second on more and more threads",
        below: "Across: threads. Up: million rays a second. Both go by factors.",
        x: &|row| row.threads as f64,
        scale: &Log::with_marks(&threads, marks.collect()),
    };
    chart.draw(&rows, choice)
}

/// The kind of a generated mesh, or the mesh.
fn kind(row: &Cast) -> &str {
    row.mesh.split(':').next().unwrap_or_default()
}

/// What is different between charts of lines.
struct Chart<'a> {
    title: &'a str,
    below: &'a str,
    x: &'a dyn Fn(&Cast) -> f64,
    scale: &'a dyn Scale,
}

/// The contestants that one line is the best of.
#[derive(Clone, Copy, PartialEq)]
struct Line<'a> {
    maker: &'a str,
    way: Way,
}

/// How rays are cast.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// In whatever way is the fastest: what is asked is many rays at once.
    Many,
    /// One ray a call.
    Single,
}

impl Line<'_> {
    fn name(&self) -> String {
        let way = match (self.way, self.maker) {
            (Way::Single, _) => "one ray a call",
            (Way::Many, "hitscan") => "batch",
            (Way::Many, _) => "its best way",
        };
        format!("{}, {way}", self.maker)
    }

    fn class(&self) -> String {
        let way = if self.way == Way::Single { " single" } else { "" };
        format!("line{way} s{}", color(self.maker))
    }

    fn has(&self, row: &Cast) -> bool {
        let single = row.api == "single";
        maker(&row.engine) == self.maker
            && match self.way {
                Way::Single => single,
                // A batch chooses by itself; of a peer we choose.
                Way::Many => !single || self.maker != "hitscan",
            }
    }

    /// The lines that these rows make: hitscan's first, an engine's best before its single rays.
    fn all<'a>(rows: &[&'a Cast]) -> Vec<Line<'a>> {
        let mut makers = distinct(rows.iter().map(|row| maker(&row.engine)));
        makers.sort_by_key(|maker| color(maker));
        let mut lines = Vec::new();
        for maker in makers {
            for way in [Way::Many, Way::Single] {
                let own = |row: &&&Cast| super::engine::maker(&row.engine) == maker;
                let wanted = |row: &Cast| (row.api == "single") == (way == Way::Single);
                if rows.iter().filter(own).any(|row| wanted(row)) {
                    lines.push(Line { maker, way });
                }
            }
        }
        lines
    }
}

impl Chart<'_> {
    fn draw(&self, rows: &[&Cast], choice: &Choice) -> Result<String> {
        let rows: Vec<&Cast> = rows.iter().copied().filter(|row| choice.wants(&row.set)).collect();
        ensure!(!rows.is_empty(), "no row is of these threads and sets");
        let sets = distinct(rows.iter().map(|row| row.set.as_str()));
        let lines = Line::all(&rows);
        let mut sheet = Sheet::new(WIDTH, self.title, &choice.caption);
        let names: Vec<String> = lines.iter().map(Line::name).collect();
        sheet.legend(names.iter().map(String::as_str).zip(lines.iter().map(Line::class)));
        let across = sets.len().min(MOST_ACROSS);
        let kinds = distinct(rows.iter().map(|row| kind(row)));
        for (kind, sets) in
            kinds.iter().flat_map(|kind| sets.chunks(across).map(move |s| (kind, s)))
        {
            let (corners, width) = sheet.row(across, HEIGHT, RIGHT);
            for (set, corner) in sets.iter().zip(corners) {
                let is_here = |row: &&Cast| self::kind(row) == *kind && row.set == *set;
                let here: Vec<&Cast> = rows.iter().copied().filter(is_here).collect();
                let drawn: Vec<(Line<'_>, Vec<[f64; 2]>)> =
                    lines.iter().map(|&line| (line, self.points(line, &here))).collect();
                let points = drawn.iter().flat_map(|(_, points)| points);
                let speeds: Vec<f64> = points.map(|point| point[1]).collect();
                let y = Log::over(&speeds, plain);
                let panel = Panel { corner, size: [width, HEIGHT], x: self.scale, y: &y };
                panel.draw(&mut sheet.svg, &format!("{kind}, {}", rays(set)));
                fill(&mut sheet, &panel, &drawn);
            }
        }
        Ok(sheet.finish(self.below))
    }

    /// The best of a line's rows at each place, from left to right.
    fn points(&self, line: Line<'_>, rows: &[&Cast]) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for row in rows.iter().filter(|row| line.has(row)) {
            let (x, y) = ((self.x)(row), row.mrays_median);
            match points.iter_mut().find(|point| point[0] == x) {
                Some(point) => point[1] = point[1].max(y),
                None => points.push([x, y]),
            }
        }
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    }
}

fn fill(sheet: &mut Sheet, panel: &Panel<'_>, lines: &[(Line<'_>, Vec<[f64; 2]>)]) {
    let (mut ends, mut heights) = (Vec::new(), Vec::new());
    // hitscan's are drawn last, above the others.
    for (line, points) in lines.iter().rev() {
        let places: Vec<Place> = points.iter().map(|&point| panel.place(point)).collect();
        let (Some(&[_, last]), Some(&[right, end])) = (points.last(), places.last()) else {
            continue;
        };
        sheet.svg.line(&line.class(), &places, &line.name());
        for (&[x, y], &place) in points.iter().zip(&places) {
            let title = format!("{}: {y:.2} at {}", line.name(), count(x));
            sheet.svg.dot(&format!("dot f{}", color(line.maker)), place, 3.0, &title);
        }
        let text = if last < 9.95 { format!("{last:.2}") } else { format!("{last:.1}") };
        // An engine's best way may be one ray a call.
        let value = (color(line.maker), right, text);
        if ends.last() != Some(&value) {
            ends.push(value);
            heights.push(end + 4.0);
        }
    }
    let bottom = panel.corner[1] + panel.size[1] + 4.0;
    for ((color, x, text), height) in ends.iter().zip(spread(&heights, 13.0, bottom)) {
        sheet.svg.text(&format!("f{color}"), Anchor::Start, [x + 8.0, height], text);
    }
}
