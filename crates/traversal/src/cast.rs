//! Rays cast at a mesh with its tree.

use hitscan_core::{Hit, Ray, TreeLayout};

use crate::bvh::Bvh;
use crate::chunk::{Chunk, ListChunk, UnpackedChunk, is_alone};
use crate::errand::{Cast, One};
use crate::options::QueryOptions;
use crate::query::{All, Any, Closest, Count, Lists, Nearest, put_in_order};
use crate::raycast::{Coherence, Filled, Raycast, lists_one_by_one, one_by_one};
use crate::walk::Unseen;

impl Raycast for Bvh {
    #[inline]
    fn closest_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> Option<Hit> {
        self.run(options, Cast::<Closest>::new(ray))
    }

    #[inline]
    fn any_hit_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> bool {
        self.run(options, Cast::<Any>::new(ray))
    }

    #[inline]
    fn count_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>) -> usize {
        self.run(options, Cast::<Count>::new(ray))
    }

    fn append_all_hits_with(&self, ray: &Ray, options: &QueryOptions<'_>, hits: &mut Vec<Hit>) {
        let first = hits.len();
        let mut query = All::new(ray, &self.mesh, hits);
        self.run(options, One { ray, query: &mut query, probe: &mut Unseen });
        put_in_order(hits, first);
    }

    fn fill_all_hits_with(
        &self,
        ray: &Ray,
        options: &QueryOptions<'_>,
        hits: &mut [Hit],
    ) -> Filled {
        let mut query = Nearest::new(ray, &self.mesh, hits);
        self.run(options, One { ray, query: &mut query, probe: &mut Unseen });
        Filled { len: query.len, truncated: query.truncated }
    }

    fn closest_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [Option<Hit>],
    ) {
        assert_eq!(rays.len(), hits.len(), "one hit a ray");
        if options.mask == 0 {
            hits.fill(None);
        }
        if self.layout() == TreeLayout::Compact {
            return one_by_one(rays, hits, |ray| self.closest_hit_with(ray, options));
        }
        let chunk = Chunk::<Closest> { rays, coherence, answers: hits };
        self.enter(options, chunk);
    }

    fn any_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        hits: &mut [bool],
    ) {
        assert_eq!(rays.len(), hits.len(), "one answer a ray");
        if options.mask == 0 {
            hits.fill(false);
        }
        if self.layout() == TreeLayout::Compact {
            return one_by_one(rays, hits, |ray| self.any_hit_with(ray, options));
        }
        let chunk = Chunk::<Any> { rays, coherence, answers: hits };
        self.enter(options, chunk);
    }

    fn count_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        counts: &mut [usize],
    ) {
        assert_eq!(rays.len(), counts.len(), "one count a ray");
        if options.mask == 0 {
            counts.fill(0);
        }
        if self.layout() == TreeLayout::Compact {
            return one_by_one(rays, counts, |ray| self.count_hits_with(ray, options));
        }
        let chunk = Chunk::<Count> { rays, coherence, answers: counts };
        self.enter(options, UnpackedChunk(chunk));
    }

    fn all_hits_chunk(
        &self,
        rays: &[Ray],
        options: &QueryOptions<'_>,
        coherence: Coherence,
        counts: &mut [usize],
        hits: &mut Vec<Hit>,
    ) {
        assert_eq!(rays.len(), counts.len(), "one count a ray");
        let alone = !self.level.is_wide() || is_alone(rays, coherence);
        if self.layout() == TreeLayout::Compact || alone {
            return lists_one_by_one(self, rays, options, counts, hits);
        }
        let mut lists = Lists::new(rays.len());
        self.enter(options, ListChunk { rays, lists: &mut lists });
        lists.append_to(hits, counts);
    }
}
