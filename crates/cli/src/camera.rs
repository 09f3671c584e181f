//! Where a picture is taken from, in the mesh's own coordinates.

use glam::{DVec3, Vec3};
use hitscan::{Aabb, Ray, TriangleMesh};

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

/// A pinhole camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) eye: Vec3,
    /// The world's up, a unit vector along an axis.
    pub(crate) world_up: Vec3,
    /// Unit vectors: where the camera looks, and the picture's right and up.
    pub(crate) forward: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    /// Half the picture's height at distance 1.
    half_height: f32,
}

impl Camera {
    /// The camera of a mesh, in the mesh's own coordinates.
    pub(crate) fn new(pose: Pose, mesh: &TriangleMesh) -> Result<Self, Usage> {
        let (bounds, origin) = (mesh.bounds(), mesh.origin());
        let local = |point: [f64; 3]| (DVec3::from(point) - DVec3::from(origin)).as_vec3();
        let [width, height] = pose.size;
        let half_height = (pose.fov.to_radians() / 2.0).tan() as f32;
        let (world_up, front) = match pose.up {
            UpAxis::X => (Vec3::X, Vec3::Y),
            UpAxis::Y => (Vec3::Y, Vec3::Z),
            UpAxis::Z => (Vec3::Z, Vec3::NEG_Y),
        };
        let target = pose.target.map_or(bounds.center(), local);
        let forward = match pose.eye.map(local) {
            Some(eye) => (target - eye).try_normalize().ok_or_else(|| {
                Usage("--eye and --target are the same point, or too far apart".into())
            })?,
            None => -default_side(bounds, world_up, front),
        };
        // Looking straight up or down, any right will do.
        let right = forward.cross(world_up).try_normalize();
        let right = right.filter(|_| forward.dot(world_up).abs() < 0.999_99);
        let right = right.unwrap_or_else(|| forward.cross(front).normalize_or(Vec3::X));
        let up = right.cross(forward);
        let mut camera =
            Self { width, height, eye: target, world_up, forward, right, up, half_height };
        camera.eye = match pose.eye {
            Some(eye) => local(eye),
            None => {
                let used = mesh.indices().as_flattened().iter();
                let points = used.map(|&index| Vec3::from(mesh.positions()[index as usize]));
                camera.fitting_eye(points, target)
            }
        };
        Ok(camera)
    }

    /// Where the camera must stand to see all of `points`, as large as they fit, in the middle.
    ///
    /// A point with offsets (x, y, z) to the right, up and forward is seen from (a, b, −d) where
    /// |x − a| ≤ w·(z + d), and likewise for y. The largest x − w·z and the largest −x − w·z of
    /// all points give the least d and the a that goes with it.
    fn fitting_eye(&self, points: impl Iterator<Item = Vec3>, target: Vec3) -> Vec3 {
        let (w, h) = (self.half_height * self.aspect() * FILLED, self.half_height * FILLED);
        let mut largest = [f32::NEG_INFINITY; 4];
        for point in points.filter(|point| point.is_finite()) {
            let offset = point - target;
            let (x, y) = (offset.dot(self.right), offset.dot(self.up));
            let z = offset.dot(self.forward);
            let sides = [x - w * z, -x - w * z, y - h * z, -y - h * z];
            largest = std::array::from_fn(|side| largest[side].max(sides[side]));
        }
        let [right, left, above, below] = largest;
        let distance = ((right + left) / (2.0 * w)).max((above + below) / (2.0 * h));
        // A mesh that is one point, or that has none, is looked at from one unit away.
        let distance = if distance.is_finite() && distance > 0.0 { distance } else { 1.0 };
        let middle = |a: f32, b: f32| if (a - b).is_finite() { (a - b) / 2.0 } else { 0.0 };
        target + self.right * middle(right, left) + self.up * middle(above, below)
            - self.forward * distance
    }

    fn aspect(&self) -> f32 {
        self.width as f32 / self.height as f32
    }

    /// The ray through a point of the picture, in pixels from its upper left corner. Its direction
    /// is a unit vector.
    pub(crate) fn ray(&self, x: f32, y: f32) -> Ray {
        let x = (2.0 * x / self.width as f32 - 1.0) * self.half_height * self.aspect();
        let y = (1.0 - 2.0 * y / self.height as f32) * self.half_height;
        let direction = (self.forward + self.right * x + self.up * y).normalize();
        Ray::new(self.eye, direction)
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
