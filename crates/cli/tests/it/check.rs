//! What `check` tells of meshes in JSON.

use serde_json::Value;

use crate::tool::{Tool, data, json, stderr};

/// How many defects of some kinds there are.
type Counts = &'static [(&'static str, u64)];

fn counts(report: &Value) -> Vec<(String, u64)> {
    let kinds = report["defects"].as_array().expect("defects");
    let counts = kinds.iter().map(|kind| {
        (
            kind["kind"].as_str().expect("a name").to_owned(),
            kind["count"].as_u64().expect("a count"),
        )
    });
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn a_sound_mesh_has_no_defects_and_agrees() {
    let tool = Tool::new();
    let report = json(&tool.stdout(&["check", &data("cube.obj"), "--json", "--rays", "3000"]));
    assert_eq!((&report["schema"], &report["closed"]), (&1.into(), &true.into()));
    assert_eq!(
        (&report["triangles"], &report["edges"], &report["pieces"]),
        (&12.into(), &18.into(), &1.into())
    );
    assert_eq!(counts(&report), []);
    let engine = &report["engine"];
    assert_eq!((&engine["rays"], &engine["wrong"]), (&3000.into(), &0.into()));
    assert_eq!(engine["against_every_triangle"], 3000);
    for key in ["random", "aimed_at_edges", "aimed_at_vertices"] {
        assert_eq!(engine[key], 1000, "{key}");
    }
    // Half of the rays come from around the mesh, and a few more from just beside its box.
    assert!((1400..=1900).contains(&engine["even"].as_u64().expect("a count")), "{engine}");
    // From around the mesh and from within, most rays hit; from within, all.
    assert!(engine["hits"].as_u64() > Some(2000), "{engine}");
}

#[test]
fn every_defect_has_its_place() {
    let tool = Tool::new();
    let report = json(&tool.stdout(&["check", &data("holed.obj"), "--json", "--rays", "100"]));
    assert_eq!(report["closed"], false);
    let kind = |name: &str| {
        let kinds = report["defects"].as_array().expect("defects");
        kinds.iter().find(|kind| kind["kind"] == name).unwrap_or_else(|| panic!("{name}"))
    };
    assert_eq!(
        kind("duplicate faces")["first"],
        json(r#"[{"triangle":10,"line":16,"repeats":2}]"#)
    );
    assert_eq!(kind("degenerate faces")["first"], json(r#"[{"triangle":11,"line":17}]"#));
    assert_eq!(kind("non-finite faces")["first"], json(r#"[{"triangle":12,"line":18}]"#));
    assert_eq!(kind("non-finite vertices")["first"], json(r#"[{"vertex":8}]"#));
    assert_eq!(kind("skipped faces")["count"], 1);
    assert_eq!(kind("flipped faces")["count"], 2, "{report}");
    assert_eq!(report["engine"]["wrong"], 0);
}

/// A cube in triangles whose lowest corner is here.
fn cube_at(corner: [f64; 3]) -> Vec<String> {
    let mut lines: Vec<String> = (0..8)
        .map(|i| [0, 1, 2].map(|axis| corner[axis] + f64::from(i >> axis & 1)))
        .map(|[x, y, z]| format!("v {x} {y} {z}"))
        .collect();
    // The sides in turn, each from outside.
    for [a, b, c, d] in
        [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
    {
        lines.extend([format!("f {a} {b} {c}"), format!("f {a} {c} {d}")]);
    }
    lines
}

#[test]
fn each_fault_alone_is_told_as_what_it_is() {
    let tool = Tool::new();
    let sound = cube_at([0.0; 3]);
    let with = |more: &[&str]| {
        let more = more.iter().map(|line| String::from(*line));
        sound.iter().cloned().chain(more).collect::<Vec<_>>()
    };
    let mut flipped = sound.clone();
    flipped[19] = "f 2 6 8".into();
    let faulty: [(&str, Vec<String>, Counts); 9] = [
        ("sound", with(&[]), &[]),
        ("a hole", sound[..19].to_vec(), &[("open edges", 3)]),
        ("flipped", flipped, &[("inconsistent edges", 3), ("flipped faces", 1)]),
        ("repeated", with(&["f 8 6 2"]), &[("non-manifold edges", 3), ("duplicate faces", 1)]),
        (
            "repeated backwards",
            with(&["f 8 2 6"]),
            &[("non-manifold edges", 3), ("duplicate faces", 1)],
        ),
        ("a fin", with(&["v 2 2 2", "f 1 2 9"]), &[("open edges", 2), ("non-manifold edges", 1)]),
        ("no area", with(&["f 1 1 2"]), &[("degenerate faces", 1)]),
        (
            "not finite",
            with(&["v inf 2 2", "f 1 2 9"]),
            &[("non-finite vertices", 1), ("non-finite faces", 1)],
        ),
        ("two corners", with(&["f 1 2"]), &[("skipped faces", 1)]),
    ];
    for (name, lines, expected) in faulty {
        tool.write("mesh.obj", lines.join("\n"));
        let report = json(&tool.stdout(&["check", "mesh.obj", "--json", "--rays", "60"]));
        let found = counts(&report);
        let found: Vec<(&str, u64)> = found.iter().map(|(kind, n)| (&kind[..], *n)).collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(report["engine"]["wrong"], 0, "{name}");
        let strict = tool.run(&["check", "mesh.obj", "--rays", "0", "--strict"]);
        assert_eq!(strict.status.success(), expected.is_empty(), "{name}: {}", stderr(&strict));
    }
}

#[test]
fn a_mesh_that_needs_f64_says_so() {
    let tool = Tool::new();
    // To a tenth, so that single precision alone would round.
    for (corner, needs) in [([0.0; 3], false), ([467_111.1, 4_649_776.1, 12.3], true)] {
        tool.write("mesh.obj", cube_at(corner).join("\n"));
        let report = json(&tool.stdout(&["check", "mesh.obj", "--json", "--rays", "60"]));
        let origin = report["origin"].as_array().expect("three numbers");
        assert_eq!(origin.iter().any(|x| x != 0.0), needs, "{corner:?}: {report}");
        assert_eq!((&report["closed"], counts(&report)), (&true.into(), vec![]), "{corner:?}");
        assert_eq!(report["engine"]["wrong"], 0, "{corner:?}");
        let text = tool.stdout(&["check", "mesh.obj", "--rays", "60"]);
        assert_eq!(text.contains("\nneeds f64            yes: "), needs, "{text}");
    }
}

#[test]
fn soups_are_welded_unless_told_otherwise() {
    let tool = Tool::new();
    let mut soup = String::new();
    for corner in ["0 0 0", "1 0 0", "0 1 0", "0 0 1"] {
        for _ in 0..3 {
            soup.push_str(&format!("v {corner}\n"));
        }
    }
    tool.write("soup.obj", soup + "f 1 7 4\nf 2 5 10\nf 3 11 8\nf 6 9 12\n");
    let check = |more: &[&str]| {
        let arguments = ["check", "soup.obj", "--json", "--rays", "30"];
        json(&tool.stdout(&[&arguments[..], more].concat()))
    };
    assert_eq!(check(&[])["closed"], true);
    let indexed = check(&["--indexed"]);
    assert_eq!(counts(&indexed), [("open edges".to_owned(), 12)]);
}

#[test]
fn what_single_precision_cannot_hold_is_told() {
    let tool = Tool::new();
    // Wide and far, so that no local origin helps.
    let corners = "v 0 0 0\nv 90000000 0 0\nv 90000000.5 0 0\nv 90000000 0 1\n";
    tool.write("wide.obj", format!("{corners}f 1 2 4\nf 2 3 4\n"));
    let report = json(&tool.stdout(&["check", "wide.obj", "--json", "--rays", "30"]));
    let names: Vec<String> = counts(&report).into_iter().map(|(name, _)| name).collect();
    for name in ["coarse faces", "collapsed faces"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
}

#[test]
fn the_same_seed_casts_the_same_rays() {
    let tool = Tool::new();
    let mesh = data("holed.obj");
    let hits = |seed: &str| {
        let arguments = ["check", &mesh, "--json", "--rays", "2000", "--seed", seed];
        json(&tool.stdout(&arguments))["engine"]["hits"].clone()
    };
    assert_eq!(hits("1"), hits("1"));
    assert_ne!(hits("1"), hits("2"));
}

#[test]
fn empty_meshes_and_no_rays_are_fine() {
    let tool = Tool::new();
    tool.write("empty.obj", "# nothing\n");
    let report = json(&tool.stdout(&["check", "empty.obj", "--json"]));
    assert_eq!((&report["engine"]["hits"], &report["engine"]["wrong"]), (&0.into(), &0.into()));
    let none = tool.stdout(&["check", &data("cube.obj"), "--rays", "0"]);
    assert!(none.starts_with("the mesh is sound; no rays were cast\n"), "{none}");
    let strict = tool.run(&["check", &data("holed.obj"), "--rays", "0", "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(stderr(&strict).contains("the mesh has defects"), "{}", stderr(&strict));
    assert!(!strict.stdout.is_empty(), "defects are told all the same");
}
