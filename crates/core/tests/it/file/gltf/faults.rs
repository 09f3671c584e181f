//! Wrong files: the error names the part that is wrong.

use hitscan_core::file::{ReadError, ReadOptions, read_file};
use hitscan_core::gltf;
use hitscan_testkit::{files, meshes};

use super::{baked, document, error, error_with, triangle_with_nodes};
use crate::file::{corners, warnings};

/// The document of one triangle, with one piece of its text replaced.
fn changed(from: &str, to: &str) -> Vec<u8> {
    let fields = r#""nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "buffers":[{"byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteLength":12}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},
        {"bufferView":1,"componentType":5121,"type":"SCALAR","count":3}]"#;
    let changed = fields.replacen(from, to, 1);
    assert!(from.is_empty() || changed != fields, "{from} is not there");
    document(&changed)
}

#[test]
fn every_reference_is_checked() {
    baked(&changed("", ""));
    for (from, to, told) in [
        (
            r#""POSITION":0"#,
            r#""POSITION":9"#,
            "meshes[0].primitives[0].attributes.POSITION: there is no accessors[9]",
        ),
        (
            r#""indices":1"#,
            r#""indices":2"#,
            "meshes[0].primitives[0].indices: there is no accessors[2]",
        ),
        (
            r#""indices":1"#,
            r#""indices":0"#,
            "accessors[0]: indices must be SCALAR, of unsigned integers",
        ),
        (
            r#""POSITION":0"#,
            r#""POSITION":1"#,
            "accessors[1]: positions must be VEC3, of floats or small integers",
        ),
        (
            r#""indices":1"#,
            r#""indices":1,"mode":7"#,
            "meshes[0].primitives[0]: there is no mode 7",
        ),
        (r#""bufferView":0"#, r#""bufferView":5"#, "accessors[0]: there is no bufferViews[5]"),
        (r#""bufferView":0,"#, "", "accessors[0]: it has no data"),
        (r#""buffer":0"#, r#""buffer":4"#, "bufferViews[0]: there is no buffers[4]"),
        (
            r#""byteLength":36},{"#,
            r#""byteLength":37},{"#,
            "bufferViews[0]: it goes beyond the 36 bytes of its buffer",
        ),
        (
            r#""byteLength":36},{"#,
            r#""byteLength":1,"byteOffset":18446744073709551615},{"#,
            "bufferViews[0]: it goes beyond the 36 bytes of its buffer",
        ),
        (
            r#""buffers":[{"byteLength":36"#,
            r#""buffers":[{"byteLength":40"#,
            "buffers[0]: it should have 40 bytes, but has 36",
        ),
        (
            r#""VEC3","count":3"#,
            r#""VEC3","count":4"#,
            "accessors[0]: 4 elements at byte 0 go beyond the 36 bytes of their view",
        ),
        (
            r#""VEC3","count":3"#,
            r#""VEC3","count":3,"byteOffset":1"#,
            "accessors[0]: 3 elements at byte 1 go beyond the 36 bytes of their view",
        ),
        (
            r#""VEC3","count":3"#,
            r#""VEC3","count":3,"byteOffset":18446744073709551615"#,
            "accessors[0]: 3 elements at byte 18446744073709551615 go beyond the 36 bytes of their view",
        ),
        (
            r#""byteLength":36},{"#,
            r#""byteLength":36,"byteStride":8},{"#,
            "accessors[0]: elements of 12 bytes cannot be 8 bytes apart",
        ),
        (
            r#""byteLength":36},{"#,
            r#""byteLength":36,"byteStride":18446744073709551615},{"#,
            "accessors[0]: 3 elements at byte 0 go beyond the 36 bytes of their view",
        ),
        ("5121", "5130", "accessors[1]: there is no component type 5130"),
        ("5121", "5126", "accessors[1]: indices must be SCALAR, of unsigned integers"),
        (
            r#""byteLength":12}"#,
            r#""byteLength":12,"byteOffset":13}"#,
            "meshes[0].primitives[0].indices: number 1 is 128, but there are 3 vertices from 0 on",
        ),
    ] {
        assert_eq!(error(&changed(from, to)), format!("test: {told}"), "{to}");
    }
}

#[test]
fn versions_and_extensions_that_are_not_known() {
    let bytes = triangle_with_nodes(r#"{"mesh":0}"#);
    let with = |from: &str, to: &str| {
        let json = String::from_utf8_lossy(&bytes[20..bytes.len() - 44]).replacen(from, to, 1);
        files::glb_of(&json, &bytes[bytes.len() - 36..])
    };
    assert_eq!(
        error(&with("2.0", "1.0")),
        "test: asset.version: glTF 1.0 is not supported, only 2.0"
    );
    let required =
        r#""extensionsRequired":["KHR_texture_basisu","KHR_draco_mesh_compression"],"nodes""#;
    assert_eq!(
        error(&with(r#""nodes""#, required)),
        "test: extensionsRequired[1]: the extension KHR_draco_mesh_compression is not supported"
    );
}

#[test]
fn text_that_is_no_document() {
    let error = |text: &str| {
        gltf::read_bytes(text.as_bytes(), "test", &ReadOptions::default()).unwrap_err().to_string()
    };
    assert_eq!(
        error("{\n  \"asset\": 7 }"),
        "test:2:12: invalid type: integer `7`, expected struct Asset"
    );
    assert_eq!(error("{"), "test:1:1: EOF while parsing an object");
    let deep = format!(r#"{{"asset":{{"version":"2.0"}},"extras":{}"#, "[".repeat(100_000));
    assert_eq!(error(&deep), "test:1:100036: EOF while parsing a list");
    let number = r#"{"asset":{"version":"2.0"},"nodes":[{"translation":[1e999,0,0]}]}"#;
    assert_eq!(error(number), "test:1:57: number out of range");
    let negative = r#"{"asset":{"version":"2.0"},"scene":-1}"#;
    assert!(error(negative).starts_with("test:1:37: invalid value"), "{}", error(negative));
}

#[test]
fn containers_that_are_cut_off_or_overlong() {
    let whole = files::glb(&meshes::tetrahedron());
    let told = error(&whole[..whole.len() - 1]);
    let length = whole.len();
    assert_eq!(
        told,
        format!("test: at byte 8: the file should have {length} bytes, but has {}", length - 1)
    );
    let mut longer = whole.clone();
    longer.extend([0; 3]);
    let (_, report) = baked(&longer);
    assert_eq!(warnings(&report), [format!("0: at byte {length}: 3 bytes follow the container")]);
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        error(&bytes)
    };
    assert_eq!(changed(4, 1), "test: at byte 4: version 1 of GLB is not supported, only 2");
    assert_eq!(changed(16, b'X'), "test: at byte 16: the first chunk must be JSON");
    assert!(changed(15, 0x7F).contains("at byte 12: a chunk of"));
    assert!(changed(20, b'[').starts_with("test: the JSON chunk: line 1, column "));
}

#[test]
fn data_in_the_document_or_in_a_file_beside_it() {
    let mesh = meshes::tetrahedron();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("a file");
        folder.path().join(name)
    };
    std::fs::create_dir(folder.path().join("my data")).expect("a folder");
    write("my data/tetrahedron.bin", &files::gltf_buffer(&mesh));
    let options = ReadOptions::default();
    let document = |uri: &str| files::gltf_document(&mesh, Some(uri));
    let path = write("mesh.gltf", document("my%20data/tetrahedron.bin").as_bytes());
    let (read, _) = read_file(&path, &options).expect("a mesh");
    assert_eq!(corners(&read), corners(&mesh));
    let (scene, _) = gltf::read_file(&path, &options).expect("a scene");
    assert_eq!(corners(&scene.meshes[0]), corners(&mesh));

    // The length of a file is checked too.
    write("my data/tetrahedron.bin", &files::gltf_buffer(&mesh)[1..]);
    assert!(read_file(&path, &options).unwrap_err().to_string().contains("buffers[0]: it should"));
    for (uri, told) in [
        (
            "../secret.bin",
            "buffers[0].uri: `../secret.bin` does not lie in the folder of the document",
        ),
        (
            "a/%2e%2e/%2E%2E/x",
            "buffers[0].uri: `a/../../x` does not lie in the folder of the document",
        ),
        ("/etc/passwd", "buffers[0].uri: `/etc/passwd` does not lie in the folder of the document"),
        ("file:x", "buffers[0].uri: `file:x` does not lie in the folder of the document"),
        ("a%2", "buffers[0].uri: it is no address"),
        ("data:text/plain,hello", "buffers[0].uri: its data are not base64"),
        ("data:;base64", "buffers[0].uri: it has no comma before its data"),
        ("data:;base64,AAAA A==", "buffers[0].uri: its data are not base64"),
        ("data:;base64,AAAAA", "buffers[0].uri: its base64 is cut off"),
        ("data:;base64,AAAA", "buffers[0]: it should have 96 bytes, but has 3"),
    ] {
        let path = write("mesh.gltf", document(uri).as_bytes());
        let error = read_file(&path, &options).unwrap_err().to_string();
        assert_eq!(error, format!("{}: {told}", path.display()));
    }
    for uri in ["no.bin", "my data"] {
        let path = write("mesh.gltf", document(uri).as_bytes());
        let error = read_file(&path, &options).unwrap_err();
        assert!(matches!(&error, ReadError::Io { path, .. } if path.ends_with(uri)), "{error}");
    }
    // Bytes alone have no folder.
    assert_eq!(
        error(document("a.bin").as_bytes()),
        "test: buffers[0].uri: the data are in another file: `a.bin`"
    );
    assert_eq!(
        error(files::gltf_document(&mesh, None).as_bytes()),
        "test: buffers[0]: it has no data"
    );
}

#[test]
fn odd_triangles_are_told_with_their_place() {
    let nodes =
        r#"{"mesh":0,"scale":[1,0,1]},{"mesh":0,"translation":[1e39,0,0]},{"mesh":0},{"mesh":0}"#;
    let bytes = triangle_with_nodes(nodes);
    let (mesh, report) = baked(&bytes);
    assert_eq!(mesh.triangle_count(), 4);
    assert_eq!((report.degenerate, report.non_finite, report.duplicate), (1, 1, 1));
    let told = warnings(&report);
    assert_eq!(told.len(), 6, "{told:?}");
    assert!(told[0].starts_with("0: nodes[1], meshes[0], vertex 0: the vertex (1"), "{told:?}");
    assert_eq!(
        told[3..],
        [
            "0: nodes[1], meshes[0].primitives[0], triangle 0: a triangle has a corner that is not finite",
            "0: nodes[0], meshes[0].primitives[0], triangle 0: a triangle has no area",
            "0: nodes[3], meshes[0].primitives[0], triangle 0: a triangle repeats an earlier one",
        ]
    );
    let strict = ReadOptions { strict: true, ..ReadOptions::default() };
    let flat = triangle_with_nodes(r#"{"mesh":0},{"mesh":0}"#);
    let error = hitscan_core::file::read_bytes(&flat, "test", &strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "test: nodes[1], meshes[0].primitives[0], triangle 0: a triangle repeats an earlier one"
    );
    assert_eq!(
        error_with(&document(r#""nodes":[]"#), &strict),
        "test: scene: the file holds no triangles"
    );
}
