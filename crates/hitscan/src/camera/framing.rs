//! Where a camera must stand to see all of some points, as large as they fit.

use glam::DVec3;

use super::{Camera, CameraError, Frame, Lens, half_height};

impl Camera {
    /// A pinhole camera that sees all of `points`, as large as they fit, in the middle.
    ///
    /// It looks along `forward`, which need not be a unit vector. `filled` is the share of the
    /// image's width and height that the points may take, above 0 and up to 1. The rest is as in
    /// [`Self::perspective`]. Points that are not finite are left out; what has no extent is
    /// looked at from one unit away.
    ///
    /// # Errors
    /// As [`Self::perspective`]; [`CameraError::Filled`].
    ///
    /// ```
    /// use hitscan::Camera;
    /// // A square of four units, with a border as wide as itself, at right angles.
    /// let square = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    /// let (down, up) = ([0.0, 0.0, -1.0], [0.0, 1.0, 0.0]);
    /// let camera = Camera::framing(square, down, up, 90_f32.to_radians(), [300, 300], 1.0 / 3.0)?;
    /// let corner = camera.ray(100.0, 100.0);
    /// assert!((corner.origin[2] - 6.0).abs() < 1e-5);
    /// let there = corner.at(corner.origin[2] / -corner.direction[2]);
    /// assert!((there[0] + 2.0).abs() < 1e-5 && (there[1] - 2.0).abs() < 1e-5);
    /// # Ok::<(), hitscan::CameraError>(())
    /// ```
    #[doc(alias = "fit", alias = "zoom_to_fit", alias = "look_at_bounds")]
    pub fn framing(
        points: impl IntoIterator<Item: Into<[f32; 3]>>,
        forward: impl Into<[f32; 3]>,
        up: impl Into<[f32; 3]>,
        vertical_fov: f32,
        size: [u32; 2],
        filled: f32,
    ) -> Result<Self, CameraError> {
        if !(filled > 0.0 && filled <= 1.0) {
            return Err(CameraError::Filled(filled));
        }
        let forward = forward.into();
        if forward.iter().any(|x| !x.is_finite()) {
            return Err(CameraError::NotFinite("direction"));
        }
        let mut frame = Frame::new([0.0; 3], forward, up.into(), half_height(vertical_fov)?, size)?;
        frame.eye = frame.eye_for(points.into_iter().map(Into::into), filled.into());
        if !frame.eye.as_vec3().is_finite() {
            return Err(CameraError::NotFinite("eye"));
        }
        Ok(Self { size, lens: Lens::Perspective(frame) })
    }
}

impl Frame {
    /// Where the eye must be.
    ///
    /// A point with offsets (x, y, z) to the right, up and forward is seen from (a, b, −d) where
    /// |x − a| ≤ w·(z + d), and likewise for y. The largest x − w·z and the largest −x − w·z of
    /// all points give the least d and the a that goes with it.
    fn eye_for(&self, points: impl Iterator<Item = [f32; 3]>, filled: f64) -> DVec3 {
        let (w, h) = (self.right.length() * filled, self.up.length() * filled);
        let (right, up) = (self.right.normalize(), self.up.normalize());
        let (mut first, mut nearest) = (None, f64::INFINITY);
        let mut largest = [f64::NEG_INFINITY; 4];
        for point in points.map(|point| DVec3::from(point.map(f64::from))) {
            if !point.is_finite() {
                continue;
            }
            let offset = point - *first.get_or_insert(point);
            let (x, y, z) = (offset.dot(right), offset.dot(up), offset.dot(self.forward));
            let sides = [x - w * z, -x - w * z, y - h * z, -y - h * z];
            largest = std::array::from_fn(|side| largest[side].max(sides[side]));
            nearest = nearest.min(z);
        }
        let Some(first) = first else { return -self.forward };
        let [east, west, north, south] = largest;
        let distance = ((east + west) / (2.0 * w)).max((north + south) / (2.0 * h));
        let distance = if distance + nearest > 0.0 { distance } else { 1.0 - nearest };
        first + right * ((east - west) / 2.0) + up * ((north - south) / 2.0)
            - self.forward * distance
    }
}
