//! OFF.

use hitscan_core::file::MeshFormat;

use super::{corners, error, read, read_as, strict_error, warnings};

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn every_way_to_write_a_triangle() {
    for text in [
        "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
        "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2",
        "OFF3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2",
        "OFF\r\n3 1\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n3 0 1 2\r\n",
        "\u{feff}# a triangle\nOFF # its form\n\n3 1 0\n# corners\n0 0 0\n1 0 0 # second\n\n\
         0 1 0\n3 0 1 2\n\n",
        "COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0.5 0.5 0.5\n0 1 0\n3 0 1 2 0.1 0.2 0.3\n",
        "STCNOFF\n3 1 0\n0 0 0 0 0 1 1 1 1 1 0.5 0.5\n1 0 0 0 0 1 1 1 1 1 0 0\n\
         0 1 0 0 0 1 1 1 1 1 0 0\n3 0 1 2 7\n",
        "OFF\n3 1 0\n0 0\n0\n1 0 0\n0 1 0\n3\n0 1 2\n",
    ] {
        let (mesh, report) = read(text);
        assert_eq!(corners(&mesh), [TRIANGLE], "{text}");
        assert_eq!(report.warning_count, 0, "{text}");
    }
    let bare = "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let (mesh, _) = read_as(MeshFormat::Off, bare).expect("the keyword may be missing");
    assert_eq!(corners(&mesh), [TRIANGLE]);
}

#[test]
fn polygons_are_cut_and_lines_skipped() {
    let text = "OFF\n6 3 0\n0 0 0\n4 0 0\n4 4 0\n3 1 0\n0 0 1\n0 0 2\n2 4 5\n4 0 1 2 3\n3 0 1 4\n";
    let (mesh, report) = read(text);
    assert_eq!(mesh.indices(), [[0, 1, 3], [1, 2, 3], [0, 1, 4]]);
    assert_eq!([0, 1, 2].map(|prim| mesh.parts().polygon_of(prim)), [0, 0, 1]);
    assert_eq!((report.polygons, report.skipped), (2, 1));
    assert_eq!(warnings(&report), ["9: a face of 2 corners is skipped"]);
}

#[test]
fn wrong_text_is_an_error_with_its_place() {
    for (text, told) in [
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", "5:3: expected a number, found `x`"),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "6:7: there is no vertex 3: the file has 3"),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n",
            "6:7: there is no vertex -1: the file has 3",
        ),
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n-3 0 1\n", "6:1: a face of -3 corners cannot be"),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n",
            "6:7: expected a whole number, but the file ends here",
        ),
        (
            "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1.5 2\n",
            "6:5: expected a whole number, found `1.5`",
        ),
        ("OFF\n3 1 0\n0 0 0 red\n1 0 0\n0 1 0\n3 0 1 2\n", "3:7: expected a number, found `red`"),
        ("OFF\n-3 1 0\n", "2:1: -3 vertices cannot be"),
        ("OFF\n", "1:5: expected a whole number, but the file ends here"),
        ("OFF BINARY\n\0\0\0\0", "2:1: the file is not text: it holds a NUL byte"),
        ("OFF BINARY\n", "1:5: binary OFF is not supported"),
        ("4OFF\n1 0 0\n0 0 0 0\n", "1:1: `4OFF` has other than three dimensions"),
    ] {
        let error = error(MeshFormat::Off, text);
        let (line, column) = error.strip_prefix("test:").expect("its name").split_at(told.len());
        assert_eq!((line, column), (told, ""), "{text}");
    }
}

#[test]
fn counts_without_bytes_are_errors() {
    assert_eq!(
        error(MeshFormat::Off, "OFF\n4000000000 1 0\n0 0 0\n"),
        "test:2:1: 4,000,000,000 vertices take at least 24,000,000,000 bytes, but only 11 follow"
    );
    let told = error(MeshFormat::Off, "OFF\n1 99999999999999999999 0\n0 0 0\n");
    assert!(told.starts_with("test:2:3: 9,223,372,036,854,775,807 faces take"), "{told}");
}

#[test]
fn what_is_odd_is_a_warning() {
    let text = "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\nnan 1e39 0\n3 0 1 2\n3 1 2 0\n3 0 0 1\n";
    let (_, report) = read(text);
    assert_eq!(
        warnings(&report),
        [
            "6: the vertex (NaN, 1e39, 0) is not finite in single precision",
            "8: a triangle repeats an earlier one",
            "9: the file goes on behind its last face",
        ]
        .map(|told| told.replace("1e39", &1e39_f64.to_string()))
    );
    assert!(strict_error(MeshFormat::Off, text).starts_with("test:6:1: the vertex"));
}
