//! The meshes that rays are cast at, and where they are looked at from.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use glam::{Vec3, vec3};
use hitscan::TriangleMesh;
use hitscan::obj::{self, ObjOptions};

use crate::args::TraceArgs;
use crate::random::Random;

/// A mesh and the camera of its primary rays.
pub struct Subject {
    pub name: String,
    pub mesh: Arc<TriangleMesh>,
    pub camera: Camera,
}

/// A pinhole camera with a square image.
#[derive(Clone, Copy)]
pub struct Camera {
    pub eye: Vec3,
    pub target: Vec3,
    pub up: Vec3,
    /// The whole opening angle, in radians.
    pub angle: f32,
}

/// Interiors, which a camera outside would see nothing of: (a part of the name, eye, target).
const INTERIORS: [(&str, Vec3, Vec3); 1] = [("sponza", vec3(-12.0, 4.0, 0.0), vec3(0.0, 3.5, 0.0))];

/// Reads or generates the mesh that `spec` names.
pub fn load(spec: &str, args: &TraceArgs) -> anyhow::Result<Subject> {
    let (kind, count) = spec.split_once(':').unwrap_or((spec, ""));
    let count = || count.parse::<usize>().with_context(|| format!("`{spec}`: how many triangles?"));
    let mesh = match kind {
        "terrain" => terrain(count()?)?,
        "soup" => soup(count()?)?,
        path => obj::read_file(path, ObjOptions::default())?.0,
    };
    if mesh.bounds().is_empty() {
        bail!("`{spec}` has no triangles");
    }
    let name = Path::new(spec).file_stem().unwrap_or(spec.as_ref()).to_string_lossy().into_owned();
    let mut camera = Camera::framing(&mesh);
    let interior = INTERIORS.iter().find(|(part, ..)| name.contains(part));
    if let Some(&(_, eye, target)) = interior {
        camera = Camera { eye, target, angle: 75_f32.to_radians(), ..camera };
    }
    if let (Some(eye), Some(target)) = (args.eye, args.target) {
        camera = Camera { eye, target, ..camera };
    }
    Ok(Subject { name, mesh: Arc::new(mesh), camera })
}

impl Camera {
    /// A camera outside that sees the whole mesh, a little from above.
    fn framing(mesh: &TriangleMesh) -> Self {
        let bounds = mesh.bounds();
        let extent = bounds.extent();
        // Something flat lies on the ground: its thin axis points up. Anything else stands on y.
        let flat = extent.z < 0.5 * extent.x.min(extent.y);
        let (up, from) =
            if flat { (Vec3::Z, vec3(0.4, -1.0, 0.7)) } else { (Vec3::Y, vec3(0.4, 0.35, 1.0)) };
        let angle = 40_f32.to_radians();
        let distance = 0.5 * extent.length() / (0.5 * angle).sin();
        let target = bounds.center();
        Self { eye: target + from.normalize() * distance, target, up, angle }
    }
}

/// A height field of about `count` triangles.
fn terrain(count: usize) -> anyhow::Result<TriangleMesh> {
    let side = ((count / 2) as f64).sqrt().round().max(1.0) as usize;
    let row = side + 1;
    let height = |x: f32, y: f32| -> f32 {
        let octave = |octave: i32| {
            let (frequency, phase) = ((1 << octave) as f32, octave as f32 * 1.7);
            (x * frequency + phase).sin() * (y * frequency * 1.1 - phase).cos() / frequency
        };
        0.15 * (1..8).map(octave).sum::<f32>()
    };
    let positions = (0..row * row)
        .map(|i| {
            let (x, y) = ((i % row) as f32 / side as f32, (i / row) as f32 / side as f32);
            [x, y, height(6.0 * x, 6.0 * y)]
        })
        .collect();
    let indices = (0..side * side)
        .flat_map(|i| {
            let corner = (i / side * row + i % side) as u32;
            let above = corner + row as u32;
            [[corner, corner + 1, above + 1], [corner, above + 1, above]]
        })
        .collect();
    Ok(TriangleMesh::new(positions, indices)?)
}

/// `count` small triangles scattered in the unit cube.
fn soup(count: usize) -> anyhow::Result<TriangleMesh> {
    let mut random = Random::new(1);
    let size = 1.5 / (count.max(1) as f32).cbrt();
    let triangles: Vec<[[f32; 3]; 3]> = (0..count)
        .map(|_| {
            let center = vec3(random.unit(), random.unit(), random.unit());
            std::array::from_fn(|_| (center + size * random.direction()).into())
        })
        .collect();
    Ok(TriangleMesh::from_soup(&triangles)?)
}
