//! Cuts boxes, in an order, into runs of the least cost.
//!
//! ```text
//! for each box: the areas of the runs that begin there, eight boxes at a time
//! from the last box to the first: cost = min over runs of area + cost of what comes behind
//! from the first box on: the longest of the runs that cost so much
//! ```

use fearless_simd::{Simd, SimdBase, f32x8};
use glam::Mat4;

use super::GROUP;
use crate::build::fragment::{Fragment, Growing};

/// So many boxes are measured at once.
const LANES: usize = 8;

/// Memory for one cut after the other.
pub(super) struct Cutter {
    unit: f32,
    /// The boxes by side: the lowest corner's coordinates, and those of the highest, negated. There
    /// are empty boxes behind the last one.
    sides: [Vec<f32>; 6],
    /// What runs cost by themselves that begin at a box, by their length less one.
    areas: [Vec<f32>; GROUP],
    /// The least cost of all from a box on; infinite behind the place after the last.
    costs: Vec<f32>,
}

impl Cutter {
    /// For areas in a unit of length, inverted.
    pub(super) fn new(unit: f32) -> Self {
        let (sides, areas) = ([const { Vec::new() }; 6], [const { Vec::new() }; GROUP]);
        Self { unit, sides, areas, costs: Vec::new() }
    }

    /// Adds runs of at most `MOST` boxes; `start` is the place of the first box, `run_cost` what a
    /// run costs beyond its area, in areas of the average run of as many as may be.
    #[inline(always)]
    pub(super) fn cut<const MOST: usize>(
        &mut self,
        simd: impl Simd,
        fragments: &[Fragment],
        start: u32,
        run_cost: f32,
        runs: &mut Vec<Fragment>,
    ) {
        let count = fragments.len();
        self.fill(fragments);
        self.measure::<MOST>(simd, count);
        self.add_up::<MOST>(count, run_cost);
        let mut first = 0;
        while first < count {
            let length = self.longest::<MOST>(first);
            // Where costs are infinite, more may have been counted than there are.
            let last = count.min(first + length) - 1;
            let mut bounds = Growing::of(&fragments[first]);
            for more in 1..MOST {
                bounds.add(simd, &fragments[last.min(first + more)]);
            }
            let length = (last + 1 - first) as u32;
            runs.push(Fragment::of_run(bounds, start + first as u32, length));
            first = last + 1;
        }
    }

    /// Takes boxes by side.
    #[inline(always)]
    fn fill(&mut self, fragments: &[Fragment]) {
        let (fours, rest) = fragments.as_chunks::<4>();
        let whole = 4 * fours.len();
        let room = fragments.len().next_multiple_of(LANES) + LANES;
        for side in &mut self.sides {
            side.resize(side.len().max(room), 0.0);
            side[whole..room].fill(f32::INFINITY);
        }
        for (number, four) in fours.iter().enumerate() {
            self.fill_four(4 * number, four);
        }
        let mut last = [Fragment::of_run(Growing::EMPTY, 0, 0); 4];
        last[..rest.len()].copy_from_slice(rest);
        self.fill_four(whole, &last);
    }

    #[inline(always)]
    fn fill_four(&mut self, first: usize, four: &[Fragment; 4]) {
        let [a, b, c, d] = four;
        let ((a, e), (b, f), (c, g), (d, h)) = (a.corners(), b.corners(), c.corners(), d.corners());
        let min = Mat4::from_cols(a, b, c, d).transpose();
        let max = Mat4::from_cols(e, f, g, h).transpose();
        let sides = [min.x_axis, min.y_axis, min.z_axis, -max.x_axis, -max.y_axis, -max.z_axis];
        for (column, side) in self.sides.iter_mut().zip(sides) {
            column[first..first + 4].copy_from_slice(&side.to_array());
        }
    }

    /// Half the areas of all runs.
    #[inline(always)]
    fn measure<const MOST: usize>(&mut self, simd: impl Simd, count: usize) {
        for areas in &mut self.areas[..MOST] {
            areas.resize(areas.len().max(count.next_multiple_of(LANES)), 0.0);
        }
        let minus_unit = f32x8::splat(simd, -self.unit);
        for first in (0..count).step_by(LANES) {
            let mut boxes = [f32x8::splat(simd, f32::INFINITY); 6];
            for more in 0..MOST {
                for side in 0..6 {
                    let next = &self.sides[side][first..first + 2 * LANES];
                    let next = f32x8::from_slice(simd, &next[more..more + LANES]);
                    boxes[side] = boxes[side].min(next);
                }
                let [x, y, z, minus_x, minus_y, minus_z] = boxes;
                let (x, y) = ((x + minus_x) * minus_unit, (y + minus_y) * minus_unit);
                let z = (z + minus_z) * minus_unit;
                let area = x * y + y * z + z * x;
                area.store_slice(&mut self.areas[more][first..first + LANES]);
            }
        }
    }

    /// The least costs.
    #[inline(always)]
    fn add_up<const MOST: usize>(&mut self, count: usize, run_cost: f32) {
        let run_cost = run_cost * sum(&self.areas[MOST - 1][..count]) / count as f32;
        for areas in &mut self.areas[..MOST] {
            areas[..count].iter_mut().for_each(|area| *area += run_cost);
        }
        let mut areas: [&[f32]; MOST] = [&[]; MOST];
        for more in 0..MOST {
            areas[more] = &self.areas[more][..count];
        }
        self.costs.resize(self.costs.len().max(count + MOST), 0.0);
        self.costs[count..count + MOST].fill(f32::INFINITY);
        self.costs[count] = 0.0;
        let costs = &mut self.costs[..count];
        // Those of the next few are shifted by a loop, so that they stay in registers, and compared
        // without branches: otherwise cutting takes nearly twice as long.
        let mut behind = [f32::INFINITY; MOST];
        behind[0] = 0.0;
        for first in (0..count).rev() {
            let mut least = behind[MOST - 1] + areas[MOST - 1][first];
            for more in (0..MOST - 1).rev() {
                let cost = behind[more] + areas[more][first];
                least = if cost < least { cost } else { least };
            }
            for more in (1..MOST).rev() {
                behind[more] = behind[more - 1];
            }
            behind[0] = least;
            costs[first] = least;
        }
    }

    /// The length of the longest run among those that cost least; 1 if costs are no numbers.
    #[inline(always)]
    fn longest<const MOST: usize>(&self, first: usize) -> usize {
        let costs = &self.costs[first..=first + MOST];
        let mut length = 1;
        for more in 1..MOST {
            let cost = costs[more + 1] + self.areas[more][first];
            length = if cost <= costs[0] { more + 1 } else { length };
        }
        length
    }
}

/// A sum, in the same order whatever the registers.
#[inline(always)]
fn sum(numbers: &[f32]) -> f32 {
    let (chunks, rest) = numbers.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for lane in 0..LANES {
            lanes[lane] += chunk[lane];
        }
    }
    lanes.iter().chain(rest).sum()
}

#[cfg(test)]
mod tests {
    use fearless_simd::Fallback;

    use super::*;
    use crate::Aabb;
    use crate::simd::with_simd;

    /// Boxes that wander about, with leaps.
    fn boxes(count: usize) -> Vec<Fragment> {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut place = glam::Vec3::ZERO;
        let mut fragment = |prim| {
            let far = if next() < 0.2 { 0.5 } else { 0.05 };
            place += far * (glam::Vec3::new(next(), next(), next()) - 0.5);
            let extent = 0.1 * glam::Vec3::new(next(), next(), next());
            Fragment::new(Aabb { min: place, max: place + extent }, prim)
        };
        (0..count as u32).map(&mut fragment).collect()
    }

    fn area(fragments: &[Fragment]) -> f64 {
        let mut bounds = Growing::EMPTY;
        fragments.iter().for_each(|fragment| bounds.add(Fallback::new(), fragment));
        bounds.half_area()
    }

    /// The least cost of all ways to cut, by trying each last run of each beginning.
    fn least<const MOST: usize>(fragments: &[Fragment], per_run: f64) -> f64 {
        let mut costs = vec![0.0];
        for end in 1..=fragments.len() {
            let last =
                |length: usize| costs[end - length] + per_run + area(&fragments[end - length..end]);
            let least = (1..=MOST.min(end)).map(last).fold(f64::INFINITY, f64::min);
            costs.push(least);
        }
        costs[fragments.len()]
    }

    fn check<const MOST: usize>(cutter: &mut Cutter, fragments: &[Fragment], run_cost: f32) {
        let whole: f64 = (0..fragments.len())
            .map(|first| area(&fragments[first..fragments.len().min(first + MOST)]))
            .sum();
        let per_run = f64::from(run_cost) * whole / fragments.len() as f64;
        let (mut runs, mut same) = (Vec::new(), Vec::new());
        with_simd!(simd => cutter.cut::<MOST>(simd, fragments, 7, run_cost, &mut runs));
        cutter.cut::<MOST>(Fallback::new(), fragments, 7, run_cost, &mut same);
        let (mut next, mut cost) = (7, 0.0);
        for run in &runs {
            let (first, count) = run.run();
            assert_eq!(first, next, "runs follow one another");
            assert!((1..=MOST as u32).contains(&count), "a run of {count}");
            let boxes = &fragments[first as usize - 7..][..count as usize];
            assert_eq!(area(boxes), area(&[*run]), "the box of a run is that around its boxes");
            next += count;
            cost += per_run + area(boxes);
        }
        assert_eq!(next as usize, 7 + fragments.len(), "all boxes are in runs");
        let least = least::<MOST>(fragments, per_run);
        assert!((cost - least).abs() < 1e-4 * least, "{cost} instead of {least}");
        let places = |runs: &[Fragment]| -> Vec<_> { runs.iter().map(|run| run.run()).collect() };
        assert_eq!(places(&runs), places(&same), "the registers change nothing");
    }

    #[test]
    fn runs_cost_as_little_as_any() {
        // One after the other, from many to few: what the last cut left behind must not matter.
        let mut cutter = Cutter::new(1.0);
        for count in [300, 64, 17, 16, 15, 9, 8, 7, 4, 3, 2, 1] {
            for run_cost in [0.0, 0.03, 0.35, 2.0] {
                check::<4>(&mut cutter, &boxes(count), run_cost);
                check::<8>(&mut cutter, &boxes(count), run_cost);
            }
        }
    }

    #[test]
    fn boxes_without_a_finite_area_are_cut_all_the_same() {
        let huge = Aabb { min: glam::Vec3::splat(-f32::MAX), max: glam::Vec3::splat(f32::MAX) };
        let fragments: Vec<Fragment> = (0..21).map(|prim| Fragment::new(huge, prim)).collect();
        let mut runs = Vec::new();
        Cutter::new(1.0).cut::<4>(Fallback::new(), &fragments, 0, 0.35, &mut runs);
        let count: u32 = runs.iter().map(|run| run.run().1).sum();
        assert_eq!(count, 21);
    }
}
