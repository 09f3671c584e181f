//! A picture: a knot, lit from above the left shoulder, in letters.

use std::error::Error;

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Camera, Scene, Transform, obj};

const WIDTH: usize = 100;
const HEIGHT: usize = 90;

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/torus_knot.obj");
    let (mesh, _) = obj::read_file(path, obj::ObjOptions::default())?;
    let mut scene = Scene::new();
    scene.add(Bvh::build(mesh, &BuildOptions::default()), Transform::IDENTITY)?;

    let (eye, up) = ([0.6, -1.2, 2.6], [0.0, 1.0, 0.0]);
    let size = [WIDTH as u32, HEIGHT as u32];
    let camera = Camera::perspective(eye, [0.0; 3], up, 45_f32.to_radians(), size)?;
    let rays: Vec<_> = camera.rays().collect();
    let hits = scene.closest_hits(&rays);

    let light = [-0.48, 0.6, 0.64];
    let shade = |i: usize| {
        let Some(hit) = &hits[i] else { return ' ' };
        let normal = scene.normal(hit);
        let facing: f32 = normal.iter().zip(light).map(|(n, l)| n * l).sum();
        b".:-=+*#%@"[(facing.max(0.0) * 8.99) as usize] as char
    };
    // A letter is about twice as high as wide: every second row.
    for row in (0..HEIGHT).step_by(2) {
        println!("{}", (0..WIDTH).map(|column| shade(row * WIDTH + column)).collect::<String>());
    }

    let crossings = scene.count_hits_of(&rays);
    let covered = hits.iter().flatten().count();
    println!("{covered} of {} rays hit; up to {:?} crossings", rays.len(), crossings.iter().max());
    assert!(crossings.iter().all(|count| count % 2 == 0), "what goes in comes out again");
    assert!(hits.iter().flatten().all(|hit| hit.front), "from outside one sees fronts only");
    assert!(covered > rays.len() / 10, "the knot fills the picture");
    Ok(())
}
