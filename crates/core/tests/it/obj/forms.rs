//! Forms that must be read right: each test is a file that some reader gets wrong.

use super::{CORNERS, POSITIONS, assert_is_the_triangle, read};

#[test]
fn line_ends_of_every_kind() {
    let text = format!("{CORNERS}f 1 2 3\n");
    for end in ["\n", "\r\n", "\r", "\n\r\n", "\r\r\n\n"] {
        assert_is_the_triangle(text.replace('\n', end));
    }
    assert_is_the_triangle("v 0 0 0\r\nv 1 0 0\nv 0 1 0\rf 1 2 3");
}

#[test]
fn a_last_line_without_an_end() {
    assert_is_the_triangle(format!("{CORNERS}f 1 2 3"));
    assert_is_the_triangle("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0");
}

#[test]
fn a_byte_order_mark() {
    assert_is_the_triangle(format!("\u{FEFF}{CORNERS}f 1 2 3\n"));
}

#[test]
fn blanks_tabs_and_form_feeds_anywhere() {
    assert_is_the_triangle("  v\t0  0 0  \n\tv 1\t0 0\t\nv   0 1   0 \x0C\n f  1\t2   3 \t\n");
}

#[test]
fn comments_behind_data() {
    let text = "v 0 0 0 # origin\nv 1 0 0# glued\nv 0 1 0 #\nf 1 2 3 # face\nf# none\n";
    let (mesh, report) = read(text);
    assert_eq!((mesh.positions(), mesh.indices()), (&POSITIONS[..], &[[0, 1, 2]][..]));
    assert_eq!(report.skipped, 1);
}

#[test]
fn continued_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "v 0 0 \\\n0\nv\\\n 1 0 0\nv 0 \\\n\\\n 1 0\nf 1 \\\n 2\\\n 3\n";
        assert_is_the_triangle(text.replace('\n', end));
    }
    assert_is_the_triangle(format!("{CORNERS}f 1 2 3 \\"));
    assert_is_the_triangle(format!("{CORNERS}f 1 2 3 \\\n"));
    assert_is_the_triangle(format!("l 1 2 \\\n3\nvn 0 \\\n 0 1\n{CORNERS}f 1 2 3"));
}

#[test]
fn a_comment_that_ends_in_a_backslash_swallows_nothing() {
    let text = "# C:\\models\\\nv 0 0 0 # x\\\nv 1 0 0\nvn 0 0 1 # y\\\nv 0 1 0\nf 1 2 3 #\\\n";
    assert_is_the_triangle(text);
}

#[test]
fn a_backslash_in_a_name_is_part_of_it() {
    let (mesh, _) = read(format!("{CORNERS}usemtl mats\\wood\\oak\nf 1 2 3\n"));
    assert_eq!(mesh.parts().names_of(0).material, Some("mats\\wood\\oak"));
}

#[test]
fn bytes_that_are_not_utf8() {
    let text = [b"# M\xF6bel\no caf\xE9\n".as_slice(), CORNERS.as_bytes(), b"f 1 2 3 # \xFF\n"];
    let (mesh, _) = read(text.concat());
    assert_eq!(mesh.parts().names_of(0).object, Some("café"));
}

#[test]
fn names_that_are_utf8_stay_what_they_are() {
    let (mesh, _) = read(format!("o Ωmega 家\n{CORNERS}f 1 2 3\n"));
    assert_eq!(mesh.parts().names_of(0).object, Some("Ωmega 家"));
}

#[test]
fn numbers_in_every_form() {
    let text = "v -0 +0.0 0.\nv 1E+00 .0 0e5\nv -0.0 10e-1 +0\nf 1 2 3\n";
    assert_is_the_triangle(text);
    let text = "v 0.0000000000000000000000000000 0 0\n\
                v 1.00000000000000000000000000000000000000 0 -2.529290143686992e-46\n\
                v 0 100000000000000000000e-20 0\nf 1 2 3\n";
    assert_is_the_triangle(text);
}

#[test]
fn numbers_are_rounded_once() {
    // Halfway cases of f32 that go wrong when digits are summed in f32, and every length around
    // what is read at once.
    let words = [
        "16777217.0",
        "0.1",
        "1234567.1",
        "1234567.12345678",
        "12345678.5",
        "0.123456789",
        "9999999.99999999",
        "8388608.5",
        "-0.000001",
        "1.17549435e-38",
        "123.4567890123456789",
    ];
    for word in words {
        let (mesh, _) = read(format!("v {word} 0 {word}\n"));
        let expected: f32 = word.parse().expect("a number");
        let rounded_twice = word.parse::<f64>().expect("a number") as f32;
        assert!(expected == rounded_twice, "{word} is a bad example");
        assert_eq!(mesh.positions()[0], [expected, 0.0, expected], "{word}");
    }
}

#[test]
fn decimals_agree_with_the_standard_library() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let mut words = Vec::new();
    for _ in 0..20_000 {
        let places = 1 + next(9) as u32;
        let whole = next(10_u64.pow(places));
        let digits = 1 + next(10) as usize;
        let fraction = next(10_u64.pow(digits as u32));
        let sign = if next(2) == 0 { "" } else { "-" };
        words.push(format!("{sign}{whole}.{fraction:0digits$}"));
    }
    let text: String = words.iter().map(|word| format!("v {word} 0 0\n")).collect();
    let (mesh, _) = read(text);
    for (word, position) in words.iter().zip(mesh.positions()) {
        let expected = word.parse::<f64>().expect("a number") as f32;
        assert_eq!(position[0].to_bits(), expected.to_bits(), "{word}");
    }
}

#[test]
fn weights_and_colours_some_of_them_nan() {
    assert_is_the_triangle("v 0 0 0 1.0\nv 1 0 0 0.5 0.5 nan\nv 0 1 0\nf 1 2 3\n");
    assert_is_the_triangle("v 0 0 0 1 0 0 1\nv 1 0 0 inf\nv 0 1 0\nf 1 2 3\n");
}

#[test]
fn corners_in_every_form() {
    let text = format!(
        "{CORNERS}v 1 1 0\nvt 0 0\nvn 0 0 1\nf 1 2/1 3//1\nf 2/1/1 4/2/1 3/1/1\nf 1/ 2// 4/-1/-1\n"
    );
    let (mesh, report) = read(text);
    assert_eq!(mesh.indices(), [[0, 1, 2], [1, 3, 2], [0, 1, 3]]);
    assert_eq!(report.warning_count, 0);
}

#[test]
fn texture_and_normal_indices_out_of_range_do_not_matter() {
    let text = format!("{CORNERS}f 1/9/9 2/0/99999999999999999999 3/-7/-7\n");
    assert_is_the_triangle(text);
}

#[test]
fn relative_indices_count_from_the_vertices_so_far() {
    let (mesh, _) = read(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 5\nv 1 0 5\nv 0 1 5\nf -3 -2 -1\nf 1 -1 2 -6\n",
    );
    assert_eq!(mesh.indices()[..2], [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(mesh.parts().polygon_of(3), 2);
}

#[test]
fn faces_before_their_vertices() {
    assert_is_the_triangle(format!("f 1 2 3\n{CORNERS}"));
}

#[test]
fn indices_with_signs_and_zeros_in_front() {
    assert_is_the_triangle(format!("{CORNERS}f +1 0002 0000000000000000000000003\n"));
}

#[test]
fn statements_that_are_no_triangles() {
    let text = format!(
        "mtllib no_such_file.mtl\n{CORNERS}v 5 5 0\nvp 0.5\ns off\np 1\nl 1 2\nl 1 2 3\n\
         cstype bezier\nsurf 0 1 0 1 1 2 \\\n3 4\nend\nf 1 2 3\n"
    );
    assert_is_the_triangle(text);
}

#[test]
fn the_old_word_for_a_face() {
    assert_is_the_triangle(format!("{CORNERS}fo 1 2 3\n"));
}

#[test]
fn names_of_objects_groups_and_materials() {
    let text = format!(
        "{CORNERS}f 1 2 3\no first\nusemtl red\nf 1 2 3\ng left  wing\nf 1 2 3\no\nusemtl\nf 1 2 3\n\
         o a\no b\ng\nf 1 2 3\no first\nf 1 2 3\ng left \\\n wing\nf 1 2 3\no unused\n"
    );
    let (mesh, _) = read(text);
    let parts = mesh.parts();
    let names = |prim| {
        let names = parts.names_of(prim);
        [names.object, names.group, names.material].map(|name| name.unwrap_or("-"))
    };
    assert_eq!(names(0), ["-", "-", "-"]);
    assert_eq!(names(1), ["first", "-", "red"]);
    assert_eq!(names(2), ["first", "left  wing", "red"]);
    assert_eq!(names(3), ["-", "left  wing", "-"]);
    assert_eq!(names(4), ["b", "-", "-"]);
    assert_eq!(names(5), ["first", "-", "-"]);
    assert_eq!(parts.object_count(), 2);
    assert_eq!(parts.runs().len(), 6);
}

#[test]
fn a_name_of_a_million_letters() {
    let name = "x".repeat(1_000_000);
    let (mesh, _) = read(format!("o {name}\n{CORNERS}f 1 2 3\n"));
    assert_eq!(mesh.parts().names_of(0).object, Some(&name[..]));
}
