//! Files in and out: `NumPy` arrays, kinds by name, and nothing half-written.

use std::io::Cursor;

use npyz::{DType, NpyFile, Order, TypeStr, WriterBuilder};

use crate::tool::{Tool, data, json, stderr};

const RAYS: [[f64; 8]; 3] = [
    [0.25, 0.5, 5.0, 0.0, 0.0, -1.0, 0.0, f64::INFINITY],
    [5.0, 5.0, 5.0, 0.0, 0.0, -1.0, 0.0, f64::INFINITY],
    [0.25, 0.5, 5.0, 0.0, 0.0, -2.0, 2.5, 3.5],
];

/// The rays as a `NumPy` array of a type, with 6 or 8 columns, row by row or column by column.
fn npy(type_name: &str, columns: usize, order: Order) -> Vec<u8> {
    let numbers: Vec<f64> = match order {
        Order::C => RAYS.iter().flat_map(|ray| ray[..columns].to_vec()).collect(),
        Order::Fortran => (0..columns).flat_map(|i| RAYS.map(|ray| ray[i])).collect(),
    };
    let mut bytes = Vec::new();
    let dtype = DType::Plain(type_name.parse::<TypeStr>().expect("a type"));
    let shape = [3, columns as u64];
    if type_name.ends_with('4') {
        let options = npyz::WriteOptions::<f32>::new().dtype(dtype).shape(&shape).order(order);
        let mut writer = options.writer(&mut bytes).begin_nd().expect("a header");
        writer.extend(numbers.iter().map(|&x| x as f32)).expect("numbers");
        writer.finish().expect("an end");
    } else {
        let options = npyz::WriteOptions::<f64>::new().dtype(dtype).shape(&shape).order(order);
        let mut writer = options.writer(&mut bytes).begin_nd().expect("a header");
        writer.extend(numbers).expect("numbers");
        writer.finish().expect("an end");
    }
    bytes
}

#[test]
fn arrays_of_every_layout_hold_the_same_rays() {
    let tool = Tool::new();
    for order in [Order::C, Order::Fortran] {
        for type_name in ["<f4", ">f4", "<f8", ">f8"] {
            for (columns, expected) in [(6, "0,4\n1,\n2,2\n"), (8, "0,4\n1,\n2,3\n")] {
                tool.write("rays.npy", npy(type_name, columns, order));
                let csv = tool.stdout(&["cast", &data("cube.obj"), "--rays", "rays.npy"]);
                let t = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
                let t: String = t.map(|row| format!("{},{}\n", row[0], row[2])).collect();
                assert_eq!(t, expected, "{type_name} {columns} {order:?}");
            }
        }
    }
}

#[test]
fn arrays_that_hold_no_rays_are_errors() {
    let tool = Tool::new();
    let good = npy("<f4", 6, Order::C);
    let header = |shape: &str, type_name: &str| {
        let text =
            format!("{{'descr': '{type_name}', 'fortran_order': False, 'shape': {shape}, }}\n");
        [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
    };
    let column_major = npy("<f8", 8, Order::Fortran);
    for (bytes, told) in [
        (b"ox,oy,oz,dx,dy,dz\n".to_vec(), "not a NumPy array"),
        (Vec::new(), "not a NumPy array"),
        (good[..good.len() - 1].to_vec(), "ends before the 3 rays"),
        (column_major[..column_major.len() - 1].to_vec(), "ends before the 3 rays"),
        (header("(3, 7)", "<f4"), "shape [3, 7], not (N, 6) or (N, 8)"),
        (header("(6,)", "<f4"), "shape [6], not (N, 6) or (N, 8)"),
        (header("(3, 6)", "<i4"), "not of float32 or float64"),
        (header("(1099511627776, 8)", "<f8"), "ends before the 1099511627776 rays"),
    ] {
        tool.write("rays.npy", bytes);
        let output = tool.run(&["cast", &data("cube.obj"), "--rays", "rays.npy"]);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
        assert_eq!(output.stdout, b"", "{told}");
    }
}

#[derive(Debug, PartialEq, npyz::Deserialize)]
struct Closest {
    t: f32,
    prim: u32,
    u: f32,
    v: f32,
    x: f64,
    y: f64,
    z: f64,
    nx: f32,
    ny: f32,
    nz: f32,
    front: u8,
}

#[derive(Debug, PartialEq, npyz::Deserialize)]
struct All {
    ray: u64,
    t: f32,
    prim: u32,
    u: f32,
    v: f32,
    x: f64,
    y: f64,
    z: f64,
    nx: f32,
    ny: f32,
    nz: f32,
    front: u8,
}

#[derive(Debug, PartialEq, npyz::Deserialize)]
struct Any {
    hit: u8,
}

#[derive(Debug, PartialEq, npyz::Deserialize)]
struct Count {
    count: u32,
}

fn read<Record: npyz::Deserialize>(tool: &Tool, query: &str) -> Vec<Record> {
    let (mesh, rays) = (data("cube.obj"), data("rays.csv"));
    tool.stdout(&["cast", &mesh, "--rays", &rays, "--out", "hits.npy", "--query", query]);
    let bytes = std::fs::read(tool.path("hits.npy")).expect("the hits");
    NpyFile::new(Cursor::new(bytes)).expect("a header").into_vec().expect("records")
}

#[test]
fn hits_are_one_structured_array() {
    let tool = Tool::new();
    let hits: Vec<Closest> = read(&tool, "closest");
    assert_eq!(hits.len(), 5);
    let lid = &hits[0];
    assert_eq!((lid.t, lid.prim, lid.u, lid.v, lid.front), (4.0, 11, 0.625, 0.125, 1));
    assert_eq!((lid.x, lid.y, lid.z), (0.25, 0.5, 1.0));
    assert_eq!((lid.nx, lid.ny, lid.nz), (0.0, 0.0, 1.0));
    assert_eq!((hits[1].t, hits[1].prim, hits[1].front), (f32::INFINITY, u32::MAX, 0));
    assert!(hits[1].u.is_nan() && hits[1].x.is_nan() && hits[1].nz.is_nan());

    let all: Vec<All> = read(&tool, "all");
    let found: Vec<_> = all.iter().map(|hit| (hit.ray, hit.t, hit.front)).collect();
    assert_eq!(found, [(0, 4.0, 1), (0, 6.0, 0), (2, 0.5, 0), (4, 4.0, 1), (4, 6.0, 0)]);

    let any: Vec<Any> = read(&tool, "any");
    assert_eq!(any.iter().map(|any| any.hit).collect::<Vec<_>>(), [1, 0, 1, 0, 1]);
    let count: Vec<Count> = read(&tool, "count");
    assert_eq!(count.iter().map(|count| count.count).collect::<Vec<_>>(), [2, 0, 1, 0, 2]);
}

#[test]
fn a_failed_cast_leaves_what_was_there() {
    let tool = Tool::new();
    tool.write("hits.csv", "what was there");
    let (mesh, rays) = (data("cube.obj"), data("rays_wrong.csv"));
    let output = tool.run(&["cast", &mesh, "--rays", &rays, "--out", "hits.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("rays_wrong.csv:4: column 5 (dy): `zero`"),
        "{}",
        stderr(&output)
    );
    assert_eq!(tool.files(), ["hits.csv"]);
    assert_eq!(std::fs::read(tool.path("hits.csv")).expect("the file"), b"what was there");
}

#[test]
fn formats_override_extensions() {
    let tool = Tool::new();
    std::fs::copy(data("cube.obj"), tool.path("cube.txt")).expect("a copy");
    tool.write("rays.dat", npy("<f8", 8, Order::C));
    let cast = ["cast", "cube.txt", "--rays", "rays.dat", "--out", "hits.dat"];
    assert_eq!(tool.run(&cast).status.code(), Some(2));
    let mut cast = cast.to_vec();
    cast.extend(["--format", "obj", "--format", "npy", "--out-format", "csv"]);
    tool.stdout(&cast);
    let hits = std::fs::read_to_string(tool.path("hits.dat")).expect("the hits");
    assert!(hits.starts_with("ray,hit,t,prim"), "{hits}");
    tool.stdout(&["inspect", "cube.txt", "--format", "obj"]);
}

#[test]
fn inspect_tells_everything_in_json() {
    let tool = Tool::new();
    let report = json(&tool.stdout(&["inspect", &data("cube.obj"), "--json"]));
    for (key, expected) in [
        ("schema", 1),
        ("triangles", 12),
        ("vertices", 8),
        ("objects", 2),
        ("degenerate", 0),
        ("skipped", 0),
    ] {
        assert_eq!(report[key], expected, "{key}");
    }
    assert_eq!(report["area"], 24.0);
    assert_eq!(report["bounds"]["min"], json("[-1.0,-1.0,-1.0]"));
    for key in [
        "duplicate",
        "load_ms",
        "build_ms",
        "nodes",
        "leaves",
        "depth",
        "sah_cost",
        "bytes",
        "bytes_per_triangle",
    ] {
        assert!(report[key].is_number(), "{key}");
    }
    assert!(report["warnings"].is_array() && report["simd"].is_string());
    assert!(report["bytes"].as_u64() > Some(0));
}

#[test]
fn bench_measures_every_kind_of_rays_in_both_modes() {
    let tool = Tool::new();
    let mesh = data("cube.obj");
    let report = json(&tool.stdout(&["bench", &mesh, "--seconds", "0.001", "--json"]));
    assert_eq!(report["schema"], 1);
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3 * 5 * 2);
    for row in rows {
        assert!(row["mrays_per_second"].as_f64() > Some(0.0), "{row}");
    }
}

#[test]
fn bench_tells_what_a_ray_visits() {
    let tool = Tool::new();
    // One node above all leaves.
    let mesh = data("cube.obj");
    let bench = ["bench", &mesh, "--seconds", "0.001"];
    let report = json(&tool.stdout(&[&bench[..], &["--json"]].concat()));
    for row in report["rows"].as_array().expect("rows") {
        let number = |name: &str| row[name].as_f64().expect("a number");
        let [nodes, leaves] = ["nodes_per_ray", "leaves_per_ray"].map(number);
        assert_eq!((row["nodes"].as_u64(), nodes), (Some(1), 1.0), "{row}");
        // A ray that hits has been in a leaf, and there are no more than these.
        assert!(number("hit_share") <= leaves && leaves <= number("leaves"), "{row}");
        assert!((number("bytes_per_ray") - 192.0 * (nodes + leaves)).abs() < 0.1, "{row}");
        assert!(number("exact_per_ray") >= 0.0, "{row}");
        if row["rays"] == "primary" {
            assert!(leaves > 0.2, "{row}");
        }
    }
    let text = tool.stdout(&bench);
    let table = text.split_once("A ray by itself visits\n").expect("the table").1;
    let lines: Vec<Vec<&str>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["rays", "tree", "nodes", "leaves", "bytes", "exact"]);
    assert_eq!(lines[1][..3], ["primary", "fast", "1.00"]);
    assert_eq!(lines[3 * 5][..3], ["random", "high", "1.00"]);
}

#[test]
fn an_empty_mesh_is_inspected_and_missed() {
    let tool = Tool::new();
    tool.write("empty.obj", "# nothing\n");
    let report = json(&tool.stdout(&["inspect", "empty.obj", "--json"]));
    assert!(report["bounds"].is_null(), "{report}");
    assert_eq!(report["area"].to_string(), "0.0");
    let cast = ["cast", "empty.obj", "--origin", "0,0,5", "--direction", "0,0,-1", "--query"];
    assert_eq!(tool.stdout(&[&cast[..], &["any"]].concat()), "ray,hit\n0,0\n");
    let render = tool.run(&["render", "empty.obj", "--out", "a.png"]);
    assert_eq!(render.status.code(), Some(1));
    assert_eq!(tool.files(), ["empty.obj"]);
}
