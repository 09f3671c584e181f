//! Reads cases: a mesh, rays, and what they hit.

use hitscan::{Faces, RayF64};
use serde_json::Value;

/// A mesh, rays, and what they hit.
pub(crate) struct Case {
    pub(crate) name: String,
    /// Whether a failure is an error; if not it is only shown.
    pub(crate) binding: bool,
    pub(crate) load: Load,
    pub(crate) obj: Vec<u8>,
    pub(crate) triangles: Option<usize>,
    pub(crate) rays: Vec<RayF64>,
    pub(crate) query: Query,
    pub(crate) faces: Faces,
    pub(crate) transform: Option<[[f32; 4]; 3]>,
    pub(crate) deform: Option<Vec<[f32; 3]>>,
    pub(crate) rejected: Vec<u32>,
    pub(crate) batch: bool,
    /// One a ray.
    pub(crate) expect: Vec<Vec<Expect>>,
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) inside: Vec<bool>,
}

/// What reading the mesh, or placing it, gives.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Load {
    Good,
    Error,
    /// Either; but if it is good, then the answers are right.
    Either,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Query {
    Closest,
    Any,
    All,
}

/// What one ray may give. Where something is absent, anything goes.
pub(crate) struct Expect {
    pub(crate) hit: Option<bool>,
    pub(crate) t: Option<f64>,
    pub(crate) t_tolerance: f64,
    pub(crate) prims: Option<Vec<u32>>,
    pub(crate) weights: Option<[f64; 2]>,
    pub(crate) weight_tolerance: f64,
    pub(crate) front: Option<bool>,
    pub(crate) normal: Option<[f64; 3]>,
    /// How many triangles are touched.
    pub(crate) touched: Option<usize>,
    /// How often the surface is crossed.
    pub(crate) crossed: Option<usize>,
    pub(crate) distances: Option<Vec<f64>>,
}

/// The cases of a file.
pub(crate) fn cases(text: &str) -> Vec<Case> {
    let file: Value = serde_json::from_str(text).expect("the cases are JSON");
    list(&file["cases"]).map(case).collect()
}

fn case(value: &Value) -> Case {
    let name = value.get("name").or(value.get("id")).and_then(Value::as_str).expect("a name");
    let options = &value["options"];
    let obj = match (value["obj"].as_str(), value["obj_b64"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (None, Some(text)) => base64(text),
        (None, None) => panic!("{name} has no mesh"),
    };
    Case {
        name: name.into(),
        binding: matches!(value["level"].as_str(), None | Some("must" | "should")),
        load: match value["load"].as_str() {
            None | Some("ok") => Load::Good,
            Some("error") => Load::Error,
            _ => Load::Either,
        },
        obj,
        triangles: value["n_tris"].as_u64().map(|count| count as usize),
        rays: list(&value["rays"]).map(ray).collect(),
        query: match options["query"].as_str() {
            Some("any") => Query::Any,
            Some("all") => Query::All,
            _ => Query::Closest,
        },
        // Culling backs leaves fronts.
        faces: match options["cull"].as_str() {
            Some("back") => Faces::Front,
            Some("front") => Faces::Back,
            _ => Faces::Both,
        },
        transform: options["transform"].is_array().then(|| rows(&options["transform"])),
        deform: options["deform"].is_array().then(|| points(&options["deform"])),
        rejected: list(&options["reject_tris"]).map(|prim| number(prim) as u32).collect(),
        batch: options["batch"].as_bool() == Some(true),
        expect: list(&value["expect"]).map(alternatives).collect(),
        points: points(&value["points"]),
        inside: list(&value["expect_inside"]).map(|x| x.as_bool().expect("a truth")).collect(),
    }
}

fn alternatives(value: &Value) -> Vec<Expect> {
    match &value["either"] {
        Value::Array(several) => several.iter().map(expect).collect(),
        _ => vec![expect(value)],
    }
}

fn expect(value: &Value) -> Expect {
    let some = |key: &str| value.get(key).map(number);
    let count = |key: &str| some(key).map(|x| x as usize);
    let numbers = |key: &str| value.get(key).map(|value| list(value).map(number).collect());
    let normal: Option<Vec<f64>> = numbers("normal_dir");
    Expect {
        hit: value["hit"].as_bool(),
        t: some("t"),
        t_tolerance: some("t_rel_tol").unwrap_or(1e-5),
        prims: value.get("tri").map(|tri| list(tri).map(|x| number(x) as u32).collect()),
        weights: some("u").zip(some("v")).map(|(u, v)| [u, v]),
        weight_tolerance: some("uv_tol").unwrap_or(1e-4),
        front: value["side"].as_str().map(|side| side == "front"),
        normal: normal.map(|normal| normal.try_into().expect("three numbers")),
        touched: count("count"),
        crossed: count("count_min"),
        distances: numbers("distinct_t"),
    }
}

fn ray(value: &Value) -> RayF64 {
    let x: Vec<f64> = list(value).map(number).collect();
    let ray = RayF64::new([x[0], x[1], x[2]], [x[3], x[4], x[5]]);
    if x.len() == 8 { RayF64 { t_min: x[6], t_max: x[7], ..ray } } else { ray }
}

fn points(value: &Value) -> Vec<[f32; 3]> {
    list(value).map(floats).collect()
}

fn rows(value: &Value) -> [[f32; 4]; 3] {
    let rows: Vec<[f32; 4]> = list(value).map(floats).collect();
    rows.try_into().expect("three rows")
}

fn floats<const N: usize>(value: &Value) -> [f32; N] {
    let numbers: Vec<f32> = list(value).map(|x| number(x) as f32).collect();
    numbers.try_into().expect("as many numbers as asked for")
}

/// The items of an array; none where there is no array.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some(word) => word.parse().expect("a number as a word"),
        None => value.as_f64().expect("a number"),
    }
}

fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for byte in text.bytes().filter(|&byte| byte != b'=') {
        bits = bits << 6 | u32::from(digit(byte));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
