//! The files in data/: small meshes and rays, each for one purpose.

use std::fmt::Write as _;

use hitscan_core::{Aabb, Ray, TriangleMesh};

use crate::obj_text::ObjText;
use crate::rays::{self, Aim, Camera};
use crate::{Random, meshes};

/// Every file's name and text.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let knot = meshes::torus_knot(0.12, 160, 12);
    let hills = meshes::terrain(32, 32, 7);
    vec![
        ("torus_knot.obj", mesh_text("A closed tube around a (2, 3) torus knot.", &knot)),
        ("torus_knot_rays.csv", csv(&knot_rays(&knot), false)),
        ("room.obj", room()),
        ("room_rays.csv", csv(&room_rays(), false)),
        ("terrain.obj", mesh_text("Hills of 32 by 32 cells, z up.", &hills)),
        ("terrain_rays.csv", csv(&soundings(), true)),
        ("city.obj", city()),
        ("city_rays.csv", csv(&sight_lines(), true)),
        ("plate.obj", plate()),
        ("plate_rays.csv", csv(&plate_rays(), false)),
    ]
}

fn mesh_text(comment: &str, mesh: &TriangleMesh) -> String {
    let mut text = ObjText::new(comment);
    text.mesh(mesh);
    text.finish()
}

fn csv(rays: &[Ray], intervals: bool) -> String {
    let mut text = String::from("ox,oy,oz,dx,dy,dz");
    text.push_str(if intervals { ",t_min,t_max\n" } else { "\n" });
    for ray in rays {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin, ray.direction);
        let _ = write!(text, "{ox},{oy},{oz},{dx},{dy},{dz}");
        let _ =
            if intervals { writeln!(text, ",{},{}", ray.t_min, ray.t_max) } else { writeln!(text) };
    }
    text
}

/// A picture of 32 by 32 pixels in Morton order.
fn knot_rays(knot: &TriangleMesh) -> Vec<Ray> {
    rounded(&rays::primary(&Camera::outside(knot.bounds()), 5))
}

/// Directions to five decimals: the same picture in half the bytes.
fn rounded(rays: &[Ray]) -> Vec<Ray> {
    let round = |x: f32| ((f64::from(x) * 1e5).round() / 1e5) as f32 + 0.0;
    rays.iter()
        .map(|ray| Ray {
            origin: ray.origin.map(round),
            direction: ray.direction.map(round),
            ..*ray
        })
        .collect()
}

const ROOM: [[f32; 3]; 2] = [[0.0; 3], [6.0, 3.0, 5.0]];

/// A room of 6 by 3 by 5 metres, y up.
fn room() -> String {
    let mut text = ObjText::new("A furnished room of 6 x 3 x 5 metres, y up; walls face inward.");
    let [low, high] = ROOM;
    text.line("o shell");
    text.line("usemtl plaster");
    // Inside out: every wall faces the room.
    text.cuboid(high, low);
    text.line("o rug");
    text.line("usemtl wool");
    let rug = [[1.0, 1.0], [1.0, 4.0], [2.0, 4.0], [2.0, 2.0], [4.5, 2.0], [4.5, 1.0]];
    let first = text.vertices(&rug.map(|[x, z]| [x, 0.01, z]));
    text.face(&[0, 1, 2, 3, 4, 5].map(|corner| corner + first));
    text.line("o table");
    text.line("usemtl oak");
    text.line("g table top");
    text.cuboid([2.2, 0.7, 1.6], [3.8, 0.75, 2.5]);
    text.line("g table legs");
    for [x, z] in [[2.25, 1.65], [3.65, 1.65], [2.25, 2.35], [3.65, 2.35]] {
        text.cuboid([x, 0.0, z], [x + 0.1, 0.7, z + 0.1]);
    }
    text.line("g default");
    for (name, x) in [("chair_left", 2.4), ("chair_right", 3.2)] {
        text.line(&format!("o {name}"));
        text.cuboid([x, 0.42, 2.6], [x + 0.4, 0.46, 3.0]);
        text.cuboid([x, 0.46, 2.96], [x + 0.4, 0.95, 3.0]);
        for [dx, dz] in [[0.0, 0.0], [0.36, 0.0], [0.0, 0.36], [0.36, 0.36]] {
            text.cuboid([x + dx, 0.0, 2.6 + dz], [x + dx + 0.04, 0.42, 2.64 + dz]);
        }
    }
    text.line("o shelf");
    text.line("usemtl pine");
    for side in [0.2, 1.76] {
        text.cuboid([side, 0.0, 0.0], [side + 0.04, 2.0, 0.35]);
    }
    for board in 0..5 {
        let y = 0.1 + 0.45 * board as f32;
        text.cuboid([0.24, y, 0.0], [1.76, y + 0.03, 0.35]);
    }
    text.line("o books");
    text.line("usemtl paper");
    let mut random = Random::new(3);
    for board in 0..4 {
        let mut x = 0.26;
        while x < 1.6 {
            let (width, height) = (random.between(0.02, 0.06), random.between(0.2, 0.34));
            let y = 0.13 + 0.45 * f64::from(board);
            text.cuboid([x as f32, y as f32, 0.05], [(x + width) as f32, (y + height) as f32, 0.3]);
            x += width + random.between(0.0, 0.08);
        }
    }
    text.line("o lamp");
    text.line("usemtl glass");
    text.mesh(&meshes::icosphere(0.2, [3.0, 2.4, 2.0], 2));
    text.line("usemtl brass");
    text.cuboid([2.99, 2.6, 1.99], [3.01, 3.0, 2.01]);
    text.finish()
}

/// A picture of 16 by 16 pixels from the door, then random directions from within the room.
fn room_rays() -> Vec<Ray> {
    let camera = Camera {
        eye: [5.6, 1.7, 4.6],
        target: [2.2, 0.9, 1.2],
        up: [0.0, 1.0, 0.0],
        field_of_view: 70.0,
    };
    let mut rays = rays::primary(&camera, 4);
    let free = Aabb { min: [0.5, 1.2, 0.6].into(), max: [5.5, 2.1, 4.5].into() };
    rays.extend(rays::inside_box(free, 744, 1));
    rounded(&rays)
}

/// Straight down through every vertex and cell middle of a part of the hills, as far as sea level.
fn soundings() -> Vec<Ray> {
    let place = |i: u32| [0.5 * (i % 31) as f32, 0.5 * (i / 31) as f32];
    let down = |[x, y]: [f32; 2]| Ray::new([x, y, 16.0], [0.0, 0.0, -1.0]).with_interval(0.0, 16.0);
    (0..31 * 31).map(|i| down(place(i))).collect()
}

const STREETS: u32 = 8;

fn city() -> String {
    let houses = meshes::city(STREETS, 5);
    let mut text = ObjText::new("A city block of boxes on a plate, z up; walls in common planes.");
    text.line("o ground");
    let side = 16.0 * STREETS as f32;
    let ground = [[-8.0, -8.0], [side, -8.0], [side, side], [-8.0, side]];
    let first = text.vertices(&ground.map(|[x, y]| [x, y, 0.0]));
    text.face(&[0, 1, 2, 3].map(|corner| corner + first));
    for (i, corners) in houses.positions().chunks_exact(8).enumerate() {
        text.line(&format!("o house_{}_{}", i as u32 / STREETS, i as u32 % STREETS));
        text.cuboid(corners[0], corners[7]);
    }
    text.finish()
}

/// Lines of sight between points above the streets: `t` runs from 0 to 1.
fn sight_lines() -> Vec<Ray> {
    let mut random = Random::new(9);
    let side = 16.0 * f64::from(STREETS);
    let mut point =
        || random.point([0.0, 0.0, 1.0], [side, side, 30.0]).map(|x| (x * 8.0).round() / 8.0);
    let mut line = || {
        let (from, to) = (point(), point());
        let direction: [f32; 3] = std::array::from_fn(|axis| (to[axis] - from[axis]) as f32);
        Ray::new(from.map(|x| x as f32), direction).with_interval(0.0, 1.0)
    };
    (0..500).map(|_| line()).collect()
}

fn plate() -> String {
    let mut text =
        ObjText::new("A flat plate of 16 by 16 quads at z = 0, from (0, 0) to (16, 16).");
    let vertices: Vec<_> = (0..17 * 17).map(|i| [(i % 17) as f32, (i / 17) as f32, 0.0]).collect();
    text.vertices(&vertices);
    for cell in 0..16 * 16 {
        let corner = cell / 16 * 17 + cell % 16;
        text.face(&[corner, corner + 1, corner + 18, corner + 17]);
    }
    text.finish()
}

/// Exactly through vertices, edges and diagonals, straight and slanted, and within the plane.
fn plate_rays() -> Vec<Ray> {
    let mesh = meshes::transformed(
        &meshes::plate(16.0, [0.0; 3], [0.0, 0.0, 1.0], 16),
        1.0,
        [8.0, 8.0, 0.0],
    );
    let mut rays = rays::exactly_through_vertices(&mesh, 150, 1);
    rays.extend(rays::exactly_through_edges(&mesh, 150, 2));
    rays.extend(rounded(&rays::aimed(&mesh, Aim::Face, None, 100, 3)));
    rays.extend((0..17).map(|i| Ray::new([i as f32, -1.0, 0.0], [0.0, 1.0, 0.0])));
    rays
}
