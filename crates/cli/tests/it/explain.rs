//! What `explain` tells in JSON, and of meshes far away.

use serde_json::Value;

use crate::tool::{Tool, data, json};

fn explain(tool: &Tool, mesh: &str, origin: &str, more: &[&str]) -> Value {
    let arguments = ["explain", mesh, "--origin", origin, "--direction", "0,0,-1", "--json"];
    json(&tool.stdout(&[&arguments[..], more].concat()))
}

#[test]
fn a_hit_is_told_with_all_that_led_to_it() {
    let tool = Tool::new();
    let told = explain(&tool, &data("cube.obj"), "0.25,0.5,5", &[]);
    assert_eq!(
        (&told["schema"], &told["hit"], &told["agrees"]),
        (&1.into(), &true.into(), &true.into())
    );
    let nearest = &told["nearest"];
    for (key, expected) in [
        ("prim", Value::from(11)),
        ("polygon", 5.into()),
        ("line", 17.into()),
        ("object", "lid, \"top\"".into()),
        ("t", 4.0.into()),
        ("u", 0.625.into()),
        ("v", 0.125.into()),
        ("front", true.into()),
    ] {
        assert_eq!(nearest[key], expected, "{key}");
    }
    assert_eq!(&told["brute_force"], nearest);
    assert_eq!(told["on_line"].as_array().map(Vec::len), Some(2), "{told}");
    let triangles = told["triangles"].as_array().expect("triangles");
    let hit = triangles.iter().find(|test| test["verdict"] == "hit").expect("the hit");
    assert_eq!((&hit["prim"], &hit["settled_by"]), (&11.into(), &"filter".into()));
    assert_eq!(hit["weights"], json("[0.25,0.625,0.125]"));
    let boxes = told["boxes"].as_array().expect("boxes");
    assert_eq!((&boxes[0]["level"], &boxes[0]["fate"]), (&0.into(), &"entered".into()));
    assert_eq!(told["nearby"], json("[]"));
}

#[test]
fn a_miss_is_told_with_its_distance() {
    let tool = Tool::new();
    let told = explain(&tool, &data("cube.obj"), "0.25,1.5,5", &["--triangle", "0"]);
    assert_eq!((&told["hit"], &told["nearest"]), (&false.into(), &Value::Null));
    assert_eq!(
        told["verdict"],
        "miss: the ray passes 0.5 from the nearest triangle, number 0 of box"
    );
    let miss = &told["nearest_miss"];
    assert_eq!((&miss["distance"], &miss["prim"]), (&0.5.into(), &0.into()), "{miss}");
    let asked = &told["asked"];
    assert_eq!((&asked["prim"], &asked["verdict"]), (&0.into(), &"outside".into()), "{asked}");
    let invalid = explain(&tool, &data("cube.obj"), "0,0,nan", &[]);
    assert_eq!(invalid["fault"], "its origin is not finite");
}

#[test]
fn what_is_wrong_around_the_ray_is_told_and_nothing_else() {
    let tool = Tool::new();
    // Four quarters of a square, each a triangle to the middle.
    let sound = ["v 0 0 0", "v 2 0 0", "v 2 2 0", "v 0 2 0", "v 1 1 0"];
    let quarters = ["f 1 2 5", "f 2 3 5", "f 3 4 5", "f 4 1 5"];
    // An edge that is told has a side.
    let rim = |prim| (String::from("open_edge"), prim, Some(0), None);
    let whole = vec![rim(0), rim(1), rim(2), rim(3)];
    let with = |more: &[(&str, u64, Option<u64>, Option<u64>)]| {
        let more = more.iter().map(|&(kind, prim, edge, other)| (kind.into(), prim, edge, other));
        more.collect::<Vec<_>>()
    };
    let cases = [
        ("sound", "", vec![], whole.clone()),
        ("no area", "f 1 1 2", with(&[("no_area", 4, None, None)]), whole.clone()),
        ("not finite", "v nan 0 0\nf 1 2 6", with(&[("not_finite", 4, None, None)]), whole.clone()),
        (
            "repeated",
            "f 2 5 1",
            with(&[
                ("duplicate", 4, None, Some(0)),
                ("inconsistent_edge", 0, Some(0), Some(4)),
                ("non_manifold_edge", 0, Some(1), None),
                ("non_manifold_edge", 0, Some(2), None),
            ]),
            vec![rim(1), rim(2), rim(3)],
        ),
        (
            "a fin",
            "v 1 0 1\nf 1 2 6",
            with(&[("inconsistent_edge", 0, Some(0), Some(4))]),
            vec![
                rim(1),
                rim(2),
                rim(3),
                ("open_edge".into(), 4, Some(1), None),
                ("open_edge".into(), 4, Some(2), None),
            ],
        ),
    ];
    for (name, more, wrong, open) in cases {
        tool.write("mesh.obj", [&sound[..], &quarters, &[more]].concat().join("\n"));
        let told = explain(&tool, "mesh.obj", "1,0.5,5", &[]);
        assert_eq!((&told["hit"], &told["agrees"]), (&true.into(), &true.into()), "{name}");
        let nearby = told["nearby"].as_array().expect("what is near by").iter();
        let mut found: Vec<_> = nearby
            .map(|it| {
                let kind = it["kind"].as_str().expect("a name").to_owned();
                let number = |key: &str| it[key].as_u64();
                (kind, number("prim").expect("a triangle"), number("edge"), number("other"))
            })
            .collect();
        found.sort();
        let mut expected = [wrong, open].concat();
        expected.sort();
        assert_eq!(found, expected, "{name}");
    }
    // The hole itself: what is beside it is told, and that the ray passes through.
    tool.write("mesh.obj", [&sound[..], &quarters[1..]].concat().join("\n"));
    let told = explain(&tool, "mesh.obj", "1,0.5,5", &[]);
    assert_eq!((&told["hit"], &told["agrees"]), (&false.into(), &true.into()));
    let open = told["nearby"].as_array().expect("what is near by");
    assert!(open.iter().any(|it| it["kind"] == "open_edge"), "{told}");
    let miss = &told["nearest_miss"]["distance"];
    assert!(miss.as_f64().is_some_and(|distance| (distance - 0.125_f64.sqrt()).abs() < 1e-6));
}

#[test]
fn a_mesh_far_away_is_told_in_its_own_coordinates() {
    let tool = Tool::new();
    let (x, y) = (4_500_000.0, 5_400_000.0);
    let mut mesh = String::new();
    for (dx, dy) in [(0.0, 0.0), (0.25, 0.0), (0.0, 0.25)] {
        mesh.push_str(&format!("v {} {} 100.1\n", x + dx, y + dy));
    }
    tool.write("far.obj", mesh + "f 1 2 3\n");
    let origin = format!("{},{},110.1", x + 0.0625, y + 0.125);
    let arguments = ["explain", "far.obj", "--origin", &origin, "--direction", "0,0,-1"];
    let text = tool.stdout(&arguments);
    assert!(text.starts_with("hit: the front of triangle 0 at t = 10\n"), "{text}");
    assert!(text.contains("4500000.0625 5400000.125 100.1"), "{text}");
    assert!(text.contains("edge AB of triangle 0 is open"), "{text}");
}
