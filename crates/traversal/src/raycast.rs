//! The queries that anything made of triangles can answer.

use hitscan_core::{Hit, Ray, Segment};

use crate::options::QueryOptions;

/// What a fixed buffer of hits was filled with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// How many hits were written, near to far.
    pub len: usize,
    /// Whether there were more hits than the buffer holds; the nearest are in it.
    pub truncated: bool,
}

/// Whether the rays of a batch go much the same way. It changes speed, never answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Coherence {
    /// Look at the rays and choose.
    #[default]
    Auto,
    /// Neighbouring rays go much the same way, as from a camera in pixel or tile order.
    Coherent,
    /// Neighbouring rays have little in common.
    Incoherent,
}

/// The queries that anything made of triangles can answer: a [`crate::Bvh`], or a scene of them.
///
/// An invalid ray (see [`Ray::is_valid`]) misses in every query.
pub trait Raycast: Sync {
    /// The nearest hit; on equal `t` the one with the lowest (instance, geometry, prim).
    #[doc(alias = "raycast", alias = "intersect", alias = "raycast_first", alias = "toi")]
    fn closest_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> Option<Hit>;

    /// Whether anything is hit. The walk ends at the first hit found, which need not be the
    /// nearest. (DXR uses "any hit" for a shader that sees every candidate; this is not that.)
    #[doc(alias = "occluded")]
    fn any_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> bool;

    /// How many hits there are.
    fn count_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> usize;

    /// All hits, near to far and on equal `t` by (instance, geometry, prim), appended to `hits`.
    fn append_all_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>, hits: &mut Vec<Hit>);

    /// The nearest hits that fit into `hits`, near to far, and whether there were more.
    fn fill_all_hits_with(
        &self,
        ray: &Ray,
        options: &QueryOptions<'_>,
        hits: &mut [Hit],
    ) -> Filled {
        let mut all = Vec::new();
        self.append_all_hits_with(ray, options, &mut all);
        let len = all.len().min(hits.len());
        hits[..len].copy_from_slice(&all[..len]);
        Filled { len, truncated: all.len() > len }
    }

    /// The nearest hit of each ray, in the order of the rays, bit for bit as
    /// [`Self::closest_hit_with`] gives it.
    ///
    /// # Panics
    /// If `hits` is not as long as `rays`.
    fn closest_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [Option<Hit>],
    ) {
        let _ = coherence;
        assert_eq!(rays.len(), hits.len(), "one hit a ray");
        one_by_one(rays, hits, |ray| self.closest_hit_with(ray, options));
    }

    /// Whether each ray hits anything, in the order of the rays.
    ///
    /// # Panics
    /// If `hits` is not as long as `rays`.
    fn any_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [bool],
    ) {
        let _ = coherence;
        assert_eq!(rays.len(), hits.len(), "one answer a ray");
        one_by_one(rays, hits, |ray| self.any_hit_with(ray, options));
    }

    /// How many hits each ray has, in the order of the rays.
    ///
    /// # Panics
    /// If `counts` is not as long as `rays`.
    fn count_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        counts: &mut [usize],
    ) {
        let _ = coherence;
        assert_eq!(rays.len(), counts.len(), "one count a ray");
        one_by_one(rays, counts, |ray| self.count_hits_with(ray, options));
    }

    /// All hits of each ray as [`Self::append_all_hits_with`] gives them, ray by ray, appended to
    /// `hits`; and how many each ray has.
    ///
    /// # Panics
    /// If `counts` is not as long as `rays`.
    fn all_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        counts: &mut [usize],
        hits: &mut Vec<Hit>,
    ) {
        let _ = coherence;
        assert_eq!(rays.len(), counts.len(), "one count a ray");
        lists_one_by_one(self, rays, options, counts, hits);
    }

    /// [`Self::closest_hit_with`] with default options.
    fn closest_hit(&self, ray: &Ray) -> Option<Hit> {
        self.closest_hit_with(ray, &QueryOptions::DEFAULT)
    }

    /// [`Self::any_hit_with`] with default options.
    fn any_hit(&self, ray: &Ray) -> bool {
        self.any_hit_with(ray, &QueryOptions::DEFAULT)
    }

    /// [`Self::count_hits_with`] with default options.
    fn count_hits(&self, ray: &Ray) -> usize {
        self.count_hits_with(ray, &QueryOptions::DEFAULT)
    }

    /// All hits, near to far.
    fn all_hits(&self, ray: &Ray) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.append_all_hits_with(ray, &QueryOptions::DEFAULT, &mut hits);
        hits
    }

    /// The first hit on the way from `a` to `b`, both ends included; `t` is 0 at `a`, 1 at `b`.
    #[doc(alias = "segment_cast")]
    fn segment_hit(&self, a: [f32; 3], b: [f32; 3]) -> Option<Hit> {
        self.closest_hit(&Segment::new(a, b).ray())
    }

    /// Whether nothing lies between `a` and `b`, both ends included.
    fn line_of_sight(&self, a: [f32; 3], b: [f32; 3]) -> bool {
        !self.any_hit(&Segment::new(a, b).ray())
    }
}

/// Casts one ray after another.
pub(crate) fn one_by_one<Answer>(
    rays: &[Ray],
    answers: &mut [Answer],
    mut answer: impl FnMut(&Ray) -> Answer,
) {
    for (ray, place) in rays.iter().zip(answers) {
        *place = answer(ray);
    }
}

/// Lists the hits of one ray after another.
pub(crate) fn lists_one_by_one<R: Raycast + ?Sized>(
    target: &R,
    rays: &[Ray],
    options: &QueryOptions<'_>,
    counts: &mut [usize],
    hits: &mut Vec<Hit>,
) {
    one_by_one(rays, counts, |ray| {
        let before = hits.len();
        target.append_all_hits_with(ray, options, hits);
        hits.len() - before
    });
}
