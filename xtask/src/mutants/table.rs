//! The faults.

/// A fault, and a test that notices it.
pub(super) struct Mutant {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    /// For each place a text that must be there once, with marks around the expression that is
    /// right, and the faulty one.
    pub(super) changes: &'static [(&'static str, &'static str)],
    /// The package and the name of a test that turns red; the others are run where it does not.
    pub(super) killed_by: (&'static str, &'static str),
}

pub(super) const TRAVERSAL: &str = "hitscan-traversal";
pub(super) const ENGINE: &str = "hitscan";
pub(super) const CORE: &str = "hitscan-core";

const CAN_BE_HIT: &str = "crates/core/src/mesh/can_be_hit.rs";
const SLAB: &str = "crates/traversal/src/slab.rs";
const LEAF: &str = "crates/traversal/src/leaf.rs";
const WALK: &str = "crates/traversal/src/walk.rs";
const WAVEFRONT: &str = "crates/traversal/src/wavefront.rs";
const CHUNK: &str = "crates/traversal/src/chunk.rs";
const EXACT: &str = "crates/traversal/src/exact.rs";
const WHOLE: &str = "crates/traversal/src/exact/whole.rs";
const REFINED: &str = "crates/traversal/src/open/refined.rs";
const QUERY: &str = "crates/traversal/src/query.rs";
const LISTED: &str = "crates/traversal/src/query/listed.rs";
const ONCE: &str = "crates/traversal/src/query/once.rs";
const EIGHT: &str = "crates/traversal/src/query/eight.rs";
const PACKET: &str = "crates/traversal/src/packet.rs";
const GROUP: &str = "crates/traversal/src/packet/group.rs";
const BUNDLE: &str = "crates/traversal/src/packet/bundle.rs";
const CHILDREN: &str = "crates/core/src/bvh8/children.rs";
const STRUCTURE: &str = "crates/core/src/baked/structure.rs";
const LEAF4: &str = "crates/core/src/bvh8/leaf4.rs";
const PACKED: &str = "crates/core/src/bvh8/leaf4/packed.rs";
const REPACK: &str = "crates/core/src/bvh8/leaf4/repack.rs";
const CHECK_LEAVES: &str = "crates/core/src/bvh8/check_leaves.rs";
const REFITTER: &str = "crates/core/src/bvh8/refit/refitter.rs";
const RAY: &str = "crates/core/src/ray.rs";

pub(super) const MUTANTS: [Mutant; 58] = [
    Mutant {
        name: "boxes without padding",
        file: SLAB,
        changes: &[(
            "let slack = ⟦padding.mul_add(reciprocal.abs(), V::simd_from(simd, UNDERFLOW_SLACK))⟧",
            "V::simd_from(simd, 0.0)",
        )],
        killed_by: (TRAVERSAL, "properties::total::numbers_of_any_magnitude"),
    },
    Mutant {
        name: "the slack of a tiny span vanishes",
        file: SLAB,
        changes: &[("⟦span.max(V::simd_from(simd, LEAST_SPAN))⟧", "span")],
        killed_by: (TRAVERSAL, "properties::total::a_mesh_smaller_than_any_normal_number"),
    },
    Mutant {
        name: "pruning without slack",
        file: SLAB,
        changes: &[("⟦t_max + t_max.abs() * T_SLACK⟧", "t_max")],
        killed_by: (
            TRAVERSAL,
            "properties::cluster::the_nearest_of_many_specks_that_begin_at_one_corner",
        ),
    },
    Mutant {
        name: "boxes half open",
        file: SLAB,
        changes: &[("⟦enter.simd_le(leave)⟧", "enter.simd_lt(leave)")],
        killed_by: (TRAVERSAL, "properties::packets::points_on_the_surface"),
    },
    Mutant {
        name: "a packet's boxes half open",
        file: GROUP,
        changes: &[("⟦enter.simd_le(leave)⟧", "enter.simd_lt(leave)")],
        killed_by: (TRAVERSAL, "properties::packets::points_on_the_surface"),
    },
    Mutant {
        name: "a bundle's boxes half open",
        file: BUNDLE,
        changes: &[("(enter, ⟦enter.simd_le(leave)⟧.to_bitmask()", "enter.simd_lt(leave)")],
        killed_by: (TRAVERSAL, "properties::packets::points_on_the_surface"),
    },
    Mutant {
        name: "a tie on the stack is dropped",
        file: WALK,
        changes: &[("⟦entry.enter.distance() <= t_max⟧", "entry.enter.distance() < t_max")],
        killed_by: (TRAVERSAL, "properties::packets::points_on_the_surface"),
    },
    Mutant {
        name: "a tie kept by a ray in flight is dropped",
        file: WAVEFRONT,
        changes: &[(
            "let open = ⟦enter.simd_le(f32x8::splat(simd, slot.t_max))⟧",
            "enter.simd_lt(f32x8::splat(simd, slot.t_max))",
        )],
        killed_by: (TRAVERSAL, "properties::total::few_whole_numbers"),
    },
    Mutant {
        name: "t_min is outside, sure lanes",
        file: LEAF,
        changes: &[("⟦rays.t_min.simd_le(t)⟧", "rays.t_min.simd_lt(t)")],
        killed_by: (TRAVERSAL, "properties::symmetry::two_halves_of_an_interval_make_the_whole"),
    },
    Mutant {
        name: "t_max is outside, sure lanes",
        file: LEAF,
        changes: &[("⟦t.simd_le(rays.t_max)⟧", "t.simd_lt(rays.t_max)")],
        killed_by: (TRAVERSAL, "properties::symmetry::two_halves_of_an_interval_make_the_whole"),
    },
    Mutant {
        name: "t_min is outside, exact lanes",
        file: WALK,
        changes: &[("⟦finite_t_min(ray) <= t⟧", "finite_t_min(ray) < t")],
        killed_by: (TRAVERSAL, "properties::symmetry::two_halves_of_an_interval_make_the_whole"),
    },
    Mutant {
        name: "t_max is outside, exact lanes",
        file: WALK,
        changes: &[("⟦t <= query.t_max()⟧", "t < query.t_max()")],
        killed_by: (TRAVERSAL, "properties::symmetry::two_halves_of_an_interval_make_the_whole"),
    },
    Mutant {
        name: "a determinant below 1e-6 misses",
        file: LEAF,
        changes: &[(
            "let candidate = ⟦!least.simd_lt(minus_bound)⟧;",
            "!least.simd_lt(minus_bound) & det.simd_ge(V::simd_from(simd, 1e-6))",
        )],
        killed_by: (TRAVERSAL, "properties::symmetry::a_scene_and_its_rays_scale_together"),
    },
    Mutant {
        name: "the filter takes itself for exact",
        file: PACKED,
        changes: &[
            ("⟦ROUNDINGS * 2.0 * sum[lane]⟧", "0.0"),
            ("⟦ROUNDINGS * 2.0 * cross[lane]⟧", "0.0"),
        ],
        killed_by: (TRAVERSAL, "properties::grid::large_grids"),
    },
    Mutant {
        name: "underflow is forgotten",
        file: PACKED,
        changes: &[
            (", ⟦FLOOR⟧))", "0.0"),
            ("let floor = ⟦FLOOR * greater(sum[lane], 1.0)⟧;", "0.0"),
        ],
        killed_by: (TRAVERSAL, "properties::total::numbers_of_any_magnitude"),
    },
    Mutant {
        name: "overflow is forgotten",
        file: PACKED,
        changes: &[("⟦numbers.any(|x| x >= Leaf4::HUGE)⟧", "false")],
        killed_by: (TRAVERSAL, "properties::total::numbers_of_any_magnitude"),
    },
    Mutant {
        name: "t of the filter is always good",
        file: LEAF,
        changes: &[("⟦V::simd_from(simd, -GOOD_T)⟧", "V::simd_from(simd, 0.0)")],
        killed_by: (TRAVERSAL, "properties::grid::large_grids"),
    },
    Mutant {
        name: "exact t beside good ones",
        file: WALK,
        changes: &[("⟦good_t.unwrap_or_else(|| open.t())⟧", "open.t()")],
        killed_by: (
            ENGINE,
            "same_bits::sure_and_exactly_decided_triangles_are_compared_by_the_same_t",
        ),
    },
    Mutant {
        name: "nothing lies behind the origin",
        file: LEAF,
        changes: &[(" & ⟦rays.t_min.simd_ge(zero)⟧", "zero.simd_ge(zero)")],
        killed_by: (TRAVERSAL, "properties::grid::small_grids"),
    },
    Mutant {
        name: "f64 takes itself for exact",
        file: EXACT,
        changes: &[("⟦value.abs() > 8.5 * U64 * magnitude⟧", "value.abs() > 0.0")],
        killed_by: (TRAVERSAL, "properties::grid::large_grids"),
    },
    Mutant {
        name: "a leaf's edges pass for those of the mesh",
        file: REFINED,
        changes: &[
            ("⟦EDGE * r.abs().dot(edge.abs())⟧", "0.0"),
            ("⟦2.0 * EDGE * n_terms.dot(d.abs())⟧", "0.0"),
            ("⟦2.0 * EDGE * n_terms.dot(c.abs())⟧", "0.0"),
        ],
        killed_by: (TRAVERSAL, "properties::grid::large_grids"),
    },
    Mutant {
        name: "f64 on a leaf takes itself for exact",
        file: REFINED,
        changes: &[("⟦ROUNDED * r_terms.dot(edge.abs())⟧", "0.0")],
        killed_by: (TRAVERSAL, "exact::an_edge_that_f64_cannot_tell_from_the_ray"),
    },
    Mutant {
        name: "weights of a small triangle far away",
        file: LEAF,
        changes: &[("⟦self.minus_bound * -GOOD_WEIGHT⟧", "self.minus_bound")],
        killed_by: (ENGINE, "compact::an_explanation_agrees"),
    },
    Mutant {
        name: "no tie-break on edges",
        file: EXACT,
        changes: &[("0 if ⟦rule == EdgeRule::Once⟧", "false")],
        killed_by: (TRAVERSAL, "properties::grid::small_grids"),
    },
    Mutant {
        name: "no tie-break between triangles",
        file: QUERY,
        changes: &[("⟦self.t == t && self.prim < prim⟧", "false")],
        killed_by: (TRAVERSAL, "properties::total::few_whole_numbers"),
    },
    Mutant {
        name: "NaN passes",
        file: RAY,
        changes: &[(
            "⟦self.origin.iter().chain(&self.direction).all(|x| x.is_finite())⟧",
            "self.origin.iter().chain(&self.direction).all(|x| !x.is_infinite())",
        )],
        killed_by: (TRAVERSAL, "properties::total::invalid_rays_miss_and_disturb_nobody"),
    },
    Mutant {
        name: "infinity passes",
        file: RAY,
        changes: &[(
            "⟦self.origin.iter().chain(&self.direction).all(|x| x.is_finite())⟧",
            "self.origin.iter().chain(&self.direction).all(|x| !x.is_nan())",
        )],
        killed_by: (TRAVERSAL, "properties::total::invalid_rays_miss_and_disturb_nobody"),
    },
    Mutant {
        name: "a steep slope for any slow axis",
        file: SLAB,
        changes: &[("⟦stays && t_reach <= span * steep * SPAN_SLACK / 4.0⟧", "true")],
        killed_by: (TRAVERSAL, "properties::total::numbers_of_any_magnitude"),
    },
    Mutant {
        name: "a bundle is its slowest ray",
        file: BUNDLE,
        changes: &[("enter = (⟦a.min(b)⟧ + near_offset)", "a")],
        killed_by: (TRAVERSAL, "properties::packets::rays_from_one_point"),
    },
    Mutant {
        name: "a packet forgets which rays look for something",
        file: PACKET,
        changes: &[("self.active.set(index, ⟦reach.active⟧);", "reach.active & 0x7f")],
        killed_by: (TRAVERSAL, "properties::packets::a_narrow_beam"),
    },
    Mutant {
        name: "a ray in flight forgets what it keeps",
        file: WAVEFRONT,
        changes: &[("kept.len = ⟦place + count - 1⟧;", "(place + count - 1).min(place + 2)")],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "a ray in flight has room without end",
        file: WAVEFRONT,
        changes: &[("⟦slot.kept.len >= KEPT - 8⟧", "slot.kept.len >= KEPT + 8")],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "a ray goes on with another's query",
        file: WAVEFRONT,
        changes: &[(
            "⟦slot.query.restart(ray)⟧;",
            "if slot.ray == usize::MAX { slot.query.restart(ray) }",
        )],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "a ray goes on with another's reach",
        file: WAVEFRONT,
        changes: &[(
            "slot.t_max = ⟦widened(slot.query.t_max())⟧;\n                        slot.at",
            "slot.t_max.max(1.0)",
        )],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "answers change places in flight",
        file: WAVEFRONT,
        changes: &[("slot.query.give(⟦slot.ray⟧, self", "slot.ray ^ 1")],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "a list goes on with another's hits",
        file: LISTED,
        changes: &[("⟦self.met.clear()⟧;", "()")],
        killed_by: (TRAVERSAL, "chunk::lists_of_thousands_are_as_those_of_single_calls"),
    },
    Mutant {
        name: "lists lie in the order in which walks end",
        file: LISTED,
        changes: &[("&self.hits[⟦first⟧..][..len]", "first.min(hits.len())")],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "each way of casting tries the same rays",
        file: CHUNK,
        changes: &[
            ("let range = ⟦left.start..left.start + count⟧;", "0..count"),
            ("⟦left.start = range.end⟧;", "left.start += count"),
        ],
        killed_by: (
            TRAVERSAL,
            "chunk::rays_whose_signs_agree_are_all_cast_whatever_the_trials_say",
        ),
    },
    Mutant {
        name: "the fastest way casts too few rays",
        file: CHUNK,
        changes: &[("self.cast(simd, walk, ⟦rest⟧, way);", "rest.start + 1..rest.end")],
        killed_by: (
            TRAVERSAL,
            "chunk::rays_whose_signs_agree_are_all_cast_whatever_the_trials_say",
        ),
    },
    Mutant {
        name: "parts of triangles are not marked",
        file: LEAF4,
        changes: &[("⟦self.marked_prim[lane] |= Self::SPLIT⟧;", "self.marked_prim[lane] |= 0")],
        killed_by: (TRAVERSAL, "split::split_triangles_are_counted_once"),
    },
    Mutant {
        name: "parts of a triangle count each",
        file: QUERY,
        changes: &[("⟦!candidate.is_split || self.once.is_first(candidate.prim)⟧", "true")],
        killed_by: (TRAVERSAL, "split::split_triangles_are_counted_once"),
    },
    Mutant {
        name: "parts of a triangle are among the nearest",
        file: QUERY,
        changes: &[("if ⟦candidate.is_split⟧ && place > 0 &&", "false")],
        killed_by: (TRAVERSAL, "split::short_buffers_hold_each_split_triangle_once"),
    },
    Mutant {
        name: "parts of a triangle are listed each",
        file: ONCE,
        changes: &[("⟦kept == first || hits[kept - 1].prim != hits[i].prim⟧", "true")],
        killed_by: (TRAVERSAL, "split::split_triangles_are_counted_once"),
    },
    Mutant {
        name: "few triangles in parts are remembered",
        file: ONCE,
        changes: &[("⟦self.more.insert(prim)⟧", "true")],
        killed_by: (TRAVERSAL, "split::split_triangles_are_counted_once"),
    },
    Mutant {
        name: "rounded differences are whole",
        file: WHOLE,
        changes: &[("⟦lost == DVec3::ZERO⟧", "true")],
        killed_by: (TRAVERSAL, "properties::total::raw_bits"),
    },
    Mutant {
        name: "fractions are whole",
        file: WHOLE,
        changes: &[("⟦whole.as_dvec3() == exact⟧", "true")],
        killed_by: (TRAVERSAL, "properties::total::raw_bits"),
    },
    Mutant {
        name: "whole numbers are too long",
        file: WHOLE,
        changes: &[("2 * BIAS + ⟦BITS⟧ - exponent", "46")],
        killed_by: (TRAVERSAL, "properties::total::numbers_of_any_magnitude"),
    },
    Mutant {
        name: "a moved edge takes f64 for exact",
        file: EXACT,
        changes: &[(
            "⟦(first + second).abs() > 4.0 * U64 * (first.abs() + second.abs())⟧",
            "(first + second).abs() > 0.0",
        )],
        killed_by: (TRAVERSAL, "exact::an_edge_that_f64_cannot_tell_from_the_ray"),
    },
    Mutant {
        name: "a tie by eight goes to the first",
        file: EIGHT,
        changes: &[("⟦found.t.simd_lt(t) | ties⟧", "found.t.simd_lt(t)")],
        killed_by: (TRAVERSAL, "properties::total::few_whole_numbers"),
    },
    Mutant {
        name: "rounding makes an area",
        file: CAN_BE_HIT,
        changes: &[("size * ⟦(16.0 * f32::EPSILON)⟧", "0.0")],
        killed_by: (CORE, "can_be_hit::corners_on_one_line_have_no_area_however_edges_round"),
    },
    Mutant {
        name: "a corner at infinity makes an area",
        file: CAN_BE_HIT,
        changes: &[("⟦size.cmplt(Vec3A::INFINITY).all()⟧", "true")],
        killed_by: (CORE, "can_be_hit::corners_that_are_not_finite_are_never_hit"),
    },
    Mutant {
        name: "a moved leaf has a triangle in each lane",
        file: REPACK,
        changes: &[("⟦is_there.select(area, infinity)⟧.store_slice", "area")],
        killed_by: (CORE, "refit::later_refits_are_as_the_first"),
    },
    Mutant {
        name: "underflow is forgotten where triangles move",
        file: REPACK,
        changes: &[
            ("let reach = ⟦(twice * sum).max(floor)⟧;", "twice * sum"),
            (
                "let area = ⟦(twice * cross).max(floor * sum.max(f64x4::splat(simd, 1.0)))⟧;",
                "twice * cross",
            ),
        ],
        killed_by: (CORE, "refit::later_refits_are_as_the_first"),
    },
    Mutant {
        name: "a plane keeps a reference without being lowered",
        file: CHILDREN,
        changes: &[("if plane & SIGN == 0 { ⟦plane - (KEPT + 1)⟧ } else", "plane & !KEPT")],
        killed_by: (TRAVERSAL, "chunk::long_chunks_answer_as_single_calls"),
    },
    Mutant {
        name: "a box in an empty lane is let in",
        file: STRUCTURE,
        changes: &[("child_count < 8 && ⟦!self.is_empty_behind(child_count)⟧", "false")],
        killed_by: (CORE, "baked::forged::no_forged_structure_is_let_in"),
    },
    Mutant {
        name: "leaves from a file are taken as they are",
        file: CHECK_LEAVES,
        changes: &[("if ⟦self.is_known⟧ {", "true")],
        killed_by: (CORE, "baked::changed::no_forged_leaf_is_changed"),
    },
    Mutant {
        name: "boxes from a file are taken as they are",
        file: REFITTER,
        changes: &[("tree.layout == TreeLayout::Compact || ⟦!tree.is_known⟧", "false")],
        killed_by: (CORE, "baked::changed::corners_and_boxes_that_are_wrong_are_made_anew"),
    },
    Mutant {
        name: "empty lanes are met where an axis is unbounded",
        file: SLAB,
        changes: &[("self.reciprocal[axis] = ⟦f32::MIN_POSITIVE.copysign(direction)⟧", "0.0")],
        killed_by: (TRAVERSAL, "properties::total::raw_bits"),
    },
];
