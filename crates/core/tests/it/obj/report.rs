//! What the report counts, and what strict mode makes of it.

use hitscan_core::mesh::MeshReport;

use super::{CORNERS, POSITIONS, read, strict_error};

/// Line and words of each warning.
fn warnings(report: &MeshReport) -> Vec<(usize, &str)> {
    report.warnings.iter().map(|warning| (warning.line, warning.message.as_str())).collect()
}

#[test]
fn faces_of_fewer_than_three_corners_take_no_index() {
    let text = format!("{CORNERS}f 1 2\nf\nf 2\nf 1 2 3\n");
    let (mesh, report) = read(&text);
    assert_eq!(mesh.indices(), [[0, 1, 2]]);
    assert_eq!((report.skipped, report.polygons, report.triangles), (3, 1, 1));
    let lines: Vec<usize> = report.warnings.iter().map(|warning| warning.line).collect();
    assert_eq!(lines, [4, 5, 6]);
    assert_eq!(mesh.parts().polygon_of(0), 0);
    assert_eq!(strict_error(&text), (4, 1, "a face of 2 corners is skipped".into()));
}

#[test]
fn triangles_without_area_keep_their_index() {
    let text = format!("{CORNERS}v 2 0 0\nf 1 2 2\nf 1 2 3\nf 1 2 4\n");
    let (mesh, report) = read(&text);
    assert_eq!(mesh.indices(), [[0, 1, 1], [0, 1, 2], [0, 1, 3]]);
    assert_eq!((report.degenerate, report.duplicate), (2, 0));
    let message = "2 triangles have no area; this is the first";
    assert_eq!(warnings(&report), [(5, message)]);
    assert_eq!(strict_error(&text), (5, 1, message.into()));
}

#[test]
fn an_area_that_is_nearly_zero_is_not_zero() {
    // The third corner is one step of f32 off the line through the other two, far from zero.
    let step = 1.0 + f32::EPSILON;
    let (_, report) = read(format!("v 0 0 0\nv 1 1 0\nv {step:?} 1 0\nf 1 2 3\n"));
    assert_eq!(report.degenerate, 0);
    let (_, report) = read("v 1e-30 1 0\nv 1 1e30 0\nv 2 2e30 0\nf 1 2 3\n");
    assert_eq!(report.degenerate, 0);
    // A third of the way along a line that no f64 product holds exactly.
    let (_, report) = read("v 0 0 0\nv 16777213 16777211 1\nv 3e-8 1 1\nf 1 2 3\nf 2 2 3\n");
    assert_eq!(report.degenerate, 1);
}

#[test]
fn duplicates_are_found_by_position_in_any_order() {
    let text = format!("{CORNERS}v -0 0 0\nv 0 1 1\nf 1 2 3\nf 3 1 2\nf 2 1 3\nf 4 2 3\nf 1 2 5\n");
    let (_, report) = read(&text);
    assert_eq!(report.duplicate, 3);
    assert_eq!(warnings(&report), [(7, "3 triangles repeat earlier ones; this is the first")]);
    assert_eq!(strict_error(&text).0, 7);
}

#[test]
fn every_one_of_many_duplicates_is_found() {
    let count = 5_000;
    let grid: String = (0..count).map(|i| format!("v {i} 0 0\nv {i} 1 0\nv {i} 0 {i}\n")).collect();
    let faces: String =
        (0..count).map(|i| format!("f {} {} {}\n", 3 * i + 1, 3 * i + 2, 3 * i + 3)).collect();
    let (_, once) = read(format!("{grid}{faces}"));
    assert_eq!((once.duplicate, once.degenerate), (0, 1));
    let (_, thrice) = read(format!("{grid}{faces}{faces}{faces}"));
    assert_eq!((thrice.duplicate, thrice.degenerate), (2 * (count - 1), 3));
}

#[test]
fn vertices_that_are_not_finite() {
    for word in ["nan", "inf", "-inf", "-Infinity", "1e39", "-1e400", "3.4028236e38"] {
        let text = format!("{CORNERS}v 0 {word} 0\nf 1 2 4\nf 1 2 3\nf 4 4 4\n");
        let (mesh, report) = read(&text);
        assert_eq!((report.non_finite, report.degenerate), (2, 0), "{word}");
        assert_eq!(mesh.positions()[..3], POSITIONS);
        assert_eq!(mesh.origin(), [0.0; 3]);
        assert_eq!((report.warnings[0].line, report.warnings.len()), (4, 2));
        assert_eq!(strict_error(&text).0, 4);
    }
    let (mesh, report) = read("v 3.4028235e38 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3");
    assert_eq!((mesh.positions()[0][0], report.warning_count), (f32::MAX, 0));
}

#[test]
fn a_vertex_that_is_not_finite_and_not_used() {
    let (_, report) = read(format!("{CORNERS}v nan nan nan\nf 1 2 3\n"));
    assert_eq!((report.non_finite, report.warning_count), (0, 1));
}

#[test]
fn unknown_statements_are_skipped() {
    let text = format!("{CORNERS}foo 1 2 3\nF 1 2 3\nf 1 2 3\n");
    let (_, report) = read(&text);
    let expected = [(4, "unknown statement `foo`"), (5, "unknown statement `F`")];
    assert_eq!(warnings(&report), expected);
    assert_eq!(strict_error(&text), (4, 1, expected[0].1.into()));
}

#[test]
fn files_without_triangles() {
    for text in ["", "\n", "# nothing\n", CORNERS, "\u{FEFF}", "\\", "l 1 2"] {
        let (mesh, report) = read(text);
        assert_eq!(mesh.triangle_count(), 0);
        assert_eq!(warnings(&report), [(0, "the file holds no triangles")]);
        strict_error(text);
    }
}

#[test]
fn warnings_beyond_the_first_hundred_are_counted() {
    let text = format!("{CORNERS}{}f 1 2 3\n", "f 1 2\n".repeat(1000));
    let (_, report) = read(text);
    assert_eq!(report.warnings.len(), MeshReport::MAX_WARNINGS);
    assert_eq!((report.warning_count, report.skipped), (1000, 1000));
    let last = report.warnings.last().expect("a hundred warnings");
    assert_eq!(last.line, 3 + MeshReport::MAX_WARNINGS);
}

#[test]
fn strict_mode_accepts_what_is_right() {
    let options = hitscan_core::obj::ObjOptions { strict: true };
    let text = format!("mtllib a.mtl\no name\n{CORNERS}vn 0 0 1\nf 1 2 3 # face\nl 1 2\n");
    let read = hitscan_core::obj::read_bytes(text.as_bytes(), "test.obj", options);
    let (mesh, report) = read.expect("nothing is wrong");
    assert_eq!((mesh.triangle_count(), report.warning_count), (1, 0));
}
