//! Which format a file is taken for.

use hitscan_core::file::{MeshFormat, ReadError, ReadOptions, read_bytes, read_file};
use hitscan_testkit::files::{self, PlyEncoding};
use hitscan_testkit::meshes;

use super::warnings;

fn kinds() -> Vec<(MeshFormat, &'static str, Vec<u8>)> {
    let mesh = meshes::tetrahedron();
    let mut obj = files::off(&mesh).replacen("OFF\n4 4 0\n", "# by hand\n", 1);
    obj = obj.lines().filter(|line| !line.starts_with("3 ")).fold(String::new(), |text, line| {
        let line = if line.starts_with('#') { line.to_owned() } else { format!("v {line}") };
        text + &line + "\n"
    });
    for [a, b, c] in mesh.indices() {
        obj += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    vec![
        (MeshFormat::Obj, "obj", obj.into_bytes()),
        (MeshFormat::Stl, "stl", files::stl_binary(&mesh)),
        (MeshFormat::Stl, "STL", files::stl_text(&mesh).into_bytes()),
        (MeshFormat::Ply, "ply", files::ply(&mesh, PlyEncoding::Text)),
        (MeshFormat::Ply, "ply", files::ply(&mesh, PlyEncoding::Big)),
        (MeshFormat::Off, "off", files::off(&mesh).into_bytes()),
        (MeshFormat::Gltf, "gltf", files::gltf(&mesh).into_bytes()),
        (MeshFormat::Gltf, "glb", files::glb(&mesh)),
    ]
}

#[test]
fn bytes_tell_whatever_the_name_says() {
    let mesh = meshes::tetrahedron();
    for (format, extension, bytes) in kinds() {
        assert_eq!(MeshFormat::of_bytes(&bytes), Some(format));
        assert_eq!(MeshFormat::of_name(format!("a.b/mesh.{extension}")), Some(format));
        for name in ["mesh", "mesh.bin", &format!("mesh.{extension}")] {
            let (read, report) =
                read_bytes(&bytes, name, &ReadOptions::default()).expect("a mesh file");
            assert_eq!(read.triangle_count(), mesh.triangle_count());
            assert_eq!(report.warning_count, 0, "{name}: {:?}", report.warnings);
        }
        // OBJ has no bytes of its own, so a name that says something else is believed.
        if format != MeshFormat::Obj {
            let wrong = if format == MeshFormat::Ply { "mesh.stl" } else { "mesh.ply" };
            let promised = if format == MeshFormat::Ply { "STL" } else { "PLY" };
            let told = format!("the file is {format}, although its name says {promised}");
            let (_, report) =
                read_bytes(&bytes, wrong, &ReadOptions::default()).expect("a mesh file");
            assert_eq!(warnings(&report), [format!("0: {told}")]);
            let strict = ReadOptions { strict: true, ..ReadOptions::default() };
            let error = read_bytes(&bytes, wrong, &strict).expect_err("strict");
            assert_eq!(error.to_string(), format!("{wrong}: at byte 0: {told}"));
            // Who says what it is knows that the name is wrong.
            let options = ReadOptions { format: Some(format), ..strict };
            read_bytes(&bytes, wrong, &options).expect("a mesh file");
        }
    }
}

#[test]
fn what_nothing_tells_is_an_error() {
    for bytes in [&b""[..], b"hello", b"\0\0\0\0", b"{}", b"solidarity", b"plywood"] {
        assert_eq!(MeshFormat::of_bytes(bytes), None, "{bytes:?}");
        let error = read_bytes(bytes, "mesh.bin", &ReadOptions::default());
        assert!(matches!(error, Err(ReadError::UnknownFormat { file }) if file == "mesh.bin"));
    }
}

#[test]
fn names_that_promise_what_bytes_do_not_hold() {
    for (name, told) in [
        ("a.ply", "a.ply:1:1: expected `ply`, found `junk`"),
        ("a.off", "a.off:1:1: expected a whole number, found `junk`"),
        ("a.obj", "a.obj:1:1: unknown statement `junk`"),
    ] {
        let strict = ReadOptions { strict: true, ..ReadOptions::default() };
        assert_eq!(read_bytes(b"junk", name, &strict).unwrap_err().to_string(), told);
    }
    let error = read_bytes(b"junk", "a.stl", &ReadOptions::default()).unwrap_err();
    assert!(matches!(error, ReadError::Data { byte: 4, .. }), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = read_file("no/such/mesh.stl", &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().starts_with("no/such/mesh.stl: "), "{error}");
}
