//! The closed-form tests: golden values, edge cases, and agreement with one another.

use glam::{DVec3, Vec3};
use hitscan_core::Aabb;
use hitscan_traversal::closed_form::{
    Plane, Span, barycentric, ray_aabb, ray_plane, ray_sphere, ray_triangle, ray_triangle_front,
    segment_triangle,
};

const UNIT: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
const CUBE: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };
const NAN: [f32; 3] = [f32::NAN, 0.0, 0.0];
const INFINITE: [f32; 3] = [0.0, f32::INFINITY, 0.0];
const ZERO: [f32; 3] = [0.0; 3];

/// Numbers in [-1, 1): Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }

    fn point(&mut self) -> [f32; 3] {
        [self.next(), self.next(), self.next()]
    }
}

fn wide(p: [f32; 3]) -> DVec3 {
    DVec3::from(p.map(f64::from))
}

#[test]
fn the_golden_segment_crosses_the_golden_triangle() {
    let triangle = [[-13.01, 14.29, -6.99], [9.17, 13.53, 5.36], [-8.19, 3.88, -2.81]];
    let (start, end) = ([0.9, 16.35, 9.03], [-4.4, 3.68, -7.39]);
    let hit = segment_triangle(start, end, triangle).expect("they cross");
    let found = [hit.point[0], hit.point[1], hit.point[2], hit.u, hit.v, hit.t];
    let golden: [f64; 6] =
        [-2.085_824_1, 9.212_190_4, -0.220_420_9, 0.392_753_6, 0.459_108_2, 0.563_363];
    for (found, golden) in found.into_iter().zip(golden) {
        // The golden numbers are those of the decimals, which f32 input rounds.
        assert!((f64::from(found) - golden).abs() <= 5e-7, "{found} is not {golden}");
    }
    let back = segment_triangle(end, start, triangle).expect("the other way, too");
    assert_eq!((back.point, back.u, back.v, back.front), (hit.point, hit.u, hit.v, !hit.front));
    let weights = barycentric(hit.point, triangle).expect("it has an area");
    for (weight, expected) in weights.into_iter().zip([1.0 - hit.u - hit.v, hit.u, hit.v]) {
        assert!((weight - expected).abs() < 1e-6);
    }
}

#[test]
fn the_golden_bystanders_do_not_cross() {
    let triangle = [[0.9, 16.35, 9.03], [-4.4, 3.68, -7.39], [10.17, -5.0, 0.0]];
    assert_eq!(segment_triangle([-11.45, 11.69, -5.6], [8.8, 31.03, -0.42], triangle), None);
}

#[test]
fn a_plane_is_met_from_both_sides_and_never_behind() {
    let plane = Plane::new([0.0, 0.0, 2.0], 2.0);
    assert_eq!(plane, Plane::through([7.0, -3.0, 1.0], [0.0, 0.0, 2.0]));
    assert_eq!(ray_plane([0.0, 0.0, 5.0], [0.0, 0.0, -4.0], plane), Some(1.0));
    assert_eq!(ray_plane([0.0, 0.0, -5.0], [1.0, 1.0, 3.0], plane), Some(2.0));
    assert_eq!(ray_plane([0.0, 0.0, 5.0], [0.0, 0.0, 4.0], plane), None, "behind");
    let on = ray_plane([3.0, 4.0, 1.0], [0.0, 0.0, -4.0], plane).expect("it starts there");
    assert!(on == 0.0 && on.is_sign_positive(), "zero, not {on:?}");
    assert_eq!(ray_plane([3.0, 4.0, 1.0], [1.0, 0.0, 0.0], plane), None, "runs in the plane");
}

#[test]
fn a_ray_parallel_to_a_slanted_plane_misses() {
    // 0.1·3 − 0.3·1 is not zero in f32 numbers, but 0.1·2 − 0.2·1 is, without rounding.
    let plane = Plane::new([0.1, 0.2, 0.0], 1.0);
    assert_eq!(ray_plane(ZERO, [2.0, -1.0, 5.0], plane), None);
}

#[test]
fn a_sphere_gives_entry_and_exit() {
    let sphere = |origin: [f32; 3], direction: [f32; 3]| ray_sphere(origin, direction, ZERO, 2.0);
    let span = |entry, exit| Some(Span { entry, exit });
    assert_eq!(sphere([5.0, 0.0, 0.0], [-2.0, 0.0, 0.0]), span(1.5, 3.5));
    assert_eq!(sphere([5.0, 2.0, 0.0], [-1.0, 0.0, 0.0]), span(5.0, 5.0), "touching counts");
    assert_eq!(sphere([5.0, 2.1, 0.0], [-1.0, 0.0, 0.0]), None);
    assert_eq!(sphere([5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), None, "behind");
    assert_eq!(sphere([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(0.0, 1.0), "inside, outward");
    assert_eq!(sphere([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), span(0.0, 3.0), "inside, inward");
    assert_eq!(sphere(ZERO, [0.0, 0.5, 0.0]), span(0.0, 4.0), "from the centre");
    assert_eq!(sphere([2.0, 0.0, 0.0], [1.0, 0.0, 0.0]), span(0.0, 0.0), "on it, outward");
    assert_eq!(sphere([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), span(0.0, 4.0), "on it, inward");
    assert_eq!(sphere([2.0, 0.0, 0.0], [0.0, 1.0, 0.0]), span(0.0, 0.0), "on it, along it");
    let dot = ray_sphere([3.0, 0.0, 0.0], [-1.0, 0.0, 0.0], ZERO, 0.0);
    assert_eq!(dot, span(3.0, 3.0), "a sphere of radius 0 is a point");
}

#[test]
fn a_small_far_sphere_loses_no_digits() {
    let hit = ray_sphere([1e6, 0.0, 0.0], [-1.0, 0.0, 0.0], ZERO, 1e-3).expect("head on");
    assert_eq!(hit.entry, (1e6_f64 - 1e-3_f32 as f64) as f32);
    assert!(ray_sphere([1e6, 2e-3, 0.0], [-1.0, 0.0, 0.0], ZERO, 1e-3).is_none());
}

#[test]
fn spheres_agree_with_their_equation() {
    let (mut random, mut hits) = (Random(3), 0);
    for _ in 0..2000 {
        let (origin, centre) = (random.point().map(|x| 3.0 * x), random.point());
        let (target, radius) = (random.point(), random.next().abs() + 0.1);
        let direction: [f32; 3] = std::array::from_fn(|axis| target[axis] - origin[axis]);
        let Some(span) = ray_sphere(origin, direction, centre, radius) else { continue };
        hits += 1;
        let distance =
            |t: f32| (wide(origin) + f64::from(t) * wide(direction) - wide(centre)).length();
        let inside = distance(0.0) <= f64::from(radius);
        assert!(distance(span.exit) - f64::from(radius) < 1e-5);
        assert_eq!(inside, span.entry == 0.0);
        if !inside {
            assert!((distance(span.entry) - f64::from(radius)).abs() < 1e-5);
        }
        let middle = span.entry.midpoint(span.exit);
        assert!(distance(middle) <= f64::from(radius) + 1e-6);
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn a_box_gives_entry_and_exit() {
    let span = |entry, exit| Some(Span { entry, exit });
    assert_eq!(ray_aabb([3.0, 0.5, 0.5], [-2.0, 0.0, -0.0], &CUBE), span(1.0, 2.0));
    assert_eq!(ray_aabb([0.5, 0.0, 0.0], [-1.0, 0.0, 0.0], &CUBE), span(0.0, 1.5), "inside");
    assert_eq!(ray_aabb([3.0, 1.0, 1.0], [-1.0, 0.0, 0.0], &CUBE), span(2.0, 4.0), "on an edge");
    assert_eq!(ray_aabb([3.0, 1.5, 0.0], [-1.0, 0.0, 0.0], &CUBE), None, "beside");
    assert_eq!(ray_aabb([3.0, 0.0, 0.0], [1.0, 0.0, 0.0], &CUBE), None, "behind");
    assert_eq!(ray_aabb([1.0, 0.0, 0.0], [1.0, 0.0, 0.0], &CUBE), span(0.0, 0.0), "leaving");
    assert_eq!(ray_aabb([3.0, 3.0, 3.0], [-2.0, -2.0, -2.0], &CUBE), span(1.0, 2.0), "a corner");
    let flat = Aabb { min: Vec3::new(-1.0, -1.0, 0.0), max: Vec3::new(1.0, 1.0, 0.0) };
    assert_eq!(ray_aabb([0.0, 0.0, 2.0], [0.0, 0.0, -1.0], &flat), span(2.0, 2.0));
    assert_eq!(ray_aabb([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], &flat), span(1.0, 3.0), "in its plane");
    assert_eq!(ray_aabb(ZERO, [1.0, 0.0, 0.0], &Aabb::EMPTY), None);
}

#[test]
fn a_box_touched_in_one_corner_is_not_lost_to_rounding() {
    // Whole numbers, so that the line passes through the corner exactly, at t = steps / 41, which
    // is not a number that f64 has.
    let mut random = Random(5);
    for _ in 0..5000 {
        let [x, y, cx, cy] = std::array::from_fn(|_| (random.next() * 1000.0).round());
        let (x, y, steps) = (x.abs() + 1.0, y.abs() + 1.0, (cx.abs() + 1.0).min(400.0));
        let bounds = Aabb { min: Vec3::new(cx - 9.0, cy - 9.0, -1.0), max: Vec3::new(cx, cy, 1.0) };
        for side in [-1.0, 1.0] {
            let origin = [cx + side * steps * x, cy - side * steps * y, 0.0];
            let direction = [-side * 41.0 * x, side * 41.0 * y, 0.0];
            let span = ray_aabb(origin, direction, &bounds).expect("it touches the corner");
            assert_eq!(span.entry, span.exit);
            assert!((span.entry - steps / 41.0).abs() < 1e-6, "{span:?}, {steps}");
            let beside = [origin[0] + 0.25, origin[1] + 0.25, 0.0];
            assert_eq!(ray_aabb(beside, direction, &bounds), None);
        }
    }
}

#[test]
fn triangles_have_two_sides_and_the_front_can_be_chosen() {
    let (above, below) = ([0.25, 0.5, 3.0], [0.25, 0.5, -3.0]);
    let (down, up) = ([0.0, 0.0, -2.0], [0.0, 0.0, 2.0]);
    let front = ray_triangle(above, down, UNIT).expect("from above");
    assert_eq!((front.t, front.u, front.v, front.front), (1.5, 0.25, 0.5, true));
    let back = ray_triangle(below, up, UNIT).expect("from below");
    assert_eq!((back.t, back.u, back.v, back.front), (1.5, 0.25, 0.5, false));
    assert_eq!(ray_triangle_front(above, down, UNIT), Some(front));
    assert_eq!(ray_triangle_front(below, up, UNIT), None);
    let [a, b, c] = UNIT;
    assert!(ray_triangle_front(below, up, [a, c, b]).is_some(), "wound the other way");
    assert_eq!(ray_triangle(above, up, UNIT), None, "behind");
}

#[test]
fn triangles_are_closed() {
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.5, 0.0), (0.0, 0.25)] {
        assert!(ray_triangle([x, y, 1.0], [0.0, 0.0, -1.0], UNIT).is_some(), "({x}, {y})");
    }
    for (x, y) in [(-1e-6, 0.5), (0.5, -1e-6), (0.5, 0.500_001)] {
        assert!(ray_triangle([x, y, 1.0], [0.0, 0.0, -1.0], UNIT).is_none(), "({x}, {y})");
    }
    let end = segment_triangle([0.25, 0.25, 1.0], [0.25, 0.25, 0.0], UNIT).expect("ends on it");
    assert_eq!(end.t, 1.0);
    let start =
        segment_triangle([0.25, 0.25, 0.0], [0.25, 0.25, -1.0], UNIT).expect("starts on it");
    assert!(start.t == 0.0 && start.t.is_sign_positive());
}

#[test]
fn size_does_not_matter() {
    for exponent in [-60, -30, -12, 12, 30, 60] {
        let s = 2.0_f32.powi(exponent);
        let triangle = UNIT.map(|p| p.map(|x| x * s));
        for length in [2.0_f32.powi(-60), 1.0, 2.0_f32.powi(60)] {
            let down = [0.0, 0.0, -length];
            let hit = ray_triangle([0.25 * s, 0.5 * s, 3.0 * s], down, triangle).expect("a hit");
            assert_eq!((hit.t, hit.u, hit.v), (3.0 * s / length, 0.25, 0.5));
            assert!(ray_triangle([0.75 * s, 0.5 * s, 3.0 * s], down, triangle).is_none());
        }
    }
}

#[test]
fn coplanar_rays_and_flat_triangles_never_hit() {
    let (mut random, mut rounded) = (Random(9), 0);
    for _ in 0..5000 {
        // Whole numbers of 19 bits times whole numbers below 16, added up: exact in f32.
        let [a, b] = [random.point(), random.point()].map(|p| p.map(|x| (x * 524_288.0).round()));
        let mut combine = || {
            let [j, k] = [random.next(), random.next()].map(|x| (x * 15.0).round());
            std::array::from_fn(|i| j * a[i] + k * b[i])
        };
        let (triangle, origin, direction) =
            ([combine(), combine(), combine()], combine(), combine());
        assert_eq!(ray_triangle(origin, direction, triangle), None, "in its plane");
        let [p, q, r] = triangle.map(wide);
        rounded += u32::from((q - p).dot(wide(direction).cross(r - p)) != 0.0);
        let line = [1.0, 2.0, -3.0].map(|k| a.map(|x| k * x));
        assert_eq!(ray_triangle(random.point(), random.point(), line), None, "no area");
        assert_eq!(barycentric(random.point(), line), None, "no area");
    }
    assert!(rounded > 100, "comparing with zero should not have been enough: {rounded}");
}

#[test]
fn segments_agree_with_planes_and_barycentric_coordinates() {
    let (mut random, mut hits) = (Random(11), 0);
    for _ in 0..4000 {
        let triangle = [random.point(), random.point(), random.point()];
        let (start, end) = (random.point(), random.point());
        let Some(hit) = segment_triangle(start, end, triangle) else { continue };
        hits += 1;
        let [a, b, c] = triangle.map(wide);
        let normal = (b - a).cross(c - a).as_vec3();
        let direction = (wide(end) - wide(start)).as_vec3();
        let t = ray_plane(start, direction, Plane::through(triangle[0], normal)).expect("so, too");
        assert!((t - hit.t).abs() < 1e-3, "{t} {}", hit.t);
        let [wa, wb, wc] = barycentric(hit.point, triangle).expect("it has an area");
        assert!((wb - hit.u).abs() < 1e-3 && (wc - hit.v).abs() < 1e-3);
        assert!((wa + wb + wc - 1.0).abs() < 1e-6);
        let by_weights =
            (1.0 - hit.u as f64 - hit.v as f64) * a + hit.u as f64 * b + hit.v as f64 * c;
        assert!(by_weights.distance(wide(hit.point)) < 1e-6);
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn weights_tell_inside_from_outside() {
    assert_eq!(barycentric([0.25, 0.25, 0.0], UNIT), Some([0.5, 0.25, 0.25]));
    for (corner, weights) in
        UNIT.into_iter().zip([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    {
        assert_eq!(barycentric(corner, UNIT), Some(weights));
    }
    assert_eq!(barycentric([1.0, 1.0, 0.0], UNIT), Some([-1.0, 1.0, 1.0]));
    assert_eq!(barycentric([0.25, 0.25, 7.0], UNIT), Some([0.5, 0.25, 0.25]), "above the plane");
}

#[test]
fn input_that_is_no_input_gives_none() {
    let (o, d) = ([0.25, 0.25, 3.0], [0.0, 0.0, -1.0]);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0);
    assert!(ray_plane(o, d, plane).is_some() && ray_sphere(o, d, ZERO, 1.0).is_some());
    assert!(ray_aabb(o, d, &CUBE).is_some() && ray_triangle(o, d, UNIT).is_some());
    for (o, d) in [(NAN, d), (INFINITE, d), (o, NAN), (o, INFINITE), (o, ZERO)] {
        assert_eq!(ray_plane(o, d, plane), None);
        assert_eq!(ray_sphere(o, d, ZERO, 1.0), None);
        assert_eq!(ray_aabb(o, d, &CUBE), None);
        assert_eq!(ray_triangle(o, d, UNIT), None);
        assert_eq!(ray_triangle_front(o, d, UNIT), None);
    }
    for bad in [NAN, INFINITE] {
        assert_eq!(segment_triangle(bad, ZERO, UNIT), None);
        assert_eq!(segment_triangle(ZERO, bad, UNIT), None);
        assert_eq!(barycentric(bad, UNIT), None);
        assert_eq!(ray_plane(o, d, Plane::new(bad, 0.0)), None);
        assert_eq!(ray_sphere(o, d, bad, 1.0), None);
        for corner in 0..3 {
            let mut triangle = UNIT;
            triangle[corner] = bad;
            assert_eq!(ray_triangle(o, d, triangle), None);
            assert_eq!(segment_triangle(o, [0.25, 0.25, -3.0], triangle), None);
            assert_eq!(barycentric(o, triangle), None);
        }
        for (min, max) in [(bad, [1.0; 3]), ([-1.0; 3], bad)] {
            assert_eq!(ray_aabb(o, d, &Aabb { min: min.into(), max: max.into() }), None);
        }
    }
    assert_eq!(ray_plane(o, d, Plane::new(ZERO, 0.0)), None);
    for offset in [f64::NAN, f64::INFINITY] {
        assert_eq!(ray_plane(o, d, Plane::new([0.0, 0.0, 1.0], offset)), None);
    }
    for radius in [f32::NAN, -1.0, f32::INFINITY] {
        assert_eq!(ray_sphere(o, d, ZERO, radius), None);
    }
    assert_eq!(segment_triangle(ZERO, ZERO, UNIT), None, "a segment without length");
}
