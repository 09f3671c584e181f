//! The camera: every kind of it, and every convention, sends the same pixel the same way.

use glam::camera::{lh, rh};
use glam::{Mat4, Vec3};
use hitscan::{Camera, CameraError, ClipSpace, Ray};

const EYE: Vec3 = Vec3::new(3.0, -2.0, 5.0);
const TARGET: Vec3 = Vec3::new(-1.0, 0.5, 0.25);
const UP: Vec3 = Vec3::new(0.1, 0.2, 1.0);
const SIZE: [u32; 2] = [160, 90];
const ASPECT: f32 = 160.0 / 90.0;
const FOV: f32 = 0.9;
const PIXELS: [(f32, f32); 5] =
    [(0.0, 0.0), (80.0, 45.0), (159.5, 0.5), (12.25, 88.0), (-40.0, 200.0)];

fn plain() -> Camera {
    Camera::perspective(EYE, TARGET, UP, FOV, SIZE).expect("a good camera")
}

/// How far the two rays' directions lie apart, and the second origin from the first ray's line.
fn apart(a: &Ray, b: &Ray) -> f32 {
    let [da, db] = [a, b].map(|ray| Vec3::from(ray.direction));
    let between = Vec3::from(b.origin) - Vec3::from(a.origin);
    da.distance(db).max(between.cross(da).length())
}

#[test]
fn the_middle_looks_at_the_target_and_up_is_up() {
    let camera = plain();
    let middle = camera.ray(80.0, 45.0);
    assert_eq!(middle.origin, EYE.to_array());
    assert!(Vec3::from(middle.direction).distance((TARGET - EYE).normalize()) < 1e-6);
    let [top, bottom, left, right] = [(80.0, 0.0), (80.0, 90.0), (0.0, 45.0), (160.0, 45.0)]
        .map(|(x, y)| Vec3::from(camera.ray(x, y).direction));
    assert!(top.z > bottom.z, "rows run downward");
    assert!((top.angle_between(bottom) - FOV).abs() < 1e-6, "the vertical field of view");
    let rightward = (TARGET - EYE).cross(UP);
    assert!(right.dot(rightward) > 0.0 && left.dot(rightward) < 0.0, "columns run rightward");
    let tangents = (left.angle_between(right) / 2.0).tan() / (FOV / 2.0).tan();
    assert!((tangents - ASPECT).abs() < 1e-5, "pixels are square");
}

#[test]
fn directions_are_unit_vectors() {
    for (x, y) in PIXELS {
        let length = Vec3::from(plain().ray(x, y).direction).length();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
    }
}

#[test]
fn every_convention_sends_a_pixel_the_same_way() {
    let right_handed = rh::view::look_at_mat4(EYE, TARGET, UP);
    let left_handed = lh::view::look_at_mat4(EYE, TARGET, UP);
    let (near, far) = (0.5, 50.0);
    let conventions: [(&str, Mat4, Mat4, ClipSpace); 8] = [
        (
            "wgpu",
            right_handed,
            rh::proj::directx::perspective(FOV, ASPECT, near, far),
            ClipSpace::WGPU,
        ),
        (
            "opengl",
            right_handed,
            rh::proj::opengl::perspective(FOV, ASPECT, near, far),
            ClipSpace::OPENGL,
        ),
        (
            "vulkan",
            right_handed,
            rh::proj::vulkan::perspective(FOV, ASPECT, near, far),
            ClipSpace::VULKAN,
        ),
        (
            "infinite",
            right_handed,
            rh::proj::directx::perspective_infinite(FOV, ASPECT, near),
            ClipSpace::WGPU,
        ),
        (
            "infinite, reversed",
            right_handed,
            rh::proj::directx::perspective_infinite_reverse(FOV, ASPECT, near),
            ClipSpace::WGPU.reversed(),
        ),
        (
            "left-handed",
            left_handed,
            lh::proj::directx::perspective(FOV, ASPECT, near, far),
            ClipSpace::WGPU,
        ),
        (
            "left-handed opengl",
            left_handed,
            lh::proj::opengl::perspective(FOV, ASPECT, near, far),
            ClipSpace::OPENGL,
        ),
        (
            "left-handed vulkan, reversed",
            left_handed,
            lh::proj::vulkan::perspective_infinite_reverse(FOV, ASPECT, near),
            ClipSpace::VULKAN.reversed(),
        ),
    ];
    for (name, view, projection, clip) in conventions {
        let camera = Camera::from_matrices(view, projection, clip, SIZE).expect(name);
        // Left-handed views of the same world see it mirrored.
        let mirrored = name.starts_with("left");
        for (x, y) in PIXELS {
            let expected = plain().ray(if mirrored { 160.0 - x } else { x }, y);
            let ray = camera.ray(x, y);
            assert!(apart(&expected, &ray) < 1e-4, "{name}, pixel {x}, {y}: {expected:?} {ray:?}");
            let depth = (Vec3::from(ray.origin) - EYE).dot((TARGET - EYE).normalize());
            assert!(
                (depth - near).abs() < 1e-3,
                "{name}: rays start on the near plane, not at {depth}"
            );
        }
    }
}

#[test]
fn orthographic_rays_are_parallel_and_a_pixel_apart() {
    let camera = Camera::orthographic(EYE, TARGET, UP, 9.0, SIZE).expect("a good camera");
    let (a, b) = (camera.ray(10.5, 20.5), camera.ray(11.5, 20.5));
    assert_eq!(a.direction, b.direction);
    let step = Vec3::from(a.origin).distance(Vec3::from(b.origin));
    assert!((step - 0.1).abs() < 1e-5, "nine units over ninety pixels, not {step}");
    let view = rh::view::look_at_mat4(EYE, TARGET, UP);
    for (projection, clip) in [
        (rh::proj::directx::orthographic(-8.0, 8.0, -4.5, 4.5, 0.0, 50.0), ClipSpace::WGPU),
        (rh::proj::opengl::orthographic(-8.0, 8.0, -4.5, 4.5, 0.0, 50.0), ClipSpace::OPENGL),
        (
            rh::proj::directx::orthographic(-8.0, 8.0, -4.5, 4.5, 50.0, 0.0),
            ClipSpace::WGPU.reversed(),
        ),
    ] {
        let by_matrix = Camera::from_matrices(view, projection, clip, SIZE).expect("good matrices");
        for (x, y) in PIXELS {
            let (expected, ray) = (camera.ray(x, y), by_matrix.ray(x, y));
            assert!(
                apart(&expected, &ray) < 1e-4,
                "{clip:?}, pixel {x}, {y}: {expected:?} {ray:?}"
            );
        }
    }
}

#[test]
fn degenerate_cameras_are_errors() {
    let perspective = |eye: [f32; 3], target: [f32; 3], up: [f32; 3], fov, size| {
        Camera::perspective(eye, target, up, fov, size).unwrap_err()
    };
    let (o, x, z) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    assert_eq!(perspective(x, x, z, 1.0, SIZE), CameraError::EyeIsTarget);
    assert_eq!(perspective(o, x, x, 1.0, SIZE), CameraError::UpParallel);
    assert_eq!(perspective(o, x, [-7.0, 0.0, 0.0], 1.0, SIZE), CameraError::UpParallel);
    assert_eq!(perspective(o, x, o, 1.0, SIZE), CameraError::UpParallel);
    assert_eq!(perspective(o, x, z, 1.0, [0, 90]), CameraError::EmptyImage(0, 90));
    assert_eq!(perspective(o, x, z, 60.0, SIZE), CameraError::FieldOfView(60.0));
    for fov in [0.0, -1.0, std::f32::consts::PI, f32::INFINITY] {
        assert_eq!(perspective(o, x, z, fov, SIZE), CameraError::FieldOfView(fov));
    }
    assert!(matches!(perspective(o, x, z, f32::NAN, SIZE), CameraError::FieldOfView(_)));
    let nan = [f32::NAN, 0.0, 0.0];
    assert_eq!(perspective(nan, x, z, 1.0, SIZE), CameraError::NotFinite("eye"));
    assert_eq!(perspective(o, nan, z, 1.0, SIZE), CameraError::NotFinite("target"));
    assert_eq!(perspective(o, x, nan, 1.0, SIZE), CameraError::NotFinite("up"));
    for height in [0.0, -3.0, f32::INFINITY] {
        let camera = Camera::orthographic(o, x, z, height, SIZE);
        assert_eq!(camera, Err(CameraError::Height(height)));
    }
    let matrices =
        |view, projection| Camera::from_matrices(view, projection, ClipSpace::WGPU, SIZE);
    assert_eq!(matrices(Mat4::ZERO, Mat4::IDENTITY), Err(CameraError::Singular));
    assert_eq!(matrices(Mat4::IDENTITY, Mat4::ZERO), Err(CameraError::Singular));
    let nan = Mat4::IDENTITY * f32::NAN;
    assert_eq!(matrices(nan, Mat4::IDENTITY), Err(CameraError::NotFinite("view matrix")));
}

#[test]
fn extreme_distances_still_give_unit_directions() {
    for scale in [1e-30_f32, 1e30] {
        let camera =
            Camera::perspective([0.0; 3], [0.0, scale, scale], [0.0, 0.0, scale], 1.0, SIZE)
                .expect("far or near, it looks somewhere");
        let direction = Vec3::from(camera.ray(80.0, 45.0).direction);
        assert!(direction.distance(Vec3::new(0.0, 1.0, 1.0).normalize()) < 1e-6, "{direction}");
    }
}

#[test]
fn a_point_that_is_no_point_gives_a_ray_that_is_no_ray() {
    let orthographic = Camera::orthographic(EYE, TARGET, UP, 9.0, SIZE).expect("a good camera");
    for camera in [plain(), orthographic] {
        for (x, y) in [(f32::NAN, 1.0), (1.0, f32::INFINITY)] {
            assert!(!camera.ray(x, y).is_valid());
        }
    }
}

#[test]
fn framed_points_fill_the_image_and_no_more() {
    let points: Vec<Vec3> =
        (0..60).map(|i| (Vec3::new(0.3, 1.7, 0.9) * i as f32).map(f32::sin) * 2.0 + EYE).collect();
    for (size, filled) in [([160, 90], 1.0), ([90, 160], 0.5)] {
        let camera = Camera::framing(points.clone(), TARGET - EYE, UP, FOV, size, filled)
            .expect("a good camera");
        let [width, height] = size.map(|side| side as f32);
        let middle = camera.ray(width / 2.0, height / 2.0);
        let (eye, forward) = (Vec3::from(middle.origin), Vec3::from(middle.direction));
        assert!(forward.distance((TARGET - EYE).normalize()) < 1e-6);
        let right = forward.cross(UP).normalize();
        let up = right.cross(forward);
        // Where the points are in the image: −1 and 1 are its edges.
        let (mut across, mut upward) = ([f32::MAX, f32::MIN], [f32::MAX, f32::MIN]);
        for point in &points {
            let offset = *point - eye;
            let scale = (FOV / 2.0).tan() * offset.dot(forward);
            let x = offset.dot(right) / (scale * width / height);
            let y = offset.dot(up) / scale;
            across = [across[0].min(x), across[1].max(x)];
            upward = [upward[0].min(y), upward[1].max(y)];
        }
        let reach = across.into_iter().chain(upward).map(f32::abs).fold(0.0, f32::max);
        assert!((reach - filled).abs() < 1e-4, "{size:?}: {across:?}, {upward:?}");
        let [x, y] = [across, upward].map(|[a, b]| (a + filled).abs().max((b - filled).abs()));
        assert!(x.min(y) < 1e-4, "one way, both edges are reached: {across:?}, {upward:?}");
    }
}

#[test]
fn framing_takes_what_has_no_extent_and_refuses_what_is_no_number() {
    let (down, up) = ([0.0, 0.0, -2.0], [0.0, 1.0, 0.0]);
    let frame = |points: &[[f32; 3]], filled| {
        Camera::framing(points.iter().copied(), down, up, FOV, SIZE, filled)
            .map(|camera| camera.ray(80.0, 45.0).origin)
    };
    let nan = [f32::NAN, 0.0, 0.0];
    assert_eq!(frame(&[], 1.0), Ok([0.0, 0.0, 1.0]));
    assert_eq!(frame(&[nan, [3.0, 4.0, 5.0], [3.0, 4.0, 5.0]], 1.0), Ok([3.0, 4.0, 6.0]));
    assert_eq!(frame(&[[3.0, 4.0, 5.0], [3.0, 4.0, 7.0]], 0.5), Ok([3.0, 4.0, 8.0]));
    for wrong in [0.0, -1.0, 1.5, f32::INFINITY] {
        assert_eq!(frame(&[], wrong), Err(CameraError::Filled(wrong)));
    }
    assert!(matches!(frame(&[], f32::NAN), Err(CameraError::Filled(_))));
    let far = [[f32::MAX, 0.0, 0.0], [-f32::MAX, 0.0, 0.0]];
    assert_eq!(frame(&far, 0.001), Err(CameraError::NotFinite("eye")));
    let camera = Camera::framing([[0.0; 3]], [0.0; 3], up, FOV, SIZE, 1.0);
    assert_eq!(camera, Err(CameraError::EyeIsTarget));
    let camera = Camera::framing([[0.0; 3]], nan, up, FOV, SIZE, 1.0);
    assert_eq!(camera, Err(CameraError::NotFinite("direction")));
}
