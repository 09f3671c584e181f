//! Text that is wrong: the error names its line and column.

use super::{CORNERS, error};

/// The error of a face over `CORNERS`: its column and words. It stands on line 4.
fn face_error(face: &str) -> (usize, String) {
    let (line, column, message) = error(format!("{CORNERS}{face}\n"));
    assert_eq!(line, 4, "{message}");
    (column, message)
}

#[test]
fn a_decimal_comma() {
    assert_eq!(error("v 0,5 0 0\n"), (1, 3, "expected a number, found `0,5`".into()));
}

#[test]
fn words_that_are_no_numbers() {
    for word in ["zero", "1.0f", "0x10", "1e", "--1", "3.1+e2", ".", "-", "1.2.3", "1.#IND", "1D0"]
    {
        let (line, column, message) = error(format!("v 1 0 0\nv 1 0 {word}\n"));
        assert_eq!((line, column), (2, 7));
        assert_eq!(message, format!("expected a number, found `{word}`"));
    }
    assert_eq!(error("v 0 0 0 1 red\n").1, 11);
}

#[test]
fn a_vertex_of_two_coordinates() {
    for (text, column) in [("v 0 0\n", 6), ("v\n", 2), ("v 0 0 # 0\n", 7), ("v 0 0", 6)] {
        let message = "expected a number, but the line ends here";
        assert_eq!(error(text), (1, column, message.into()));
    }
}

#[test]
fn an_index_of_zero() {
    assert_eq!(face_error("f 0 1 2").0, 3);
    assert_eq!(face_error("f 1 -0 2").0, 5);
    assert!(face_error("f 1 2 00/1").1.contains("`00/1` is zero"));
}

#[test]
fn an_index_that_is_too_big() {
    for index in ["4", "4294967297", "18446744073709551617", "99999999999999999999999"] {
        let (column, message) = face_error(&format!("f 1 2 {index}"));
        assert_eq!(column, 7);
        assert_eq!(message, format!("the index `{index}` is too big: the file has 3 vertices"));
    }
}

#[test]
fn an_index_that_counts_back_too_far() {
    for index in ["-4", "-4294967297", "-99999999999999999999999"] {
        let (column, message) = face_error(&format!("f {index} 2 3"));
        assert_eq!(column, 3);
        assert!(message.contains("3 vertices come before it"), "{message}");
    }
    assert_eq!(error("f -1 1 1\nv 0 0 0\n").0, 1);
}

#[test]
fn an_index_that_is_no_number() {
    for index in ["x", "1.5", "1e0", "-", "+", "/1", "1a", "½"] {
        let (column, message) = face_error(&format!("f 1 {index} 3"));
        assert_eq!(column, 5, "{index}");
        assert!(message.contains(&format!("found `{index}`")), "{message}");
    }
}

#[test]
fn corners_with_too_many_or_wrong_parts() {
    for corner in ["1/1/1/1", "1/x", "1//x", "1/1/x", "1/1.5", "1///1", "1/-"] {
        assert_eq!(face_error(&format!("f 1 2 {corner}")).0, 7, "{corner}");
    }
}

#[test]
fn a_backslash_that_continues_nothing() {
    assert_eq!(face_error("f 1 2 \\ 3").0, 7);
    assert_eq!(face_error("f 1 2 3 \\ ").0, 9);
}

#[test]
fn bytes_that_are_no_text() {
    let (line, column, message) = error(b"\x7FELF\x02\x01\x01\0\0\0");
    assert_eq!((line, column), (1, 8));
    assert!(message.contains("not text"), "{message}");
    error(b"\xFF\xFEv\0 \x000\0");
}

#[test]
fn places_count_every_kind_of_line_end_and_start_after_a_byte_order_mark() {
    let lines = ["v 0 0 0", "", "# comment", "v 1 0 \\", "0", "v 0 x 0"];
    for end in ["\n", "\r\n", "\r"] {
        let (line, column, _) = error(lines.join(end));
        assert_eq!((line, column), (6, 5), "{end:?}");
    }
    assert_eq!(error("\u{FEFF}v x 0 0").1, 3);
    assert_eq!(error("v 1 \\\n  x 0\n").0, 2);
}

#[test]
fn the_first_fault_is_the_one_reported() {
    // The index is too big only once the whole file is known, yet it comes first.
    assert_eq!(error(format!("{CORNERS}f 1 2 9\nv x 0 0\n")).0, 4);
    // A vertex that is wrong still counts: the index is right.
    assert_eq!(error("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 x 0\n").0, 4);
}
