//! The filter of the leaves, once more: four triangles in plain arrays, apart from the walk.
//!
//! It takes the same steps in the same order as `leaf.rs`, so that its numbers are the same bits;
//! the tests compare them. The formulas and their bound are in docs/decisions/0001.

use hitscan_core::Ray;
use hitscan_core::bvh8::Leaf4;

/// As in `leaf.rs`: how far D and T lie above their bounds where `t` is good.
const GOOD_T: f32 = 8192.0;
/// As in `leaf.rs`: how far D lies above the bound where U / D and V / D are good.
const GOOD_WEIGHT: f32 = 128.0;
/// As in `leaf.rs`: the least direction that the bound is taken for.
const MIN_DIRECTION: f32 = 1.0 / (1_u64 << 40) as f32;

/// What the filter needs of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterRay {
    origin: [f32; 3],
    direction: [f32; 3],
    direction_bound: f32,
    looks_behind: bool,
}

/// What the filter computes for four triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filtered {
    pub(super) u: [f32; 4],
    pub(super) v: [f32; 4],
    pub(super) det: [f32; 4],
    minus_bound: [f32; 4],
    w: [f32; 4],
    signed_det: [f32; 4],
    t_numerator: [f32; 4],
    minus_t_bound: [f32; 4],
    minus_error_area: [f32; 4],
}

/// What the filter knows of the line and one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knowledge {
    /// The line misses the triangle.
    Outside,
    /// The line hits it, behind an origin that nothing behind it is asked of.
    Behind,
    /// The line hits it.
    Inside,
    /// It cannot tell.
    Open,
}

impl FilterRay {
    pub(super) fn new(ray: &Ray) -> Self {
        let magnitude = |v: &[f32; 3]| v.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let (origin, direction) = (magnitude(&ray.origin), magnitude(&ray.direction));
        let small = origin < Leaf4::HUGE && direction < Leaf4::HUGE;
        Self {
            origin: ray.origin,
            direction: ray.direction,
            direction_bound: if small { direction.max(MIN_DIRECTION) } else { f32::INFINITY },
            looks_behind: ray.t_min < 0.0,
        }
    }

    /// Loops over lanes and nothing else, for the compiler to make vectors of.
    #[inline]
    pub(super) fn filter(&self, leaf: &Leaf4) -> Filtered {
        let mut out = Filtered {
            u: [0.0; 4],
            v: [0.0; 4],
            det: [0.0; 4],
            minus_bound: [0.0; 4],
            w: [0.0; 4],
            signed_det: [0.0; 4],
            t_numerator: [0.0; 4],
            minus_t_bound: [0.0; 4],
            minus_error_area: leaf.minus_error_area,
        };
        let d = self.direction;
        for lane in 0..4 {
            let of = |v: &[[f32; 4]; 3]| [v[0][lane], v[1][lane], v[2][lane]];
            let (v0, edge1, edge2) = (of(&leaf.v0), of(&leaf.edge1), of(&leaf.edge2));
            let c = [v0[0] - self.origin[0], v0[1] - self.origin[1], v0[2] - self.origin[2]];
            let r = cross(c, d);
            let n = cross(edge2, edge1);
            let signed_det = dot(n, d);
            let sign = signed_det.to_bits() & 0x8000_0000;
            let flip = |x: f32| f32::from_bits(x.to_bits() ^ sign);
            let det = signed_det.abs();
            let (u, v) = (flip(dot(r, edge2)), flip(dot(r, edge1)));
            let reach = c[0].abs().max(c[1].abs()).max(c[2].abs());
            let (error_reach, error_area) =
                (leaf.minus_error_reach[lane], leaf.minus_error_area[lane]);
            out.u[lane] = u;
            out.v[lane] = v;
            out.w[lane] = (det - u) - v;
            out.det[lane] = det;
            out.signed_det[lane] = signed_det;
            out.t_numerator[lane] = flip(dot(c, n));
            out.minus_bound[lane] = (reach * error_reach + error_area) * self.direction_bound;
            out.minus_t_bound[lane] = reach * error_area;
        }
        out
    }
}

impl Filtered {
    /// Whether the line misses all four for certain.
    #[inline]
    pub(super) fn all_outside(&self) -> bool {
        (0..4).fold(true, |all, lane| all & self.is_outside(lane))
    }

    // NaN, which only numbers beyond the filter's range give, must not pass for a miss.
    #[inline]
    fn is_outside(&self, lane: usize) -> bool {
        self.least(lane) < self.minus_bound[lane]
    }

    #[inline]
    fn least(&self, lane: usize) -> f32 {
        self.u[lane].min(self.v[lane]).min(self.w[lane])
    }

    /// What the filter knows of a lane.
    pub(super) fn knowledge(&self, lane: usize, ray: &FilterRay) -> Knowledge {
        let inside = -self.least(lane) < self.minus_bound[lane];
        let behind = self.t_numerator[lane] < self.minus_t_bound[lane] - f32::MIN_POSITIVE;
        if self.is_outside(lane) {
            Knowledge::Outside
        } else if inside && behind && !ray.looks_behind {
            Knowledge::Behind
        } else if inside {
            Knowledge::Inside
        } else {
            Knowledge::Open
        }
    }

    /// T / D of a lane, where it is good.
    pub(super) fn good_t(&self, lane: usize, ray: &FilterRay) -> Option<f32> {
        let t = self.t_numerator[lane] / self.det[lane];
        let tiny = f32::MIN_POSITIVE;
        let far_det = -GOOD_T * self.minus_error_area[lane] * ray.direction_bound;
        let far_t = (-GOOD_T * self.minus_t_bound[lane]).max(tiny + tiny);
        let good =
            self.det[lane] > far_det && self.t_numerator[lane].abs() > far_t && t.abs() >= tiny;
        good.then_some(t)
    }

    /// Whether U / D and V / D of a lane are good.
    pub(super) fn has_good_weights(&self, lane: usize) -> bool {
        self.det[lane] > -GOOD_WEIGHT * self.minus_bound[lane]
    }

    /// Whether a ray that hits the lane meets its front.
    pub(super) fn meets_front(&self, lane: usize) -> bool {
        self.signed_det[lane] < 0.0
    }
}

#[inline(always)]
fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
