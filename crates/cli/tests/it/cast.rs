//! What `cast` answers.

use crate::tool::{Tool, data, json, stderr};

/// Rows of CSV, split at commas.
fn rows(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

#[test]
fn simd_levels_and_threads_print_the_same_bytes() {
    let tool = Tool::new();
    let (mesh, rays) = (data("cube.obj"), data("rays.csv"));
    let expected = tool.stdout(&["cast", &mesh, "--rays", &rays, "--query", "all"]);
    assert_eq!(expected.lines().count(), 6, "{expected}");
    for level in hitscan::Level::available() {
        for threads in ["1", "3"] {
            let arguments =
                ["cast", &mesh, "--rays", &rays, "--query", "all", "--threads", threads];
            let output = tool.command(&arguments).env("HITSCAN_SIMD", level.name()).output();
            let output = output.expect("the tool runs");
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{level} {threads}");
        }
    }
}

#[test]
fn a_transform_places_points_and_normals_in_the_world() {
    let tool = Tool::new();
    // Twice as wide, mirrored in y, and far away: t stays in units of the direction.
    let matrix = "2,0,0,1000000,0,-1,0,0,0,0,1,0";
    let csv = tool.stdout(&[
        "cast",
        &data("cube.obj"),
        "--transform",
        matrix,
        "--origin",
        "1000005,0.5,0.25",
        "--direction",
        "-0.5,0,0",
    ]);
    let row = &rows(&csv)[0];
    assert_eq!(&row[1..3], ["1", "6"], "{csv}");
    assert_eq!(&row[6..12], ["1000002", "0.5", "0.25", "1", "0", "0"], "{csv}");
}

#[test]
fn a_mesh_far_away_is_hit_in_double_precision() {
    let tool = Tool::new();
    let (x, y) = (4_500_000.0, 5_400_000.0);
    let mut mesh = String::new();
    for (dx, dy) in [(0.0, 0.0), (0.25, 0.0), (0.0, 0.25)] {
        mesh.push_str(&format!("v {} {} 100\n", x + dx, y + dy));
    }
    tool.write("far.obj", mesh + "f 1 2 3\n");
    let rays = format!("ox,oy,oz,dx,dy,dz\n{},{},110,0,0,-1\n", x + 0.0625, y + 0.125);
    tool.write("rays.csv", rays);
    let csv = tool.stdout(&["cast", "far.obj", "--rays", "rays.csv"]);
    let row = &rows(&csv)[0];
    assert_eq!(&row[1..9], ["1", "10", "0", "0.25", "0.5", "4500000.0625", "5400000.125", "100"]);
}

#[test]
fn a_summary_goes_where_the_hits_do_not() {
    let tool = Tool::new();
    let (mesh, rays) = (data("cube.obj"), data("rays.csv"));
    let to_file = tool.run(&["cast", &mesh, "--rays", &rays, "--out", "hits.csv", "--json"]);
    let to_stdout = tool.run(&["cast", &mesh, "--rays", &rays, "--json"]);
    assert_eq!(stderr(&to_file), "");
    for text in [String::from_utf8_lossy(&to_file.stdout).into_owned(), stderr(&to_stdout)] {
        let summary = json(&text);
        assert_eq!(summary["schema"], 1);
        assert_eq!((&summary["rays"], &summary["hits"]), (&5.into(), &3.into()), "{summary}");
        for key in ["load_ms", "build_ms", "cast_ms", "mrays_per_second"] {
            assert!(summary[key].is_number(), "{key} in {summary}");
        }
    }
    let hits = std::fs::read(tool.path("hits.csv")).expect("the hits");
    assert_eq!(hits, to_stdout.stdout);
}

#[test]
fn one_ray_answers_in_json() {
    let tool = Tool::new();
    let mesh = data("cube.obj");
    let ask = |query: &str, t_max: &str| {
        json(&tool.stdout(&[
            "cast",
            &mesh,
            "--origin",
            "-5,0.1,0.2",
            "--direction",
            "1,0,0",
            "--json",
            "--query",
            query,
            "--t-max",
            t_max,
        ]))
    };
    let closest = ask("closest", "inf");
    assert_eq!((&closest["hit"], &closest["t"]), (&true.into(), &4.0.into()), "{closest}");
    assert_eq!(closest["object"], "box");
    assert_eq!(closest["front"], true);
    assert_eq!(ask("closest", "3")["hit"], false);
    assert_eq!(ask("any", "4")["hit"], true);
    assert_eq!(ask("count", "inf")["count"], 2);
    let all = ask("all", "inf");
    assert_eq!(all["hits"][1]["t"], 6.0, "{all}");
    assert_eq!(all["hits"][1]["front"], false, "{all}");
}

#[test]
fn faces_and_edges_change_the_answer() {
    let tool = Tool::new();
    let mesh = data("cube.obj");
    // Down the diagonal of the lid and through the diagonal of the floor.
    let mut arguments =
        vec!["cast", &mesh, "--origin", "0,0,5", "--direction", "0,0,-1", "--query", "count"];
    assert_eq!(tool.stdout(&arguments), "ray,count\n0,2\n");
    arguments.extend(["--edges", "closed"]);
    assert_eq!(tool.stdout(&arguments), "ray,count\n0,4\n");
    arguments.extend(["--faces", "back"]);
    assert_eq!(tool.stdout(&arguments), "ray,count\n0,2\n");
}

#[test]
fn rays_come_from_stdin() {
    let tool = Tool::new();
    let rays = "DX,dy,dz,ox,oy,oz\n0,0,-1,0.25,0.5,5\n";
    let output =
        tool.run_with_stdin(&["cast", &data("cube.obj"), "--rays", "-", "--query", "any"], rays);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ray,hit\n0,1\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn rays_that_single_precision_cannot_hold_are_told() {
    let tool = Tool::new();
    tool.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1e-200\n");
    let output = tool.run(&["cast", &data("cube.obj"), "--rays", "rays.csv"]);
    assert!(stderr(&output).contains("1 ray misses"), "{}", stderr(&output));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let tool = Tool::new();
    let mut rays = String::from("ox,oy,oz,dx,dy,dz\n");
    (0..100_000).for_each(|_| rays.push_str("0.25,0.5,5,0,0,-1\n"));
    tool.write("rays.csv", rays);
    let mut command = tool.command(&["cast", &data("cube.obj"), "--rays", "rays.csv"]);
    let piped = std::process::Stdio::piped;
    let mut child = command.stdout(piped()).stderr(piped()).spawn().expect("the tool runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}
