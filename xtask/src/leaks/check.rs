//! Every kind of query for the same rays, against what a closed mesh demands and one another.

use hitscan::prelude::{BatchRaycast, Raycast};
use hitscan::{BatchOptions, Bvh, Coherence, EdgeRule, Hit, Quality, QueryOptions, Ray, Segment};
use hitscan_testkit::{Oracle, Rule, Sides};

use super::aim::{Aimed, Cell};
use super::tally::{Fault, Tally};

/// A tree of some quality, walked at some SIMD level.
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) bvh: Bvh,
}

impl Variant {
    pub(super) fn new(quality: Quality, bvh: Bvh) -> Self {
        Self { name: format!("{quality:?}, {}", bvh.level()).to_lowercase(), bvh }
    }

    /// Which of a chunk's rays a variant other than the first one casts: a tenth, in turn.
    fn share(index: usize, chunk: usize, len: usize) -> std::ops::Range<usize> {
        let part = len.div_ceil(10).next_multiple_of(64);
        let start = part * ((index + chunk) % 10);
        // A short chunk has fewer parts than ten.
        if start >= len { 0..part.min(len) } else { start..(start + part).min(len) }
    }
}

/// The answers for one ray by which all others are measured.
struct Reference {
    closest: Option<Hit>,
    any: bool,
    all: Vec<Hit>,
}

/// Casts a chunk of rays: all of them at the first variant, a share at each of the others.
pub(super) fn check(cell: &Cell<'_>, variants: &[Variant], rays: &[Aimed], chunk: usize) -> Tally {
    let mut tally = Tally::of(rays);
    let first = &variants[0];
    let references: Vec<_> = rays.iter().map(|aimed| reference(&first.bvh, &aimed.ray)).collect();
    tally.queries += 3 * rays.len();
    for (aimed, reference) in rays.iter().zip(&references) {
        demand(cell, first, aimed, reference, &mut tally);
    }
    if chunk == 0 {
        judge(cell, &first.bvh, rays, &mut tally);
    }
    for (index, variant) in variants.iter().enumerate() {
        let range =
            if index == 0 { 0..rays.len() } else { Variant::share(index, chunk, rays.len()) };
        segments(cell, variant, &rays[range.clone()], &mut tally);
        let rays: Vec<Ray> = rays[range.clone()].iter().map(|aimed| aimed.ray).collect();
        compare(cell, variant, &rays, &references[range], index == 0, &mut tally);
    }
    tally.count_exact(&first.bvh, &rays[Variant::share(0, chunk, rays.len())]);
    tally
}

fn reference(bvh: &Bvh, ray: &Ray) -> Reference {
    Reference { closest: bvh.closest_hit(ray), any: bvh.any_hit(ray), all: bvh.all_hits(ray) }
}

/// What holds for every closed mesh.
fn demand(
    cell: &Cell<'_>,
    variant: &Variant,
    Aimed { ray, inside, .. }: &Aimed,
    reference: &Reference,
    tally: &mut Tally,
) {
    let Reference { closest, any, all } = reference;
    let text = || {
        let side = if *inside { "inside" } else { "outside" };
        format!(
            "{} ({}), from {side}: {ray:?}\n  closest {closest:?}\n  any {any}\n  all {all:?}",
            cell.name, variant.name
        )
    };
    if *inside && (closest.is_none() || !any || all.is_empty()) {
        tally.fault(Fault::Leak, text);
    } else if leaving(all) != i32::from(*inside) {
        tally.fault(Fault::Parity, text);
    } else if closest.is_some() != *any || (closest.is_none() && !all.is_empty()) {
        tally.fault(Fault::Disagreement, text);
    } else if let (Some(closest), Some(once)) = (closest, all.first())
        && closest.t > once.t
    {
        tally.fault(Fault::Disagreement, text);
    }
}

/// The way of each ray from inside as a segment that ends outside.
fn segments(cell: &Cell<'_>, Variant { name, bvh }: &Variant, rays: &[Aimed], tally: &mut Tally) {
    for Aimed { ray, .. } in rays.iter().filter(|aimed| aimed.inside) {
        let (start, end) = (ray.origin, cell.beyond(ray));
        let hit = bvh.segment_hit(start, end);
        let is_seen = bvh.line_of_sight(start, end);
        let count = bvh.count_hits(&Segment::new(start, end).ray());
        tally.queries += 3;
        let fault = if hit.is_none() || is_seen {
            Fault::Leak
        } else if count % 2 == 0 {
            Fault::Parity
        } else {
            continue;
        };
        tally.fault(fault, || {
            format!(
                "{} ({name}), from inside {start:?} to {end:?}:\n  segment {hit:?}\n  seen \
                 {is_seen}\n  count {count}",
                cell.name
            )
        });
    }
}

/// How much more often a ray leaves than it enters: that is odd if the number of its crossings is.
pub(super) fn leaving(hits: &[Hit]) -> i32 {
    hits.iter().map(|hit| if hit.front { -1 } else { 1 }).sum()
}

/// A handful of rays by exact arithmetic over all triangles: that what is taken to be inside is
/// inside, and that the hits are the right ones.
pub(super) fn judge(cell: &Cell<'_>, bvh: &Bvh, rays: &[Aimed], tally: &mut Tally) {
    const HANDFUL: usize = 12;
    let oracle = Oracle::new(&cell.mesh);
    let step = (rays.len() / HANDFUL).max(1);
    for Aimed { ray, inside, .. } in rays.iter().step_by(step) {
        let mut exact: Vec<u32> =
            oracle.all(ray, Sides::Both, Rule::Once).iter().map(|hit| hit.prim).collect();
        let mut found: Vec<u32> = bvh.all_hits(ray).iter().map(|hit| hit.prim).collect();
        exact.sort_unstable();
        found.sort_unstable();
        if exact != found || (exact.len() % 2 == 1) != *inside {
            tally.fault(Fault::Disagreement, || {
                format!(
                    "{}, inside {inside}: {ray:?}\n  hits {found:?}, by exact arithmetic {exact:?}",
                    cell.name
                )
            });
        }
    }
}

/// Every other way to ask for the same.
fn compare(
    cell: &Cell<'_>,
    variant: &Variant,
    rays: &[Ray],
    references: &[Reference],
    is_first: bool,
    tally: &mut Tally,
) {
    let bvh = &variant.bvh;
    let mut differ = |query: &str, i: usize, found: &dyn std::fmt::Debug| {
        let Reference { closest, any, all } = &references[i];
        tally.fault(Fault::Disagreement, || {
            format!(
                "{} ({}), {query} of ray {i}: {:?}\n  {found:?}\n  single: closest {closest:?}\n  \
                 any {any}\n  all {all:?}",
                cell.name, variant.name, rays[i]
            )
        });
    };
    for coherence in [Coherence::Auto, Coherence::Coherent, Coherence::Incoherent] {
        let options = BatchOptions { coherence, ..BatchOptions::default() };
        let closest = bvh.closest_hits_with(rays, &options).expect("nothing cancels");
        let any = bvh.any_hits_with(rays, &options).expect("nothing cancels");
        for (i, reference) in references.iter().enumerate() {
            if !same(closest[i].as_ref(), reference.closest.as_ref()) {
                differ(&format!("closest, {coherence:?}"), i, &closest[i]);
            }
            if any[i] != reference.any {
                differ(&format!("any, {coherence:?}"), i, &any[i]);
            }
        }
    }
    let (all, count) = (bvh.all_hits_of(rays), bvh.count_hits_of(rays));
    let closed = QueryOptions { edge_rule: Some(EdgeRule::Closed), ..QueryOptions::DEFAULT };
    let once = QueryOptions { edge_rule: Some(EdgeRule::Once), ..QueryOptions::DEFAULT };
    for (i, (ray, reference)) in rays.iter().zip(references).enumerate() {
        let expected = &reference.all;
        let hits = all.of_ray(i);
        if hits.len() != expected.len()
            || hits.iter().zip(expected).any(|(p, q)| !same(Some(p), Some(q)))
        {
            differ("all", i, &hits);
        }
        if count[i] != expected.len() {
            differ("count", i, &count[i]);
        }
        let touched = bvh.count_hits_with(ray, &closed);
        if touched < expected.len() || (touched > 0) != reference.any {
            differ("closed count", i, &touched);
        }
        let nearest = bvh.closest_hit_with(ray, &once);
        if !same(nearest.as_ref(), expected.first()) {
            differ("closest once", i, &nearest);
        }
        if bvh.any_hit_with(ray, &once) == expected.is_empty() {
            differ("any once", i, &expected.is_empty());
        }
        // The first variant's single rays are the reference itself.
        if !is_first {
            let closest = bvh.closest_hit(ray);
            if !same(closest.as_ref(), reference.closest.as_ref()) {
                differ("single closest", i, &closest);
            }
            if bvh.any_hit(ray) != reference.any {
                differ("single any", i, &!reference.any);
            }
        }
    }
    tally.queries += rays.len() * if is_first { 11 } else { 13 };
}

/// Whether two hits are the same, bit for bit.
fn same(p: Option<&Hit>, q: Option<&Hit>) -> bool {
    let bits = |hit: &Hit| ([hit.t, hit.u, hit.v].map(f32::to_bits), hit.prim, hit.front);
    p.map(bits) == q.map(bits)
}
