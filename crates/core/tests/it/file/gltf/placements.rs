//! Nodes: where meshes stand.

use super::{TRIANGLE, TRIANGLE_DATA, baked, document, error, scene, triangle_with_nodes};
use crate::file::{corners, warnings};

const IDENTITY: [[f64; 4]; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

#[test]
fn parents_move_their_children() {
    let bytes = triangle_with_nodes(
        r#"{"children":[1,2],"translation":[10,0,0]},
        {"mesh":0,"name":"big","scale":[2,2,2],"children":[3]},
        {"mesh":0,"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,5,1]},
        {"mesh":0,"name":"turned","translation":[0,1,0],"rotation":[0,0,1,0]}"#,
    );
    let (scene, report) = scene(&bytes);
    assert_eq!((scene.meshes.len(), report.triangles, report.warning_count), (1, 1, 0));
    assert_eq!(corners(&scene.meshes[0]), [TRIANGLE]);
    assert_eq!(scene.meshes[0].parts().names_of(0).object, Some("leaf"));
    let rows: Vec<_> = scene.placements.iter().map(|placement| placement.rows).collect();
    let big = [[2.0, 0.0, 0.0, 10.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]];
    let turned = [[-2.0, 0.0, 0.0, 10.0], [0.0, -2.0, 0.0, 2.0], [0.0, 0.0, 2.0, 0.0]];
    let moved = [[1.0, 0.0, 0.0, 10.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 5.0]];
    assert_eq!(rows, [big, turned, moved]);
    let names: Vec<_> =
        scene.placements.iter().map(|placement| placement.name.as_deref()).collect();
    assert_eq!(names, [Some("big"), Some("turned"), None]);

    let (mesh, report) = baked(&bytes);
    assert_eq!(
        corners(&mesh),
        [
            [[10.0, 0.0, 0.0], [12.0, 0.0, 0.0], [10.0, 2.0, 0.0]],
            [[10.0, 2.0, 0.0], [8.0, 2.0, 0.0], [10.0, 0.0, 0.0]],
            [[10.0, 0.0, 5.0], [11.0, 0.0, 5.0], [10.0, 1.0, 5.0]],
        ]
    );
    assert_eq!((report.triangles, report.polygons, report.vertices), (3, 3, 9));
    let names = [0, 1, 2].map(|prim| mesh.parts().names_of(prim));
    assert_eq!(names.map(|names| names.object), [Some("big"), Some("turned"), Some("leaf")]);
    assert_eq!(names.map(|names| names.group), [Some("leaf"); 3]);
}

#[test]
fn what_is_mirrored_keeps_its_front() {
    let bytes = triangle_with_nodes(r#"{"mesh":0,"scale":[-1,1,1]},{"mesh":0,"scale":[-1,-1,1]}"#);
    let (mesh, _) = baked(&bytes);
    assert_eq!([0, 1].map(|prim| mesh.normal(prim)), [[0.0, 0.0, 1.0]; 2]);
    assert_eq!(mesh.triangle(0), [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]);
}

#[test]
fn the_scene_says_which_nodes_count() {
    let nodes = r#"{"mesh":0,"name":"a"},{"mesh":0,"name":"b"},{"children":[1],"name":"c"}"#;
    let of = |scenes: &str| -> Vec<String> {
        let bytes = triangle_with_nodes(&format!("{nodes}],{scenes}\"extras\":[0"));
        let placements = scene(&bytes).0.placements;
        placements.into_iter().map(|placement| placement.name.unwrap_or_default()).collect()
    };
    assert_eq!(of(r#""scenes":[{"nodes":[0]},{"nodes":[2]}],"scene":1,"#), ["b"]);
    assert_eq!(of(r#""scenes":[{"nodes":[0]},{"nodes":[2]}],"#), ["a"]);
    assert_eq!(of(r#""scenes":[{"nodes":[2,0]}],"#), ["b", "a"]);
    // Without a scene, all nodes count, the roots in the file's order.
    assert_eq!(of(""), ["a", "b"]);
}

#[test]
fn far_places_keep_their_digits() {
    let bytes = triangle_with_nodes(
        r#"{"translation":[512345.1,4649776.1,0],"children":[1]},{"mesh":0,"scale":[0.2,0.2,0.2]}"#,
    );
    let (scene, _) = scene(&bytes);
    let rows = scene.placements[0].rows;
    assert_eq!([rows[0][3], rows[1][3]], [512_345.1, 4_649_776.1]);
    let (mesh, _) = baked(&bytes);
    let [_, b, _] = mesh.triangle(0);
    assert!((f64::from(b[0]) + mesh.origin()[0] - 512_345.3).abs() < 1e-7);
}

#[test]
fn a_flattened_mesh_can_be_had_by_itself() {
    let bytes = triangle_with_nodes(r#"{"mesh":0,"scale":[2,3,0],"translation":[0,0,7]}"#);
    let (scene, _) = scene(&bytes);
    let flat = scene.flattened(0);
    assert_eq!(corners(&flat), [[[0.0, 0.0, 7.0], [2.0, 0.0, 7.0], [0.0, 3.0, 7.0]]]);
    assert_eq!(flat.parts().names_of(0).object, Some("leaf"));
    assert_eq!(corners(&baked(&bytes).0), corners(&flat));
}

#[test]
fn nodes_that_are_no_trees_are_errors() {
    for (nodes, told) in [
        (
            r#"{"children":[1]},{"children":[2]},{"children":[1]}"#,
            "nodes[1]: the node has two parents, or is its own ancestor",
        ),
        (
            r#"{"children":[2]},{"children":[2]},{"mesh":0}"#,
            "nodes[2]: the node has two parents, or is its own ancestor",
        ),
        (r#"{"children":[7]}"#, "nodes[7]: there is no such node"),
        (r#"{"mesh":1}"#, "nodes[0]: there is no meshes[1]"),
        (r#"{"mesh":0,"rotation":[0,0,0,0]}"#, "nodes[0]: its rotation is no quaternion"),
        (
            r#"{"mesh":0,"matrix":[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}"#,
            "nodes[0]: its matrix is not affine: its last row is not 0, 0, 0, 1",
        ),
        (r#"{"mesh":0}],"scene":3,"extras":[0"#, "scene: there is no scenes[3]"),
        (
            r#"{"mesh":0}],"scenes":[{"nodes":[0,0]}],"extras":[0"#,
            "nodes[0]: the node has two parents, or is its own ancestor",
        ),
    ] {
        assert_eq!(error(&triangle_with_nodes(nodes)), format!("test: {told}"));
    }
    // A ring without a root is no part of the scene.
    let ring = triangle_with_nodes(r#"{"children":[1],"mesh":0},{"children":[0]}"#);
    assert_eq!(warnings(&baked(&ring).1), ["0: the file holds no triangles"]);
}

#[test]
fn a_deep_chain_of_nodes_overflows_nothing() {
    let links = (1..100_000).map(|i| format!(r#"{{"children":[{i}],"translation":[0,0,1]}},"#));
    let nodes: String = links.chain([r#"{"mesh":0}"#.into()]).collect();
    let (scene, _) = scene(&triangle_with_nodes(&nodes));
    assert_eq!(scene.placements[0].rows[2][3], 99_999.0);
}

#[test]
fn poses_that_are_not_applied_are_warnings() {
    let bytes = document(&format!(
        r#""nodes":[{{"mesh":0,"skin":0}},{{"mesh":1,"extensions":{{"EXT_mesh_gpu_instancing":{{}}}}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}},
        {{"weights":[0,1],"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],{TRIANGLE_DATA}"#
    ));
    let (scene, report) = scene(&bytes);
    assert_eq!(scene.placements.iter().map(|p| p.mesh).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(scene.placements[1].rows, IDENTITY);
    assert_eq!(
        warnings(&report),
        [
            "0: nodes[0]: a skin is not applied: the mesh stays in its rest pose",
            "0: nodes[1]: the mesh's further instances are left out",
            "0: meshes[1]: morph targets are not applied: the mesh stays as it is",
        ]
    );
}
