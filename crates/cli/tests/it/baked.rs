//! `hitscan bake`, and its files in place of a mesh.

use serde_json::Value;

use crate::tool::{Tool, data, json, stderr};

/// A tool whose folder has two objects far from zero, their tree, rays and points.
fn baked() -> Tool {
    let tool = Tool::new();
    let cuboid = |name: &str, x: f64, first: u32| {
        let mut text = format!("o {name}\n");
        for corner in 0..8_u32 {
            let [a, b, c] = [1, 2, 4].map(|bit| f64::from(u8::from(corner & bit != 0)));
            text += &format!("v {} {} {}\n", 4_500_000.1 + x + a, 5_400_000.2 + b, c);
        }
        for quad in
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        {
            let [a, b, c, d] = quad.map(|corner| corner + first);
            text += &format!("f {a} {b} {c} {d}\n");
        }
        text
    };
    // Faces of one corner and of no area: what is only in the report of the mesh file.
    let odd = "f 1 2\nf 3 3 5\n";
    tool.write("two.obj", cuboid("near", 0.0, 1) + &cuboid("far", 5.0, 9) + odd);
    let mut rays = String::from("ox,oy,oz,dx,dy,dz\n");
    let mut points = String::from("x,y,z\n");
    for step in 0..60 {
        let (x, y) =
            (4_500_000.0 + f64::from(step) * 0.13, 5_400_000.0 + f64::from(step % 13) * 0.1);
        rays += &format!("{x},{y},9,0.01,0.02,-1\n");
        points += &format!("{x},{y},0.5\n");
    }
    tool.write("rays.csv", rays);
    tool.write("points.csv", points);
    tool.stdout(&["bake", "two.obj", "--out", "two.hscan", "--quality", "high"]);
    tool
}

/// The same command's stdout for the mesh and for the tree; the names are made the same.
fn both(tool: &Tool, arguments: &[&str]) -> [String; 2] {
    ["two.obj", "two.hscan"].map(|mesh| {
        let arguments: Vec<&str> =
            arguments.iter().map(|&word| if word == "MESH" { mesh } else { word }).collect();
        tool.stdout(&arguments).replace(mesh, "MESH")
    })
}

#[test]
fn answers_are_those_of_the_mesh() {
    let tool = baked();
    for query in ["closest", "any", "all", "count"] {
        let [mesh, tree] = both(&tool, &["cast", "MESH", "--rays", "rays.csv", "--query", query]);
        assert_eq!(mesh, tree, "{query}");
        assert!(mesh.lines().count() > 20, "{query}: {mesh}");
    }
    let arguments = ["cast", "MESH", "--rays", "rays.csv", "--threads", "1"];
    let [mesh, tree] = both(&tool, &arguments);
    assert!(mesh == tree && mesh.contains("near") && mesh.contains("far"));
    let strict = tool.stdout(&["cast", "two.hscan", "--rays", "rays.csv", "--strict"]);
    assert_eq!(strict, tool.stdout(&["cast", "two.obj", "--rays", "rays.csv"]));
    let [mesh, tree] = both(&tool, &["inside", "MESH", "--points", "points.csv"]);
    assert!(mesh == tree && mesh.contains(",1") && mesh.contains(",0"));
}

#[test]
fn pictures_are_those_of_the_mesh() {
    let tool = baked();
    let pictures = ["two.obj", "two.hscan"].map(|mesh| {
        let size = ["--size", "64x48", "--samples", "2", "--shade", "prim"];
        tool.stdout(&[&["render", mesh, "--out", "two.png"], &size[..]].concat());
        std::fs::read(tool.path("two.png")).expect("a picture")
    });
    assert!(pictures[0] == pictures[1]);
}

#[test]
fn explanations_are_those_of_the_mesh_without_its_lines() {
    let tool = baked();
    let ray = ["--origin", "4500000.5,5400000.7,9", "--direction", "0,0,-1", "--quality", "high"];
    let mesh = tool.stdout(&[&["explain", "two.obj"], &ray[..]].concat());
    let tree = tool.stdout(&[&["explain", "two.hscan"], &ray[..4]].concat());
    let without_lines = |text: &str| -> String {
        text.lines().filter(|line| !line.starts_with("file ")).collect::<Vec<_>>().join("\n")
    };
    assert!(mesh.contains(" on line "));
    assert_eq!(without_lines(&mesh), tree.trim_end());
}

#[test]
fn inspect_tells_what_a_baked_file_knows() {
    let tool = baked();
    let of = |arguments: &[&str]| json(&tool.stdout(&[&["inspect", "--json"], arguments].concat()));
    let (mesh, tree) = (of(&["two.obj", "--quality", "high"]), of(&["two.hscan"]));
    for key in [
        "triangles",
        "vertices",
        "polygons",
        "objects",
        "bounds",
        "area",
        "origin",
        "degenerate",
        "duplicate",
        "non_finite",
        "nodes",
        "leaves",
        "depth",
        "sah_cost",
        "bytes",
    ] {
        assert_eq!(mesh[key], tree[key], "{key}");
        assert_ne!(mesh[key], Value::Null, "{key}");
    }
    assert_eq!((&mesh["skipped"], &tree["skipped"]), (&Value::from(1), &Value::Null));
    assert_eq!((&tree["warnings"], &tree["quality"]), (&Value::Null, &Value::from("baked")));
    let table = tool.stdout(&["inspect", "two.hscan"]);
    assert!(table.contains("baked") && !table.contains("skipped"), "{table}");
}

#[test]
fn bench_measures_a_baked_tree_as_it_is() {
    let tool = baked();
    let report = json(&tool.stdout(&["bench", "two.hscan", "--seconds", "0.001", "--json"]));
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 10);
    assert!(rows.iter().all(|row| row["quality"] == "baked" && row["build_ms"] == 0.0));
    let text = tool.stdout(&["bench", "two.hscan", "--seconds", "0.001"]);
    let lines = || text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert!(lines().any(|words| words.starts_with(&["baked", "0.00", "ms"])), "{text}");
    assert!(lines().any(|words| words.ends_with(&["baked", "single", "baked", "batch"])), "{text}");
    assert!(lines().any(|words| words.starts_with(&["random", "baked"])), "{text}");
}

#[test]
fn bake_tells_what_it_did() {
    let tool = baked();
    let out = ["--out", "again.hscan", "--quality", "high", "--json"];
    let told = json(&tool.stdout(&[&["bake", "two.obj"], &out[..]].concat()));
    assert_eq!((&told["schema"], &told["triangles"]), (&Value::from(1), &Value::from(25)));
    assert_eq!(told["quality"], "high");
    let file = std::fs::read(tool.path("again.hscan")).expect("it is there");
    assert_eq!(told["bytes"], file.len());
    assert!(file == std::fs::read(tool.path("two.hscan")).expect("it is there"));
    let piped = tool.run(&["bake", "two.obj", "--out", "-", "--quality", "high", "--json"]);
    assert_eq!(piped.status.code(), Some(0));
    assert!(piped.stdout == file);
    assert_eq!(json(stderr(&piped).lines().last().unwrap_or_default())["bytes"], file.len());
    assert_eq!(tool.files(), ["again.hscan", "points.csv", "rays.csv", "two.hscan", "two.obj"]);
}

#[test]
fn what_makes_no_sense_with_a_baked_tree_is_wrong_usage() {
    let tool = baked();
    for (arguments, told) in [
        (
            &["inspect", "two.hscan", "--quality", "high"][..],
            "error: --quality: two.hscan is a baked tree, which is built already\n",
        ),
        (
            &["cast", "two.hscan", "--rays", "rays.csv", "--layout", "compact"],
            "error: --layout: two.hscan is a baked tree, which is built already\n",
        ),
        (
            &["inspect", "two.hscan", "--format", "obj"],
            "error: --format: two.hscan is a baked tree, not a mesh file\n",
        ),
        (
            &["bench", "two.hscan", "--format", "obj"],
            "error: --format: two.hscan is a baked tree, not a mesh file\n",
        ),
        (&["bake", "two.hscan", "-o", "x.hscan"], "error: two.hscan: is a baked tree already\n"),
        (
            &["bake", "two.obj", "-o", "./two.obj"],
            "error: --out ./two.obj: that is the mesh, which would be lost\n",
        ),
    ] {
        let output = tool.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = stderr(&output);
        assert!(error.contains(told), "{arguments:?}: {error}");
    }
    assert!(tool.run(&["bake", "two.obj"]).status.code() == Some(2));
}

#[test]
fn a_tree_that_cannot_be_saved_leaves_nothing() {
    let tool = baked();
    let files = tool.files();
    std::fs::create_dir(tool.path("folder")).expect("a folder");
    for out in ["folder", "nowhere/two.hscan"] {
        let output = tool.run(&["bake", "two.obj", "--out", out]);
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(stderr(&output).contains(&format!("error: {out}: ")), "{}", stderr(&output));
    }
    assert_eq!(tool.files().len(), files.len() + 1);
}

#[test]
fn files_that_are_not_whole_are_refused() {
    let tool = baked();
    let right = std::fs::read(tool.path("two.hscan")).expect("it is there");
    let told = |name: &str, bytes: &[u8], arguments: &[&str]| {
        tool.write(name, bytes);
        let output = tool.run(&[&[arguments[0], name], &arguments[1..]].concat());
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(output.stdout.is_empty());
        stderr(&output)
    };
    let error = told("short.hscan", &right[..right.len() - 7], &["inspect"]);
    let length = right.len();
    let cut = format!(
        "error: short.hscan: there are {} bytes, and the tree has {length}: it was cut short\n",
        length - 7
    );
    assert_eq!(error, cut);

    let mut later = right.clone();
    later[8] = 7;
    let error = told("later.hscan", &later, &["inspect"]);
    assert!(error.contains("later.hscan: this tree was baked by a later version"), "{error}");

    // A bit of a box: a view does not see it, those who read all do.
    let mut flipped = right;
    flipped[256 + 192 + 3] ^= 1;
    for arguments in [&["inspect", "--strict"][..], &["check"]] {
        let error = told("flipped.hscan", &flipped, arguments);
        let damaged = "flipped.hscan: the tree is damaged: the checksum of its blocks does not fit";
        assert!(error.contains(damaged), "{error}");
    }
}

/// A leaf that names triangles that are not there, under checksums that fit.
#[test]
fn leaves_that_cannot_be_are_passed_over_or_refused() {
    let tool = Tool::new();
    tool.stdout(&["bake", &data("cube.obj"), "--out", "cube.hscan"]);
    let mut bytes = std::fs::read(tool.path("cube.hscan")).expect("it is there");
    assert_eq!(bytes[80], 1, "one node: a leaf comes behind it");
    let names = 256 + 2 * 192 + 144;
    for lane in 0..4 {
        bytes[names + 4 * lane..][..4].copy_from_slice(&1000_u32.to_le_bytes());
    }
    hitscan::baked::reseal(&mut bytes);
    tool.write("cube.hscan", bytes);
    tool.write("rays.csv", "ox,oy,oz,dx,dy,dz\n0.5,0.1,3,0,0,-1\n0.1,0.5,-3,0,0,1\n");
    tool.write("points.csv", "x,y,z\n0.1,0.1,0.1\n");
    for arguments in [
        "cast cube.hscan --rays rays.csv --query all",
        "inside cube.hscan --points points.csv",
        "inspect cube.hscan --json",
        "inspect cube.hscan --levels boxes.obj",
        "render cube.hscan --out x.png --size 32x32 --shade prim",
        "render cube.hscan --out x.png --size 32x32 --shade cost",
        "bench cube.hscan --seconds 0.001",
    ] {
        tool.stdout(&Vec::from_iter(arguments.split(' ')));
    }
    // Some side is not hit where that leaf has it; a test of every triangle tells.
    let sides = [
        ("3,A,B", "-1,0,0"),
        ("-3,A,B", "1,0,0"),
        ("A,3,B", "0,-1,0"),
        ("A,-3,B", "0,1,0"),
        ("A,B,3", "0,0,-1"),
        ("A,B,-3", "0,0,1"),
    ];
    let mut wrong = 0;
    for (side, direction) in sides {
        for (a, b) in [("0.5", "0.1"), ("0.1", "0.5")] {
            let origin = side.replace('A', a).replace('B', b);
            let arguments = ["--origin", &origin, "--direction", direction];
            let output = tool.run(&[&["explain", "cube.hscan", "--full"], &arguments[..]].concat());
            let told = stderr(&output);
            let is_wrong = told.contains("error: the tree's answer is not that of a test of every");
            assert_eq!(output.status.code(), Some(i32::from(is_wrong)), "{told}");
            assert!(!String::from_utf8_lossy(&output.stdout).contains("1000"));
            wrong += usize::from(is_wrong);
        }
    }
    assert!(wrong > 0);
    for arguments in [&["inspect", "cube.hscan", "--strict"][..], &["check", "cube.hscan"]] {
        let output = tool.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        let told =
            "error: cube.hscan: this tree cannot be: blocks: a leaf has a triangle that is not";
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
}

#[test]
fn check_looks_at_every_byte_of_a_baked_tree() {
    let tool = baked();
    let table = tool.stdout(&["check", "two.hscan", "--rays", "500"]);
    assert!(table.contains("baked tree           every checksum, box and corner is right"));
    let report = json(&tool.stdout(&["check", "two.hscan", "--rays", "500", "--json"]));
    assert_eq!(
        (&report["baked"], &report["engine"]["wrong"]),
        (&Value::from(true), &Value::from(0))
    );
}

#[test]
fn a_baked_file_is_known_by_its_bytes() {
    let tool = baked();
    std::fs::copy(tool.path("two.hscan"), tool.path("two.stl")).expect("a copy");
    let by_name = tool.stdout(&["cast", "two.hscan", "--rays", "rays.csv"]);
    assert_eq!(tool.stdout(&["cast", "two.stl", "--rays", "rays.csv"]), by_name);
    let cube = data("cube.obj");
    tool.stdout(&["bake", &cube, "-o", "cube.obj"]);
    assert!(tool.stdout(&["inspect", "cube.obj"]).contains("baked"));
}
