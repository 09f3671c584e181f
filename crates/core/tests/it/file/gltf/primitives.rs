//! Primitives and accessors: what meshes consist of.

use super::{TRIANGLE, baked, document_over, scene};
use crate::file::{corners, warnings};

/// The fields of a document of one mesh of primitives over accessors and views; the buffer is as
/// long as `length`.
fn fields(primitives: &str, accessors: &str, views: &str, length: usize) -> String {
    format!(
        r#""nodes":[{{"mesh":0}}],"meshes":[{{"primitives":[{primitives}]}}],
        "accessors":[{accessors}],"bufferViews":[{views}],"buffers":[{{"byteLength":{length}}}]"#
    )
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Six positions: 0,0,0  1,0,0  2,0,0  3,0,0  4,0,0  5,1,0.
fn six() -> Vec<u8> {
    let number = |i: u8| [f32::from(i), f32::from(i / 5), 0.0];
    floats((0..6).map(number).collect::<Vec<_>>().as_flattened())
}

#[test]
fn lists_strips_and_fans_with_indices_of_every_type() {
    for (component, size) in [(5121_u32, 1_usize), (5123, 2), (5125, 4)] {
        for (mode, expected, left_over) in [
            ("", vec![[0, 1, 5]], 2),
            (r#","mode":4"#, vec![[0, 1, 5]], 2),
            (r#","mode":5"#, vec![[0, 1, 5], [1, 2, 5], [5, 2, 3]], 0),
            (r#","mode":6"#, vec![[1, 5, 0], [5, 2, 0], [2, 3, 0]], 0),
        ] {
            let mut data = six();
            data.extend([0_u32, 1, 5, 2, 3].iter().flat_map(|i| i.to_le_bytes()[..size].to_vec()));
            let fields = fields(
                &format!(r#"{{"attributes":{{"POSITION":0}},"indices":1{mode}}}"#),
                &format!(
                    r#"{{"bufferView":0,"componentType":5126,"type":"VEC3","count":6}},
                    {{"bufferView":1,"componentType":{component},"type":"SCALAR","count":5}}"#
                ),
                &format!(
                    r#"{{"buffer":0,"byteLength":72}},
                    {{"buffer":0,"byteOffset":72,"byteLength":{}}}"#,
                    5 * size
                ),
                data.len(),
            );
            let (mesh, report) = baked(&document_over(&fields, &data));
            assert_eq!(mesh.indices(), expected, "{mode}");
            assert_eq!(report.skipped, usize::from(left_over > 0));
            if left_over > 0 {
                let told = ["0: nodes[0], meshes[0].primitives[0]: a face of 2 corners is skipped"];
                assert_eq!(warnings(&report), told);
            }
        }
    }
}

#[test]
fn primitives_share_their_vertices() {
    let mut data = six();
    data.extend([0, 1, 5, 2, 3, 5]);
    let fields = fields(
        r#"{"attributes":{"POSITION":0},"indices":1,"material":1},
        {"attributes":{"POSITION":0},"mode":1},{"attributes":{}},
        {"attributes":{"POSITION":0},"indices":2}"#,
        r#"{"bufferView":0,"componentType":5126,"type":"VEC3","count":6},
        {"bufferView":1,"componentType":5121,"type":"SCALAR","count":3},
        {"bufferView":1,"byteOffset":3,"componentType":5121,"type":"SCALAR","count":3}"#,
        r#"{"buffer":0,"byteLength":72},{"buffer":0,"byteOffset":72,"byteLength":6}"#,
        78,
    );
    let fields = fields + r#","materials":[{},{"name":"oak"}]"#;
    let (mesh, report) = baked(&document_over(&fields, &data));
    assert_eq!((report.vertices, report.triangles, report.warning_count), (6, 2, 0));
    assert_eq!(mesh.indices(), [[0, 1, 5], [2, 3, 5]]);
    assert_eq!([0, 1].map(|prim| mesh.parts().names_of(prim).material), [Some("oak"), None]);
}

#[test]
fn quantised_positions() {
    for (component, size, most) in
        [(5120, 1, 127.0), (5121, 1, 255.0), (5122, 2, 32767.0), (5123, 2, 65535.0)]
    {
        for normalized in [false, true] {
            // Four bytes a coordinate apart would be no vertex: elements are padded to 8 bytes.
            let mut data = Vec::new();
            for position in [[0_i32, 100, 0], [127, 0, 1], [0, 0, 0]] {
                let bytes = position.iter().flat_map(|x| x.to_le_bytes()[..size].to_vec());
                data.extend(bytes);
                data.resize(data.len().next_multiple_of(8), 0xEE);
            }
            let fields = fields(
                r#"{"attributes":{"POSITION":0}}"#,
                &format!(
                    r#"{{"bufferView":0,"componentType":{component},"normalized":{normalized},
                    "type":"VEC3","count":3}}"#
                ),
                r#"{"buffer":0,"byteLength":24,"byteStride":8}"#,
                24,
            );
            let required =
                r#","extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"]"#;
            let (mesh, _) = baked(&document_over(&(fields + required), &data));
            let scale = |x: f32| if normalized { x / most } else { x };
            let expected = [[0.0, 100.0, 0.0], [127.0, 0.0, 1.0], [0.0; 3]].map(|p| p.map(scale));
            assert_eq!(corners(&mesh), [expected]);
        }
    }
}

#[test]
fn the_least_normalized_number_is_minus_one() {
    let fields = fields(
        r#"{"attributes":{"POSITION":0}}"#,
        r#"{"bufferView":0,"componentType":5120,"normalized":true,"type":"VEC3","count":3}"#,
        r#"{"buffer":0,"byteLength":9}"#,
        9,
    );
    let (mesh, _) = baked(&document_over(&fields, &[128, 129, 127, 0, 0, 0, 1, 0, 0]));
    assert_eq!(mesh.triangle(0)[0], [-1.0, -1.0, 1.0]);
}

#[test]
fn sparse_positions_with_and_without_a_base() {
    for base in [true, false] {
        let mut data = floats(TRIANGLE.as_flattened());
        data.extend([1, 0, 2, 0]);
        data.extend(floats(&[7.0, 8.0, 9.0, 4.0, 5.0, 6.0]));
        let view = if base { r#""bufferView":0,"# } else { "" };
        let fields = fields(
            r#"{"attributes":{"POSITION":0}}"#,
            &format!(
                r#"{{{view}"componentType":5126,"type":"VEC3","count":3,"sparse":{{"count":2,
                "indices":{{"bufferView":1,"componentType":5123}},"values":{{"bufferView":2}}}}}}"#
            ),
            r#"{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4},
            {"buffer":0,"byteOffset":40,"byteLength":24}"#,
            64,
        );
        let (scene, _) = scene(&document_over(&fields, &data));
        let expected = [TRIANGLE[0], [7.0, 8.0, 9.0], [4.0, 5.0, 6.0]];
        assert_eq!(corners(&scene.meshes[0]), [expected]);
    }
}
