//! PLY, as text and as bytes of both orders.

use hitscan_core::file::MeshFormat;

use super::{corners, error, read, strict_error, warnings};

const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// A header over elements.
fn header(format: &str, elements: &str) -> String {
    format!("ply\nformat {format} 1.0\n{elements}end_header\n")
}

const ELEMENTS: &str = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                        element face 1\nproperty list uchar int vertex_indices\n";

/// A text over `ELEMENTS`, which are lines 3 to 8: the vertices are lines 10 to 12.
fn text(rows: &str) -> String {
    header("ascii", ELEMENTS) + rows
}

const ROWS: &str = "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

#[test]
fn every_way_to_write_a_triangle() {
    let plain = text(ROWS);
    let with_more = header(
        "ascii",
        "comment by hand\nobj_info none\nelement material 1\nproperty float shine\n\
         property list uchar float colours\nelement face 1\nproperty uchar flags\n\
         property list ushort uint vertex_index\nproperty list uchar float texcoord\n\
         element vertex 3\nproperty float nx\nproperty double z\nproperty short y\n\
         property int8 x\nproperty uchar red\nelement edge 1\nproperty int vertex1\n",
    ) + "0.5 2 1 1\n7 3 0 1 2 2 0.5 .25\n0 0. 0 0 255\n-1 0e0 0 1 0\n0 0 1 0 0\n9\n";
    for text in [
        plain.clone(),
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace("1 0 0\n", "\n1\t0 0  \n\n"),
        plain.replace("3 0 1 2\n", "3 0\n1 2"),
        plain.replace("vertex_indices", "vertex_index"),
        plain.replace("float x", "float64 x"),
        with_more,
    ] {
        let (mesh, report) = read(&text);
        assert_eq!(corners(&mesh), [TRIANGLE], "{text}");
        assert_eq!(report.warning_count, 0, "{text}: {:?}", report.warnings);
    }
}

#[test]
fn bytes_of_every_type_and_order() {
    let elements = "element junk 2\nproperty list uint double numbers\nproperty char one\n\
                    element vertex 4\nproperty short x\nproperty ushort y\nproperty double z\n\
                    property list uchar ushort more\nelement face 2\nproperty float weight\n\
                    property list int ushort vertex_indices\n";
    let mut of_order = Vec::new();
    for big in [false, true] {
        let name = if big { "binary_big_endian" } else { "binary_little_endian" };
        let mut bytes = header(name, elements).into_bytes();
        let mut put = |little: &[u8]| {
            let mut number = little.to_vec();
            if big {
                number.reverse();
            }
            bytes.extend(number);
        };
        for list in [&[1.5_f64, 2.5][..], &[]] {
            put(&(list.len() as u32).to_le_bytes());
            list.iter().for_each(|number| put(&number.to_le_bytes()));
            put(&[1]);
        }
        for (x, y, z) in [(-300_i16, 0_u16, 0.0), (300, 0, 0.5), (300, 60_000, 0.0), (0, 9, 1e-300)]
        {
            put(&x.to_le_bytes());
            put(&y.to_le_bytes());
            put(&f64::to_le_bytes(z));
            put(&[1]);
            put(&7_u16.to_le_bytes());
        }
        for face in [&[0_u16, 1, 2][..], &[0, 1, 2, 3]] {
            put(&1.0_f32.to_le_bytes());
            put(&(face.len() as i32).to_le_bytes());
            face.iter().for_each(|index| put(&index.to_le_bytes()));
        }
        let (mesh, report) = read(bytes);
        assert_eq!(report.warning_count, 0, "{:?}", report.warnings);
        assert_eq!((report.polygons, report.triangles, report.vertices), (2, 3, 4));
        of_order.push(mesh);
    }
    assert_eq!(of_order[0], of_order[1]);
    let expected = [[-300.0, 0.0, 0.0], [300.0, 0.0, 0.5], [300.0, 60_000.0, 0.0], [0.0, 9.0, 0.0]];
    assert_eq!(of_order[0].positions(), expected);
}

#[test]
fn a_binary_header_of_every_line_end() {
    for line_end in ["\n", "\r\n", "\r"] {
        // The first byte of the items is a line end too, and must not be taken for one.
        let elements = ELEMENTS.replace("float", "char");
        let mut bytes =
            header("binary_little_endian", &elements).replace('\n', line_end).into_bytes();
        bytes.extend([10, 0, 0, 13, 0, 0, 0, 10, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
        let (mesh, report) = read(bytes);
        assert_eq!(corners(&mesh), [[[10.0, 0.0, 0.0], [13.0, 0.0, 0.0], [0.0, 10.0, 0.0]]]);
        assert_eq!(report.warning_count, 0);
    }
}

#[test]
fn strips_turn_every_other_triangle() {
    let elements = ELEMENTS.replace("vertex 3", "vertex 5").replace("face 1", "tristrips 1");
    let rows = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n8 0 1 2 3 -1 2 3 4\n";
    let (mesh, report) = read(header("ascii", &elements) + rows);
    assert_eq!(mesh.indices(), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
    assert_eq!((report.polygons, report.warning_count), (3, 0));
    let normals = [0, 1, 2].map(|prim| mesh.normal(prim));
    assert_eq!(normals, [[0.0, 0.0, 1.0]; 3]);
}

#[test]
fn a_wrong_header_is_an_error_with_its_place() {
    for (from, to, told) in [
        (
            "element vertex 3",
            "element vertex",
            "3:15: expected how many there are, but the line ends here",
        ),
        ("element vertex 3", "element vertex -3", "3:16: -3 of `vertex` cannot be"),
        (
            "element vertex 3",
            "element vertex 9999999999",
            "3:16: 32-bit indices cannot number 9,999,999,999 vertices",
        ),
        ("property float y\n", "", "3:1: the element `vertex` has no property `y`"),
        (
            "property float y\n",
            "property float x\n",
            "3:1: the element `vertex` has several properties `x`",
        ),
        ("float y", "list uchar float y", "3:1: the element `vertex` has no property `y`"),
        ("float y", "half y", "5:10: expected a type such as `float`, found `half`"),
        ("uchar int", "float int", "8:15: a count must be a whole number"),
        ("uchar int", "uchar float", "8:21: an index must be a whole number"),
        ("vertex_indices", "corners", "7:1: the element `face` has no property `vertex_indices`"),
        ("face 1", "vertex 1", "7:1: the element `vertex` comes twice"),
        ("format ascii 1.0\n", "", "8:11: the header has no line `format`"),
        (
            "ascii",
            "ebcdic",
            "2:8: expected `ascii`, `binary_little_endian` or `binary_big_endian`, found `ebcdic`",
        ),
        ("1.0", "2.0", "2:14: expected the version 1.0, found `2.0`"),
        ("ply\n", "plyx\n", "1:1: expected `ply`, found `plyx`"),
        (
            "end_header",
            "endheader",
            "9:1: expected `format`, `element`, `property` or `end_header`, found `endheader`",
        ),
        ("element vertex 3\n", "", "3:1: a property must belong to an element"),
    ] {
        assert_eq!(
            error(MeshFormat::Ply, text(ROWS).replacen(from, to, 1)),
            format!("test:{told}")
        );
    }
}

#[test]
fn wrong_rows_are_errors_with_their_place() {
    for (from, to, told) in [
        ("1 0 0", "1 0,5 0", "11:3: expected a number, found `0,5`"),
        ("1 0 0", "1 0 0 0", "11:7: expected the end of the line, found `0`"),
        ("0 1 0\n", "0 1\n", "13:3: expected the end of the line, found `0`"),
        ("0 1 2", "0 1 3", "13:7: there is no vertex 3: the file has 3"),
        ("0 1 2", "0 1 -1", "13:7: there is no vertex -1: the file has 3"),
        ("0 1 2", "0 1 2147483648", "13:7: 2147483648 is beyond the type of its property"),
        ("3 0 1 2", "-3 0 1 2", "13:1: -3 is beyond the type of its property"),
        ("3 0 1 2", "3 0 1 two", "13:7: expected a whole number, found `two`"),
        ("3 0 1 2\n", "3 0 1\n", "13:7: expected a whole number, but the file ends here"),
        ("3 0 1 2\n", "# 12345\n", "13:1: expected a whole number, found `#`"),
    ] {
        let text = text(ROWS);
        let start = text.find("end_header").expect("the header's end");
        let wrong = format!("{}{}", &text[..start], text[start..].replacen(from, to, 1));
        assert_eq!(error(MeshFormat::Ply, wrong), format!("test:{told}"));
    }
}

#[test]
fn wrong_bytes_are_errors_with_their_place() {
    let header = header("binary_little_endian", ELEMENTS);
    let file = |count: u8, last: i32| {
        let mut bytes = header.clone().into_bytes();
        bytes.extend(TRIANGLE.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        bytes.push(count);
        bytes.extend([0, 1, last].iter().flat_map(|index: &i32| index.to_le_bytes()));
        bytes
    };
    let face = header.len() + 36;
    for (bytes, told) in [
        (file(3, 3), format!("at byte {}: there is no vertex 3: the file has 3", face + 9)),
        (file(3, -1), format!("at byte {}: there is no vertex -1: the file has 3", face + 9)),
        (file(4, 2), format!("at byte {}: 4 bytes must follow here, but there are 0", face + 13)),
    ] {
        assert_eq!(error(MeshFormat::Ply, bytes), format!("test: {told}"));
    }
    let (_, report) = read(file(2, 2));
    let told = [
        format!("0: at byte {face}: a face of 2 corners is skipped"),
        format!("0: at byte {}: 4 bytes follow the last element", face + 9),
        "0: the file holds no triangles".into(),
    ];
    assert_eq!(warnings(&report), told);
}

#[test]
fn counts_without_bytes_are_errors() {
    let huge = ELEMENTS.replace("vertex 3", "vertex 4000000000");
    let told = "test:3:1: with 4,000,000,000 of `vertex` at least";
    for (format, bytes) in [("ascii", "24,000,000,000"), ("binary_big_endian", "48,000,000,000")] {
        let error = error(MeshFormat::Ply, header(format, &huge) + ROWS);
        assert_eq!(
            error,
            format!(
                "{told} {bytes} bytes must follow the header, not {}",
                if format == "ascii" { 25 } else { 26 }
            )
        );
    }
    let faces = ELEMENTS.replace("face 1", "face 4000000000");
    let told = error(MeshFormat::Ply, header("binary_little_endian", &faces) + ROWS + ROWS);
    assert!(told.starts_with("test:7:1: with 4,000,000,000 of `face`"), "{told}");
    let list =
        header("binary_little_endian", "element face 1\nproperty list uint int vertex_index\n");
    let told = error(MeshFormat::Ply, [list.as_bytes(), &[255; 4]].concat());
    assert!(told.ends_with("4 bytes must follow here, but there are 0"), "{told}");
    // Items of nothing take no time, however many there are.
    let nothing = format!("element nothing 9000000000000000000\n{ELEMENTS}");
    assert_eq!(corners(&read(header("ascii", &nothing) + ROWS).0), [TRIANGLE]);
}

#[test]
fn what_is_odd_is_a_warning() {
    let odd = text("0 0 0\n1 0 inf\n0 1 0\n3 0 1 2\nand more\n");
    let (mesh, report) = read(&odd);
    assert!(!mesh.can_be_hit(0));
    assert_eq!(
        warnings(&report),
        [
            "11: the vertex (1, 0, inf) is not finite in single precision",
            "13: a triangle has a corner that is not finite",
            "14: 8 bytes follow the last element",
        ]
    );
    assert!(strict_error(MeshFormat::Ply, odd).starts_with("test:11:1: the vertex"));
}

#[test]
fn doubles_far_from_zero_get_a_local_origin() {
    let elements = ELEMENTS.replace("float", "double");
    let mut bytes = header("binary_big_endian", &elements).into_bytes();
    let positions = [
        [512_345.1, 4_649_776.1, 3.0],
        [512_345.3, 4_649_776.1, 3.0],
        [512_345.1, 4_649_776.3, 3.0],
    ];
    bytes.extend(positions.as_flattened().iter().flat_map(|x: &f64| x.to_be_bytes()));
    bytes.extend([3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
    let (mesh, _) = read(bytes);
    let origin = mesh.origin();
    assert_ne!(origin, [0.0; 3]);
    for (found, expected) in mesh.triangle(0).iter().zip(positions) {
        for axis in 0..3 {
            assert!((f64::from(found[axis]) + origin[axis] - expected[axis]).abs() < 1e-7);
        }
    }
}
