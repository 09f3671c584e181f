//! Builders as dots: what a build takes against how fast rays go through its tree.

use anyhow::{Result, ensure};

use super::engine::{color, maker, preset, rays};
use super::labels::Labels;
use super::panel::Panel;
use super::rows::{Build, distinct};
use super::scale::{Linear, Log, count, time};
use super::sheet::Sheet;
use super::{Choice, in_words};

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 300.0;
/// How many panels stand in a row.
const ABREAST: usize = 2;
const RADIUS: f64 = 4.5;

/// One panel a mesh.
pub(super) fn draw(rows: &[Build], choice: &Choice) -> Result<String> {
    let threads = choice.threads(rows.iter().map(|row| row.threads));
    let dots: Vec<Dot<'_>> = rows
        .iter()
        .filter(|row| row.threads == threads)
        .filter_map(|row| Some(Dot { row, mrays: mean(row, choice)? }))
        .collect();
    ensure!(!dots.is_empty(), "no row is of these threads and sets");
    let threads = in_words(threads);
    let title = format!("What a build takes, and how fast rays go through its tree, {threads}");
    let mut sheet = Sheet::new(WIDTH, &title, &choice.caption);
    let makers = distinct(dots.iter().map(|dot| maker(&dot.row.builder)));
    sheet.legend(makers.into_iter().map(|maker| (maker, format!("line s{}", color(maker)))));
    let meshes = distinct(dots.iter().map(|dot| dot.row.mesh.as_str()));
    for abreast in meshes.chunks(ABREAST) {
        // The last row is as wide as those above it.
        let (corners, width) = sheet.row(meshes.len().min(ABREAST), HEIGHT, 12.0);
        for (mesh, corner) in abreast.iter().zip(corners) {
            let here: Vec<&Dot<'_>> = dots.iter().filter(|dot| dot.row.mesh == *mesh).collect();
            let times: Vec<f64> = here.iter().map(|dot| dot.row.ms_median).collect();
            let x = Log::over(&times, time);
            let y = Linear::up_to(here.iter().map(|dot| dot.mrays).fold(0.0, f64::max));
            let panel = Panel { corner, size: [width, HEIGHT], x: &x, y: &y };
            let triangles = here.first().map_or(0, |dot| dot.row.triangles);
            let title = format!("{mesh}, {} triangles", count(triangles as f64));
            panel.draw(&mut sheet.svg, &title);
            fill(&mut sheet, &panel, &here);
        }
    }
    let sets = distinct(dots.iter().flat_map(|dot| {
        dot.row.mrays.iter().map(|(set, _)| set.as_str()).filter(|set| choice.wants(set))
    }));
    let sets: Vec<&str> = sets.into_iter().map(rays).collect();
    let mean = if sets.len() == 1 { "" } else { "geometric mean of " };
    Ok(sheet.finish(&format!(
        "Across: the time of a build. Up: million rays a second, one a call on one thread \
         ({mean}{}). B: bytes a triangle that the tree takes.",
        sets.join(", "),
    )))
}

/// A builder at a mesh.
struct Dot<'a> {
    row: &'a Build,
    mrays: f64,
}

/// The geometric mean over the sets; nothing without any.
fn mean(row: &Build, choice: &Choice) -> Option<f64> {
    let sets = row.mrays.iter().filter(|(set, _)| choice.wants(set));
    let logarithms: Vec<f64> = sets.map(|(_, mrays)| mrays.ln()).collect();
    let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
    (!logarithms.is_empty()).then(|| mean.exp())
}

fn fill(sheet: &mut Sheet, panel: &Panel<'_>, dots: &[&Dot<'_>]) {
    let place = |dot: &Dot<'_>| panel.place([dot.row.ms_median, dot.mrays]);
    let mut labels = Labels::default();
    for maker in distinct(dots.iter().map(|dot| maker(&dot.row.builder))) {
        // A compact tree is another choice than more or less time.
        let own = dots.iter().filter(|dot| {
            super::engine::maker(&dot.row.builder) == maker && !dot.row.builder.ends_with("compact")
        });
        let mut places: Vec<_> = own.map(|dot| place(dot)).collect();
        places.sort_by(|a, b| a[0].total_cmp(&b[0]));
        sheet.svg.line(&format!("path s{}", color(maker)), &places, "");
        for pair in places.windows(2) {
            labels.avoid_line([pair[0], pair[1]]);
        }
    }
    for dot in dots {
        labels.avoid(place(dot), RADIUS);
    }
    let [left, top] = panel.corner;
    let frame = [[left, top], [left + panel.size[0] + 10.0, top + panel.size[1]]];
    for dot in dots {
        let builder = dot.row.builder.as_str();
        let (name, color) = (preset(builder), color(maker(builder)));
        let bytes = dot.row.bytes_per_triangle;
        let label = name + &bytes.map_or_else(String::new, |bytes| format!(", {bytes:.0} B"));
        let title = format!("{builder}: {}, {:.2} Mrays/s", time(dot.row.ms_median), dot.mrays);
        sheet.svg.dot(&format!("dot f{color}"), place(dot), RADIUS, &title);
        let (anchor, at) = labels.place(place(dot), &label, frame);
        sheet.svg.text(&format!("f{color}"), anchor, at, &label);
    }
}
