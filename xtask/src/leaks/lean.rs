//! As few queries a ray as show a leak, of kinds that take turns: for a thousand million rays.
//!
//! One query tells how often a ray crosses, another whether it slips through. The latter is for
//! rays from inside, and for comparison for a quarter of those from outside, of which nobody knows
//! whether they must hit. Kinds of query, ways of casting, qualities and SIMD levels change from
//! chunk to chunk, so that each of them meets a share of the rays, at every mesh.

use hitscan::prelude::BatchRaycast;
use hitscan::{BatchOptions, Bvh, Coherence, Hit, Level, Quality, Ray};

use super::aim::{Aimed, Cell};
use super::check::{Variant, judge, leaving};
use super::tally::{Fault, Tally};

/// The trees of every quality, each at every SIMD level.
pub(super) struct Lean {
    /// For each quality the levels, the best one first.
    variants: Vec<Vec<Variant>>,
    /// Where the turns begin, so that few chunks at each of many meshes meet every turn.
    phase: usize,
}

/// Who answers what for a chunk of rays.
struct Turn<'a> {
    variant: &'a Variant,
    coherence: Coherence,
    /// Whether the nearest hit is asked for, or any.
    closest: bool,
    /// Whether it is asked for rays from outside, too.
    outside: bool,
    /// Whether hits are counted, or listed.
    counted: bool,
}

/// What was said about a ray.
struct Answers<'a> {
    closest: Option<Option<Hit>>,
    any: Option<bool>,
    count: usize,
    all: Option<&'a [Hit]>,
}

impl Lean {
    /// Builds the trees.
    pub(super) fn new(cell: &Cell<'_>, seed: u64) -> Self {
        let best = Level::detect();
        let mut levels = vec![best];
        levels.extend(Level::available().into_iter().filter(|other| other.name() != best.name()));
        let variants = [Quality::Balanced, Quality::Fast, Quality::High].map(|quality| {
            let tree = Bvh::build(cell.mesh.clone(), &quality.into());
            levels
                .iter()
                .map(|&level| Variant::new(quality, tree.clone().with_level(level)))
                .collect()
        });
        Self { variants: variants.into(), phase: seed as usize % Self::TURNS }
    }

    /// How many turns there are.
    pub(super) const TURNS: usize = 144;

    /// The turns: 1 chunk in 8 at a level other than the best one, 1 in 4 with any-hit queries, 1
    /// in 4 with lists of hits.
    fn turn(&self, number: usize) -> Turn<'_> {
        const WAYS: [Coherence; 3] = [Coherence::Incoherent, Coherence::Coherent, Coherence::Auto];
        let levels = &self.variants[number % 3];
        let others = levels.len() - 1;
        let is_other = number % 8 == 7 && others > 0;
        let level = if is_other { 1 + number / 8 % others } else { 0 };
        Turn {
            variant: &levels[level],
            coherence: WAYS[number / 3 % 3],
            closest: number / 9 % 4 != 1,
            outside: number / 9 % 4 == number / 36 % 4,
            counted: number / 9 % 4 != 3,
        }
    }

    /// Casts a chunk of rays at the variant whose turn it is.
    pub(super) fn check(&self, cell: &Cell<'_>, aimed: &[Aimed], chunk: usize) -> Tally {
        let mut tally = Tally::of(aimed);
        let turn = self.turn(self.phase + chunk);
        let bvh = &turn.variant.bvh;
        if chunk == 0 {
            judge(cell, bvh, aimed, &mut tally);
            tally.count_exact(bvh, aimed);
        }
        let is_asked = |aimed: &&Aimed| aimed.inside || turn.outside;
        let asked: Vec<Ray> = aimed.iter().filter(is_asked).map(|aimed| aimed.ray).collect();
        let rays: Vec<Ray> = aimed.iter().map(|aimed| aimed.ray).collect();
        tally.queries += asked.len() + rays.len();
        let options = BatchOptions { coherence: turn.coherence, ..BatchOptions::default() };
        let (mut closest, mut any) = (Vec::new(), Vec::new());
        if turn.closest {
            closest = bvh.closest_hits_with(&asked, &options).expect("nothing cancels");
        } else {
            any = bvh.any_hits_with(&asked, &options).expect("nothing cancels");
        }
        let (mut closest, mut any) = (closest.into_iter(), any.into_iter());
        let (mut counts, mut all) = (Vec::new(), None);
        if turn.counted {
            counts = bvh.count_hits_of(&rays);
        } else {
            all = Some(bvh.all_hits_of(&rays));
        }
        for (i, aimed) in aimed.iter().enumerate() {
            let is_asked = is_asked(&aimed);
            let closest = if is_asked { closest.next() } else { None };
            let any = if is_asked { any.next() } else { None };
            let all = all.as_ref().map(|all| all.of_ray(i));
            let answers = Answers {
                any: any.or(closest.map(|hit| hit.is_some())),
                count: all.map_or_else(|| counts[i], <[Hit]>::len),
                closest,
                all,
            };
            demand(cell, &turn, aimed, &answers, &mut tally);
        }
        tally
    }
}

/// What holds for every closed mesh, as far as the answers tell.
fn demand(
    cell: &Cell<'_>,
    turn: &Turn<'_>,
    Aimed { ray, inside, .. }: &Aimed,
    &Answers { closest, any, count, all }: &Answers<'_>,
    tally: &mut Tally,
) {
    let is_balanced = match all {
        Some(hits) => leaving(hits) == i32::from(*inside),
        None => count % 2 == usize::from(*inside),
    };
    let nearest = all.and_then(<[Hit]>::first);
    let is_farther = matches!((closest, nearest), (Some(Some(p)), Some(q)) if p.t > q.t);
    let fault = if *inside && (any != Some(true) || count == 0) {
        Fault::Leak
    } else if !is_balanced {
        Fault::Parity
    } else if count > 0 && any == Some(false) || is_farther {
        Fault::Disagreement
    } else {
        return;
    };
    tally.fault(fault, || {
        let side = if *inside { "inside" } else { "outside" };
        format!(
            "{} ({}, {:?}), from {side}: {ray:?}\n  closest {closest:?}\n  any {any:?}\n  count \
             {count}\n  all {all:?}",
            cell.name, turn.variant.name, turn.coherence
        )
    });
}
