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
