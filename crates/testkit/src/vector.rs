//! Plain vectors of three f64.

pub(crate) type Vector = [f64; 3];

pub(crate) fn wide(p: [f32; 3]) -> Vector {
    p.map(f64::from)
}

pub(crate) fn narrow(p: Vector) -> [f32; 3] {
    p.map(|x| x as f32)
}

pub(crate) fn add(p: Vector, q: Vector) -> Vector {
    [p[0] + q[0], p[1] + q[1], p[2] + q[2]]
}

pub(crate) fn sub(p: Vector, q: Vector) -> Vector {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

pub(crate) fn scale(p: Vector, factor: f64) -> Vector {
    p.map(|x| x * factor)
}

pub(crate) fn dot(p: Vector, q: Vector) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

pub(crate) fn cross(p: Vector, q: Vector) -> Vector {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}

pub(crate) fn length(p: Vector) -> f64 {
    dot(p, p).sqrt()
}

/// The unit vector, or zero for zero.
pub(crate) fn unit(p: Vector) -> Vector {
    let length = length(p);
    if length > 0.0 { scale(p, 1.0 / length) } else { [0.0; 3] }
}

/// Two unit vectors that are perpendicular to the unit vector `n` and to each other.
pub(crate) fn tangents(n: Vector) -> [Vector; 2] {
    let helper = if n[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let first = unit(cross(helper, n));
    [first, cross(n, first)]
}
