//! Meshes of every format, known by bytes, by name, or by `--format`.

use hitscan::obj::{self, ObjOptions};
use hitscan_testkit::files::{self, PlyEncoding};

use crate::tool::{Tool, data, json, stderr};

/// The cube in every format, by file name.
fn write_all(tool: &Tool) -> Vec<&'static str> {
    let (cube, _) = obj::read_file(data("cube.obj"), ObjOptions::default()).expect("a cube");
    tool.write("cube.stl", files::stl_binary(&cube));
    tool.write("text.stl", files::stl_text(&cube));
    tool.write("cube.ply", files::ply(&cube, PlyEncoding::Text));
    tool.write("big.ply", files::ply(&cube, PlyEncoding::Big));
    tool.write("cube.OFF", files::off(&cube));
    tool.write("cube.glb", files::glb(&cube));
    tool.write("cube.gltf", files::gltf_document(&cube, Some("cube.bin")));
    tool.write("cube.bin", files::gltf_buffer(&cube));
    tool.write("cube", files::ply(&cube, PlyEncoding::Little));
    vec!["cube.stl", "text.stl", "cube.ply", "big.ply", "cube.OFF", "cube.glb", "cube.gltf", "cube"]
}

/// The columns before the last, the object's name, which not every format has.
fn without_names(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').take(13).collect()).collect()
}

#[test]
fn cast_takes_all_and_gives_the_same_hits() {
    let tool = Tool::new();
    let expected = tool.stdout(&["cast", &data("cube.obj"), "--rays", &data("rays.csv")]);
    for name in write_all(&tool) {
        let csv = tool.stdout(&["cast", name, "--rays", &data("rays.csv")]);
        assert_eq!(without_names(&csv), without_names(&expected), "{name}");
    }
}

#[test]
fn the_other_commands_take_all() {
    let tool = Tool::new();
    let cube = json(&tool.stdout(&["inspect", &data("cube.obj"), "--json"]));
    for name in write_all(&tool) {
        let inspected = json(&tool.stdout(&["inspect", name, "--json"]));
        for key in ["triangles", "bounds", "area", "degenerate", "duplicate", "warning_count"] {
            assert_eq!(inspected[key], cube[key], "{name}: {key}");
        }
        let inside = tool.stdout(&["inside", name, "--points", &data("points.csv")]);
        assert!(inside.lines().any(|row| row.ends_with(",1")), "{name}: {inside}");
    }
    let small = ["--size", "16x16", "--samples", "1"];
    for name in ["cube.stl", "cube.glb"] {
        tool.stdout(&[&["render", name, "--out", "cube.png"][..], &small].concat());
        tool.stdout(&["bench", name, "--seconds", "0.001"]);
    }
}

#[test]
fn format_counts_more_than_bytes_and_names() {
    let tool = Tool::new();
    write_all(&tool);
    // Without a keyword, OFF shows itself in no way.
    let bare = "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    tool.write("bare.txt", bare);
    let told = stderr(&tool.run(&["inspect", "bare.txt"]));
    assert!(told.contains("neither its name nor its first bytes"), "{told}");
    for command in [&["inspect"][..], &["bench", "--seconds", "0.001"]] {
        tool.stdout(&[command, &["bare.txt", "--format", "off"]].concat());
    }
    let one_ray = ["--origin", "0.2,0.2,1", "--direction", "0,0,-1"];
    let cast =
        |formats: &[&str]| tool.run(&[&["cast", "bare.txt"], &one_ray[..], formats].concat());
    let output = cast(&["--format", "off"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\n0,1,1,0,"));
    for (formats, code, told) in [
        (&["--format", "ply"][..], 1, "bare.txt:1:1: expected `ply`, found `3`"),
        (&["--format", "off", "--format", "off"], 0, ""),
        (&["--format", "off", "--format", "csv"], 0, ""),
        (&["--format", "off", "--format", "stl"], 2, "--format says two things of MESH"),
        (&["--format", "csv", "--format", "npy"], 2, "--format says two things of MESH, or two of"),
    ] {
        let output = cast(formats);
        assert_eq!(output.status.code(), Some(code), "{formats:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

#[test]
fn a_name_that_is_wrong_is_a_warning() {
    let tool = Tool::new();
    write_all(&tool);
    std::fs::rename(tool.path("cube.ply"), tool.path("wrong.stl")).expect("the same folder");
    let output = tool.run(&["inspect", "wrong.stl"]);
    assert_eq!(output.status.code(), Some(0));
    let told = "wrong.stl: the file is PLY, although its name says STL";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
    assert_eq!(tool.run(&["inspect", "wrong.stl", "--strict"]).status.code(), Some(1));
    let output = tool.run(&["inspect", "wrong.stl", "--strict", "--format", "ply"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn errors_name_the_file_and_the_place() {
    let tool = Tool::new();
    write_all(&tool);
    std::fs::remove_file(tool.path("cube.bin")).expect("it is there");
    let output = tool.run(&["inspect", "cube.gltf"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cube.bin: "), "{}", stderr(&output));
    let whole = std::fs::read(tool.path("cube.stl")).expect("it is there");
    tool.write("cut.stl", &whole[..whole.len() - 1]);
    let told = stderr(&tool.run(&["inspect", "cut.stl"]));
    assert!(told.contains("cut.stl: at byte 80: the header says 12 triangles"), "{told}");
}
