//! `inspect`: the tree level by level, and its boxes as a mesh.

use serde_json::Value;

use crate::tool::{Tool, data, json, stderr};

fn numbers(report: &Value, key: &str) -> Vec<u64> {
    let list = report[key].as_array().unwrap_or_else(|| panic!("{key} is a list: {report}"));
    list.iter().map(|number| number.as_u64().expect("a count")).collect()
}

#[test]
fn the_tree_is_told_level_by_level() {
    let tool = Tool::new();
    let report = json(&tool.stdout(&["inspect", &data("cube.obj"), "--json"]));
    let sum = |key: &str| numbers(&report, key).iter().sum::<u64>();
    assert_eq!(report["nodes"], sum("nodes_by_level"));
    assert_eq!(report["nodes"], sum("nodes_by_children"));
    assert_eq!(report["leaves"], sum("leaves_by_level"));
    assert_eq!(report["leaves"], sum("leaves_by_size"));
    assert_eq!(report["depth"], numbers(&report, "nodes_by_level").len());
    let sizes = numbers(&report, "leaves_by_size");
    assert_eq!(sizes.iter().zip(0..).map(|(count, size)| count * size).sum::<u64>(), 12);
    assert!(report["overlap"].as_f64() >= Some(0.0));
    let parts = &report["bytes_by_part"];
    let [nodes, leaves] = ["nodes", "leaves"].map(|part| parts[part].as_u64().expect("bytes"));
    assert_eq!(report["bytes"], nodes + leaves);
    assert_eq!(parts["mesh_positions"], 8 * 12);
    assert_eq!(parts["mesh_indices"], 12 * 12);
    let text = tool.stdout(&["inspect", &data("cube.obj")]);
    for name in ["by level", "by size", "overlap", "mesh"] {
        assert!(text.contains(name), "{name}: {text}");
    }
}

#[test]
fn a_compact_tree_is_told_baked_and_cast_at() {
    let tool = Tool::new();
    let cube = data("cube.obj");
    let ray = ["--origin", "0.25,0.5,5", "--direction", "0,0,-1", "--query", "all", "--json"];
    tool.stdout(&["bake", &cube, "--layout", "compact", "--out", "cube.hscan"]);
    let report = |arguments: &[&str]| json(&tool.stdout(&[arguments, &["--json"]].concat()));
    let fast = report(&["inspect", &cube]);
    assert_eq!(fast["layout"], "fast");
    for compact in [&["inspect", &cube, "--layout", "compact"][..], &["inspect", "cube.hscan"]] {
        let compact = report(compact);
        assert_eq!(compact["layout"], "compact");
        assert!(compact["bytes"].as_u64() < fast["bytes"].as_u64(), "{compact}");
    }
    let hits = |mesh: &[&str]| tool.stdout(&[&["cast"], mesh, &ray].concat());
    assert_eq!(hits(&[&cube]), hits(&[&cube, "--layout", "compact"]));
    assert_eq!(hits(&[&cube]), hits(&["cube.hscan"]));
}

/// The boxes of a level, read back by the tool: closed cuboids within the mesh's own box.
#[test]
fn boxes_of_a_level_are_a_mesh() {
    let tool = Tool::new();
    for name in ["boxes.obj", "boxes.ply"] {
        let output = tool.run(&["inspect", &data("cube.obj"), "--levels", name, "--level", "0"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(stderr(&output).contains("1 box, level 0"), "{}", stderr(&output));
        let boxes = json(&tool.stdout(&["inspect", name, "--json"]));
        assert_eq!(boxes["triangles"], 12, "{name}");
        assert_eq!(boxes["bounds"]["min"], json("[-1.0,-1.0,-1.0]"));
        assert_eq!(boxes["bounds"]["max"], json("[1.0,1.0,1.0]"));
        assert_eq!(boxes["area"], 24.0);
        // Wound outwards: its front is hit from outside.
        let cast = ["cast", name, "--origin", "0,0,5", "--direction", "0,0,-1", "--faces", "front"];
        let hit = tool.stdout(&[&cast[..], &["--query", "any"]].concat());
        assert_eq!(hit, "ray,hit\n0,1\n");
        let check = json(&tool.stdout(&["check", name, "--rays", "100", "--json"]));
        let defects = check["defects"].as_array().unwrap();
        assert!(
            !defects.is_empty() && defects.iter().all(|defect| defect["count"] == 0),
            "{check}"
        );
    }
}

#[test]
fn all_levels_are_objects() {
    let tool = Tool::new();
    tool.stdout(&["inspect", &data("cube.obj"), "--levels", "boxes.obj"]);
    let report = json(&tool.stdout(&["inspect", &data("cube.obj"), "--json"]));
    let boxes = json(&tool.stdout(&["inspect", "boxes.obj", "--json"]));
    assert_eq!(boxes["objects"], report["depth"]);
    let blocks = report["nodes"].as_u64().zip(report["leaves"].as_u64()).map(|(a, b)| a + b);
    assert_eq!(boxes["polygons"].as_u64(), blocks.map(|blocks| 6 * blocks));
    assert_eq!(tool.files(), ["boxes.obj"]);
}

#[test]
fn wrong_levels_and_names_leave_nothing_behind() {
    let tool = Tool::new();
    for (arguments, message) in [
        (&["--levels", "boxes.stl"][..], "boxes are written as .obj or .ply"),
        (&["--levels", "boxes.obj", "--level", "99"], "--level 99: the tree has"),
        (&["--level", "1"], "--levels"),
    ] {
        let cube = data("cube.obj");
        let output = tool.run(&[&["inspect", &cube], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    assert_eq!(tool.files(), [""; 0]);
    tool.write("empty.obj", "# nothing\n");
    tool.stdout(&["inspect", "empty.obj", "--levels", "boxes.ply"]);
    assert_eq!(tool.files(), ["boxes.ply", "empty.obj"]);
}
