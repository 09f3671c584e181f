//! From a point on the screen to a ray into the world.

mod clip;
mod framing;

pub use clip::ClipSpace;

use glam::{DMat4, DVec3, Mat4};
use hitscan_core::Ray;

/// A camera that turns points on the screen into rays: for picking, and for pictures.
///
/// Pixel coordinates run from the top left corner of the image, (0, 0), to its bottom right one,
/// (width, height); the centre of the pixel in column `i`, row `j` is (i + 0.5, j + 0.5). A mouse
/// position in the same units goes in as it is. Points outside the image are fine too.
///
/// Directions are of unit length up to rounding, so that `t` is a distance in world units. All is
/// computed in f64 and rounded once.
///
/// ```
/// use hitscan::Camera;
/// let (eye, target, up) = ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0]);
/// let camera = Camera::perspective(eye, target, up, 60_f32.to_radians(), [640, 480])?;
/// let middle = camera.ray(320.0, 240.0);
/// assert_eq!((middle.origin, middle.direction), (eye, [0.0, 0.0, -1.0]));
/// assert!(camera.ray(0.0, 0.0).direction[0] < 0.0, "the left edge looks to the left");
/// assert!(camera.ray(0.0, 0.0).direction[1] > 0.0, "the top edge looks up");
/// # Ok::<(), hitscan::CameraError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Width and height in pixels, neither of them 0.
    size: [u32; 2],
    lens: Lens,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lens {
    /// All rays start at the eye.
    Perspective(Frame),
    /// All rays run forward.
    Orthographic(Frame),
    /// Rays start on the near plane and run toward the far one.
    Matrices { to_world: DMat4, clip: ClipSpace },
}

/// Where the camera stands, and how far half the image reaches along its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    eye: DVec3,
    /// Of unit length.
    forward: DVec3,
    /// From the middle of the image to its right edge; for perspective, at unit distance.
    right: DVec3,
    /// From the middle of the image to its top edge.
    up: DVec3,
}

/// Why a camera could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CameraError {
    /// A number is NaN or infinite.
    #[error("the camera's {0} is not finite")]
    NotFinite(&'static str),
    /// The eye and the target are one point, or the direction is zero.
    #[error("the camera's eye and target are the same point: it looks nowhere")]
    EyeIsTarget,
    /// Up is zero, or parallel to the line of sight within a millionth of its length.
    #[error("the camera's up is zero or along its line of sight")]
    UpParallel,
    /// A field of view that is not between 0 and π.
    #[error("a field of view of {0} rad is not between 0 and pi (is it in degrees?)")]
    FieldOfView(f32),
    /// An orthographic image without a positive height.
    #[error("an orthographic image of height {0} is not higher than 0")]
    Height(f32),
    /// A share of the image that is not above 0 and up to 1.
    #[error("points cannot fill {0} of the image: it must be above 0, and 1 at most")]
    Filled(f32),
    /// An image without pixels.
    #[error("an image of {0} by {1} pixels is empty")]
    EmptyImage(u32, u32),
    /// Matrices that cannot be undone.
    #[error("the view and projection matrices have no inverse")]
    Singular,
}

impl Camera {
    /// A pinhole camera. Rays start at the eye.
    ///
    /// `vertical_fov` is the angle between the image's top and bottom edge in radians, between 0
    /// and π; pixels are square. `up` need not be a unit vector nor at right angles to the line
    /// of sight.
    ///
    /// # Errors
    /// [`CameraError`] for numbers that are not finite, an eye on its target, an up along the
    /// line of sight, a field of view out of range, an empty image.
    pub fn perspective(
        eye: impl Into<[f32; 3]>,
        target: impl Into<[f32; 3]>,
        up: impl Into<[f32; 3]>,
        vertical_fov: f32,
        size: [u32; 2],
    ) -> Result<Self, CameraError> {
        let half_height = half_height(vertical_fov)?;
        let frame = Frame::new(eye.into(), target.into(), up.into(), half_height, size)?;
        Ok(Self { size, lens: Lens::Perspective(frame) })
    }

    /// A camera without perspective. Rays start on the plane through the eye, at right angles to
    /// the line of sight.
    ///
    /// `height` is how much of the world the image shows from bottom to top, in world units;
    /// pixels are square.
    ///
    /// # Errors
    /// As [`Self::perspective`]; [`CameraError::Height`] in place of the field of view.
    ///
    /// ```
    /// use hitscan::Camera;
    /// // A map, north up: ten units high, so that a pixel is a tenth of a unit.
    /// let above = ([0.0, 0.0, 50.0], [0.0; 3], [0.0, 1.0, 0.0]);
    /// let map = Camera::orthographic(above.0, above.1, above.2, 10.0, [100, 100])?;
    /// assert_eq!(map.ray(0.0, 0.0).origin, [-5.0, 5.0, 50.0]);
    /// assert_eq!(map.ray(100.0, 50.0).origin, [5.0, 0.0, 50.0]);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn orthographic(
        eye: impl Into<[f32; 3]>,
        target: impl Into<[f32; 3]>,
        up: impl Into<[f32; 3]>,
        height: f32,
        size: [u32; 2],
    ) -> Result<Self, CameraError> {
        if !(height > 0.0 && height.is_finite()) {
            return Err(CameraError::Height(height));
        }
        let half_height = f64::from(height) / 2.0;
        let frame = Frame::new(eye.into(), target.into(), up.into(), half_height, size)?;
        Ok(Self { size, lens: Lens::Orthographic(frame) })
    }

    /// The camera that a renderer draws with: its view matrix (world to view space) and its
    /// projection (view to clip space), and the conventions of its clip space.
    ///
    /// Rays start on the near plane, so that what the picture cuts away is not picked. Left- and
    /// right-handed, infinite, reversed, off-centre and orthographic projections all work.
    ///
    /// # Errors
    /// [`CameraError::NotFinite`], [`CameraError::EmptyImage`], or [`CameraError::Singular`] if
    /// the matrices cannot be undone.
    ///
    /// ```
    /// use glam::camera::rh::{proj::directx, view};
    /// use glam::Vec3;
    /// use hitscan::{Camera, ClipSpace};
    /// let view = view::look_at_mat4(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y);
    /// let projection = directx::perspective(1.0, 4.0 / 3.0, 0.5, 100.0);
    /// let camera = Camera::from_matrices(view, projection, ClipSpace::WGPU, [640, 480])?;
    /// let middle = camera.ray(320.0, 240.0);
    /// assert_eq!(middle.direction, [0.0, 0.0, -1.0]);
    /// assert!((middle.origin[2] - 4.5).abs() < 1e-5, "half a unit before the eye");
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn from_matrices(
        view: Mat4,
        projection: Mat4,
        clip: ClipSpace,
        size: [u32; 2],
    ) -> Result<Self, CameraError> {
        for (what, finite) in [
            ("view matrix", view.is_finite()),
            ("projection matrix", projection.is_finite()),
            ("clip space", clip.z_near.is_finite() && clip.z_far.is_finite()),
        ] {
            if !finite {
                return Err(CameraError::NotFinite(what));
            }
        }
        not_empty(size)?;
        let (view, projection) = (view.as_dmat4(), projection.as_dmat4());
        if view.determinant() == 0.0 || projection.determinant() == 0.0 {
            return Err(CameraError::Singular);
        }
        let to_world = view.inverse() * projection.inverse();
        let camera = Self { size, lens: Lens::Matrices { to_world, clip } };
        let middle = camera.ray(size[0] as f32 / 2.0, size[1] as f32 / 2.0);
        if middle.is_valid() { Ok(camera) } else { Err(CameraError::Singular) }
    }

    /// Width and height of the image in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The ray through a point of the image, in pixels from its top left corner.
    ///
    /// It looks at `t` in [0, ∞]. A coordinate that is not finite gives an invalid ray, which
    /// misses everything.
    #[doc(alias = "screen_to_ray", alias = "unproject", alias = "viewport_to_world")]
    #[must_use]
    pub fn ray(&self, x: f32, y: f32) -> Ray {
        let across = 2.0 * f64::from(x) / f64::from(self.size[0]) - 1.0;
        let upward = 1.0 - 2.0 * f64::from(y) / f64::from(self.size[1]);
        let (origin, direction) = match self.lens {
            Lens::Perspective(Frame { eye, forward, right, up }) => {
                (eye, forward + across * right + upward * up)
            }
            Lens::Orthographic(Frame { eye, forward, right, up }) => {
                (eye + across * right + upward * up, forward)
            }
            Lens::Matrices { to_world, clip } => clip.ray(&to_world, across, upward),
        };
        // To a length near 1 first, so that the square of the length cannot overflow.
        let direction = (direction / direction.abs().max_element()).normalize();
        Ray::new(origin.as_vec3(), direction.as_vec3())
    }

    /// The rays through the centres of all pixels, row by row from the top left one.
    ///
    /// ```
    /// # use hitscan::Camera;
    /// # let (eye, target, up) = ([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0]);
    /// let camera = Camera::perspective(eye, target, up, 1.0, [3, 2])?;
    /// let rays: Vec<_> = camera.rays().collect();
    /// assert_eq!(rays.len(), 6);
    /// assert_eq!(rays[5], camera.ray(2.5, 1.5));
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    pub fn rays(&self) -> impl Iterator<Item = Ray> {
        let [width, height] = self.size;
        (0..height).flat_map(move |row| {
            (0..width).map(move |column| self.ray(column as f32 + 0.5, row as f32 + 0.5))
        })
    }
}

impl Frame {
    fn new(
        eye: [f32; 3],
        target: [f32; 3],
        up: [f32; 3],
        half_height: f64,
        size: [u32; 2],
    ) -> Result<Self, CameraError> {
        let [eye, target, up] = [("eye", eye), ("target", target), ("up", up)].map(|(what, p)| {
            let finite = p.iter().all(|x| x.is_finite());
            finite.then_some(DVec3::from(p.map(f64::from))).ok_or(CameraError::NotFinite(what))
        });
        let (eye, target, up) = (eye?, target?, up?);
        not_empty(size)?;
        // Squares of f32 numbers stay within f64, so no length overflows or vanishes.
        let forward = (target - eye).try_normalize().ok_or(CameraError::EyeIsTarget)?;
        let up = up.try_normalize().ok_or(CameraError::UpParallel)?;
        let right = forward.cross(up);
        if right.length() < 1e-6 {
            return Err(CameraError::UpParallel);
        }
        let right = right.normalize();
        let half_width = half_height * f64::from(size[0]) / f64::from(size[1]);
        let up = right.cross(forward) * half_height;
        Ok(Self { eye, forward, right: right * half_width, up })
    }
}

/// Half the height of what a field of view shows at unit distance.
fn half_height(vertical_fov: f32) -> Result<f64, CameraError> {
    if vertical_fov > 0.0 && vertical_fov < std::f32::consts::PI {
        Ok((f64::from(vertical_fov) / 2.0).tan())
    } else {
        Err(CameraError::FieldOfView(vertical_fov))
    }
}

fn not_empty([width, height]: [u32; 2]) -> Result<(), CameraError> {
    if width == 0 || height == 0 { Err(CameraError::EmptyImage(width, height)) } else { Ok(()) }
}
