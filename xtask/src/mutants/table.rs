//! The faults.

/// A text in a file that must be there once, and what it is replaced by.
pub(super) struct Mutant {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
}

const SLAB: &str = "crates/traversal/src/slab.rs";
const LEAF: &str = "crates/traversal/src/leaf.rs";
const WALK: &str = "crates/traversal/src/walk.rs";
const WAVEFRONT: &str = "crates/traversal/src/wavefront.rs";
const CHUNK: &str = "crates/traversal/src/chunk.rs";
const EXACT: &str = "crates/traversal/src/exact.rs";
const WHOLE: &str = "crates/traversal/src/exact/whole.rs";
const QUERY: &str = "crates/traversal/src/query.rs";
const ONCE: &str = "crates/traversal/src/query/once.rs";
const EIGHT: &str = "crates/traversal/src/query/eight.rs";
const GROUP: &str = "crates/traversal/src/packet/group.rs";
const BUNDLE: &str = "crates/traversal/src/packet/bundle.rs";
const LEAF4: &str = "crates/core/src/bvh8/leaf4.rs";
const RAY: &str = "crates/core/src/ray.rs";

pub(super) const MUTANTS: [Mutant; 42] = [
    Mutant {
        name: "boxes without padding",
        file: SLAB,
        from: "const SPAN_SLACK: f32 = 1.0 / (1 << 21) as f32;",
        to: "const SPAN_SLACK: f32 = 0.0;",
    },
    Mutant {
        name: "pruning without slack",
        file: SLAB,
        from: "const T_SLACK: f32 = 1.0 / (1 << 13) as f32;",
        to: "const T_SLACK: f32 = 0.0;",
    },
    Mutant {
        name: "boxes half open",
        file: SLAB,
        from: "enter.simd_le(leave)",
        to: "enter.simd_lt(leave)",
    },
    Mutant {
        name: "a packet's boxes half open",
        file: GROUP,
        from: "enter.simd_le(leave)",
        to: "enter.simd_lt(leave)",
    },
    Mutant {
        name: "a bundle's boxes half open",
        file: BUNDLE,
        from: "enter.simd_le(leave)",
        to: "enter.simd_lt(leave)",
    },
    Mutant {
        name: "a tie on the stack is dropped",
        file: WALK,
        from: "entry.enter <= t_max",
        to: "entry.enter < t_max",
    },
    Mutant {
        name: "a tie kept by a ray in flight is dropped",
        file: WAVEFRONT,
        from: "if kept.enter[last] <= slot.t_max {",
        to: "if kept.enter[last] < slot.t_max || last == 0 {",
    },
    Mutant {
        name: "t_min is outside, sure lanes",
        file: LEAF,
        from: "rays.t_min.simd_le(lanes.t)",
        to: "rays.t_min.simd_lt(lanes.t)",
    },
    Mutant {
        name: "t_max is outside, sure lanes",
        file: LEAF,
        from: "lanes.t.simd_le(rays.t_max)",
        to: "lanes.t.simd_lt(rays.t_max)",
    },
    Mutant {
        name: "t_min is outside, exact lanes",
        file: WALK,
        from: "finite_t_min(ray) <= t &&",
        to: "finite_t_min(ray) < t &&",
    },
    Mutant {
        name: "t_max is outside, exact lanes",
        file: WALK,
        from: "&& t <= query.t_max()",
        to: "&& t < query.t_max()",
    },
    Mutant {
        name: "a determinant below 1e-6 misses",
        file: LEAF,
        from: "let candidate = !least.simd_lt(minus_bound);",
        to: "let candidate =\n        !least.simd_lt(minus_bound) & det.simd_ge(V::simd_from(simd, 1e-6));",
    },
    Mutant {
        name: "the filter takes itself for exact",
        file: LEAF4,
        from: "const ROUNDINGS: f64 = 9.1 / (1 << 24) as f64;",
        to: "const ROUNDINGS: f64 = 0.0;",
    },
    Mutant {
        name: "underflow is forgotten",
        file: LEAF4,
        from: "const FLOOR: f64 = 1.0 / (1_u128 << 100) as f64;",
        to: "const FLOOR: f64 = 0.0;",
    },
    Mutant {
        name: "overflow is forgotten",
        file: LEAF4,
        from: "if numbers.any(|x| x >= Leaf4::HUGE) {",
        to: "if numbers.any(|_| false) {",
    },
    Mutant {
        name: "t of the filter is always good",
        file: LEAF,
        from: "const GOOD_T: f32 = 8192.0;",
        to: "const GOOD_T: f32 = 0.0;",
    },
    Mutant {
        name: "exact t beside good ones",
        file: WALK,
        from: "let t = good_t.unwrap_or_else(|| exact.t());",
        to: "let t = exact.t();\n        let _ = good_t;",
    },
    Mutant {
        name: "nothing lies behind the origin",
        file: LEAF,
        from: " & rays.t_min.simd_ge(zero);",
        to: ";",
    },
    Mutant {
        name: "f64 takes itself for exact",
        file: EXACT,
        from: "(value.abs() > 8.5 * U64 * magnitude || magnitude == 0.0)",
        to: "(value.abs() > 0.0 || magnitude == 0.0)",
    },
    Mutant {
        name: "no tie-break on edges",
        file: EXACT,
        from: "0 if rule == EdgeRule::Once => self.moved_edge_sign(p, q),",
        to: "0 if rule == EdgeRule::Once && p.x.is_nan() => self.moved_edge_sign(p, q),",
    },
    Mutant {
        name: "no tie-break between triangles",
        file: QUERY,
        from: "self.t < t || self.t == t && self.prim < prim",
        to: "self.t < t || self.t == t && self.prim < prim.min(0)",
    },
    Mutant {
        name: "NaN passes",
        file: RAY,
        from: "all(|x| x.is_finite());\n        finite && self",
        to: "all(|x| !x.is_infinite());\n        finite && self",
    },
    Mutant {
        name: "infinity passes",
        file: RAY,
        from: "all(|x| x.is_finite());\n        finite && self",
        to: "all(|x| !x.is_nan());\n        finite && self",
    },
    Mutant {
        name: "a steep slope for any slow axis",
        file: SLAB,
        from: "if stays && t_reach <= span * steep * SPAN_SLACK / 4.0 {",
        to: "if span >= 0.0 || stays {",
    },
    Mutant {
        name: "a bundle is its slowest ray",
        file: BUNDLE,
        from: "(near * slow).min(near * fast)",
        to: "(near * slow)",
    },
    Mutant {
        name: "a ray in flight forgets what it keeps",
        file: WAVEFRONT,
        from: "slot.kept = place + count - 1;",
        to: "slot.kept = (place + count - 1).min(place + 2);",
    },
    Mutant {
        name: "a ray in flight has room without end",
        file: WAVEFRONT,
        from: "if slot.kept >= KEPT - 8 {",
        to: "if slot.kept >= KEPT + 8 {",
    },
    Mutant {
        name: "a ray goes on with another's query",
        file: WAVEFRONT,
        from: "slot.query = Q::new(ray);",
        to: "if slot.ray == usize::MAX {\n                        slot.query = Q::new(ray);\n                    }",
    },
    Mutant {
        name: "a ray goes on with another's reach",
        file: WAVEFRONT,
        from: "slot.t_max = widened(slot.query.t_max());\n                        slot.at",
        to: "slot.t_max = slot.t_max.max(1.0);\n                        slot.at",
    },
    Mutant {
        name: "answers change places in flight",
        file: WAVEFRONT,
        from: "answers.get_mut(slot.ray)",
        to: "answers.get_mut(slot.ray ^ 1)",
    },
    Mutant {
        name: "each way of casting tries the same rays",
        file: CHUNK,
        from: "let range = left.start..left.start + count;\n        left.start = range.end;",
        to: "let range = 0..count;\n        left.start += count;",
    },
    Mutant {
        name: "the fastest way casts too few rays",
        file: CHUNK,
        from: "(way, left)\n",
        to: "(way, left.start + 1..left.end)\n",
    },
    Mutant {
        name: "parts of triangles are not marked",
        file: LEAF4,
        from: "self.marked_prim[lane] |= Self::SPLIT;",
        to: "self.marked_prim[lane] |= 0;",
    },
    Mutant {
        name: "parts of a triangle count each",
        file: QUERY,
        from: "if !candidate.is_split || self.once.is_first(candidate.prim) {",
        to: "if self.once.is_first(candidate.prim) || candidate.is_split {",
    },
    Mutant {
        name: "parts of a triangle are among the nearest",
        file: QUERY,
        from: "if candidate.is_split && place > 0 &&",
        to: "if !candidate.is_split && place > 0 &&",
    },
    Mutant {
        name: "parts of a triangle are listed each",
        file: ONCE,
        from: "if kept == first || hits[kept - 1].prim != hits[i].prim {",
        to: "if kept >= first {",
    },
    Mutant {
        name: "few triangles in parts are remembered",
        file: ONCE,
        from: "None => self.more.insert(prim),",
        to: "None => true,",
    },
    Mutant {
        name: "rounded differences are whole",
        file: WHOLE,
        from: "(lost == DVec3::ZERO).then_some(difference)",
        to: "(lost.x < f64::INFINITY).then_some(difference)",
    },
    Mutant {
        name: "fractions are whole",
        file: WHOLE,
        from: "(whole.as_dvec3() == exact).then_some(whole.to_array())",
        to: "(exact.x < f64::INFINITY).then_some(whole.to_array())",
    },
    Mutant {
        name: "whole numbers are too long",
        file: WHOLE,
        from: "const BITS: u64 = 40;",
        to: "const BITS: u64 = 46;",
    },
    Mutant {
        name: "a moved edge takes f64 for exact",
        file: EXACT,
        from: "if (first + second).abs() > 4.0 * U64 * (first.abs() + second.abs()) {",
        to: "if (first + second).abs() > 0.0 {",
    },
    Mutant {
        name: "a tie by eight goes to the first",
        file: EIGHT,
        from: "(found.t.simd_lt(t) | ties)",
        to: "(found.t.simd_lt(t))",
    },
];
