//! A mesh far from zero answers as its recentred twin does, from OBJ text to hit, with rays in f64.

use std::fmt::Write as _;
use std::path::PathBuf;

use hitscan::obj::{ObjOptions, read_bytes};
use hitscan::prelude::*;
use hitscan::{BuildOptions, Bvh, Hit, Instance, RayF64, Transform};
use hitscan_testkit::Random;

type Point = [f64; 3];

fn tree(text: &str) -> Bvh {
    let (mesh, report) = read_bytes(text.as_bytes(), "pair.obj", ObjOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.non_finite, 0, "{:?}", report.warnings);
    Bvh::build(mesh, &BuildOptions::default())
}

fn plus(p: Point, q: Point) -> Point {
    [0, 1, 2].map(|axis| p[axis] + q[axis])
}

fn minus(p: Point, q: Point) -> Point {
    [0, 1, 2].map(|axis| p[axis] - q[axis])
}

/// The numbers of a `v` line.
fn vertex(line: &str) -> Option<Point> {
    let mut words = line.strip_prefix("v ")?.split_whitespace();
    let mut number = || words.next()?.parse().ok();
    Some([number()?, number()?, number()?])
}

/// The same text with every vertex moved by −`origin`, in all digits.
fn recentred(text: &str, origin: Point) -> String {
    let mut moved = String::new();
    for line in text.lines() {
        let _ = match vertex(line).map(|point| minus(point, origin)) {
            Some([x, y, z]) => writeln!(moved, "v {x} {y} {z}"),
            None => writeln!(moved, "{line}"),
        };
    }
    moved
}

/// Rays in f64 at the corners, edges and triangles of a mesh, and past them: from above and from
/// all around, in decimals as a file would give them.
fn rays_at(bvh: &Bvh, count: usize, decimals: f64) -> Vec<RayF64> {
    let mesh = bvh.mesh();
    let mut random = Random::new(7);
    let reach = f64::from(bvh.bounds().extent().max_element());
    let round = |p: Point| p.map(|x| (x * decimals).round() / decimals);
    let mut ray = |i: usize| {
        let prim = random.below(mesh.triangle_count()) as u32;
        let [a, b, c] = mesh.triangle(prim).map(|p| plus(p.map(f64::from), mesh.origin()));
        let [s, t] = match i % 4 {
            0 => [0.0, 0.0],
            1 => [random.unit(), 0.0],
            _ => [random.unit(), random.unit()].map(|x| x / 2.0),
        };
        let weigh = |axis: usize| a[axis] + s * (b[axis] - a[axis]) + t * (c[axis] - a[axis]);
        let target = round([0, 1, 2].map(weigh));
        let above = [0.0, 0.0, 1.0];
        let away = if random.coin() { above } else { random.direction() };
        let from = round(plus(target, away.map(|x| x * reach * random.between(0.1, 1.5))));
        RayF64::new(from, minus(target, from))
    };
    (0..count).map(&mut ray).collect()
}

fn bits(hit: Option<&Hit>) -> Option<([u32; 3], u32, bool)> {
    hit.map(|hit| ([hit.t, hit.u, hit.v].map(f32::to_bits), hit.prim, hit.front))
}

/// Compares a file with its twin about the local origin that the reader chose, bit for bit, and
/// gives how many rays hit.
fn check_pair(name: &str, text: &str, decimals: f64) -> usize {
    let far = tree(text);
    let origin = far.mesh().origin();
    assert_ne!(origin, [0.0; 3], "{name} needs a local origin");
    let near = tree(&recentred(text, origin));
    assert_eq!(near.mesh().origin(), [0.0; 3], "{name}");
    assert_eq!(near.mesh().positions(), far.mesh().positions(), "{name}");
    assert_eq!(near.mesh().indices(), far.mesh().indices(), "{name}");
    let rays = rays_at(&far, 2000, decimals);
    let far_rays: Vec<_> = rays.iter().map(|ray| ray.relative_to(origin)).collect();
    let moved = |ray: &RayF64| RayF64 { origin: minus(ray.origin, origin), ..*ray };
    let near_rays: Vec<_> = rays.iter().map(|ray| moved(ray).relative_to([0.0; 3])).collect();
    let far_hits = far.closest_hits(&far_rays);
    let near_hits = near.closest_hits(&near_rays);
    for (i, ray) in rays.iter().enumerate() {
        let [hit, expected] = [&far_hits[i], &near_hits[i]].map(|hit| bits(hit.as_ref()));
        assert_eq!(hit, expected, "{name}, ray {i}: {ray:?}");
        let all: Vec<_> = far.all_hits(&far_rays[i]);
        let twin = near.all_hits(&near_rays[i]);
        assert!(all.iter().map(|hit| bits(Some(hit))).eq(twin.iter().map(|hit| bits(Some(hit)))));
        if let Some(hit) = &far_hits[i] {
            is_on_its_triangle(&far, ray, hit, name);
        }
    }
    far_hits.iter().flatten().count()
}

/// The point at `t`, in f64 and far from zero, is a point of the triangle.
fn is_on_its_triangle(bvh: &Bvh, ray: &RayF64, hit: &Hit, name: &str) {
    let mesh = bvh.mesh();
    let [a, b, c] = mesh.triangle(hit.prim).map(|p| plus(p.map(f64::from), mesh.origin()));
    let (u, v) = (f64::from(hit.u), f64::from(hit.v));
    let reach = f64::from(bvh.bounds().extent().max_element());
    for axis in 0..3 {
        let by_ray = ray.origin[axis] + f64::from(hit.t) * ray.direction[axis];
        let by_weights = a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
        // u and v may be off by 1/128 on the steepest slopes, far less elsewhere.
        let off = (by_ray - by_weights).abs();
        assert!(off < 1e-3 * reach, "{name}: {hit:?} is {off} beside {by_weights}");
    }
}

/// Hills of `cells` by `cells` quads, `step` apart, as text whose decimals are no f32 numbers.
fn hills(cells: u32, step: f64, at: Point) -> String {
    let mut text = String::from("o hills\n");
    let mut random = Random::new(3);
    let side = cells + 1;
    for i in 0..side * side {
        let [x, y] = [i % side, i / side].map(|i| f64::from(i) * step);
        let z = random.between(0.0, 2.0 * step);
        let [x, y, z] = plus(at, [x + 0.1 * step, y + 0.1 * step, z]);
        let _ = writeln!(text, "v {x:.6} {y:.6} {z:.6}");
    }
    for cell in 0..cells * cells {
        let corner = cell / cells * side + cell % cells + 1;
        let _ = writeln!(text, "f {corner} {} {} {}", corner + 1, corner + side + 1, corner + side);
    }
    text
}

#[test]
fn pairs_answer_alike() {
    let pairs = [
        ("map in UTM", hills(24, 0.5, [500_000.1, 4_649_776.1, 10.3]), 1e3),
        ("map in the national grid", hills(24, 5.0, [85_027.751, 447_448.18, 0.12]), 1e3),
        ("south and west", hills(16, 0.25, [-8_238_310.24, -4_970_071.58, -3.7]), 1e3),
        ("on a planet", hills(16, 0.125, [4_027_893.12, 307_041.99, 4_919_474.91]), 1e4),
        ("a planet's orbit", hills(16, 1000.0, [1.495_978_707e11, -3.1e10, 7.77e8]), 1.0),
        ("small, not far", hills(16, 1e-4, [1000.1, 2000.2, -3000.3]), 1e6),
    ];
    for (name, text, decimals) in pairs {
        let hits = check_pair(name, &text, decimals);
        assert!(hits > 1000, "{name}: only {hits} hits");
    }
}

/// Sides of 0.2 m, where f32 numbers are half a metre apart.
#[test]
fn a_small_triangle_is_hit_where_it_is() {
    let (east, north, height) = (500_000.1, 4_649_776.1, 10.0);
    let bvh = tree(&format!(
        "v {east} {north} {height}\nv {} {north} {height}\nv {east} {} {height}\nf 1 2 3\n",
        east + 0.2,
        north + 0.2
    ));
    let down = |x: f64, y: f64| {
        let ray = RayF64::new([east + x, north + y, height + 2.5], [0.0, 0.0, -1.0]);
        bvh.closest_hit(&ray.relative_to(bvh.mesh().origin()))
    };
    let hit = down(0.05, 0.1).expect("in the middle");
    assert_eq!((hit.t, hit.front), (2.5, true));
    assert!((hit.u - 0.25).abs() < 1e-5 && (hit.v - 0.5).abs() < 1e-5, "{hit:?}");
    // A hundredth of a millimetre inside and outside.
    let step = 1e-5;
    for along in [0.02, 0.07, 0.1, 0.16] {
        assert!(down(along, step).is_some() && down(along, -step).is_none(), "{along}");
        assert!(down(step, along).is_some() && down(-step, along).is_none(), "{along}");
        let across = 0.2 - along;
        assert!(down(along - step, across).is_some() && down(along + step, across).is_none());
    }
}

/// An instance takes the same rays in f64, whether the file or the instance is far away.
#[test]
fn instances_far_away_answer_as_the_mesh_does() {
    let at = [500_000.0, 4_649_776.0, 0.0];
    let (far_text, near_text) = (hills(12, 0.5, at), hills(12, 0.5, [0.0; 3]));
    let far = tree(&far_text);
    let rays = rays_at(&far, 500, 1e3);
    let unmoved = Instance::new(far.clone(), Transform::IDENTITY).expect("it can be inverted");
    let move_to =
        Transform::from([1.0, 0.0, 0.0, at[0], 0.0, 1.0, 0.0, at[1], 0.0, 0.0, 1.0, at[2]]);
    let moved = Instance::new(tree(&near_text), move_to).expect("it can be inverted");
    let mut hits = 0;
    for ray in &rays {
        let hit = far.closest_hit(&ray.relative_to(far.mesh().origin()));
        let same = unmoved.bvh().closest_hit(&unmoved.ray_to_object(ray));
        assert_eq!(bits(same.as_ref()), bits(hit.as_ref()), "{ray:?}");
        // The corners are rounded about another origin: by less than a micrometre.
        let other = moved.bvh().closest_hit(&moved.ray_to_object(ray));
        if let (Some(hit), Some(other)) = (hit, other) {
            let length = ray.direction.iter().fold(0.0_f64, |length, x| length.hypot(*x));
            let apart = length * (f64::from(hit.t) - f64::from(other.t)).abs();
            hits += usize::from(apart < 1e-4);
        } else {
            hits += usize::from(hit == other);
        }
    }
    assert!(hits > 490, "{hits} of {} rays agree", rays.len());
}

/// Buildings in the national grid, and the same file recentred by other hands.
#[test]
fn a_town_in_the_national_grid_answers_as_its_recentred_twin() {
    let Some(folder) = std::env::var_os("HITSCAN_MESHES").map(PathBuf::from) else {
        println!("skipped: HITSCAN_MESHES names no folder of meshes");
        return;
    };
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("a mesh of them");
    let far_text = read("odd/city_delft_rd.obj");
    assert!(check_pair("town", &far_text, 1e3) > 1000);
    let (far, near) = (tree(&far_text), tree(&read("city_delft.obj")));
    let offset = [84_964.0, 447_524.0, 1.0];
    let mut unlike = 0;
    let rays = rays_at(&far, 20_000, 1e3);
    for ray in &rays {
        let hit = far.closest_hit(&ray.relative_to(far.mesh().origin()));
        let local = RayF64 { origin: minus(ray.origin, offset), ..*ray };
        // Corners are rounded to f32 about one origin or another, by up to 0.03 mm; so the twin
        // may be asked a little beside, too.
        let agrees = |by: Point| {
            let beside = RayF64 { origin: plus(local.origin, by), ..local };
            let twin = near.closest_hit(&beside.relative_to([0.0; 3]));
            match (hit, twin) {
                (Some(hit), Some(twin)) => {
                    let apart = (f64::from(hit.t) - f64::from(twin.t)).abs();
                    // Across the surface: along a wall that it grazes, the ray is off by more.
                    // Walls are shared, and some are there twice, so the triangle may be another.
                    let slope = |bvh: &Bvh, prim| {
                        let normal = bvh.mesh().normal(prim).map(f64::from);
                        (0..3).map(|axis| ray.direction[axis] * normal[axis]).sum::<f64>().abs()
                    };
                    apart * slope(&far, hit.prim).min(slope(&near, twin.prim)) < 1e-3
                }
                (hit, twin) => hit.is_some() == twin.is_some(),
            }
        };
        let step =
            |i: u32| [0, 1, 2].map(|axis| 2e-4 * f64::from((i / 3_u32.pow(axis)) % 3) - 2e-4);
        unlike += usize::from(!agrees([0.0; 3]));
        assert!(agrees([0.0; 3]) || (0..27).any(|i| agrees(step(i))), "{ray:?}: {hit:?}");
    }
    assert!(unlike * 100 < rays.len(), "{unlike} of {} rays differ", rays.len());
    println!("{unlike} of {} rays at edges differ until moved by 0.2 mm", rays.len());
}
