//! Whether an answer agrees with the exact one, and if not, why.

use std::fmt;

use hitscan::Hit;
use hitscan_testkit::OracleHit;

/// The greatest relative error that `t` may have: docs/decisions/0001.
pub(super) const T_ERROR: f64 = 1.01e-4;

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// Both miss.
    BothMiss,
    /// The same triangle, and `t` off by this much, relative.
    SameHit(f64),
    /// Another triangle, whose exact distance is the same.
    SameDistance,
    /// Another triangle, farther by less than the error that `t` may have: the two are compared
    /// by rounded distances.
    WithinRounding,
    /// A hit where there is none.
    FalseHit,
    /// A miss where there is a hit.
    FalseMiss,
    /// A triangle that is not among the nearest.
    WrongTriangle,
    /// The right triangle, with a `t` that is off by more than it may be.
    WrongDistance,
    /// Single, batch and any-hit queries say different things.
    Inconsistent,
}

/// Compares a hit with the exact nearest hits: every one within a few times [`T_ERROR`].
pub(super) fn judge(hit: Option<Hit>, exact: &[OracleHit]) -> Verdict {
    let (hit, first) = match (hit, exact.first()) {
        (None, None) => return Verdict::BothMiss,
        (Some(_), None) => return Verdict::FalseHit,
        (None, Some(_)) => return Verdict::FalseMiss,
        (Some(hit), Some(first)) => (hit, first),
    };
    let Some(same) = exact.iter().find(|exact| exact.prim == hit.prim) else {
        return Verdict::WrongTriangle;
    };
    let off = relative(f64::from(hit.t), same.t);
    if off.is_nan() || off > T_ERROR {
        Verdict::WrongDistance
    } else if same.prim == first.prim {
        Verdict::SameHit(off)
    } else if same.t <= first.t * (1.0 + 1e-12) {
        Verdict::SameDistance
    } else {
        Verdict::WithinRounding
    }
}

/// How far `t` is from `exact`, in units of `exact`; 0 if both are 0.
fn relative(t: f64, exact: f64) -> f64 {
    if t == exact { 0.0 } else { (t - exact).abs() / exact.abs().max(f64::from(f32::MIN_POSITIVE)) }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BothMiss => "both miss",
            Self::SameHit(_) => "same hit",
            Self::SameDistance => "same distance",
            Self::WithinRounding => "within rounding",
            Self::FalseHit => "FALSE HIT",
            Self::FalseMiss => "FALSE MISS",
            Self::WrongTriangle => "WRONG TRIANGLE",
            Self::WrongDistance => "WRONG DISTANCE",
            Self::Inconsistent => "INCONSISTENT",
        })
    }
}

/// How often each verdict was given.
#[derive(Default)]
pub(super) struct Tally {
    both_miss: usize,
    same_hit: usize,
    same_distance: usize,
    within_rounding: usize,
    wrong: usize,
    /// `t` of the same hits: as near as f32 can be, within 1e-6, within 1e-5, farther.
    classes: [usize; 4],
    greatest: f64,
}

impl Tally {
    /// How many wrong answers are shown in full.
    const SHOWN: usize = 5;

    /// Counts a verdict, and says whether it is a wrong answer that is worth showing.
    pub(super) fn add(&mut self, verdict: &Verdict) -> bool {
        match *verdict {
            Verdict::BothMiss => self.both_miss += 1,
            Verdict::SameHit(off) => {
                self.same_hit += 1;
                let limits = [f64::from(f32::EPSILON) / 2.0, 1e-6, 1e-5];
                self.classes[limits.iter().filter(|&&limit| off > limit).count()] += 1;
                self.greatest = self.greatest.max(off);
            }
            Verdict::SameDistance => self.same_distance += 1,
            Verdict::WithinRounding => self.within_rounding += 1,
            _ => {
                self.wrong += 1;
                return self.wrong <= Self::SHOWN;
            }
        }
        false
    }

    /// How many answers nothing excuses.
    pub(super) fn wrong(&self) -> usize {
        self.wrong
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agree = self.both_miss + self.same_hit;
        let differ = self.same_distance + self.within_rounding;
        let [exact, near, middling, far] = self.classes;
        writeln!(
            f,
            "  {} sampled: {agree} agree ({} hits, {} misses), {differ} differ, {} wrong",
            agree + differ + self.wrong,
            self.same_hit,
            self.both_miss,
            self.wrong
        )?;
        writeln!(
            f,
            "  differ: {} hit another triangle at the same exact distance, {} one that is farther \
             by less than t's rounding",
            self.same_distance, self.within_rounding
        )?;
        write!(
            f,
            "  t of the same hits: {exact} nearest f32, {near} within 1e-6, {middling} within \
             1e-5, {far} farther; greatest relative error {:.1e}",
            self.greatest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(t: f32, prim: u32) -> Option<Hit> {
        Some(Hit { t, u: 0.0, v: 0.0, prim, geometry: 0, instance: 0, front: true })
    }

    fn exact(t: f64, prim: u32) -> OracleHit {
        OracleHit { t, prim, front: true, weights: [0.0; 2] }
    }

    #[test]
    fn misses_and_hits_are_told_apart() {
        assert_eq!(judge(None, &[]), Verdict::BothMiss);
        assert_eq!(judge(hit(1.0, 0), &[]), Verdict::FalseHit);
        assert_eq!(judge(None, &[exact(1.0, 0)]), Verdict::FalseMiss);
    }

    #[test]
    fn another_triangle_is_excused_only_near_the_first() {
        let nearest = [exact(1.0, 3), exact(1.0, 5), exact(1.00005, 7)];
        assert_eq!(judge(hit(1.0, 3), &nearest), Verdict::SameHit(0.0));
        assert_eq!(judge(hit(1.0, 5), &nearest), Verdict::SameDistance);
        assert_eq!(judge(hit(1.0, 7), &nearest), Verdict::WithinRounding);
        assert_eq!(judge(hit(1.0, 9), &nearest), Verdict::WrongTriangle);
        assert_eq!(judge(hit(1.001, 3), &nearest), Verdict::WrongDistance);
    }
}
