//! Rays and segments.

/// A ray: the points `origin + t · direction` with `t_min ≤ t ≤ t_max`.
///
/// The direction is never normalised: `t` is in units of its length. An invalid ray (see
/// [`Ray::is_valid`]) misses everything, in every kind of query.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Ray {
    /// Where `t` is 0, in mesh units.
    pub origin: [f32; 3],
    /// The least `t` that counts; 0 by default. A negative one looks behind the origin too.
    pub t_min: f32,
    /// Where the ray goes; any length but zero.
    pub direction: [f32; 3],
    /// The greatest `t` that counts; infinite by default.
    pub t_max: f32,
}

const _: () = assert!(size_of::<Ray>() == 32);

impl Ray {
    /// A ray over `t` in [0, ∞].
    ///
    /// ```
    /// use hitscan_core::Ray;
    /// let ray = Ray::new([0.0, 0.0, 5.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(ray.at(2.0), [0.0, 0.0, 3.0]);
    /// ```
    #[inline]
    #[must_use]
    pub fn new(origin: impl Into<[f32; 3]>, direction: impl Into<[f32; 3]>) -> Self {
        Self {
            origin: origin.into(),
            t_min: 0.0,
            direction: direction.into(),
            t_max: f32::INFINITY,
        }
    }

    /// The same ray over `t` in [`t_min`, `t_max`], closed at both ends.
    #[inline]
    #[must_use]
    pub fn with_interval(self, t_min: f32, t_max: f32) -> Self {
        Self { t_min, t_max, ..self }
    }

    /// The point `origin + t · direction`, rounded in f32.
    #[inline]
    #[must_use]
    pub fn at(&self, t: f32) -> [f32; 3] {
        std::array::from_fn(|axis| self.origin[axis] + t * self.direction[axis])
    }

    /// Whether the ray can hit anything: a finite origin, a finite direction that is not zero,
    /// and `t_min ≤ t_max`, none of them NaN.
    #[inline]
    #[must_use]
    pub fn is_valid(&self) -> bool {
        let finite = self.origin.iter().chain(&self.direction).all(|x| x.is_finite());
        finite && self.direction != [0.0; 3] && self.t_min <= self.t_max
    }
}

/// A ray in double precision, for meshes far from the origin: it is moved to the mesh's local
/// origin in f64 and only then rounded to f32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayF64 {
    /// Where `t` is 0, in mesh units.
    pub origin: [f64; 3],
    /// Where the ray goes; any length but zero.
    pub direction: [f64; 3],
    /// The least `t` that counts.
    pub t_min: f64,
    /// The greatest `t` that counts.
    pub t_max: f64,
}

impl RayF64 {
    /// A ray over `t` in [0, ∞].
    #[inline]
    #[must_use]
    pub fn new(origin: impl Into<[f64; 3]>, direction: impl Into<[f64; 3]>) -> Self {
        Self {
            origin: origin.into(),
            direction: direction.into(),
            t_min: 0.0,
            t_max: f64::INFINITY,
        }
    }

    /// The ray as seen from `local_origin`, rounded to f32.
    #[inline]
    #[must_use]
    pub fn relative_to(&self, local_origin: [f64; 3]) -> Ray {
        Ray {
            origin: std::array::from_fn(|axis| (self.origin[axis] - local_origin[axis]) as f32),
            t_min: self.t_min as f32,
            direction: self.direction.map(|x| x as f32),
            t_max: self.t_max as f32,
        }
    }
}

impl From<Ray> for RayF64 {
    fn from(ray: Ray) -> Self {
        Self {
            origin: ray.origin.map(f64::from),
            direction: ray.direction.map(f64::from),
            t_min: f64::from(ray.t_min),
            t_max: f64::from(ray.t_max),
        }
    }
}

/// The straight line between two points, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Where `t` is 0.
    pub start: [f32; 3],
    /// Where `t` is 1.
    pub end: [f32; 3],
}

impl Segment {
    /// The segment from `start` to `end`.
    #[inline]
    #[must_use]
    pub fn new(start: impl Into<[f32; 3]>, end: impl Into<[f32; 3]>) -> Self {
        Self { start: start.into(), end: end.into() }
    }

    /// The segment as a ray over `t` in [0, 1]; its direction is `end − start`, rounded in f32.
    #[inline]
    #[must_use]
    pub fn ray(&self) -> Ray {
        let direction: [f32; 3] = std::array::from_fn(|axis| self.end[axis] - self.start[axis]);
        Ray::new(self.start, direction).with_interval(0.0, 1.0)
    }
}
