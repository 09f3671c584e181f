//! STL, text and binary.

use hitscan_core::TriangleMesh;
use hitscan_core::file::MeshFormat;
use hitscan_core::mesh::MeshReport;

use super::{corners, error, read, read_as, strict_error, warnings};

const FACET: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
                     endloop\nendfacet\n";

fn read_stl(bytes: impl AsRef<[u8]>) -> (TriangleMesh, MeshReport) {
    read_as(MeshFormat::Stl, bytes).expect("the bytes are STL")
}

/// Binary STL of triangles, with the number that its header says.
fn binary(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(count.to_le_bytes());
    for corners in triangles {
        bytes.extend([0; 12]);
        bytes.extend(corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn solids_are_objects() {
    let text = format!("solid lower half\n{FACET}endsolid\nsolid\n{FACET}{FACET}endsolid\n");
    let (mesh, report) = read(text);
    assert_eq!(corners(&mesh), [TRIANGLE; 3]);
    assert_eq!((report.vertices, report.polygons, report.duplicate), (3, 3, 2));
    let object = |prim| mesh.parts().names_of(prim).object;
    assert_eq!([0, 1, 2].map(object), [Some("lower half"), None, None]);
}

#[test]
fn keywords_in_any_case_and_any_line_ends() {
    let text = format!("solid a\n{FACET}endsolid a\n");
    for text in [
        text.to_uppercase(),
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        format!("\u{feff}{text}"),
        format!("\n  {text}"),
        text.replace("facet normal 0 0 1\nouter", "facet normal 0 0 1 outer"),
        text.replace("facet normal 0 0 1", "facet normal -nan(ind) -nan(ind) 1.#QNAN"),
        text.replace("facet normal 0 0 1", "facet"),
        text.replace("endsolid a", "endsolid some other name"),
    ] {
        let (mesh, report) = read(&text);
        assert_eq!(corners(&mesh), [TRIANGLE], "{text}");
        assert_eq!(report.warning_count, 0, "{text}");
    }
}

#[test]
fn corners_at_one_position_are_one_vertex() {
    // Zero has two signs, and one position.
    let other = [[1.0, -0.0, 0.0], [-0.0, 1.0, -0.0], [1.0, 1.0, 0.0]];
    let (mesh, _) = read(binary(2, &[TRIANGLE, other]));
    assert_eq!(mesh.positions(), [TRIANGLE[0], TRIANGLE[1], TRIANGLE[2], other[2]]);
    assert_eq!(mesh.indices(), [[0, 1, 2], [1, 2, 3]]);
    // The nearest other number is another position.
    let near = [[f32::from_bits(1), 0.0, 0.0], TRIANGLE[1], TRIANGLE[2]];
    assert_eq!(read(binary(2, &[TRIANGLE, near])).0.positions().len(), 4);
}

#[test]
fn loops_of_any_number_of_corners() {
    let text = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 2 2 0\n\
                vertex 1 0.5 0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n\
                vertex 1 0 0\nendloop\nendfacet\nendsolid\n";
    let (mesh, report) = read(text);
    // The dart is cut along its short diagonal.
    assert_eq!(mesh.indices(), [[0, 1, 3], [1, 2, 3]]);
    assert_eq!((report.polygons, report.triangles, report.skipped), (1, 2, 1));
    assert_eq!(warnings(&report), ["10: a face of 2 corners is skipped"]);
    assert_eq!(strict_error(MeshFormat::Stl, text), "test:10:1: a face of 2 corners is skipped");
}

#[test]
fn words_that_do_not_belong_are_errors_with_a_place() {
    let text = |from: &str, to: &str| format!("solid a\n{}endsolid a\n", FACET.replace(from, to));
    for (text, told) in [
        (text("1 0 0", "1,5 0 0"), "test:5:8: expected a number, found `1,5`"),
        (text("vertex 1 0 0", "vertex 1 0"), "test:6:1: expected a number, found `vertex`"),
        (text("endfacet", "facet"), "test:8:1: expected `endfacet`, found `facet`"),
        (text("endloop", "end"), "test:7:1: expected `vertex` or `endloop`, found `end`"),
        (text("outer", "inner"), "test:3:1: expected `outer`, found `inner`"),
        (text("loop\n", "\n"), "test:4:1: expected `loop`, found `vertex`"),
        (
            text("facet normal", "face normal"),
            "test:2:1: expected `facet`, `endsolid` or `solid`, found `face`",
        ),
    ] {
        assert_eq!(error(MeshFormat::Stl, text), told);
    }
    let cut = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0";
    assert_eq!(error(MeshFormat::Stl, cut), "test:4:11: expected a number, but the file ends here");
}

#[test]
fn a_solid_that_does_not_end_is_a_warning() {
    let (mesh, report) = read(format!("solid a\n{FACET}"));
    assert_eq!(mesh.triangle_count(), 1);
    assert_eq!(warnings(&report), ["1: this solid has no `endsolid`: the file may be cut off"]);
}

#[test]
fn odd_triangles_keep_their_index_and_are_told_with_their_place() {
    let nan = [[f32::NAN, 0.0, 0.0], TRIANGLE[1], TRIANGLE[2]];
    let flat = [TRIANGLE[0], TRIANGLE[1], TRIANGLE[1]];
    let bytes = binary(4, &[TRIANGLE, nan, flat, TRIANGLE]);
    let (mesh, report) = read(&bytes);
    assert_eq!(mesh.triangle_count(), 4);
    assert_eq!((report.non_finite, report.degenerate, report.duplicate), (1, 1, 1));
    assert_eq!(
        warnings(&report),
        [
            "0: at byte 134: a triangle has a corner that is not finite",
            "0: at byte 146: the vertex (NaN, 0, 0) is not finite in single precision",
            "0: at byte 184: a triangle has no area",
            "0: at byte 234: a triangle repeats an earlier one",
        ]
    );
    let told = "test: at byte 84: a triangle has no area";
    assert_eq!(strict_error(MeshFormat::Stl, binary(1, &[flat])), told);

    // In strict mode the first in the file counts, whatever its kind.
    let told = "test: at byte 84: a triangle has no area";
    assert_eq!(strict_error(MeshFormat::Stl, binary(3, &[flat, TRIANGLE, TRIANGLE])), told);

    let text = format!("solid\n{FACET}{FACET}endsolid\n");
    assert_eq!(warnings(&read(text).1), ["9: a triangle repeats an earlier one"]);
}

#[test]
fn a_binary_file_of_the_wrong_length() {
    assert_eq!(
        error(MeshFormat::Stl, binary(4_000_000_000, &[TRIANGLE])),
        "test: at byte 80: the header says 4,000,000,000 triangles, which take 200,000,000,000 \
         bytes, but only 50 follow"
    );
    assert!(error(MeshFormat::Stl, [0; 83]).starts_with("test: at byte 83: neither text"));
    let mut longer = binary(1, &[TRIANGLE]);
    longer.extend([0; 9]);
    let (mesh, report) = read_stl(&longer);
    assert_eq!(corners(&mesh), [TRIANGLE]);
    assert_eq!(warnings(&report), ["0: at byte 134: 9 bytes follow the last triangle"]);
    // A count that is too small leaves triangles behind.
    let (mesh, report) = read_stl(binary(1, &[TRIANGLE; 3]));
    assert_eq!(mesh.triangle_count(), 1);
    assert_eq!(warnings(&report), ["0: at byte 134: 100 bytes follow the last triangle"]);
}

#[test]
fn a_binary_header_may_say_solid() {
    let mut bytes = binary(1, &[TRIANGLE]);
    bytes[..12].copy_from_slice(b"solid thing\n");
    assert_eq!(corners(&read(&bytes).0), [TRIANGLE]);
    // Even where the length is wrong, zeros tell that it is no text.
    bytes.push(0);
    assert_eq!(corners(&read_stl(&bytes).0), [TRIANGLE]);
}

#[test]
fn an_empty_file_of_either_kind() {
    for (bytes, vertices) in [(b"solid nothing\nendsolid\n".to_vec(), 0), (binary(0, &[]), 0)] {
        let (mesh, report) = read(bytes);
        assert_eq!((mesh.triangle_count(), report.vertices), (0, vertices));
        assert_eq!(warnings(&report), ["0: the file holds no triangles"]);
    }
    assert_eq!(
        strict_error(MeshFormat::Stl, binary(0, &[])),
        "test: at byte 84: the file holds no triangles"
    );
}

#[test]
fn a_far_text_gets_a_local_origin() {
    let text = "solid\nfacet normal 0 0 1\nouter loop\nvertex 512345.1 4649776.1 0\n\
                vertex 512345.3 4649776.1 0\nvertex 512345.1 4649776.3 0\nendloop\nendfacet\n\
                endsolid\n";
    let (mesh, _) = read(text);
    let origin = mesh.origin();
    let [a, b, _] = mesh.triangle(0).map(|p| f64::from(p[0]) + origin[0]);
    assert!((a - 512_345.1).abs() < 1e-6 && (b - 512_345.3).abs() < 1e-6);
}
