//! Small writers of mesh files, one function a format, so that readers have something to read.
//!
//! Text holds each coordinate with as many digits as bring back the same f32.

use std::fmt::Write as _;

use hitscan_core::TriangleMesh;

/// Binary STL, with normals of zero.
#[must_use]
pub fn stl_binary(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    // As many programs do, and readers must not fall for it.
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend((mesh.triangle_count() as u32).to_le_bytes());
    for corners in triangles(mesh) {
        bytes.extend([0; 12]);
        bytes.extend(corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// STL as text, all of one solid called `mesh`.
#[must_use]
pub fn stl_text(mesh: &TriangleMesh) -> String {
    let mut text = "solid mesh\n".to_owned();
    for corners in triangles(mesh) {
        text.push_str("  facet normal 0 0 0\n    outer loop\n");
        for [x, y, z] in corners {
            let _ = writeln!(text, "      vertex {x:e} {y:e} {z:e}");
        }
        text.push_str("    endloop\n  endfacet\n");
    }
    text + "endsolid mesh\n"
}

/// How PLY numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlyEncoding {
    /// As text.
    Text,
    /// Least byte first.
    Little,
    /// Greatest byte first.
    Big,
}

/// PLY with positions as `float` and indices as `int`.
#[must_use]
pub fn ply(mesh: &TriangleMesh, encoding: PlyEncoding) -> Vec<u8> {
    let format = match encoding {
        PlyEncoding::Text => "ascii",
        PlyEncoding::Little => "binary_little_endian",
        PlyEncoding::Big => "binary_big_endian",
    };
    let (vertices, faces) = (mesh.positions().len(), mesh.triangle_count());
    let header = format!(
        "ply\nformat {format} 1.0\ncomment written by a test\nelement vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\nelement face {faces}\n\
         property list uchar int vertex_indices\nend_header\n"
    );
    let mut bytes = header.into_bytes();
    if encoding == PlyEncoding::Text {
        bytes.extend(rows(mesh).into_bytes());
        return bytes;
    }
    let word = |little: [u8; 4]| match encoding {
        PlyEncoding::Big => [little[3], little[2], little[1], little[0]],
        _ => little,
    };
    bytes.extend(mesh.positions().as_flattened().iter().flat_map(|x| word(x.to_le_bytes())));
    for corners in mesh.indices() {
        bytes.push(3);
        bytes.extend(corners.iter().flat_map(|index| word(index.to_le_bytes())));
    }
    bytes
}

/// OFF.
#[must_use]
pub fn off(mesh: &TriangleMesh) -> String {
    format!("OFF\n{} {} 0\n{}", mesh.positions().len(), mesh.triangle_count(), rows(mesh))
}

/// GLB: one node with one mesh.
#[must_use]
pub fn glb(mesh: &TriangleMesh) -> Vec<u8> {
    glb_of(&gltf_document(mesh, None), &gltf_buffer(mesh))
}

/// A glTF document with its data inside, as base64.
#[must_use]
pub fn gltf(mesh: &TriangleMesh) -> String {
    let data = base64(&gltf_buffer(mesh));
    gltf_document(mesh, Some(&format!("data:application/octet-stream;base64,{data}")))
}

/// The positions and, after them, the indices of a mesh, as [`gltf_document`] wants them.
#[must_use]
pub fn gltf_buffer(mesh: &TriangleMesh) -> Vec<u8> {
    let positions = mesh.positions().as_flattened().iter().flat_map(|x| x.to_le_bytes());
    let indices = mesh.indices().as_flattened().iter().flat_map(|index| index.to_le_bytes());
    positions.chain(indices).collect()
}

/// A glTF document of one node with one mesh whose data lie in a buffer at `uri`; in the GLB's
/// own where there is none.
#[must_use]
pub fn gltf_document(mesh: &TriangleMesh, uri: Option<&str>) -> String {
    let (vertices, indices) = (mesh.positions().len(), 3 * mesh.triangle_count());
    let (positions_length, indices_length) = (12 * vertices, 4 * indices);
    let length = positions_length + indices_length;
    let uri = uri.map_or_else(String::new, |uri| format!("\"uri\":\"{uri}\","));
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"mesh":0,"name":"node"}}],
"meshes":[{{"name":"mesh","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"buffers":[{{{uri}"byteLength":{length}}}],
"bufferViews":[{{"buffer":0,"byteLength":{positions_length}}},
{{"buffer":0,"byteOffset":{positions_length},"byteLength":{indices_length}}}],
"accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":{vertices}}},
{{"bufferView":1,"componentType":5125,"type":"SCALAR","count":{indices}}}]}}"#
    )
}

/// A GLB of a document and the data of its first buffer.
#[must_use]
pub fn glb_of(document: &str, data: &[u8]) -> Vec<u8> {
    let mut json = document.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0);
    let chunk = |kind: &[u8; 4], data: &[u8]| {
        [&(data.len() as u32).to_le_bytes(), &kind[..], data].concat()
    };
    let chunks = [chunk(b"JSON", &json), chunk(b"BIN\0", &data)].concat();
    let length = 12 + chunks.len() as u32;
    [&b"glTF"[..], &2_u32.to_le_bytes(), &length.to_le_bytes(), &chunks].concat()
}

/// A line for each vertex, then one for each triangle.
fn rows(mesh: &TriangleMesh) -> String {
    let mut text = String::new();
    for [x, y, z] in mesh.positions() {
        let _ = writeln!(text, "{x:e} {y:e} {z:e}");
    }
    for [a, b, c] in mesh.indices() {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

fn triangles(mesh: &TriangleMesh) -> impl Iterator<Item = [[f32; 3]; 3]> {
    (0..mesh.triangle_count() as u32).map(|prim| mesh.triangle(prim))
}

/// Bytes as base64, padded.
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i) & 63) as usize];
            text.push(if i <= group.len() { digit.into() } else { '=' });
        }
    }
    text
}
