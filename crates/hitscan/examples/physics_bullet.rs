//! Physics: a bullet swept segment by segment through a city, until the first wall.

use std::error::Error;

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Scene, Transform, obj};

/// Sixty steps a second: at this speed, five metres each. Testing points alone would tunnel.
const STEP: f32 = 1.0 / 60.0;
const SPEED: f32 = 300.0;
const GRAVITY: f32 = -9.81;

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/city.obj");
    let (mesh, _) = obj::read_file(path, obj::ObjOptions::default())?;
    let mut city = Scene::new();
    city.add(Bvh::build(mesh, &BuildOptions::default()), Transform::IDENTITY)?;

    let muzzle = [-7.0_f32, -7.0, 1.5];
    for degrees in (10..=80).step_by(10) {
        let (sin, cos) = (degrees as f32).to_radians().sin_cos();
        let mut at = muzzle;
        let mut velocity = [SPEED * cos, SPEED * sin, 0.5];
        let mut steps = 0;
        let (hit, point) = loop {
            velocity[2] += GRAVITY * STEP;
            let next: [f32; 3] = std::array::from_fn(|axis| at[axis] + STEP * velocity[axis]);
            if let Some(hit) = city.segment_hit(at, next) {
                let on_the_way = |axis| at[axis] + hit.t * (next[axis] - at[axis]);
                break (hit, std::array::from_fn::<f32, 3, _>(on_the_way));
            }
            (at, steps) = (next, steps + 1);
            if steps == 600 {
                return Err("gravity should have brought it down by now".into());
            }
        };
        let name = city.object_name(&hit).unwrap_or("something");
        let seconds = (steps as f32 + hit.t) * STEP;
        println!("{degrees:2} degrees: {name:9} at {point:.2?} after {seconds:.3} s");

        // It stopped before the first wall: nothing stands between its last step and there.
        assert!(hit.front, "walls are met from outside");
        let normal = city.normal(&hit);
        let before: [f32; 3] = std::array::from_fn(|axis| point[axis] + 0.01 * normal[axis]);
        assert!(city.line_of_sight(at, before), "the path up to the wall is free");
    }
    Ok(())
}
