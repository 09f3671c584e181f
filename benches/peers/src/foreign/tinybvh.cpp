// tinybvh's 8-wide CPU tree behind a C interface: the crate's own wrapper has no occlusion query.

#define TINYBVH_IMPLEMENTATION
#include "tiny_bvh.h"

#ifndef BVH_USEAVX2
#error "tinybvh's 8-wide tree needs AVX2 and FMA"
#endif

// As in tinybvh.rs.
struct PeersRay {
    float origin[3], t_max, direction[3], unused, reciprocal[3], unused2;
};
struct PeersAnswer {
    float t;
    uint32_t prim;
};

static tinybvh::Ray own(const PeersRay &from) {
    tinybvh::Ray ray;
    ray.O = tinybvh::bvhvec3(from.origin[0], from.origin[1], from.origin[2]);
    ray.D = tinybvh::bvhvec3(from.direction[0], from.direction[1], from.direction[2]);
    ray.rD = tinybvh::bvhvec3(from.reciprocal[0], from.reciprocal[1], from.reciprocal[2]);
    ray.hit.t = from.t_max;
    return ray;
}

extern "C" {

// `corners` are 3 · `triangles` points of four floats, and must live as long as the tree.
void *peers_tinybvh_build(const float *corners, uint32_t triangles, int32_t high_quality) {
    auto *tree = new tinybvh::BVH8_CPU();
    const auto *points = reinterpret_cast<const tinybvh::bvhvec4 *>(corners);
    const tinybvh::bvhvec4slice slice(points, triangles * 3, sizeof(tinybvh::bvhvec4));
    if (high_quality) {
        tree->BuildHQ(slice);
    } else {
        tree->Build(slice);
    }
    return tree;
}

size_t peers_tinybvh_bytes(const void *tree) {
    using tinybvh::BVH8_CPU;
    return sizeof(BVH8_CPU::CacheLine) * static_cast<const BVH8_CPU *>(tree)->usedBlocks;
}

void peers_tinybvh_free(void *tree) { delete static_cast<tinybvh::BVH8_CPU *>(tree); }

void peers_tinybvh_closest(const void *tree, const PeersRay *rays, size_t count,
                           PeersAnswer *answers) {
    const auto *bvh = static_cast<const tinybvh::BVH8_CPU *>(tree);
    for (size_t i = 0; i < count; i++) {
        tinybvh::Ray ray = own(rays[i]);
        bvh->Intersect(ray);
        answers[i] = ray.hit.t < rays[i].t_max ? PeersAnswer{ray.hit.t, ray.hit.prim}
                                               : PeersAnswer{INFINITY, UINT32_MAX};
    }
}

void peers_tinybvh_any(const void *tree, const PeersRay *rays, size_t count,
                       PeersAnswer *answers) {
    const auto *bvh = static_cast<const tinybvh::BVH8_CPU *>(tree);
    for (size_t i = 0; i < count; i++) {
        const tinybvh::Ray ray = own(rays[i]);
        answers[i] = bvh->IsOccluded(ray) ? PeersAnswer{0, 0} : PeersAnswer{INFINITY, UINT32_MAX};
    }
}
}
