//! Picking: which object of a room is under the mouse?

use std::error::Error;

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Camera, Scene, Transform, obj};

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/room.obj");
    let (mesh, report) = obj::read_file(path, obj::ObjOptions::default())?;
    println!("a room of {} triangles", report.triangles);

    let mut scene = Scene::new();
    scene.add(Bvh::build(mesh, &BuildOptions::default()), Transform::IDENTITY)?;

    // From a corner by the door, 80 degrees from the window's top to its bottom.
    let (eye, target, up) = ([5.5, 1.7, 4.6], [2.5, 0.7, 1.5], [0.0, 1.0, 0.0]);
    let camera = Camera::perspective(eye, target, up, 80_f32.to_radians(), [640, 480])?;

    let mut names = Vec::new();
    for y in (15..480).step_by(30) {
        for x in (8..640).step_by(16) {
            let hit = scene.closest_hit(&camera.ray(x as f32 + 0.5, y as f32 + 0.5));
            let name = hit.as_ref().and_then(|hit| scene.object_name(hit)).unwrap_or("nothing");
            // An object's letter: its first one, but a dot for floor, walls and ceiling.
            print!("{}", if name == "shell" { "." } else { &name[..1] });
            if !names.contains(&name) {
                names.push(name);
            }
        }
        println!();
    }

    let mouse = (320.0, 240.0);
    let ray = camera.ray(mouse.0, mouse.1);
    let hit = scene.closest_hit(&ray).ok_or("inside a closed room every ray hits")?;
    println!("in the picture: {}", names.join(", "));
    println!(
        "under the mouse at {mouse:?}: {} at {:.2?}, {:.2} m away, normal {:?}",
        scene.object_name(&hit).unwrap_or("nothing"),
        ray.at(hit.t),
        hit.t,
        scene.normal(&hit),
    );
    assert!(!names.contains(&"nothing"), "the walls face inward all around");
    assert!(["table", "shelf", "lamp"].iter().all(|name| names.contains(name)));
    Ok(())
}
