//! `cargo xtask chart`: what is drawn is what was measured.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::picture::{Picture, Shape};

/// Draws rows; `arguments` come after the chart's name.
fn run(chart: &str, rows: &[Value], arguments: &[&str]) -> (Output, Option<Picture>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [file, out] = ["rows.json", "out.svg"].map(|name| folder.path().join(name));
    std::fs::write(&file, serde_json::to_string(rows).expect("JSON")).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(["chart", chart]).arg(&file).arg("--out").arg(&out).args(arguments);
    let output = command.output().expect("the chores run");
    (output, std::fs::read_to_string(&out).ok().map(|text| Picture { text }))
}

fn draw(chart: &str, rows: &[Value], arguments: &[&str]) -> Picture {
    let (output, picture) = run(chart, rows, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    picture.expect("a picture")
}

/// A row of `peers growth`, with what charts do not look at.
fn cast(
    mesh: &str,
    triangles: u32,
    (engine, api): (&str, &str),
    threads: u32,
    mrays: f64,
) -> Value {
    json!({
        "mesh": format!("{mesh}:{triangles}"), "triangles": triangles, "set": "rnd",
        "engine": engine, "api": api, "threads": threads, "mrays_median": mrays,
        "mrays_best": 2.0 * mrays, "hits": 1, "differ": 0, "ratio_to_best_peer": null,
        "visits": null,
    })
}

/// Batches, then single rays, each of hitscan and of Embree; on two threads twice as fast.
fn casts() -> Vec<Value> {
    let mut rows = Vec::new();
    for (triangles, speeds) in [
        (100_000, [4.0, 2.0, 3.5, 3.0, 1.0]),
        (1000, [8.0, 4.0, 5.0, 5.5, 6.0]),
        (10_000, [6.0, 3.0, 3.0, 4.5, 2.0]),
    ] {
        for threads in [2, 1] {
            let contestants = [
                ("hitscan", "batch"),
                ("hitscan", "single"),
                ("embree-high", "packet8"),
                ("embree-high", "single"),
                ("embree-medium", "coherent8"),
            ];
            for (contestant, speed) in contestants.into_iter().zip(speeds) {
                let mrays = speed * f64::from(threads);
                rows.push(cast("terrain", triangles, contestant, threads, mrays));
            }
        }
    }
    rows
}

/// How high values of the first panel are drawn above the first one, in units of a factor of two.
fn heights(picture: &Picture, line: &Shape) -> Vec<f64> {
    let texts = picture.texts();
    let mut marks = texts
        .iter()
        .filter(|text| text.anchor == "end")
        .map(|text| (text.words.parse::<f64>().expect("a number").log2(), text.place[1]));
    let [low, high] = [(); 2].map(|()| marks.next().expect("two marks"));
    let double = (low.1 - high.1) / (high.0 - low.0);
    line.places.iter().map(|place| (line.places[0][1] - place[1]) / double).collect()
}

fn line<'a>(lines: &'a [Shape], title: &str) -> &'a Shape {
    lines.iter().find(|line| line.title == title).unwrap_or_else(|| panic!("no line for {title}"))
}

fn assert_close(found: &[f64], expected: &[f64]) {
    let is_close = |(a, b): (&f64, &f64)| (a - b).abs() < 0.01;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(is_close);
    assert!(all, "{found:?} is not {expected:?}");
}

#[test]
fn growth_is_a_line_a_contestant() {
    let picture = draw("growth", &casts(), &["--caption", "a CPU & a date"]);
    let lines = picture.lines();
    assert_eq!(lines.len(), 4, "{lines:?}");
    for (title, speeds) in [
        ("hitscan, batch", [8.0, 6.0, 4.0]),
        ("hitscan, one ray a call", [4.0, 3.0, 2.0]),
        // The best of both trees and all ways.
        ("Embree, its best way", [6.0, 4.5, 3.5]),
        ("Embree, one ray a call", [5.5, 4.5, 3.0]),
    ] {
        let line = line(&lines, title);
        assert_close(
            &heights(&picture, line),
            &speeds.map(|speed: f64| (speed / speeds[0]).log2()),
        );
        // Each factor of ten takes the same room, to the right.
        let x: Vec<f64> = line.places.iter().map(|place| place[0]).collect();
        assert!(x[1] - x[0] > 50.0 && (x[2] - 2.0 * x[1] + x[0]).abs() < 0.3, "{x:?}");
        assert_eq!(line.class.contains("single"), title.ends_with("one ray a call"));
        assert!(picture.says(title), "no legend for {title}");
    }
    for words in ["1 k", "10 k", "100 k", "terrain, random rays", "a CPU &amp; a date"] {
        assert!(picture.says(words), "{words}");
    }
    // What they end at.
    for words in ["4.00", "2.00", "3.50", "3.00"] {
        assert!(picture.says(words), "{words}");
    }
    let dots = picture.dots();
    assert_eq!(dots.len(), 4 * 3);
    assert!(dots.iter().any(|dot| dot.title == "Embree, its best way: 3.50 at 100 k"), "{dots:?}");
}

#[test]
fn rows_are_chosen_by_threads_and_sets() {
    let mut rows = casts();
    let mut primary = cast("soup", 500, ("bvh", "single"), 2, 1.5);
    primary["set"] = "prim".into();
    rows.push(primary);
    let picture = draw("growth", &rows, &["--threads", "2", "--sets", "rnd"]);
    assert!(picture.says("Million rays a second as meshes grow, 2 threads"));
    assert_eq!(picture.lines().len(), 4);
    assert!(picture.says("8.00") && !picture.says("soup, primary rays"), "{}", picture.text);
    // A contestant that was not everywhere has a line where it was.
    let picture = draw("growth", &rows, &["--threads", "2"]);
    assert!(picture.says("soup, primary rays"));
    let lines = picture.lines();
    assert_eq!(line(&lines, "bvh, one ray a call").places.len(), 1);
}

#[test]
fn threads_are_compared_at_the_largest_mesh_of_each_kind() {
    let mut rows = casts();
    rows.extend([1, 2, 4].map(|n| cast("soup", 500, ("hitscan", "batch"), n, f64::from(n))));
    let picture = draw("threads", &rows, &[]);
    let lines = picture.lines();
    let batches: Vec<&Shape> = lines.iter().filter(|line| line.title == "hitscan, batch").collect();
    assert_close(&heights(&picture, batches[0]), &[0.0, 1.0]);
    let x: Vec<f64> = batches[1].places.iter().map(|place| place[0]).collect();
    assert!(x[1] - x[0] > 50.0 && (x[2] - 2.0 * x[1] + x[0]).abs() < 0.3, "{x:?}");
    // 4.0 on each of two threads is the largest terrain's, not 8.0.
    assert!(picture.says("8.00") && !picture.says("16.0"));
}

/// A row of `peers build`.
fn build(builder: &str, ms: f64, bytes: Option<f64>, mrays: [f64; 2]) -> Value {
    json!({
        "mesh": "a<b", "triangles": 69_451, "builder": builder, "threads": 1, "ms_median": ms,
        "ms_best": ms, "bytes_per_triangle": bytes, "peak_bytes_per_triangle": null,
        "sah_cost": null, "mrays": [["prim", mrays[0]], ["rnd", mrays[1]]],
    })
}

fn builds() -> [Value; 8] {
    [
        build("hitscan-fast", 10.0, Some(69.0), [4.0, 4.0]),
        build("hitscan-balanced", 20.0, Some(75.0), [2.0, 8.0]),
        build("hitscan-high", 100.0, Some(74.6), [8.0, 8.0]),
        build("embree-low", 9.0, Some(92.0), [4.1, 4.1]),
        build("embree-medium", 21.0, Some(67.0), [4.2, 4.2]),
        build("embree-compact", 19.0, Some(36.0), [3.9, 3.9]),
        build("tinybvh-hq", 22.0, None, [3.8, 3.8]),
        build("parry3d", 20.5, None, [0.5, 0.5]),
    ]
}

#[test]
fn builders_are_dots_by_time_and_speed() {
    let picture = draw("builders", &builds(), &[]);
    let dots = picture.dots();
    let dot = |title: &str| {
        let dot = dots.iter().find(|dot| dot.title == title);
        dot.unwrap_or_else(|| panic!("no {title} in {dots:?}")).places[0]
    };
    // The geometric mean of 2 and 8 is 4.
    let fast = dot("hitscan-fast: 10 ms, 4.00 Mrays/s");
    let balanced = dot("hitscan-balanced: 20 ms, 4.00 Mrays/s");
    let high = dot("hitscan-high: 100 ms, 8.00 Mrays/s");
    assert_eq!(dots.len(), 8);
    assert!(fast[1] == balanced[1] && high[1] < fast[1] - 50.0, "{dots:?}");
    let [twice, tenfold] = [balanced[0] - fast[0], high[0] - fast[0]];
    assert!((twice / tenfold - 2_f64.log10()).abs() < 0.01, "{twice} of {tenfold}");
    for words in ["Fast, 69 B", "High, 75 B", "LOW, 92 B", "compact, 36 B", "HQ", "parry3d"] {
        assert!(picture.says(words), "{words}");
    }
    assert!(picture.says("a&lt;b, 69 k triangles"), "{}", picture.text);
    let picture = draw("builders", &builds(), &["--sets", "prim"]);
    let dots = picture.dots();
    assert!(dots.iter().any(|dot| dot.title == "hitscan-balanced: 20 ms, 2.00 Mrays/s"));
}

#[test]
fn labels_stay_in_the_picture_and_apart() {
    for (chart, rows) in [("growth", casts()), ("builders", builds().to_vec())] {
        let caption = "many words ".repeat(30);
        let picture = draw(chart, &rows, &["--caption", &caption]);
        let [width, height] = picture.size();
        let texts = picture.texts();
        let boxes: Vec<[f64; 4]> = texts
            .iter()
            .map(|text| {
                // Narrow letters: what overlaps in these overlaps in any.
                let wide = 5.5 * text.words.chars().count() as f64;
                let [x, y] = text.place;
                let left = match text.anchor.as_str() {
                    "start" => x,
                    "middle" => x - wide / 2.0,
                    _ => x - wide,
                };
                [left, y - 8.0, left + wide, y]
            })
            .collect();
        for (i, [left, top, right, bottom]) in boxes.iter().enumerate() {
            let inside = *left > 0.0 && *top > 0.0 && *right < width && *bottom < height;
            assert!(inside, "{chart}: {:?} in {width} by {height}", texts[i]);
            for (j, other) in boxes.iter().enumerate().skip(i + 1) {
                let apart = *right <= other[0]
                    || other[2] <= *left
                    || *bottom <= other[1]
                    || other[3] <= *top;
                assert!(apart, "{chart}: {:?} and {:?}", texts[i], texts[j]);
            }
        }
    }
}

#[test]
fn what_has_no_rows_is_an_error_and_no_picture() {
    for (chart, rows, arguments, told) in [
        ("growth", Vec::new(), &[][..], "there are no rows"),
        ("growth", casts(), &["--threads", "3"], "no row is of these threads and sets"),
        ("threads", casts(), &["--sets", "ao"], "no row is of these threads and sets"),
        ("builders", builds().to_vec(), &["--sets", "ao"], "no row is of these threads and sets"),
        ("builders", casts(), &[], "rows.json"),
    ] {
        let (output, picture) = run(chart, &rows, arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && error.contains(told), "{chart}: {error}");
        assert!(picture.is_none(), "{chart}, {arguments:?}");
    }
}
