//! Second opinions: what widely used crates read from the same bytes.

use std::io::Cursor;

use hitscan_core::TriangleMesh;
use hitscan_testkit::files::{self, PlyEncoding};
use hitscan_testkit::meshes;
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};

use super::{corners, read};

fn samples() -> [TriangleMesh; 3] {
    [meshes::icosphere(1.0, [0.1, 0.2, 0.3], 2), meshes::terrain(9, 7, 5), meshes::slivers(20)]
}

#[test]
fn stl_io_reads_the_same_triangles() {
    for mesh in samples() {
        let mut binary = files::stl_binary(&mesh);
        // It takes every file that begins with `solid` and a blank for text up to a line end.
        binary[..80].fill(0);
        for bytes in [binary, files::stl_text(&mesh).into_bytes()] {
            let theirs = stl_io::read_stl(&mut Cursor::new(&bytes)).expect("STL");
            let position = |vertex: usize| theirs.vertices[vertex].0;
            let triangles = theirs.faces.iter().map(|face| face.vertices.map(position));
            assert_eq!(corners(&read(&bytes).0), triangles.collect::<Vec<_>>());
        }
    }
}

#[test]
fn ply_rs_bw_reads_the_same_triangles() {
    for mesh in samples() {
        for encoding in [PlyEncoding::Text, PlyEncoding::Little, PlyEncoding::Big] {
            let bytes = files::ply(&mesh, encoding);
            let theirs = Parser::<DefaultElement>::new().read_ply(&mut Cursor::new(&bytes));
            let theirs = theirs.expect("PLY").payload;
            let float = |element: &DefaultElement, name: &str| match element[name] {
                Property::Float(x) => x,
                ref other => panic!("a float, not {other:?}"),
            };
            let positions: Vec<[f32; 3]> = theirs["vertex"]
                .iter()
                .map(|vertex| ["x", "y", "z"].map(|axis| float(vertex, axis)))
                .collect();
            let faces = theirs["face"].iter().map(|face| match &face["vertex_indices"] {
                Property::ListInt(corners) => [corners[0], corners[1], corners[2]],
                other => panic!("indices, not {other:?}"),
            });
            let (ours, _) = read(&bytes);
            assert_eq!(ours.positions(), positions);
            assert_eq!(
                ours.indices(),
                faces.map(|face| face.map(|i| i as u32)).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn the_gltf_crate_reads_the_same_triangles_and_places() {
    let mesh = meshes::tetrahedron();
    // That crate demands the bounds of positions.
    let document = files::gltf_document(&mesh, None)
        .replace(r#""type":"VEC3""#, r#""type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]"#)
        .replace(
            r#""nodes":[{"mesh":0,"name":"node"}]"#,
            r#""nodes":[{"children":[1,2],"rotation":[0.1,0.7,-0.1,0.7],"scale":[1,2,-3]},
            {"mesh":0,"matrix":[1,2,0,0,3,1,1,0,0,0.5,2,0,7,8,9,1]},
            {"mesh":0,"translation":[1,2,3],"rotation":[0.5,0.5,0.5,-0.5],"scale":[3,2,1]}]"#,
        );
    let bytes = files::glb_of(&document, &files::gltf_buffer(&mesh));
    let theirs = gltf::Gltf::from_slice(&bytes).expect("glTF");
    let data = theirs.blob.as_deref();
    let mut placed = Vec::new();
    let mut waiting: Vec<_> = theirs
        .default_scene()
        .expect("a scene")
        .nodes()
        .map(|node| (node, glam::Mat4::IDENTITY))
        .collect();
    while let Some((node, parent)) = waiting.pop() {
        let place = parent * glam::Mat4::from_cols_array_2d(&node.transform().matrix());
        let children: Vec<_> = node.children().collect();
        waiting.extend(children.into_iter().rev().map(|child| (child, place)));
        for primitive in node.mesh().iter().flat_map(gltf::Mesh::primitives) {
            let reader = primitive.reader(|_| data);
            let positions: Vec<_> = reader.read_positions().expect("positions").collect();
            let indices: Vec<_> = reader.read_indices().expect("indices").into_u32().collect();
            for corners in indices.as_chunks::<3>().0 {
                let mut corners = corners
                    .map(|i| place.transform_point3(positions[i as usize].into()).to_array());
                if place.determinant() < 0.0 {
                    corners.swap(1, 2);
                }
                placed.push(corners);
            }
        }
    }
    let ours = corners(&read(&bytes).0);
    assert_eq!(ours.len(), 8);
    for (ours, theirs) in ours.as_flattened().iter().zip(placed.as_flattened()) {
        for (ours, theirs) in ours.iter().zip(theirs) {
            assert!((ours - theirs).abs() < 1e-4, "{ours} {theirs}");
        }
    }
}
