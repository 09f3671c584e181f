//! The result is the same whatever the pieces the text is cut into and the number of threads.

use hitscan_core::obj::{ObjOptions, read_bytes, read_bytes_in_pieces};

/// Text with everything in it that reaches from one piece into another.
fn everything() -> String {
    let mut text = String::from("\u{FEFF}# made\\by\\hand\\\r\nmtllib none.mtl\n");
    for i in 0..60 {
        let x = f64::from(i) * 0.37;
        text += &format!("v {x:.3} 0 {i}\r\nv {x:.3} 1.5 {i} # c\\\nv {x:.3} \\\n 2 \\\r\n {i}\r");
        text += match i % 6 {
            0 => "f -1 -2 -3\n",
            1 => "o name\ng left \\\nright\nf 1 2 -1 -4 5\n",
            2 => "f 180 -1 2\nusemtl red\n",
            3 => "f 1 2\nunknown\nf -1 -2 1\n",
            4 => "f 1 2 3\nf 1 2 2\n\n\n",
            _ => "l 1 2 3\\\n 4 5\nvt 0 0\nf 1/1 2/2 3/3 \\\n 4/4\n",
        };
    }
    text
}

#[test]
fn pieces_of_any_length_give_the_same_mesh_and_report() {
    let text = everything();
    let whole = read_bytes(text.as_bytes(), "test.obj", ObjOptions::default()).expect("right");
    assert_eq!((whole.1.vertices, whole.1.skipped), (180, 10));
    assert!(whole.1.warnings.len() > 20);
    for length in (0..200).chain([1000, 10_000]) {
        let options = ObjOptions::default();
        let cut = read_bytes_in_pieces(text.as_bytes(), "test.obj", options, length);
        let cut = cut.expect("right");
        assert_eq!(cut.1, whole.1, "pieces of {length}");
        assert_eq!(cut.0, whole.0, "pieces of {length}");
    }
}

#[test]
fn pieces_of_any_length_give_the_same_error() {
    let faults = ["f 1 2 999", "v 1 x 2", "f -999 1 2", "f 1/1/1/1 2 3", "f 0 1 2"];
    for (i, first) in faults.iter().enumerate() {
        let second = faults[(i + 1) % faults.len()];
        let text = format!("{}{first}\n{}{second}\n{0}", everything(), everything());
        for strict in [false, true] {
            let read = |length| {
                let options = ObjOptions { strict };
                let read = read_bytes_in_pieces(text.as_bytes(), "test.obj", options, length);
                read.expect_err("wrong").to_string()
            };
            let whole = read(usize::MAX);
            for length in [0, 1, 2, 3, 7, 50, 333, 4000] {
                assert_eq!(read(length), whole, "pieces of {length}");
            }
        }
    }
}

#[test]
fn threads_in_any_number_give_the_same_mesh_and_report() {
    let text = everything().repeat(20);
    let read = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let options = ObjOptions::default();
        pool.install(|| read_bytes_in_pieces(text.as_bytes(), "test.obj", options, 1000))
            .expect("right")
    };
    let one = read(1);
    assert!(one.1.duplicate > 0 && one.1.degenerate > 0);
    for threads in [2, 3, 8] {
        let many = read(threads);
        assert_eq!(many.1, one.1);
        assert_eq!(many.0, one.0);
    }
}

#[test]
fn text_cut_short_anywhere_is_read_or_refused() {
    let text = everything();
    let text = &text.as_bytes()[..2500];
    for length in 0..text.len() {
        for strict in [false, true] {
            // Whatever it is, it must not panic; and pieces must not change it.
            let options = ObjOptions { strict };
            let whole = read_bytes(&text[..length], "test.obj", options);
            let cut = read_bytes_in_pieces(&text[..length], "test.obj", options, 64);
            assert_eq!(whole.map_err(|e| e.to_string()), cut.map_err(|e| e.to_string()));
        }
    }
}
