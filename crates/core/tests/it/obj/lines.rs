//! Where in its file a polygon stands, and what f32 makes of its corners.

use hitscan_core::obj::{ObjOptions, collapsed_triangles, lines_of_polygons, read_bytes};

/// A file of several pieces, with the line of each face that makes triangles.
fn long_file() -> (String, Vec<usize>) {
    let mut text = String::from("# a mesh\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n");
    let mut lines = Vec::new();
    let mut line = 6;
    for i in 0..120_000 {
        match i % 7 {
            0 => text.push_str("\n# nothing here, and an empty line\n"),
            1 => text.push_str("f 1 2\ng a group of some length, so that the file is long\n"),
            2 => text.push_str("f 1 2 \\\r\n  3 4\n"),
            3 => text.push_str("  f -4 -3 -2\r\n# next\r\n"),
            _ => text.push_str("f 1/9/9 2//9 4\ng 1\n"),
        }
        if i % 7 > 1 {
            lines.push(line);
        }
        line += 2;
    }
    (text, lines)
}

#[test]
fn lines_are_those_of_the_faces_whatever_the_order() {
    let (text, lines) = long_file();
    assert!(text.len() > 2 << 20, "more than one piece");
    let all: Vec<u32> = (0..lines.len() as u32).step_by(997).rev().collect();
    let expected: Vec<Option<usize>> = all.iter().map(|&i| Some(lines[i as usize])).collect();
    assert_eq!(lines_of_polygons(text.as_bytes(), &all), expected);
    let last = lines.len() as u32 - 1;
    let past = lines_of_polygons(text.as_bytes(), &[last + 1, last, 0, u32::MAX]);
    assert_eq!(past, [None, lines.last().copied(), Some(lines[0]), None]);
}

#[test]
fn what_is_not_obj_has_no_lines() {
    assert_eq!(lines_of_polygons(b"", &[0]), [None]);
    assert_eq!(lines_of_polygons(b"v 0 0 0\nv 1 zero 0\nf 1 1 1\n", &[0]), [None]);
    assert_eq!(lines_of_polygons(b"f 1 1 1\n", &[]), []);
}

#[test]
fn corners_that_f32_makes_one_are_found() {
    let read = |text: &str| {
        let options = ObjOptions::default();
        let (mesh, _) = read_bytes(text.as_bytes(), "test.obj", options).expect("an OBJ file");
        collapsed_triangles(text.as_bytes(), &mesh)
    };
    // Far out and wide: no local origin helps.
    let wide = "v 0 0 0\nv 90000000.1 0 0\nv 90000000.2 0 0\nv 9 9 nan\nv 9 9 nan\n";
    assert_eq!(read(&format!("{wide}f 1 2 3\n")), [0]);
    assert_eq!(read(&format!("{wide}f 1 2 2\n")), [0_u32; 0], "one corner twice in the file too");
    assert_eq!(read(&format!("{wide}f 1 4 5\n")), [0_u32; 0], "not finite is another matter");
    // Far out and small: the local origin keeps them apart.
    assert_eq!(read("v 90000000.1 0 0\nv 90000000.2 0 0\nv 90000000.1 1 0\nf 1 2 3\n"), [0_u32; 0]);
    // Polygons count by their triangles.
    assert_eq!(read(&format!("{wide}v 0 5 0\nf 1 2 3 6\n")).len(), 1);
    let (mesh, _) =
        read_bytes(b"v 0 0 0\nf 1 1 1\n", "other.obj", ObjOptions::default()).expect("an OBJ file");
    assert_eq!(collapsed_triangles(b"v 0 0 0\nv 1 0 0\n", &mesh), [0_u32; 0], "another file");
}
