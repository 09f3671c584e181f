//! Words in any order: whatever they say, the reader reads or refuses them, and always the same.

use hitscan_core::obj::{ObjOptions, read_bytes, read_bytes_in_pieces};
use proptest::prelude::*;

/// Words that a file may hold, joined without anything between them.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "v 0 0 0\n",
            "v 1 0 0\n",
            "v 0 1 0\r\n",
            "v 1 1 0\r",
            "v 2 0.5 1e3\n",
            "v inf 0 0\n",
            "f 1 2 3\n",
            "f 1 2 3 4\n",
            "f -1 -2 -3\n",
            "f 3 -1 2 1 2 4\n",
            "f 1 1\n",
            "f -1",
            "f ",
            "v ",
            "vt 0 0\n",
            "o a\n",
            "g ",
            "usemtl \u{e9}\n",
            "# c\\\n",
            "#",
            "\\",
            "\\\n",
            "\n",
            "\r",
            "\r\n",
            " ",
            "\t",
            "1",
            "2",
            "-2",
            "/",
            "//",
            ".",
            "5e",
            "9",
            "x",
            "0",
            "\u{feff}",
        ][..],
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_in_any_order(words in prop::collection::vec(word(), 0..60), strict: bool) {
        let text = words.concat();
        let options = ObjOptions { strict };
        let whole = read_bytes(text.as_bytes(), "test.obj", options).map_err(|e| e.to_string());
        for length in [0, 1, 5, 16] {
            let cut = read_bytes_in_pieces(text.as_bytes(), "test.obj", options, length);
            prop_assert_eq!(&cut.map_err(|e| e.to_string()), &whole);
        }
        if let Ok((mesh, report)) = whole {
            prop_assert_eq!(mesh.triangle_count(), report.triangles);
            prop_assert_eq!(mesh.positions().len(), report.vertices);
            if strict {
                prop_assert_eq!(report.warning_count, 0);
            }
        }
    }

    #[test]
    fn polygons_of_any_corners(corners in prop::collection::vec((-3..4_i8, -3..4_i8, -1..2_i8), 3..40)) {
        let vertices: String = corners.iter().map(|(x, y, z)| format!("v {x} {y} {z}\n")).collect();
        let face: String = (1..=corners.len()).map(|i| format!(" {i}")).collect();
        let text = format!("{vertices}f{face}\n");
        let read = read_bytes(text.as_bytes(), "test.obj", ObjOptions::default());
        prop_assert_eq!(read.expect("it is right").1.triangles, corners.len() - 2);
    }

    #[test]
    fn polygons_around_a_point(radii in prop::collection::vec(1..200_u16, 5..60), clockwise: bool) {
        let count = radii.len();
        let corner = |(i, radius): (usize, &u16)| {
            let angle = i as f32 / count as f32 * std::f32::consts::TAU;
            let radius = f32::from(*radius) / 20.0;
            [radius * angle.cos(), radius * angle.sin()]
        };
        let mut corners: Vec<[f32; 2]> = radii.iter().enumerate().map(corner).collect();
        if clockwise {
            corners.reverse();
        }
        super::polygons::assert_covers(&corners);
    }
}
