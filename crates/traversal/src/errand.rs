//! How a tree is entered: at its SIMD level, in its layout, by the rules of a query.
//!
//! A short walk is over after some four hundred instructions, so what comes before it counts. An
//! errand that is two pointers is handed over in registers, and one that makes its query and its
//! answer at the other end leaves nothing in memory to wait for.

use std::marker::PhantomData;

use fearless_simd::Simd;
use hitscan_core::{Ray, TreeLayout};

use crate::blocks::{Blocks, Compact, Fast};
use crate::bvh::Bvh;
use crate::chunk::is_wide;
use crate::level::WithSimd;
use crate::options::{EdgeRule, QueryOptions};
use crate::query::{Admit, Batched, Everything, Query};
use crate::walk::{Probe, Rules, Unseen, Walk};

/// Something to do in a tree of these blocks, at whatever SIMD level.
pub(crate) trait Errand<B = Fast> {
    /// What happens on shared edges, unless the options say otherwise.
    const EDGE_RULE: EdgeRule;

    /// What comes of it; by default, when nothing is hit.
    type Answer: Default;

    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A, B>) -> Self::Answer;
}

impl Bvh {
    /// Runs an errand that knows both layouts.
    #[inline]
    pub(crate) fn run<E, Answer>(&self, options: &QueryOptions<'_>, errand: E) -> Answer
    where
        E: Errand<Fast, Answer = Answer> + Errand<Compact, Answer = Answer>,
        Answer: Default,
    {
        match self.tree.layout() {
            TreeLayout::Fast => self.enter(options, errand),
            TreeLayout::Compact => self.enter_compact(options, errand),
        }
    }

    /// The one place where a tree in the fast layout is entered: at its SIMD level, and without any
    /// cost for options that are not used.
    #[inline]
    pub(crate) fn enter<E: Errand>(&self, options: &QueryOptions<'_>, errand: E) -> E::Answer {
        if options.mask == 0 {
            return E::Answer::default();
        }
        if options.are_plain() {
            self.level.with_simd(Plain { bvh: self, errand })
        } else {
            let walk = self.walk(options.edge_rule.unwrap_or(E::EDGE_RULE), options);
            self.level.with_simd(On { walk: &walk, errand })
        }
    }

    /// The same for the compact layout. There is less code of it: for AVX2 and for none on x86, and
    /// always with options, so that programs do not grow by as much again.
    #[inline(never)]
    fn enter_compact<E: Errand<Compact>>(
        &self,
        options: &QueryOptions<'_>,
        errand: E,
    ) -> E::Answer {
        if options.mask == 0 {
            return E::Answer::default();
        }
        let walk = self.walk(options.edge_rule.unwrap_or(E::EDGE_RULE), options);
        self.level.with_few(On { walk: &walk, errand })
    }

    #[inline(always)]
    fn walk<A, B>(&self, edge_rule: EdgeRule, admit: A) -> Walk<'_, A, B> {
        let (tree, mesh) = (&*self.tree, &*self.mesh);
        Walk { tree, mesh, rules: Rules { edge_rule, admit }, blocks: PhantomData }
    }
}

/// An errand without options. It makes its walk where it is run, so that little is handed over.
struct Plain<'a, E> {
    errand: E,
    bvh: &'a Bvh,
}

impl<E: Errand> WithSimd for Plain<'_, E> {
    type Answer = E::Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> E::Answer {
        self.errand.run(simd, &self.bvh.walk(E::EDGE_RULE, Everything))
    }
}

/// An errand and the walk to run it on.
struct On<'a, A, B, E> {
    walk: &'a Walk<'a, A, B>,
    errand: E,
}

impl<A: Admit, B, E: Errand<B>> WithSimd for On<'_, A, B, E> {
    type Answer = E::Answer;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> E::Answer {
        self.errand.run(simd, self.walk)
    }
}

/// One ray, for a query that is made and answered where the ray is cast.
pub(crate) struct Cast<'a, Q> {
    ray: &'a Ray,
    query: PhantomData<Q>,
}

impl<'a, Q: Batched> Cast<'a, Q> {
    #[inline(always)]
    pub(crate) fn new(ray: &'a Ray) -> Self {
        Self { ray, query: PhantomData }
    }

    #[inline(always)]
    fn cast<S: Simd, A: Admit, B: Blocks>(self, simd: S, walk: &Walk<'_, A, B>) -> Q::Answer {
        let mut query = Q::new(self.ray);
        walk.run(simd, self.ray, &mut query, &mut Unseen);
        query.answer(walk.mesh)
    }

    /// [`Self::cast`] as a function of its own: where a level needs no other instructions than the
    /// caller has, it would become part of the caller, whom every level's rays come through.
    #[inline(never)]
    fn cast_apart<S: Simd, A: Admit, B: Blocks>(self, simd: S, walk: &Walk<'_, A, B>) -> Q::Answer {
        simd.vectorize(
            #[inline(always)]
            || self.cast(simd, walk),
        )
    }
}

impl<B: Blocks, Q: Batched<Answer: Default>> Errand<B> for Cast<'_, Q> {
    const EDGE_RULE: EdgeRule = Q::EDGE_RULE;

    type Answer = Q::Answer;

    #[inline(always)]
    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A, B>) -> Q::Answer {
        if const { is_wide::<S>() } { self.cast(simd, walk) } else { self.cast_apart(simd, walk) }
    }
}

/// One ray's walk for a query that its caller holds.
pub(crate) struct One<'a, Q, P> {
    pub(crate) ray: &'a Ray,
    pub(crate) query: &'a mut Q,
    pub(crate) probe: &'a mut P,
}

impl<B: Blocks, Q: Query, P: Probe> Errand<B> for One<'_, Q, P> {
    const EDGE_RULE: EdgeRule = Q::EDGE_RULE;

    type Answer = ();

    #[inline(always)]
    fn run<S: Simd, A: Admit>(self, simd: S, walk: &Walk<'_, A, B>) {
        walk.run(simd, self.ray, self.query, self.probe);
    }
}
