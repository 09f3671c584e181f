//! What makes a ray invalid.

use std::fmt;

use hitscan_core::Ray;

/// What makes a ray invalid, so that it misses everything ([`Ray::is_valid`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayFault {
    /// A coordinate of the origin is NaN or infinite.
    Origin,
    /// A coordinate of the direction is NaN or infinite.
    Direction,
    /// The direction is zero.
    ZeroDirection,
    /// One of the limits of `t` is NaN.
    NanLimit,
    /// `t_min` is greater than `t_max`.
    EmptyInterval,
}

impl RayFault {
    /// The first fault of a ray; none of a valid one.
    #[must_use]
    pub fn of(ray: &Ray) -> Option<Self> {
        if !ray.origin.iter().all(|x| x.is_finite()) {
            Some(Self::Origin)
        } else if !ray.direction.iter().all(|x| x.is_finite()) {
            Some(Self::Direction)
        } else if ray.direction == [0.0; 3] {
            Some(Self::ZeroDirection)
        } else if ray.t_min.is_nan() || ray.t_max.is_nan() {
            Some(Self::NanLimit)
        } else if ray.t_min > ray.t_max {
            Some(Self::EmptyInterval)
        } else {
            None
        }
    }
}

impl fmt::Display for RayFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Origin => "its origin is not finite",
            Self::Direction => "its direction is not finite",
            Self::ZeroDirection => "its direction is zero",
            Self::NanLimit => "t_min or t_max is not a number",
            Self::EmptyInterval => "t_min is greater than t_max",
        })
    }
}
