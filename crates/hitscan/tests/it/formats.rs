//! One mesh in every format, and glTF as a scene: the same hits.

use std::sync::{Arc, Mutex};

use hitscan::file::{MeshFormat, ReadOptions, read_bytes};
use hitscan::prelude::*;
use hitscan::{
    BuildOptions, BuildProgress, BuildWatch, Bvh, CancelToken, Cancelled, Hit, Quality, Ray, Scene,
    SceneError, TriangleMesh, gltf,
};
use hitscan_testkit::files::{self, PlyEncoding};
use hitscan_testkit::{Random, meshes};
use rayon::ThreadPoolBuilder;

fn tree(mesh: TriangleMesh) -> Bvh {
    Bvh::build(mesh, &BuildOptions::default())
}

/// Rays from around the origin towards points near it, at each vertex, and towards a place beside
/// it.
fn rays(mesh: &TriangleMesh) -> Vec<Ray> {
    let mut random = Random::new(3);
    let mut point = |size: f64| random.point([-size; 3], [size; 3]).map(|x| x as f32);
    let towards =
        |from: [f32; 3], to: [f32; 3]| Ray::new(from, std::array::from_fn(|i| to[i] - from[i]));
    let mut rays: Vec<Ray> = (0..500).map(|_| towards(point(5.0), point(1.0))).collect();
    rays.extend(mesh.positions().iter().map(|&vertex| towards(point(5.0), vertex)));
    rays.extend((0..200).map(|_| {
        let [x, y, z] = point(0.2);
        towards(point(5.0), [x, y - 2.0, z + 1.0])
    }));
    rays
}

#[test]
fn every_format_gives_the_same_hits() {
    for mesh in [meshes::icosphere(1.0, [0.0; 3], 3), meshes::soup(300, 0.5, 9)] {
        let rays = rays(&mesh);
        let expected = tree(mesh.clone()).closest_hits(&rays);
        assert!(expected.iter().flatten().count() > 100);
        for (name, bytes) in [
            ("binary STL", files::stl_binary(&mesh)),
            ("STL", files::stl_text(&mesh).into_bytes()),
            ("PLY", files::ply(&mesh, PlyEncoding::Text)),
            ("little-endian PLY", files::ply(&mesh, PlyEncoding::Little)),
            ("big-endian PLY", files::ply(&mesh, PlyEncoding::Big)),
            ("OFF", files::off(&mesh).into_bytes()),
            ("GLB", files::glb(&mesh)),
            ("glTF", files::gltf(&mesh).into_bytes()),
        ] {
            let (read, _) = read_bytes(&bytes, name, &ReadOptions::default()).expect(name);
            assert_eq!(tree(read).closest_hits(&rays), expected, "{name}");
        }
    }
}

/// A GLB of a mesh at nodes.
fn placed(mesh: &TriangleMesh, nodes: &str) -> Vec<u8> {
    let document = files::gltf_document(mesh, None)
        .replace(r#""nodes":[{"mesh":0,"name":"node"}]"#, &format!(r#""nodes":[{nodes}]"#))
        .replace(r#""scenes":[{"nodes":[0]}]"#, r#""scenes":[{"nodes":[0,1,2]}]"#);
    files::glb_of(&document, &files::gltf_buffer(mesh))
}

#[test]
fn a_gltf_scene_is_hit_where_its_baked_mesh_is() {
    let mesh = meshes::icosphere(1.0, [0.0; 3], 2);
    // Powers of two and quarter turns: both ways round nothing, so the hits are the same.
    let bytes = placed(
        &mesh,
        r#"{"mesh":0},{"mesh":0,"translation":[2,0,0],"scale":[0.5,2,-1]},
        {"mesh":0,"translation":[0,-2,1],"rotation":[0,0,1,0],"scale":[0.25,0.25,0.25]}"#,
    );
    let options = ReadOptions::default();
    let (file, report) = gltf::read_bytes(&bytes, "scene.glb", &options).expect("a scene");
    assert_eq!((file.meshes.len(), report.triangles), (1, mesh.triangle_count()));
    let scene = Scene::from_gltf(&file, &BuildOptions::default()).expect("it can be placed");
    assert_eq!(scene.instances().len(), 3);
    assert!(
        scene
            .instances()
            .iter()
            .all(|instance| { Arc::ptr_eq(instance.bvh(), scene.instances()[0].bvh()) })
    );
    let (baked, _) = read_bytes(&bytes, "scene.glb", &options).expect("a mesh");
    let baked = tree(baked);
    let count = mesh.triangle_count() as u32;
    let mut hits = [0; 3];
    for ray in rays(&mesh) {
        let of_scene = scene.closest_hit(&ray);
        let of_mesh = baked.closest_hit(&ray);
        let place = |hit: Hit| (hit.instance * count + hit.prim, hit.front);
        assert_eq!(of_scene.map(|hit| hit.front), of_mesh.map(|hit| hit.front), "{ray:?}");
        let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs();
        match (of_scene, of_mesh) {
            (Some(a), Some(b)) => {
                assert!(near(a.t, b.t), "{a:?} {b:?}");
                hits[a.instance as usize] += usize::from(place(a).0 == b.prim);
            }
            (None, None) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(hits.iter().all(|&hits| hits > 3), "{hits:?}");
}

#[test]
fn a_node_without_an_inverse_is_still_hit() {
    let mesh = meshes::cuboid([0.0; 3], [1.0; 3]);
    let bytes = placed(
        &mesh,
        r#"{"mesh":0},{"mesh":0,"translation":[0,0,5],"scale":[1,1,0]},
        {"mesh":0,"translation":[9,9,9],"scale":[0,0,0]}"#,
    );
    let (file, _) = gltf::read_bytes(&bytes, "flat.glb", &ReadOptions::default()).expect("a scene");
    let scene = Scene::from_gltf(&file, &BuildOptions::default()).expect("it can be placed");
    let hit = scene.closest_hit(&Ray::new([0.25, 0.5, 9.0], [0.0, 0.0, -1.0])).expect("the sheet");
    assert_eq!((hit.instance, hit.t), (1, 4.0));
    assert_eq!(scene.instances().len(), file.placements.len());
    assert!(!scene.any_hit(&Ray::new([9.0, 9.0, 12.0], [0.0, 0.0, -1.0])));
}

/// A mesh as it is, and flattened twice.
fn three_trees() -> gltf::GltfScene {
    let bytes = placed(
        &meshes::terrain(70, 70, 3),
        r#"{"mesh":0},{"mesh":0,"translation":[0,0,5],"scale":[1,1,0]},
        {"mesh":0,"scale":[0,1,1]}"#,
    );
    let read = gltf::read_bytes(&bytes, "three.glb", &ReadOptions::default());
    read.expect("a scene").0
}

#[test]
fn the_trees_of_a_scene_are_watched_as_one_build() {
    let file = three_trees();
    for quality in Quality::ALL {
        let calls = Mutex::new(Vec::new());
        let progress = |progress: BuildProgress| calls.lock().expect("no panic").push(progress);
        let watch = BuildWatch { progress: Some(&progress), cancel: None };
        let scene = Scene::from_gltf_with(&file, &BuildOptions::from(quality), &watch);
        assert_eq!(scene.expect("nobody cancels").instances().len(), 3);
        let calls = calls.into_inner().expect("no panic");
        assert!(calls.is_sorted_by(|a, b| a.fraction < b.fraction), "{calls:?}");
        assert_eq!(calls.last().map(|call| call.fraction), Some(1.0));
        // Each tree goes through the stages anew, and is a third of the work.
        let ends: Vec<f64> = calls
            .windows(2)
            .filter(|pair| pair[1].stage < pair[0].stage)
            .map(|pair| pair[0].fraction)
            .collect();
        assert_eq!(ends, [1.0 / 3.0, 2.0 / 3.0], "{quality:?}");
    }
}

#[test]
fn a_scene_ends_in_whatever_tree_it_is_cancelled() {
    let file = three_trees();
    for end in [0.0, 0.3, 0.5, 0.8] {
        let token = CancelToken::new();
        let last = Mutex::new(0.0);
        let progress = |progress: BuildProgress| {
            *last.lock().expect("no panic") = progress.fraction;
            if progress.fraction > end {
                token.cancel();
            }
        };
        let watch = BuildWatch { progress: Some(&progress), cancel: Some(&token) };
        // On one thread, so that no other one finishes the build before the callback is through.
        let pool = ThreadPoolBuilder::new().num_threads(1).build().expect("a pool");
        let scene = pool.install(|| Scene::from_gltf_with(&file, &BuildOptions::default(), &watch));
        assert_eq!(scene.err(), Some(SceneError::Cancelled(Cancelled)));
        let last = last.into_inner().expect("no panic");
        assert!(last > end && last < 1.0, "{last} after {end}");
        assert_eq!(Arc::strong_count(&file.meshes[0]), 1);
    }
}

#[test]
fn names_of_formats() {
    let names =
        [MeshFormat::Obj, MeshFormat::Stl, MeshFormat::Ply, MeshFormat::Off, MeshFormat::Gltf];
    assert_eq!(names.map(|format| format.to_string()), ["OBJ", "STL", "PLY", "OFF", "glTF"]);
}
