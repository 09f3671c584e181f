//! Rays that go much the same way, cast together: the answers of each alone, bit for bit.

use hitscan_core::{Hit, Ray};
use hitscan_testkit::rays::invalid;
use hitscan_traversal::{Bvh, Coherence, Level, QueryOptions, Raycast};
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Triangle, Verdict, bits, cases, tree};

/// Side of the cube that small triangles are strewn in.
const SIDE: i32 = 8;

/// Small triangles in separate cells of a cube, many of them in the planes between cells, so that
/// boxes touch and have no thickness: enough for a tree of several levels.
fn strewn() -> impl Strategy<Value = Vec<Triangle>> {
    let cell = (any::<[u8; 3]>(), any::<[[u8; 3]; 3]>(), any::<u8>());
    vec(cell, 60..200).prop_map(|cells| cells.into_iter().map(triangle).collect())
}

fn triangle((cell, corners, flat): ([u8; 3], [[u8; 3]; 3], u8)) -> Triangle {
    let mut corners = corners.map(|corner| {
        [0, 1, 2].map(|axis| {
            let part = f32::from(corner[axis] % 5) / 4.0;
            f32::from(cell[axis] % SIDE as u8) + part
        })
    });
    if flat % 4 > 0 {
        let axis = usize::from(flat % 4) - 1;
        let [a, b, c] = &mut corners;
        (b[axis], c[axis]) = (a[axis], a[axis]);
    }
    corners
}

/// A multiple of 1/4 in the cube or a little outside.
fn quarter() -> impl Strategy<Value = f32> {
    (-8..=4 * SIDE + 8).prop_map(|x| x as f32 / 4.0)
}

fn point() -> impl Strategy<Value = [f32; 3]> {
    [quarter(), quarter(), quarter()]
}

/// Rays by the numbers of two packets and a part of a third.
fn of_rays<T: std::fmt::Debug>(item: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    vec(item, 64..140)
}

fn plus(p: [f32; 3], q: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| p[axis] + q[axis])
}

fn minus(p: [f32; 3], q: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| p[axis] - q[axis])
}

/// A packet takes only rays whose directions agree in sign.
fn in_octant(direction: [f32; 3], octant: u8) -> [f32; 3] {
    [0, 1, 2].map(|axis| {
        let sign = if octant >> axis & 1 == 0 { 1.0 } else { -1.0_f32 };
        direction[axis].abs().copysign(sign)
    })
}

fn check(triangles: &[Triangle], rays: &[Ray]) -> Verdict {
    let bvh = tree(triangles);
    for level in Level::available() {
        check_tree(&bvh.clone().with_level(level), rays)?;
    }
    Ok(())
}

fn check_tree(bvh: &Bvh, rays: &[Ray]) -> Verdict {
    let some = |hit: &Hit| hit.prim % 3 != 1;
    let filtered = QueryOptions { filter: Some(&some), ..QueryOptions::DEFAULT };
    for options in [QueryOptions::DEFAULT, filtered] {
        let (mut hits, mut any) = (vec![None; rays.len()], vec![false; rays.len()]);
        bvh.closest_hits_chunk(rays, &options, Coherence::Coherent, &mut hits);
        bvh.any_hits_chunk(rays, &options, Coherence::Coherent, &mut any);
        for (i, ray) in rays.iter().enumerate() {
            let single = bvh.closest_hit_with(ray, &options);
            let (found, expected) = (hits[i].as_ref().map(bits), single.as_ref().map(bits));
            prop_assert_eq!(found, expected, "closest of ray {}, {}: {:?}", i, bvh.level(), ray);
            let (found, expected) = (any[i], bvh.any_hit_with(ray, &options));
            prop_assert_eq!(found, expected, "any of ray {}, {}: {:?}", i, bvh.level(), ray);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(60))]

    /// As from a pinhole camera amid the triangles, at points with many coincidences.
    #[test]
    fn rays_from_one_point(
        triangles in strewn(),
        origin in point(),
        targets in of_rays(point()),
        octant in 0..8_u8,
    ) {
        let ray = |&target| Ray::new(origin, in_octant(minus(target, origin), octant));
        let rays: Vec<Ray> = targets.iter().map(ray).collect();
        check(&triangles, &rays)?;
    }

    /// As of a directional light: along an axis, through vertices, along edges and in faces.
    #[test]
    fn parallel_rays_along_an_axis(
        triangles in strewn(),
        origins in of_rays(point()),
        axis in 0..3_usize,
        zeros in 0..8_u8,
        length in prop::sample::select(vec![1.0, -1.0, 0.375, 1e-20, -1e20]),
    ) {
        let mut direction = in_octant([0.0; 3], zeros);
        direction[axis] = length;
        let rays: Vec<Ray> = origins.iter().map(|&origin| Ray::new(origin, direction)).collect();
        check(&triangles, &rays)?;
    }

    /// A narrow beam: hardly any difference in origin and direction.
    #[test]
    fn a_narrow_beam(
        triangles in strewn(),
        origin in point(),
        target in point(),
        aside in of_rays(any::<[[i8; 3]; 2]>()),
        width in prop::sample::select(vec![1e-7, 1e-3, 0.02]),
    ) {
        let off = |by: [i8; 3]| by.map(|x| f32::from(x) * width);
        let ray = |by: &[[i8; 3]; 2]| {
            let from = plus(origin, off(by[0]));
            Ray::new(from, plus(minus(target, origin), off(by[1])))
        };
        let rays: Vec<Ray> = aside.iter().map(ray).collect();
        check(&triangles, &rays)?;
    }

    /// One ray that does not belong: it must neither disturb the others nor be disturbed.
    #[test]
    fn an_odd_ray_among_coherent_ones(
        triangles in strewn(),
        origin in point(),
        targets in of_rays(point()),
        odd in (0..11_u8, any::<prop::sample::Index>(), point(), point()),
        octant in 0..8_u8,
    ) {
        let ray = |&target| Ray::new(origin, in_octant(minus(target, origin), octant));
        let mut rays: Vec<Ray> = targets.iter().map(ray).collect();
        let (kind, place, from, way) = odd;
        let place = place.index(rays.len());
        let usual = rays[place];
        rays[place] = match kind {
            0 => Ray { direction: usual.direction.map(|x| -x), ..usual },
            1 => Ray::new(from, way),
            2 => Ray { origin: plus(usual.origin, [1e9, -1e9, 1e9]), ..usual },
            3 => Ray { direction: usual.direction.map(|x| x * 1e-25), ..usual },
            4 => Ray { direction: usual.direction.map(|x| x * 1e25), ..usual },
            5 => Ray { direction: [usual.direction[0], 0.0, usual.direction[2]], ..usual },
            6 => Ray { direction: [usual.direction[0], -0.0, f32::from_bits(1)], ..usual },
            7 => usual.with_interval(-1e3, -0.25),
            8 => usual.with_interval(0.5, 0.5),
            9 => usual.with_interval(f32::NEG_INFINITY, f32::INFINITY),
            _ => invalid()[place % invalid().len()],
        };
        check(&triangles, &rays)?;
    }

    /// Intervals that end exactly where a ray hits, or begin there.
    #[test]
    fn intervals_that_end_at_a_hit(
        triangles in strewn(),
        origin in point(),
        targets in of_rays(point()),
        octant in 0..8_u8,
        which in vec(0..4_u8, 7),
    ) {
        let ray = |&target| Ray::new(origin, in_octant(minus(target, origin), octant));
        let mut rays: Vec<Ray> = targets.iter().map(ray).collect();
        let bvh = tree(&triangles);
        for (ray, which) in rays.iter_mut().zip(which.iter().cycle()) {
            let Some(hit) = bvh.closest_hit(ray) else { continue };
            *ray = match which {
                0 => ray.with_interval(0.0, hit.t),
                1 => ray.with_interval(hit.t, f32::INFINITY),
                2 => ray.with_interval(hit.t.next_up(), f32::INFINITY),
                _ => ray.with_interval(0.0, hit.t.next_down()),
            };
        }
        check_tree(&bvh, &rays)?;
    }

    /// Rays that are a point, at corners and middles of triangles: where a box begins it ends.
    #[test]
    fn points_on_the_surface(
        triangles in strewn(),
        places in of_rays((any::<prop::sample::Index>(), 0..3_usize, any::<bool>())),
        way in point(),
        octant in 0..8_u8,
    ) {
        let ray = |(prim, corner, is_middle): &(prop::sample::Index, usize, bool)| {
            let corners = triangles[prim.index(triangles.len())];
            let (p, q) = (corners[*corner], corners[(corner + 1) % 3]);
            let middle = [0, 1, 2].map(|axis| 0.5 * (p[axis] + q[axis]));
            let origin = if *is_middle { middle } else { p };
            Ray::new(origin, in_octant(way, octant)).with_interval(0.0, 0.0)
        };
        let rays: Vec<Ray> = places.iter().map(ray).collect();
        check(&triangles, &rays)?;
        let bvh = tree(&triangles);
        for ray in rays.iter().filter(|ray| ray.is_valid()) {
            // A single triangle may be in the ray's plane, or have no area.
            let hit = bvh.closest_hit(&ray.with_interval(-1.0, 1.0));
            prop_assert!(bvh.any_hit(ray) || hit.is_none_or(|hit| hit.t != 0.0), "{:?}", ray);
        }
    }
}
