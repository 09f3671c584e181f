//! Runs one case and says what is wrong.

use hitscan::{
    BatchOptions, BatchRaycast, Bvh, Coherence, EdgeRule, Hit, Level, Quality, QueryOptions, Ray,
    Raycast, Scene, TriangleMesh, obj,
};
use hitscan_testkit::rays::{self, Aim};

use super::format::{Case, Expect, Load, Query};

/// What is wrong with the answers to a case; nothing if all is well.
pub(crate) fn faults(case: &Case) -> Vec<String> {
    let read = obj::read_bytes(&case.obj, &case.name, obj::ObjOptions::default());
    let mesh = match (read, case.load) {
        (Ok(_), Load::Error) => return vec!["was read, should be an error".into()],
        (Err(_), Load::Error | Load::Either) => return Vec::new(),
        (Err(error), Load::Good) => return vec![format!("was not read: {error}")],
        (Ok((mesh, _)), Load::Good | Load::Either) => mesh,
    };
    let mut faults = Vec::new();
    if case.triangles.is_some_and(|expected| expected != mesh.triangle_count()) {
        faults.push(format!("{} triangles, should be {:?}", mesh.triangle_count(), case.triangles));
    }
    let mesh = match &case.deform {
        Some(positions) => match mesh.with_positions(positions.clone()) {
            Ok(mesh) => mesh,
            Err(error) => return vec![error.to_string()],
        },
        None => mesh,
    };
    for quality in [Quality::Fast, Quality::Balanced, Quality::High] {
        let bvh = Bvh::build(mesh.clone(), &quality.into());
        for level in Level::available() {
            let found = of_engine(case, &bvh.clone().with_level(level));
            faults.extend(found.into_iter().map(|fault| format!("{quality:?}, {level}: {fault}")));
        }
    }
    faults
}

/// What is wrong with one tree's answers.
fn of_engine(case: &Case, bvh: &Bvh) -> Vec<String> {
    let mesh = bvh.mesh();
    if let Some(transform) = case.transform {
        let mut scene = Scene::new();
        // A scene is in world coordinates, whatever the mesh's local origin is.
        return match scene.add(bvh.clone(), transform) {
            Ok(_) => of_rays(case, &scene, [0.0; 3], |hit| scene.normal(hit)),
            Err(_) if case.load == Load::Either => Vec::new(),
            Err(error) => vec![format!("was not placed: {error}")],
        };
    }
    if case.rays.is_empty() && case.points.is_empty() && mesh.triangle_count() > 0 {
        return leaks(bvh);
    }
    let mut faults = of_rays(case, bvh, mesh.origin(), |hit| mesh.normal(hit.prim));
    faults.extend(of_points(case, bvh));
    faults
}

fn of_rays(
    case: &Case,
    engine: &dyn Raycast,
    origin: [f64; 3],
    normal: impl Fn(&Hit) -> [f32; 3],
) -> Vec<String> {
    let rays: Vec<Ray> = case.rays.iter().map(|ray| ray.relative_to(origin)).collect();
    let keep = |hit: &Hit| !case.rejected.contains(&hit.prim);
    let query = QueryOptions {
        faces: case.faces,
        filter: (!case.rejected.is_empty()).then_some(&keep),
        ..QueryOptions::DEFAULT
    };
    let mut faults = Vec::new();
    if rays.len() != case.expect.len() {
        faults.push("not one expectation a ray".into());
    }
    for (i, (ray, expect)) in rays.iter().zip(&case.expect).enumerate() {
        let fault = of_ray(case, engine, ray, &query, expect, &normal);
        faults.extend(fault.map(|fault| format!("ray {i}: {fault}")));
    }
    faults.extend(of_batches(case, engine, &rays, &query));
    faults
}

fn of_ray(
    case: &Case,
    engine: &dyn Raycast,
    ray: &Ray,
    query: &QueryOptions<'_>,
    expect: &[Expect],
    normal: &dyn Fn(&Hit) -> [f32; 3],
) -> Option<String> {
    let hit = engine.closest_hit_with(ray, query);
    let any = engine.any_hit_with(ray, query);
    if any != hit.is_some() {
        return Some(format!("any is {any}, closest is {hit:?}"));
    }
    if case.query == Query::All {
        return [EdgeRule::Closed, EdgeRule::Once].into_iter().find_map(|rule| {
            let query = QueryOptions { edge_rule: Some(rule), ..*query };
            let mut hits = Vec::new();
            engine.append_all_hits_with(ray, &query, &mut hits);
            if engine.count_hits_with(ray, &query) != hits.len() {
                return Some(format!("{rule:?}: count differs from {} hits", hits.len()));
            }
            let faults = expect.iter().map(|expect| all_fault(&hits, rule, expect));
            best(faults).map(|fault| format!("{rule:?}: {fault}"))
        });
    }
    best(expect.iter().map(|expect| closest_fault(hit.as_ref(), expect, case.query, normal)))
}

/// Nothing if one of several alternatives has no fault, else the last one's.
fn best(faults: impl Iterator<Item = Option<String>>) -> Option<String> {
    let faults: Vec<_> = faults.collect();
    if faults.contains(&None) { None } else { faults.into_iter().flatten().last() }
}

fn closest_fault(
    hit: Option<&Hit>,
    expect: &Expect,
    query: Query,
    normal: &dyn Fn(&Hit) -> [f32; 3],
) -> Option<String> {
    if expect.hit != Some(hit.is_some()) {
        return Some(format!("{hit:?}, hit should be {:?}", expect.hit));
    }
    let hit = hit.filter(|_| query != Query::Any)?;
    let far = |x: f32, y: f64, tolerance: f64| (f64::from(x) - y).abs() > tolerance;
    let wrong = if expect.t.is_some_and(|t| far(hit.t, t, t_tolerance(t, expect))) {
        format!("t should be {:?}", expect.t)
    } else if expect.prims.as_ref().is_some_and(|prims| !prims.contains(&hit.prim)) {
        format!("triangle should be {:?}", expect.prims)
    } else if expect.weights.is_some_and(|[u, v]| {
        far(hit.u, u, expect.weight_tolerance) || far(hit.v, v, expect.weight_tolerance)
    }) {
        format!("weights should be {:?}", expect.weights)
    } else if expect.front.is_some_and(|front| front != hit.front) {
        format!("front should be {:?}", expect.front)
    } else if expect.normal.is_some_and(|expected| {
        let normal = normal(hit);
        (0..3).any(|axis| far(normal[axis], expected[axis], 1e-5))
    }) {
        format!("normal is {:?}, should be {:?}", normal(hit), expect.normal)
    } else {
        return None;
    };
    Some(format!("{hit:?}: {wrong}"))
}

/// At least half a unit in the last place of an f32, which holds no more.
fn t_tolerance(t: f64, expect: &Expect) -> f64 {
    expect.t_tolerance.max(f64::from(f32::EPSILON) / 2.0) * t.abs()
}

fn all_fault(hits: &[Hit], rule: EdgeRule, expect: &Expect) -> Option<String> {
    let count = if rule == EdgeRule::Closed { expect.touched } else { expect.crossed };
    if count.is_some_and(|count| count != hits.len()) {
        return Some(format!("{} hits, should be {count:?}: {hits:?}", hits.len()));
    }
    let distances = expect.distances.as_ref()?;
    let near = |hit: &Hit, t: f64| (f64::from(hit.t) - t).abs() <= t_tolerance(t, expect);
    let stray = hits.iter().find(|hit| !distances.iter().any(|&t| near(hit, t)));
    // Where the surface is only touched, it need not be crossed.
    let all = rule == EdgeRule::Closed || !hits.is_empty();
    let missed = distances.iter().find(|&&t| all && !hits.iter().any(|hit| near(hit, t)));
    let stray = stray.map(|hit| format!("t {} is none of {distances:?}", hit.t));
    stray.or_else(|| missed.map(|t| format!("nothing at t {t}")))
}

/// Batches answer as single rays do, bit for bit.
fn of_batches(
    case: &Case,
    engine: &dyn Raycast,
    rays: &[Ray],
    query: &QueryOptions<'_>,
) -> Option<String> {
    let bits = |hit: &Option<Hit>| {
        hit.map(|hit| {
            let [t, u, v] = [hit.t, hit.u, hit.v].map(f32::to_bits);
            (t, u, v, hit.prim, hit.geometry, hit.instance, hit.front)
        })
    };
    let single: Vec<_> = rays.iter().map(|ray| engine.closest_hit_with(ray, query)).collect();
    let cast = |size: usize, coherence: Coherence| -> Vec<Option<Hit>> {
        let options = BatchOptions { query: *query, coherence, ..BatchOptions::default() };
        let hits = |rays| engine.closest_hits_with(rays, &options).expect("nothing cancels");
        rays.chunks(size).flat_map(hits).collect()
    };
    let sizes = if case.batch { 1..=33 } else { 1..=1 };
    for size in sizes.chain([usize::MAX]) {
        for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
            if !cast(size, coherence).iter().map(bits).eq(single.iter().map(bits)) {
                return Some(format!("batches of {size}, {coherence:?}, differ from single rays"));
            }
        }
    }
    let threads: &[usize] = if case.batch { &[1, 2, 3, 8] } else { &[] };
    threads.iter().find_map(|&threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let hits = pool.expect("a few threads can be had").install(|| cast(100, Coherence::Auto));
        let same = hits.iter().map(bits).eq(single.iter().map(bits));
        (!same).then(|| format!("{threads} threads differ from single rays"))
    })
}

/// A point is inside if the surface is crossed an odd number of times, in every direction.
fn of_points(case: &Case, bvh: &Bvh) -> Vec<String> {
    let mut directions: Vec<[f32; 3]> = Vec::new();
    for x in -1..=1 {
        for y in -1..=1 {
            directions.extend([-1, 0, 1].map(|z| [x as f32, y as f32, z as f32]));
        }
    }
    directions.retain(|direction| *direction != [0.0; 3]);
    directions.push([0.3, -0.7, 0.2]);
    let mut faults = Vec::new();
    for (point, inside) in case.points.iter().zip(&case.inside) {
        for direction in &directions {
            let count = bvh.count_hits(&Ray::new(*point, *direction));
            if (count % 2 == 1) != *inside {
                faults.push(format!("{point:?} towards {direction:?}: {count} crossings"));
            }
        }
    }
    faults
}

/// From near the middle of a closed mesh every ray hits.
fn leaks(bvh: &Bvh) -> Vec<String> {
    let mesh: &TriangleMesh = bvh.mesh();
    let center = bvh.bounds().center().to_array();
    let inside = center.map(|x| f64::from(x) + 0.25);
    let mut rays = rays::aimed(mesh, Aim::Vertex, Some(inside), 1000, 1);
    rays.extend(rays::aimed(mesh, Aim::Edge, Some(inside), 1000, 2));
    for (i, ray) in rays::random(bvh.bounds(), 2000, 3).iter().enumerate() {
        let shift = |axis: usize| ((i * (axis + 3)) % 17) as f32 / 8.0 - 1.0;
        let origin: [f32; 3] = std::array::from_fn(|axis| center[axis] + shift(axis));
        rays.push(Ray::new(origin, ray.direction));
    }
    let leaks = |ray: &&Ray| {
        bvh.closest_hit(ray).is_none() || !bvh.any_hit(ray) || bvh.count_hits(ray).is_multiple_of(2)
    };
    rays.iter().filter(leaks).map(|ray| format!("{ray:?} leaks")).collect()
}
