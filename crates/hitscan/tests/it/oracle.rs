//! Every query of every quality and level against exact brute force.

use hitscan::{
    BatchOptions, BatchRaycast, Bvh, Coherence, EdgeRule, Faces, Hit, Level, Quality, QueryOptions,
    Ray, Raycast,
};
use hitscan_testkit::{Oracle, OracleHit, Rule, Sides};

use crate::failures::Failures;
use crate::workload::{Workload, workloads};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::High];

const SIDES: [(Faces, Sides); 3] =
    [(Faces::Both, Sides::Both), (Faces::Front, Sides::Front), (Faces::Back, Sides::Back)];

const RULES: [(EdgeRule, Rule); 2] =
    [(EdgeRule::Closed, Rule::Closed), (EdgeRule::Once, Rule::Once)];

/// The greatest relative error of the engine's `t`, which is rounded to f32 on the way. Hits that
/// are no farther apart than this may come in either order.
const TOLERANCE: f64 = 2e-4;

/// Weights are fractions of a triangle that may be a sliver.
const WEIGHT_TOLERANCE: f64 = 2e-3;

fn close(t: f32, exact: f64) -> bool {
    // The least normal f32: below it, t has fewer digits.
    (f64::from(t) - exact).abs() <= TOLERANCE * exact.abs() + f64::from(f32::MIN_POSITIVE)
}

/// Whether `t` is so near an end of the ray's interval that rounding decides. The sign of `t` is
/// exact, so it never does at 0; but a `t` may be too small for f32 and so reach a `t_max` of 0.
fn borderline(ray: &Ray, t: f64) -> bool {
    let least = f64::from(f32::MIN_POSITIVE);
    [ray.t_min, ray.t_max].iter().any(|&end| {
        let apart = (t - f64::from(end)).abs();
        end.is_finite() && end != 0.0 && apart <= (TOLERANCE * t.abs()).max(least)
    }) || ray.t_max == 0.0 && t > 0.0 && t < least
}

/// What the oracle says of one ray, for one choice of sides and rule.
struct Expected {
    hits: Vec<OracleHit>,
    /// How many of `hits` are so near an end of the interval that the engine may leave them out.
    optional: Vec<u32>,
    /// Triangles beyond but near the ends of the interval, that the engine may hit.
    allowed: Vec<OracleHit>,
}

impl Expected {
    fn new(oracle: &Oracle, ray: &Ray, sides: Sides, rule: Rule) -> Self {
        let hits = oracle.all(ray, sides, rule);
        let line = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let bounded = ray.is_valid()
            && [ray.t_min, ray.t_max] != [0.0, f32::INFINITY]
            && [ray.t_min, ray.t_max] != [f32::NEG_INFINITY, f32::INFINITY];
        let mut allowed = if bounded { oracle.all(&line, sides, rule) } else { Vec::new() };
        allowed.retain(|hit| borderline(ray, hit.t));
        let optional = allowed.iter().map(|hit| hit.prim).collect();
        Self { hits, optional, allowed }
    }

    fn of_prim(&self, prim: u32) -> Option<&OracleHit> {
        self.hits.iter().chain(&self.allowed).find(|hit| hit.prim == prim)
    }

    fn certain(&self) -> impl Iterator<Item = &OracleHit> {
        self.hits.iter().filter(|hit| !self.optional.contains(&hit.prim))
    }

    /// What is wrong with one hit, if anything.
    fn fault(&self, hit: &Hit) -> Option<String> {
        let Some(exact) = self.of_prim(hit.prim) else {
            return Some(format!("triangle {} is not met", hit.prim));
        };
        let weights = [hit.u, hit.v].map(f64::from);
        let apart = |i: usize| (weights[i] - exact.weights[i]).abs();
        if !close(hit.t, exact.t) {
            Some(format!("t should be {}", exact.t))
        } else if hit.front != exact.front {
            Some(format!("front should be {}", exact.front))
        } else if !weights.iter().all(|x| (0.0..=1.0).contains(x)) {
            Some("weights lie outside 0 to 1".into())
        } else if apart(0).max(apart(1)) > WEIGHT_TOLERANCE {
            Some(format!("weights should be {:?}", exact.weights))
        } else if (hit.geometry, hit.instance) != (0, 0) {
            Some("geometry and instance should be 0".into())
        } else {
            None
        }
    }

    /// What is wrong with a closest hit, if anything.
    fn closest_fault(&self, hit: Option<&Hit>) -> Option<String> {
        let nearest = self.certain().map(|hit| hit.t).fold(f64::INFINITY, f64::min);
        let Some(hit) = hit else {
            let missed = self.certain().next()?;
            return Some(format!("missed triangle {} at {}", missed.prim, missed.t));
        };
        let fault = self.fault(hit);
        fault.or_else(|| {
            let exact = self.of_prim(hit.prim)?.t;
            let late = exact > nearest + TOLERANCE * nearest.abs() + f64::from(f32::MIN_POSITIVE);
            late.then(|| format!("there is a nearer hit at {nearest}"))
        })
    }

    /// What is wrong with a list of all hits, if anything.
    fn all_fault(&self, hits: &[Hit]) -> Option<String> {
        if !hits.is_sorted_by(|p, q| (p.t, p.prim) < (q.t, q.prim)) {
            return Some("hits are not sorted by t, then triangle, or repeat".into());
        }
        let missed = self.certain().find(|exact| !hits.iter().any(|hit| hit.prim == exact.prim));
        let missed = missed.map(|exact| format!("missed triangle {} at {}", exact.prim, exact.t));
        missed.or_else(|| {
            hits.iter().find_map(|hit| Some(format!("{} of {hit:?}", self.fault(hit)?)))
        })
    }

    fn count_fault(&self, count: usize) -> Option<String> {
        let least = self.certain().count();
        let most = least + self.optional.len();
        let wrong = !(least..=most).contains(&count);
        wrong.then(|| format!("counted {count}, should be {least} to {most}"))
    }
}

/// Runs `check` for every workload, with its oracle, at every quality and level.
fn for_each_engine(count: usize, mut check: impl FnMut(&Workload, &Oracle, &[(String, Bvh)])) {
    for workload in workloads(count) {
        let oracle = Oracle::new(&workload.mesh);
        let mut engines = Vec::new();
        for quality in QUALITIES {
            let bvh = Bvh::build(workload.mesh.clone(), &quality.into());
            for level in Level::available() {
                let name = format!("{}, {quality:?}, {level}", workload.name);
                engines.push((name, bvh.clone().with_level(level)));
            }
        }
        check(&workload, &oracle, &engines);
    }
}

fn options(faces: Faces, rule: EdgeRule) -> QueryOptions<'static> {
    QueryOptions { faces, edge_rule: Some(rule), ..QueryOptions::DEFAULT }
}

#[test]
fn closest_and_any_agree() {
    let mut failures = Failures::default();
    for_each_engine(25, |workload, oracle, engines| {
        for (i, ray) in workload.rays.iter().enumerate() {
            // Sides and rules by turns; the default ones always.
            let (turned, rule) = (SIDES[i % 3], RULES[i / 3 % 2]);
            for ((faces, sides), (edge_rule, rule)) in [(SIDES[0], RULES[0]), (turned, rule)] {
                let expected = Expected::new(oracle, ray, sides, rule);
                let certain = expected.certain().next().is_some();
                let possible = certain || !expected.optional.is_empty();
                for (name, bvh) in engines {
                    let options = options(faces, edge_rule);
                    let hit = bvh.closest_hit_with(ray, &options);
                    let fault = expected.closest_fault(hit.as_ref());
                    failures.check(fault.is_none(), || {
                        let fault = fault.as_deref().unwrap_or_default();
                        format!(
                            "{name}: {fault}: closest of {ray:?} {faces:?} {edge_rule:?} is {hit:?}"
                        )
                    });
                    let any = bvh.any_hit_with(ray, &options);
                    let right = if any { possible } else { !certain };
                    failures.check(right && any == hit.is_some(), || {
                        format!("{name}: any of {ray:?} {faces:?} {edge_rule:?} is {any}, closest {hit:?}")
                    });
                }
            }
        }
    });
    failures.finish();
}

#[test]
fn all_and_count_agree() {
    let mut failures = Failures::default();
    let mut hits = Vec::new();
    for_each_engine(25, |workload, oracle, engines| {
        for (i, ray) in workload.rays.iter().enumerate() {
            let turned = SIDES[i % 3];
            for ((faces, sides), (edge_rule, rule)) in
                [(SIDES[0], RULES[1]), (turned, RULES[0]), (turned, RULES[1])]
            {
                let expected = Expected::new(oracle, ray, sides, rule);
                for (name, bvh) in engines {
                    let options = options(faces, edge_rule);
                    hits.clear();
                    bvh.append_all_hits_with(ray, &options, &mut hits);
                    let count = bvh.count_hits_with(ray, &options);
                    let fault = expected.all_fault(&hits).or_else(|| expected.count_fault(count));
                    failures.check(fault.is_none() && count == hits.len(), || {
                        let fault = fault.as_deref().unwrap_or("all and count differ");
                        format!("{name}: {fault}: all of {ray:?} {faces:?} {edge_rule:?} is {hits:?}, count {count}")
                    });
                    // The nearest of all hits, bit for bit.
                    let closest = bvh.closest_hit_with(ray, &options);
                    failures.check(closest.as_ref() == hits.first(), || {
                        let first = hits.first();
                        format!("{name}: closest of {ray:?} is {closest:?}, first of all {first:?}")
                    });
                }
            }
        }
    });
    failures.finish();
}

/// Lists of batches whose rays are in flight together, at trees with split triangles.
#[test]
fn lists_of_batches_agree() {
    let mut failures = Failures::default();
    let options = BatchOptions { coherence: Coherence::Incoherent, ..BatchOptions::default() };
    for workload in workloads(25) {
        let oracle = Oracle::new(&workload.mesh);
        let expected = |ray| Expected::new(&oracle, ray, Sides::Both, Rule::Once);
        let expected: Vec<Expected> = workload.rays.iter().map(expected).collect();
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::High.into());
        for level in Level::available() {
            let bvh = bvh.clone().with_level(level);
            let lists = bvh.all_hits_of_with(&workload.rays, &options).expect("nothing cancels");
            for (i, (ray, expected)) in workload.rays.iter().zip(&expected).enumerate() {
                let hits = lists.of_ray(i);
                let fault = expected.all_fault(hits);
                failures.check(fault.is_none(), || {
                    let fault = fault.as_deref().unwrap_or_default();
                    format!("{}, {level}: {fault}: all of {ray:?} is {hits:?}", workload.name)
                });
            }
        }
    }
    failures.finish();
}

#[test]
fn defaults_are_closed_for_closest_and_any_and_once_for_all_and_count() {
    let mut failures = Failures::default();
    for workload in workloads(10) {
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        for ray in &workload.rays {
            let [closed, once] = RULES.map(|(rule, _)| options(Faces::Both, rule));
            let mut all = Vec::new();
            bvh.append_all_hits_with(ray, &once, &mut all);
            let right = bvh.closest_hit(ray) == bvh.closest_hit_with(ray, &closed)
                && bvh.any_hit(ray) == bvh.any_hit_with(ray, &closed)
                && bvh.count_hits(ray) == bvh.count_hits_with(ray, &once)
                && bvh.all_hits(ray) == all;
            failures.check(right, || format!("{}: {ray:?}", workload.name));
        }
    }
    failures.finish();
}

#[test]
fn skip_and_filter_leave_the_rest() {
    let mut failures = Failures::default();
    for workload in workloads(15) {
        let oracle = Oracle::new(&workload.mesh);
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        for ray in &workload.rays {
            let expected = Expected::new(&oracle, ray, Sides::Both, Rule::Closed);
            let Some(first) = expected.hits.first() else { continue };
            let kept = |prim: u32| prim != first.prim;
            let only = |keep: &dyn Fn(u32) -> bool| {
                let keep = |hits: &[OracleHit]| -> Vec<OracleHit> {
                    hits.iter().filter(|hit| keep(hit.prim)).copied().collect()
                };
                let (hits, allowed) = (keep(&expected.hits), keep(&expected.allowed));
                Expected { hits, allowed, optional: expected.optional.clone() }
            };
            let filter = |hit: &Hit| hit.prim % 3 != first.prim % 3;
            let closed = options(Faces::Both, EdgeRule::Closed);
            for (expected, options) in [
                (only(&kept), QueryOptions { skip: Some(first.prim), ..closed }),
                (
                    only(&|prim| prim % 3 != first.prim % 3),
                    QueryOptions { filter: Some(&filter), ..closed },
                ),
            ] {
                let hit = bvh.closest_hit_with(ray, &options);
                let mut hits = Vec::new();
                bvh.append_all_hits_with(ray, &options, &mut hits);
                let fault = expected
                    .closest_fault(hit.as_ref())
                    .or_else(|| expected.all_fault(&hits))
                    .or_else(|| expected.count_fault(bvh.count_hits_with(ray, &options)));
                let any = bvh.any_hit_with(ray, &options);
                failures.check(fault.is_none() && any == hit.is_some(), || {
                    let fault = fault.as_deref().unwrap_or("any differs");
                    format!("{}: {fault}: {ray:?} {options:?} is {hit:?} {hits:?}", workload.name)
                });
            }
        }
    }
    failures.finish();
}

/// From inside a closed mesh every ray hits, whatever it is aimed at: more rays than the oracle
/// could look at.
#[test]
fn nothing_leaks() {
    use hitscan_testkit::meshes;
    use hitscan_testkit::rays::{self, Aim};

    let mut failures = Failures::default();
    let closed = [
        ("uv sphere", meshes::uv_sphere(1.0, [0.0; 3], 48), [0.05, 0.1, -0.03], 1.0),
        ("icosphere", meshes::icosphere(1.0, [0.0; 3], 4), [0.3, 0.1, -0.2], 1.0),
        ("far off", meshes::icosphere(1.0, [4096.0, -900.0, 77.0], 3), [4096.1, -900.2, 77.3], 1.0),
        ("torus", meshes::torus(1.0, 0.4, 64, 32), [1.05, 0.02, 0.1], 1.0),
        ("needle ball", meshes::needle_ball(32), [0.0; 3], 1.0),
        ("tiny", meshes::icosphere(1e-20, [0.0; 3], 3), [1e-21, 2e-21, 0.0], 1.0),
        ("huge", meshes::icosphere(1e20, [0.0; 3], 3), [1e19, 2e19, 0.0], 1.0),
    ];
    for (name, mesh, inside, _) in closed {
        let mut rays = rays::aimed(&mesh, Aim::Vertex, Some(inside), 4000, 1);
        rays.extend(rays::aimed(&mesh, Aim::Edge, Some(inside), 4000, 2));
        let origin = inside.map(|x| x as f32);
        let away = rays::random(mesh.bounds(), 1000, 3);
        rays.extend(away.iter().map(|ray| Ray::new(origin, ray.direction)));
        let bvh = Bvh::build(mesh, &Quality::Balanced.into());
        for level in Level::available() {
            let bvh = bvh.clone().with_level(level);
            let closest = bvh.closest_hits(&rays);
            let any = bvh.any_hits(&rays);
            let counts = bvh.count_hits_of(&rays);
            for (i, ray) in rays.iter().enumerate() {
                let right = closest[i].is_some() && any[i] && counts[i] % 2 == 1;
                failures.check(right, || {
                    let (closest, any, count) = (closest[i], any[i], counts[i]);
                    format!("{name}, {level}: {ray:?}: {closest:?} {any} {count}")
                });
            }
        }
    }
    failures.finish();
}

/// The same answers where tiny and huge triangles share a mesh, in batches that are told to be
/// coherent.
#[test]
fn coherent_batches_agree() {
    use hitscan_testkit::rays::{self, Camera};

    let mut failures = Failures::default();
    for workload in workloads(1) {
        let oracle = Oracle::new(&workload.mesh);
        let rays = rays::primary(&Camera::outside(workload.mesh.bounds()), 4);
        let bvh = Bvh::build(workload.mesh.clone(), &Quality::Balanced.into());
        let batch = BatchOptions { coherence: Coherence::Coherent, ..BatchOptions::default() };
        let Ok(hits) = bvh.closest_hits_with(&rays, &batch) else { panic!("nothing cancels") };
        for (ray, hit) in rays.iter().zip(hits) {
            let expected = Expected::new(&oracle, ray, Sides::Both, Rule::Closed);
            let fault = expected.closest_fault(hit.as_ref());
            failures.check(fault.is_none(), || {
                let fault = fault.as_deref().unwrap_or_default();
                format!("{}: {fault}: {ray:?} is {hit:?}", workload.name)
            });
        }
    }
    failures.finish();
}
