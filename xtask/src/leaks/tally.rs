//! What was cast at closed meshes, and what was wrong.

use hitscan::Bvh;

use super::aim::Aimed;

/// What the columns of [`Tally::row`] are.
pub(crate) const HEADER: &str =
    "     rays    inside  queries  leaks parity  disagree    random    aimed";

/// What the last two of them mean.
pub(crate) const NOTE: &str =
    "The last two columns: triangles decided exactly a ray, for rays at random and aimed ones.";

/// What was cast and what was wrong.
#[derive(Default)]
pub(crate) struct Tally {
    pub(super) rays: usize,
    pub(super) inside: usize,
    pub(super) queries: usize,
    pub(super) leaks: usize,
    /// Rays that do not leave as often as they must.
    pub(super) parity: usize,
    pub(super) disagreements: usize,
    /// Of rays at random, and of aimed ones: how many were looked at, and how many triangles
    /// were decided exactly for them.
    pub(super) exact: [(usize, usize); 2],
    /// The first few faults in full.
    shown: Vec<String>,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Leak,
    Parity,
    Disagreement,
}

impl Tally {
    const SHOWN: usize = 8;

    /// Of rays that are still to be cast.
    pub(super) fn of(rays: &[Aimed]) -> Self {
        let inside = rays.iter().filter(|aimed| aimed.inside).count();
        Self { rays: rays.len(), inside, ..Self::default() }
    }

    /// Counts the triangles that are decided exactly for some of the rays.
    pub(super) fn count_exact(&mut self, bvh: &Bvh, rays: &[Aimed]) {
        for aimed in rays {
            let sum = &mut self.exact[usize::from(!aimed.is_random)];
            sum.0 += 1;
            sum.1 += bvh.closest_hit_counted(&aimed.ray).1.exact as usize;
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.rays += other.rays;
        self.inside += other.inside;
        self.queries += other.queries;
        self.leaks += other.leaks;
        self.parity += other.parity;
        self.disagreements += other.disagreements;
        for (sum, other) in self.exact.iter_mut().zip(other.exact) {
            *sum = (sum.0 + other.0, sum.1 + other.1);
        }
        self.shown.extend(other.shown);
        self.shown.truncate(Self::SHOWN);
    }

    pub(crate) fn faults(&self) -> usize {
        self.leaks + self.parity + self.disagreements
    }

    pub(crate) fn row(&self) -> String {
        let [random, aimed] = self.exact.map(|(rays, exact)| exact as f64 / rays.max(1) as f64);
        format!(
            "{:>9} {:>9} {:>7.1}M {:>6} {:>6} {:>9} {random:>9.5} {aimed:>8.3}",
            self.rays,
            self.inside,
            self.queries as f64 / 1e6,
            self.leaks,
            self.parity,
            self.disagreements,
        )
    }

    /// Prints the first few faults.
    pub(crate) fn show(&self) {
        for fault in &self.shown {
            println!("\n{fault}");
        }
    }

    pub(super) fn fault(&mut self, fault: Fault, text: impl FnOnce() -> String) {
        *match fault {
            Fault::Leak => &mut self.leaks,
            Fault::Parity => &mut self.parity,
            Fault::Disagreement => &mut self.disagreements,
        } += 1;
        if self.shown.len() < Self::SHOWN {
            self.shown.push(format!("{fault:?}: {}", text()));
        }
    }
}
