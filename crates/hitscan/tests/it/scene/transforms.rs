//! Mirrored, scaled and sheared instances, and transforms that are none.

use glam::{Affine3A, DAffine3, DMat3, DMat4, DVec3, Mat4, Quat, Vec3, Vec4};
use hitscan::prelude::*;
use hitscan::{Faces, Instance, QueryOptions, Ray, Scene, SceneError, Transform};

use super::{Random, cube, only, tree};

#[test]
fn t_is_the_worlds_under_scale() {
    let scene = only(cube(), Transform::scale([2.0, 2.0, 2.0]));
    let down = |length: f32| Ray::new([0.25, 0.5, 10.0], [0.0, 0.0, -length]);
    assert_eq!(scene.closest_hit(&down(1.0)).map(|hit| hit.t), Some(8.0));
    assert_eq!(scene.closest_hit(&down(4.0)).map(|hit| hit.t), Some(2.0));
    let short = down(1.0).with_interval(0.0, 7.9);
    assert!(!scene.any_hit(&short), "the interval is in world units");
    assert!(scene.any_hit(&down(1.0).with_interval(8.0, 8.0)), "and closed at both ends");
}

#[test]
fn a_mirrored_mesh_keeps_its_outside_outside() {
    let scene = only(cube(), Transform::scale([-1.0, 1.0, 1.0]));
    let ray = Ray::new([-5.0, 0.25, 0.5], [1.0, 0.0, 0.0]);
    let front = QueryOptions { faces: Faces::Front, ..QueryOptions::DEFAULT };
    let hit = scene.closest_hit_with(&ray, &front).expect("the outside is the front");
    assert_eq!((hit.t, hit.front), (4.0, true));
    assert_eq!(scene.normal(&hit), [-1.0, 0.0, 0.0]);
}

#[test]
fn a_normal_under_negative_scale_goes_through_the_inverse_transpose() {
    let at_one = tree(&[[[1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [1.0, 0.0, 1.0]]]);
    assert_eq!(at_one.mesh().normal(0), [1.0, 0.0, 0.0]);
    let scene = only(at_one, Transform::scale([-2.0, 1.0, 1.0]));
    let hit = scene.closest_hit(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0])).expect("x = -2");
    assert_eq!(hit.t, 3.0);
    assert_eq!(scene.normal(&hit), [-1.0, 0.0, 0.0]);
}

#[test]
fn extreme_scales_neither_lose_nor_invent_hits() {
    for exponent in [-120, -90, -61, -1, 0, 1, 61, 90, 120] {
        let scale = 2.0_f32.powi(exponent);
        let scene = only(cube(), Transform::scale([scale; 3]));
        let origin = [0.25 * scale, 0.5 * scale, 4.0 * scale];
        for length in [scale, 1.0, 2.0_f32.powi(-60), 2.0_f32.powi(60)] {
            let ray = Ray::new(origin, [0.0, 0.0, -length]);
            let t = 3.0 * f64::from(scale) / f64::from(length);
            let found = scene.all_hits(&ray).first().map(|hit| hit.t);
            if t > f64::from(f32::MAX) {
                assert_eq!(found, None, "2^{exponent}, {length}: beyond f32");
            } else if t >= f64::from(f32::MIN_POSITIVE) {
                assert_eq!(found, Some(t as f32), "2^{exponent}, {length}");
            }
            let beside = Ray::new([1.5 * scale, 0.0, 4.0 * scale], [0.0, 0.0, -length]);
            assert!(!scene.any_hit(&beside), "2^{exponent}, {length}: beside the cube");
        }
    }
}

#[test]
fn transforms_without_an_inverse_are_errors() {
    let mut scene = Scene::new();
    assert_eq!(scene.add(cube(), Transform::scale([1.0, 1.0, 0.0])), Err(SceneError::Singular));
    assert_eq!(scene.add(cube(), Transform::scale([0.0; 3])), Err(SceneError::Singular));
    let (mut random, mut lost) = (Random(17), 0);
    for _ in 0..100 {
        // Whole numbers of 23 bits: the third row is the sum of the others, exactly.
        let whole = |random: &mut Random| random.point().map(|x| (x * 8e6).round());
        let (a, b) = (whole(&mut random), whole(&mut random));
        let linear = [a, b, std::array::from_fn(|axis| a[axis] + b[axis])];
        let rows = linear.map(|[x, y, z]| [x, y, z, 5.0]);
        assert_eq!(scene.add(cube(), rows), Err(SceneError::Singular), "{linear:?}");
        let plain = DMat3::from_cols_array_2d(&linear.map(|row| row.map(f64::from))).determinant();
        lost += u32::from(plain != 0.0);
    }
    assert!(lost > 10, "plain arithmetic should not have been enough: {lost}");
    let nearly = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 1.0, f32::EPSILON, 0.0]];
    assert!(scene.add(cube(), nearly).is_ok(), "thin is not flat");
    for (row, column, wrong) in [(0, 0, f64::NAN), (1, 3, f64::INFINITY), (2, 1, f64::NEG_INFINITY)]
    {
        let mut rows = Transform::IDENTITY.rows;
        rows[row][column] = wrong;
        assert_eq!(scene.add(cube(), rows), Err(SceneError::NotFinite { row, column }));
    }
}

#[test]
fn a_determinant_that_is_zero_but_for_rounding_is_zero() {
    let place = |linear: [[f64; 3]; 3], scale: f64| {
        let rows = linear.map(|row| row.map(|x| x * scale));
        Instance::new(cube(), rows.map(|[x, y, z]| [x, y, z, 0.0])).map(|_| ())
    };
    for scale in [1e-280, 1e-20, 0.1, 1.0, 1e20, 1e280] {
        let flat = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
        assert_eq!(place(flat, scale), Err(SceneError::Singular), "{scale}");
        let turned = [[0.1, 0.2, 0.3], [0.1 * 3.0, 0.2 * 3.0, 0.3 * 3.0], [1.0, 0.0, 7.0]];
        assert_eq!(place(turned, scale), Err(SceneError::Singular), "{scale}");
        let thin = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0 + 1e-12]];
        assert_eq!(place(thin, scale), Ok(()), "{scale}");
        assert_eq!(place([[1.0, 0.0, 0.0], [0.0, 1e-7, 0.0], [1.0, 0.0, 1e-7]], scale), Ok(()));
    }
    // The smallest and the largest of f32 side by side, and two that differ by a last digit.
    let (tiny, huge) = (f32::from_bits(1), f32::MAX);
    let rows = [[huge, tiny, 0.0, 0.0], [0.0, tiny, 0.0, 0.0], [tiny, 0.0, huge, 0.0]];
    assert!(Instance::new(cube(), rows).is_ok());
    let more = 1.0_f32.next_up();
    let rows = [[1.0, 1.0, 1.0, 0.0], [more, 1.0, 1.0, 0.0], [1.0, more, 1.0, 0.0]];
    assert!(Instance::new(cube(), rows).is_ok());
}

#[test]
fn transforms_come_from_arrays_and_from_glam() {
    let affine = Affine3A::from_scale_rotation_translation(
        Vec3::new(1.0, 2.0, 3.0),
        Quat::from_rotation_y(0.7),
        Vec3::new(4.0, 5.0, 6.0),
    );
    let transform = Transform::from(affine);
    assert_eq!(transform.rows.map(|row| row[3]), [4.0, 5.0, 6.0]);
    assert_eq!(Transform::try_from(Mat4::from(affine)), Ok(transform));
    let flat: [f64; 12] = transform.rows.as_flattened().try_into().expect("twelve numbers");
    assert_eq!(Transform::from(flat), transform);
    assert_eq!(Transform::from(flat.map(|x| x as f32)), transform);
    assert_eq!(Transform::from(transform.rows.map(|row| row.map(|x| x as f32))), transform);
    let double = DAffine3::from_translation(DVec3::new(0.1, 0.2, 1e9 + 0.1));
    assert_eq!(Transform::from(double).rows.map(|row| row[3]), [0.1, 0.2, 1e9 + 0.1]);
    assert_eq!(Transform::try_from(DMat4::from(double)), Ok(Transform::from(double)));
    let mut scene = Scene::new();
    assert_eq!(scene.add(cube(), affine), Ok(0));
    assert_eq!(scene.add(cube(), Mat4::from(affine)), Ok(1));
    assert_eq!(
        scene.add(cube(), [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]),
        Ok(2)
    );
    let projection = Mat4::from_cols(Vec4::X, Vec4::Y, Vec4::new(0.0, 0.0, -1.0, -1.0), Vec4::Z);
    assert_eq!(scene.add(cube(), projection), Err(SceneError::Projective));
    assert_eq!(scene.instances().len(), 3);
}
