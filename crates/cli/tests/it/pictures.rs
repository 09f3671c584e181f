//! What `render` draws.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use png::{BitDepth, ColorType};

use crate::tool::{Tool, data};

/// A picture's size, and the bytes of its pixels.
fn pixels(path: &Path) -> (u32, u32, Vec<[u8; 3]>) {
    let file = BufReader::new(File::open(path).expect("a file"));
    let mut picture = png::Decoder::new(file).read_info().expect("a picture");
    let mut bytes = vec![0; picture.output_buffer_size().expect("a small picture")];
    let frame = picture.next_frame(&mut bytes).expect("its pixels");
    assert_eq!((frame.color_type, frame.bit_depth), (ColorType::Rgb, BitDepth::Eight));
    (frame.width, frame.height, bytes.as_chunks().0.to_vec())
}

#[test]
fn every_shade_draws_the_mesh_in_the_middle() {
    let tool = Tool::new();
    for shade in ["lit", "normals", "depth", "prim", "ao", "cost"] {
        let mesh = data("cube.obj");
        let arguments = [
            "render",
            &mesh,
            "--out",
            "a.png",
            "--shade",
            shade,
            "--size",
            "61x40",
            "--samples",
            "2",
        ];
        tool.stdout(&arguments);
        let (width, height, picture) = pixels(&tool.path("a.png"));
        assert_eq!((width, height), (61, 40));
        let (corner, middle) = (picture[0], picture[20 * 61 + 30]);
        let difference = corner.iter().zip(middle).map(|(a, b)| a.abs_diff(b)).max();
        assert!(difference > Some(16), "{shade}: {corner:?} and {middle:?}");
        tool.stdout(&[&arguments[..], &["--threads", "1"]].concat());
        assert!(pixels(&tool.path("a.png")).2 == picture, "{shade}: threads change the picture");
    }
}

#[test]
fn normals_are_colours_of_their_direction() {
    let tool = Tool::new();
    let mesh = data("cube.obj");
    let look = ["--eye", "0,0,5", "--target", "0,0,0", "--size", "9x9", "--samples", "1"];
    let arguments = ["render", &mesh, "--out", "a.png", "--shade", "normals"];
    tool.stdout(&[&arguments[..], &look[..]].concat());
    assert_eq!(pixels(&tool.path("a.png")).2[40], [128, 128, 255]);
}
