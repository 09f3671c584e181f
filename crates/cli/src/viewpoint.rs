//! Where a picture of a mesh is taken from.

use glam::{DVec3, Vec3};
use hitscan::{Aabb, Camera, CameraError, TriangleMesh};

use crate::args::{RenderArgs, UpAxis};
use crate::failure::Usage;

/// How much of the picture the mesh may fill.
const FILLED: f32 = 0.86;

/// Where a camera is to stand and look, in the file's coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pose {
    pub(crate) size: [u32; 2],
    pub(crate) eye: Option<[f64; 3]>,
    pub(crate) target: Option<[f64; 3]>,
    pub(crate) fov: f64,
    pub(crate) up: UpAxis,
}

impl Pose {
    /// Where the whole mesh is seen.
    pub(crate) fn fitting(size: [u32; 2]) -> Self {
        Self { size, eye: None, target: None, fov: 40.0, up: UpAxis::Y }
    }
}

impl From<&RenderArgs> for Pose {
    fn from(args: &RenderArgs) -> Self {
        let &RenderArgs { size, eye, target, fov, up, .. } = args;
        Self { size, eye, target, fov, up }
    }
}

/// A camera, and the world that it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewpoint {
    pub(crate) camera: Camera,
    pub(crate) eye: Vec3,
    /// The world's up, a unit vector along an axis.
    pub(crate) world_up: Vec3,
    /// The picture's right, a unit vector.
    pub(crate) right: Vec3,
}

impl Viewpoint {
    /// Where a mesh is seen from, in the mesh's own coordinates.
    pub(crate) fn new(pose: Pose, mesh: &TriangleMesh) -> Result<Self, Usage> {
        let bounds = mesh.bounds();
        let local = |point: [f64; 3]| (DVec3::from(point) - DVec3::from(mesh.origin())).as_vec3();
        let fov = pose.fov.to_radians() as f32;
        let (world_up, front) = match pose.up {
            UpAxis::X => (Vec3::X, Vec3::Y),
            UpAxis::Y => (Vec3::Y, Vec3::Z),
            UpAxis::Z => (Vec3::Z, Vec3::NEG_Y),
        };
        let target = pose.target.map_or(bounds.center(), local);
        let forward = match pose.eye.map(local) {
            Some(eye) => (target.as_dvec3() - eye.as_dvec3()).normalize_or_zero().as_vec3(),
            None => -default_side(bounds, world_up, front),
        };
        // Looking straight up or down, any right will do.
        let up = if forward.dot(world_up).abs() < 0.999_99 { world_up } else { front };
        let camera = match pose.eye.map(local) {
            Some(eye) => Camera::perspective(eye, target, up, fov, pose.size),
            None => {
                let used = mesh.indices().as_flattened().iter();
                let points = used.map(|&index| mesh.positions()[index as usize]);
                Camera::framing(points, forward, up, fov, pose.size, FILLED)
            }
        };
        let camera = camera.map_err(|error| match error {
            CameraError::EyeIsTarget | CameraError::NotFinite(_) if pose.eye.is_some() => {
                Usage("--eye and --target are the same point, or too far apart".into())
            }
            error => Usage(error.to_string()),
        })?;
        let [width, height] = pose.size;
        let eye = camera.ray(width as f32 / 2.0, height as f32 / 2.0).origin.into();
        Ok(Self { camera, eye, world_up, right: forward.cross(up).normalize_or(Vec3::X) })
    }
}

/// From where a mesh is looked at by default: front, right and above; the flatter the mesh, the
/// more from above.
fn default_side(bounds: Aabb, up: Vec3, front: Vec3) -> Vec3 {
    let extent = bounds.extent();
    let height = extent.dot(up);
    let widest = (extent - up * height).max_element();
    let flatness = if widest > 0.0 { (1.0 - height / widest).clamp(0.0, 1.0) } else { 0.0 };
    let elevation = (18.0 + 16.0 * flatness).to_radians();
    let azimuth = 32_f32.to_radians();
    let right = up.cross(front);
    let level = front * azimuth.cos() + right * azimuth.sin();
    level * elevation.cos() + up * elevation.sin()
}
