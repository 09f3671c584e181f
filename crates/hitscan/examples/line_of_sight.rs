//! Line of sight: which streets of a city does a watcher see?

use std::error::Error;

use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Ray, obj};

fn main() -> Result<(), Box<dyn Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/city.obj");
    let (mesh, _) = obj::read_file(path, obj::ObjOptions::default())?;
    let city = Bvh::build(mesh, &BuildOptions::default());

    // The height of whatever stands at a point: straight down, from above everything.
    let height = |x: f32, y: f32| {
        let down = Ray::new([x, y, 1000.0], [0.0, 0.0, -1.0]);
        city.closest_hit(&down).map_or(0.0, |hit| 1000.0 - hit.t)
    };
    let watcher = [61.0, 61.0, height(61.0, 61.0) + 30.0];

    let (mut seen, mut hidden) = (0, 0);
    for row in (0..32).rev() {
        for column in 0..64 {
            let (x, y) = (2.0 * column as f32 - 3.9, 4.0 * row as f32 - 2.9);
            if height(x, y) > 0.5 {
                print!("#");
                continue;
            }
            let child = [x, y, 1.2];
            if city.line_of_sight(watcher, child) {
                assert_eq!(city.segment_hit(watcher, child), None);
                seen += 1;
                print!(".");
            } else {
                let wall = city.segment_hit(watcher, child).ok_or("something hides the child")?;
                assert!((0.0..=1.0).contains(&wall.t), "and it stands in between");
                hidden += 1;
                print!(" ");
            }
        }
        println!();
    }
    println!("# houses, . streets that a watcher at {watcher:.1?} sees: {seen}, hidden: {hidden}");
    assert!(seen > 0 && hidden > 0, "some of it, not all of it");
    Ok(())
}
