//! Exact hits in i128, for rays and triangles of whole numbers.

use hitscan_core::Ray;

type Point = [i128; 3];

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// Whether it is the front, if the ray meets the triangle with its edges and corners.
    pub closed: Option<bool>,
    /// Whether it is the front, if the ray crosses the triangle by the rule that each crossing of a
    /// surface counts once.
    pub once: Option<bool>,
    /// Where along the ray.
    pub t: f64,
}

/// Where a ray meets a triangle, both of whole numbers up to 2³⁰: at `t` of at least 0 if the
/// ray's `t_min` is not negative, else anywhere on its line.
#[must_use]
pub fn meet(ray: &Ray, corners: &[[f32; 3]; 3]) -> Option<Met> {
    let integer = |p: [f32; 3]| p.map(|x| x as i128);
    let (o, d) = (integer(ray.origin), integer(ray.direction));
    let corners = corners.map(integer);
    let [a, b, c] = corners.map(|p| minus(p, o));
    let normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    let (distance, speed) = (dot(a, normal), dot(d, normal));
    let is_behind = distance.signum() * speed.signum() < 0;
    if speed == 0 || is_behind && ray.t_min >= 0.0 {
        return None;
    }
    // The axes along which the ray is moved a little: all but the one it mostly runs along.
    let sizes = d.map(i128::abs);
    let dominant = (0..3).find(|&axis| sizes.iter().all(|size| sizes[axis] >= *size))?;
    let sides = [(a, c), (b, a), (c, b)].map(|(p, q)| {
        let steps = cross(d, minus(q, p));
        let moved = (0..3).filter(|&axis| axis != dominant).map(|axis| steps[axis].signum());
        (dot(d, cross(p, q)).signum(), moved.collect::<Vec<_>>())
    });
    let plain: Vec<i128> = sides.iter().map(|side| side.0).collect();
    let moved: Vec<i128> = sides
        .iter()
        .map(|(sign, moved)| *std::iter::once(sign).chain(moved).find(|x| **x != 0).unwrap_or(&0))
        .collect();
    let all = |signs: &[i128], wanted: fn(i128) -> bool| signs.iter().all(|&sign| wanted(sign));
    let front = speed < 0;
    let closed = all(&plain, |s| s >= 0) || all(&plain, |s| s <= 0);
    let once = all(&moved, |s| s > 0) || all(&moved, |s| s < 0);
    let t = distance as f64 / speed as f64;
    Some(Met { closed: closed.then_some(front), once: once.then_some(front), t })
}

fn minus(p: Point, q: Point) -> Point {
    [p[0] - q[0], p[1] - q[1], p[2] - q[2]]
}

fn dot(p: Point, q: Point) -> i128 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn cross(p: Point, q: Point) -> Point {
    [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
}
