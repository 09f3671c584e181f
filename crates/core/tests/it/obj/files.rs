//! Files from elsewhere, where they are at hand: `HITSCAN_MESHES` names the folder that holds
//! them unpacked, `odd` in it the folder of odd and broken ones.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use hitscan_core::TriangleMesh;
use hitscan_core::file::ReadError;
use hitscan_core::obj::{ObjOptions, read_file};

/// Where the reader means something else than the table of expected counts, and why.
const POLICIES: [(&str, &str); 13] = [
    ("objrs_group.obj", "triangles without area are not counted as duplicates too"),
    (
        "hm_elf_object_file.obj",
        "an error: NUL bytes are no text, where a lenient reader finds nothing",
    ),
    ("assimp_invalid_malformed2.obj", "a face of fewer than 3 corners is skipped, no error"),
    ("hm_face_one_two_vertices.obj", "a face of fewer than 3 corners is skipped, no error"),
    ("tinyobj_invalid-face-definition.obj", "a face of fewer than 3 corners is skipped, no error"),
    ("trimesh_notenoughindices.obj", "a face of fewer than 3 corners is skipped, no error"),
    ("assimp_invalid_malformed.obj", ERROR),
    ("assimp_number_formats.obj", ERROR),
    ("hm_index_overflow_i64.obj", ERROR),
    ("hm_index_too_big.obj", ERROR),
    ("hm_vertex_bad_number.obj", ERROR),
    ("hm_vertex_decimal_comma.obj", ERROR),
    ("hm_vertex_two_coords.obj", ERROR),
];

const ERROR: &str = "one wrong number or index makes the file an error, nothing is left out of it";

/// The folder of the files; says so where it is not there.
fn folder(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("HITSCAN_MESHES").map(PathBuf::from).filter(|path| path.is_dir());
    if folder.is_none() {
        println!("{test}: skipped, HITSCAN_MESHES names no folder of meshes");
    }
    folder
}

/// The rows of a table with tabs between its columns, as maps from the column's name.
fn table(path: &Path) -> Vec<HashMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("the table beside the meshes");
    let mut lines = text.lines().map(|line| line.split('\t').map(str::to_owned));
    let header: Vec<String> = lines.next().expect("a header").collect();
    lines.map(|row| header.iter().cloned().zip(row).collect()).collect()
}

fn number(row: &HashMap<String, String>, column: &str) -> usize {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {} is a number", row["file"]))
}

fn area(mesh: &TriangleMesh) -> f64 {
    let doubled = |prim| {
        let [a, b, c] = mesh.triangle(prim).map(|corner| corner.map(f64::from));
        let cross =
            |x: usize, y: usize| (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
        (cross(0, 1).powi(2) + cross(1, 2).powi(2) + cross(2, 0).powi(2)).sqrt()
    };
    (0..mesh.triangle_count() as u32).map(doubled).sum::<f64>() * 0.5
}

#[test]
fn odd_files_read_as_expected() {
    let Some(folder) = folder("odd_files_read_as_expected") else { return };
    let folder = folder.join("odd");
    let mut wrong = Vec::new();
    for row in table(&folder.join("EXPECTED.tsv")) {
        let file = &row["file"][..];
        let policy = POLICIES.iter().find(|(name, _)| *name == file).map(|(_, why)| *why);
        let expected_line = row["first_error"]
            .strip_prefix("line ")
            .and_then(|rest| rest.split(':').next())
            .map(|line| line.parse::<usize>().expect("a line"));
        match read_file(folder.join(file), ObjOptions::default()) {
            Err(ReadError::Syntax { line, .. }) => {
                let as_expected =
                    expected_line == Some(line) || policy.is_some_and(|why| why != ERROR);
                if !as_expected {
                    wrong.push(format!("{file}: error in line {line}, not {expected_line:?}"));
                }
            }
            Err(other) => wrong.push(format!("{file}: {other}")),
            Ok((mesh, report)) => {
                if expected_line.is_some() && policy.is_none_or(|why| why == ERROR) {
                    wrong.push(format!("{file}: no error in line {expected_line:?}"));
                }
                let triangles = number(&row, "triangles(sum n-2 of valid faces)");
                let mut pairs = vec![
                    ("vertices", report.vertices, number(&row, "vertices")),
                    ("vertices", mesh.positions().len(), number(&row, "vertices")),
                    ("faces", report.polygons, number(&row, "faces_read")),
                    ("triangles", mesh.triangle_count(), triangles),
                    ("non-finite", report.non_finite, number(&row, "faces_with_nonfinite_vertex")),
                ];
                if number(&row, "max_n") <= 3 && policy.is_none() {
                    let zero_area = number(&row, "zero_area_fan_tris");
                    pairs.push(("zero area", report.degenerate, zero_area));
                    pairs.push(("duplicate", report.duplicate, number(&row, "duplicate_faces")));
                }
                for (what, found, expected) in pairs {
                    if found != expected {
                        wrong.push(format!("{file}: {found} {what}, expected {expected}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn meshes_have_their_counts_and_areas() {
    let Some(folder) = folder("meshes_have_their_counts_and_areas") else { return };
    let manifest =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/meshes/MANIFEST.tsv");
    if !manifest.is_file() {
        println!("meshes_have_their_counts_and_areas: skipped, no {}", manifest.display());
        return;
    }
    let mut wrong = Vec::new();
    for row in table(&manifest) {
        let file = &row["file"][..];
        let (mesh, report) = match read_file(folder.join(file), ObjOptions::default()) {
            Ok(read) => read,
            Err(error) => {
                wrong.push(error.to_string());
                continue;
            }
        };
        let skipped = if file == "samurai_monastery.obj" { 201 } else { 0 };
        let mut pairs = vec![
            ("triangles", report.triangles, number(&row, "triangles")),
            ("vertices", report.vertices, number(&row, "vertices")),
            ("skipped", report.skipped, skipped),
        ];
        if number(&row, "max_ngon") == 3 {
            pairs.push(("zero area", report.degenerate, number(&row, "zero_area")));
            pairs.push(("duplicate", report.duplicate, number(&row, "duplicates")));
        }
        for (what, found, expected) in pairs {
            if found != expected {
                wrong.push(format!("{file}: {found} {what}, expected {expected}"));
            }
        }
        // Bent quads have no area of their own: it is that of their triangles.
        let column = if file == "suzanne.obj" { "area_fan" } else { "area_newell" };
        let expected: f64 = row[column].parse().expect("an area");
        let found = area(&mesh);
        if (found - expected).abs() > 1e-5 * expected {
            wrong.push(format!("{file}: an area of {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
