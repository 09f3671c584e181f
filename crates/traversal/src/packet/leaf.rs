//! The triangles of a leaf against the rays of a packet that met its box.

use fearless_simd::Simd;
use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

use super::group::Group;
use super::{Met, Packet, bits};
use crate::leaf::{LeafRay, Triangles, filter};
use crate::open::poor_weights;
use crate::query::{Admit, Eight, LANES, Query};
use crate::walk::{Walk, decide, needs_weights};

/// Up to this many rays of a group are tested against four triangles each, more against one
/// triangle together.
const FEW_LANES: u32 = 2;

impl<A: Admit> Walk<'_, A> {
    /// Tests the triangles of a leaf against the rays that met its box.
    #[inline(always)]
    pub(super) fn packet_leaf<S: Simd, E: Eight>(
        &self,
        simd: S,
        rays: &[Ray],
        packet: &mut Packet<E>,
        leaf: &Leaf4,
        met: Met,
    ) {
        let mut full_groups = 0;
        // The groups whose queries took something.
        let mut taken = 0;
        for index in bits(met.groups()) {
            let lanes = met.of_group(index);
            if lanes.count_ones() > FEW_LANES {
                full_groups |= 1 << index;
            } else {
                let group = &mut packet.groups[index];
                let any = self.each_ray(simd, &rays[index * LANES..], group, leaf, lanes);
                taken |= u32::from(any) << index;
            }
        }
        if full_groups != 0 {
            for (number, &prim) in leaf.marked_prims().iter().enumerate() {
                if prim == Leaf4::NO_PRIM {
                    break;
                }
                let triangle = Triangles::splat(simd, leaf, number);
                for index in bits(full_groups) {
                    let rays_of_group = packet.groups[index].rays(simd);
                    let Some(mut found) = filter::<_, _, true>(simd, &rays_of_group, &triangle)
                    else {
                        continue;
                    };
                    let lanes = met.of_group(index);
                    let sure = found.sure & lanes;
                    let unsure = found.unsure & lanes;
                    if sure | unsure == 0 {
                        continue;
                    }
                    taken |= 1 << index;
                    let rays = &rays[index * LANES..];
                    let queries = &mut packet.groups[index].queries;
                    if needs_weights::<E::One, A>() {
                        for lane in bits(sure & !found.good_weights()) {
                            let weights = poor_weights(&rays[lane], self.mesh, leaf, number);
                            found.set_weights(lane, weights);
                        }
                    }
                    if A::EVERYTHING && sure != 0 {
                        queries.add(simd, &found, sure, prim);
                    } else {
                        for lane in bits(sure) {
                            let candidate = found.candidate(lane, prim);
                            if self.rules.admit.admits(&candidate, self.mesh) {
                                let mut query = queries.one(lane);
                                // A query that is done says so by its `t_max`.
                                let _ = query.add(candidate);
                                queries.set(lane, &query);
                            }
                        }
                    }
                    for lane in bits(unsure) {
                        let mut query = queries.one(lane);
                        let good_t = found.good_t(lane);
                        let (mesh, rules, ray) = (self.mesh, self.rules, &rays[lane]);
                        let _ = decide(mesh, rules, ray, leaf, number, good_t, &mut query);
                        queries.set(lane, &query);
                    }
                }
            }
        }
        if taken != 0 {
            packet.renew_t_max(simd, taken);
        }
    }

    /// Tests four triangles at a time, ray by ray, and says whether a query took something.
    #[inline(always)]
    fn each_ray<S: Simd, E: Eight>(
        &self,
        simd: S,
        rays: &[Ray],
        group: &mut Group<E>,
        leaf: &Leaf4,
        lanes: u32,
    ) -> bool {
        let mut taken = false;
        for lane in bits(lanes) {
            let ray = &rays[lane];
            let leaf_ray = LeafRay::new(ray, group.direction_bound(lane));
            if let Some(found) = leaf_ray.test(simd, leaf, group.queries.t_max()[lane]) {
                let mut query = group.queries.one(lane);
                let _ = self.take(ray, leaf, &found, &mut query);
                group.queries.set(lane, &query);
                taken = true;
            }
        }
        taken
    }
}
