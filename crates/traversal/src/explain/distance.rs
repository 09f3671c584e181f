//! How far a ray passes from a triangle.
//!
//! Between a line's part and a convex flat thing that it does not meet, the nearest two points
//! have at least one on an edge, or at an end of the line's part. All such pairs are tried.

use glam::DVec3;
use hitscan_core::Ray;

/// A ray's points with t from `t_min` to `t_max`, as f64 has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    origin: DVec3,
    direction: DVec3,
    t_min: f64,
    t_max: f64,
}

/// Where a ray comes nearest to something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Nearest {
    /// In mesh units.
    pub(super) distance: f64,
    /// Where on the ray.
    pub(super) t: f64,
    /// Where on the triangle.
    pub(super) point: DVec3,
}

impl Span {
    /// A valid ray's points.
    pub(super) fn new(ray: &Ray) -> Self {
        Self {
            origin: DVec3::from(ray.origin.map(f64::from)),
            direction: DVec3::from(ray.direction.map(f64::from)),
            t_min: f64::from(ray.t_min),
            t_max: f64::from(ray.t_max),
        }
    }

    /// The nearest pair of points of the ray and a triangle that the ray does not meet.
    pub(super) fn nearest_to_triangle(&self, corners: [DVec3; 3]) -> Nearest {
        let [a, b, c] = corners;
        let edges = [(a, b), (b, c), (c, a)].into_iter().flat_map(|(p, q)| self.near_edge(p, q));
        let ends = [self.t_min, self.t_max].into_iter().filter(|t| t.is_finite());
        let inside = ends.filter_map(|t| self.below_end(t, corners));
        let none = Nearest { distance: f64::INFINITY, t: 0.0, point: a };
        edges.chain(inside).fold(none, |best, nearest| {
            if nearest.distance < best.distance { nearest } else { best }
        })
    }

    fn at(&self, t: f64) -> DVec3 {
        self.origin + self.direction * t
    }

    fn pair(&self, t: f64, point: DVec3) -> Nearest {
        Nearest { distance: self.at(t).distance(point), t, point }
    }

    /// Pairs among which is the nearest one of the ray and an edge.
    fn near_edge(&self, p: DVec3, q: DVec3) -> impl Iterator<Item = Nearest> {
        let (d, e, r) = (self.direction, q - p, self.origin - p);
        let (dd, de, ee) = (d.length_squared(), d.dot(e), e.length_squared());
        let (dr, er) = (d.dot(r), e.dot(r));
        let on_edge = move |t: f64| {
            let s = (er + t * de) / ee;
            // An edge without length has NaN here, and any point of it will do.
            if s > 0.0 { s.min(1.0) } else { 0.0 }
        };
        let on_ray = move |s: f64| ((s * de - dr) / dd).clamp(self.t_min, self.t_max);
        let between_lines = (de * er - ee * dr) / (dd * ee - de * de);
        // Parallel lines have no such point: one of the ends is as near as any.
        let along = between_lines.is_finite().then_some(between_lines);
        let inner = along.map(|t| t.clamp(self.t_min, self.t_max));
        let from_ray = [inner, Some(self.t_min), Some(self.t_max)].into_iter().flatten();
        let from_ray = from_ray.filter(|t| t.is_finite()).map(move |t| (t, on_edge(t)));
        let from_edge = [0.0, 1.0].map(|s| (on_ray(s), s));
        from_ray.chain(from_edge).map(move |(t, s)| self.pair(t, p + e * s))
    }

    /// An end of the ray and the point of the triangle's plane below it, if that is inside.
    fn below_end(&self, t: f64, [a, b, c]: [DVec3; 3]) -> Option<Nearest> {
        let end = self.at(t);
        let normal = (b - a).cross(c - a);
        let inside = |p: DVec3, q: DVec3| normal.dot((q - p).cross(end - p)) >= 0.0;
        if !(inside(a, b) && inside(b, c) && inside(c, a)) {
            return None;
        }
        let height = normal.dot(end - a) / normal.length_squared();
        height.is_finite().then(|| self.pair(t, end - normal * height))
    }
}
