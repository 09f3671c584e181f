//! Specks far from the origin that a ray grazes: there `t` is off by far more than a box is padded.

use hitscan_core::Ray;
use hitscan_testkit::Random;
use hitscan_traversal::{Bvh, Raycast};

use super::{Triangle, bits, tree};

/// Pruning by a distance that is a little too small must not lose a triangle whose own distance is
/// smaller still.
#[test]
fn the_nearest_of_many_grazed_specks() {
    let mut random = Random::new(5);
    let mut hits = 0;
    for _ in 0..300 {
        let way = random.direction();
        let center = way.map(|x| x * random.between(0.5, 2.0));
        let size = f64::powi(2.0, random.whole(-17, -11));
        let specks: Vec<Triangle> =
            (0..48).map(|_| speck(way, center, size, &mut random)).collect();
        let group = Group::of(&specks);
        for _ in 0..12 {
            let aside = random.direction();
            let target: [f64; 3] =
                std::array::from_fn(|axis| center[axis] + 0.2 * size * aside[axis]);
            let ray = Ray::new([0.0; 3], target.map(|x| x as f32));
            hits += usize::from(group.is_hit_as_its_members(&ray));
        }
    }
    assert!(hits > 2000, "only {hits} rays hit anything");
}

/// Where boxes begin at the very point that is hit, nothing but the slack of pruning keeps a
/// triangle whose `t` came out a little smaller than it is.
#[test]
fn the_nearest_of_many_specks_that_begin_at_one_corner() {
    let mut random = Random::new(6);
    let mut hits = 0;
    for _ in 0..200 {
        let origin: [f32; 3] = random.direction().map(|x| x as f32);
        let way = random.direction();
        let far = random.between(0.5, 2.0);
        let corner: [f32; 3] =
            std::array::from_fn(|axis| (f64::from(origin[axis]) + far * way[axis]) as f32);
        let specks: Vec<Triangle> = (0..48)
            .map(|_| {
                let mut end = |along: f64| {
                    let (size, across) = (f64::powi(2.0, -8), random.direction());
                    std::array::from_fn(|axis| {
                        let aside = 0.2 * across[axis];
                        (f64::from(corner[axis]) + size * along * (way[axis] + aside)) as f32
                    })
                };
                [corner, end(1.0), end(0.5)]
            })
            .collect();
        let group = Group::of(&specks);
        for _ in 0..8 {
            let length = random.between(0.3, 3.0);
            let direction = std::array::from_fn(|axis| {
                ((f64::from(corner[axis]) - f64::from(origin[axis])) * length) as f32
            });
            let ray = Ray::new(origin, direction);
            hits += usize::from(group.is_hit_as_its_members(&ray));
        }
    }
    assert!(hits > 800, "only {hits} rays hit anything");
}

/// Triangles in one tree, and each in a tree of its own.
struct Group {
    all: Bvh,
    alone: Vec<Bvh>,
}

impl Group {
    fn of(triangles: &[Triangle]) -> Self {
        let alone = triangles.iter().map(|&triangle| tree(&[triangle])).collect();
        Self { all: tree(triangles), alone }
    }

    /// Whether a ray hits anything; it must hit what is the nearest by the trees of one each.
    fn is_hit_as_its_members(&self, ray: &Ray) -> bool {
        let each = (0..).zip(&self.alone).filter_map(|(prim, bvh)| {
            let mut hit = bvh.closest_hit(ray)?;
            hit.prim = prim;
            Some(hit)
        });
        let nearest = each.min_by(|p, q| p.t.total_cmp(&q.t).then(p.prim.cmp(&q.prim)));
        let found = self.all.closest_hit(ray);
        assert_eq!(found.as_ref().map(bits), nearest.as_ref().map(bits), "{ray:?}");
        found.is_some()
    }
}

/// A small triangle near `center` that rays along `way` meet at a few degrees.
fn speck(way: [f64; 3], center: [f64; 3], size: f64, random: &mut Random) -> Triangle {
    let across = random.direction();
    let grazing = random.between(0.03, 0.2);
    let at = random.direction();
    let mut corner = |along: f64| {
        let (p, q) = (along * size, size * random.between(-1.0, 1.0));
        std::array::from_fn(|axis| {
            let tilted = way[axis] + grazing * across[axis];
            (center[axis] + 0.3 * size * at[axis] + p * tilted + q * across[(axis + 1) % 3]) as f32
        })
    };
    [corner(-1.0), corner(1.0), corner(0.3)]
}
