//! Scales of axes: where a value lies, and which values are marked.

/// What an axis shows.
pub(super) trait Scale {
    /// Where a value lies: 0 at the beginning of the axis, 1 at its end.
    fn place(&self, value: f64) -> f64;
    /// The values that are marked, and what is written there.
    fn marks(&self) -> Vec<(f64, String)>;
}

/// From zero to a whole number of steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Linear {
    step: f64,
    steps: f64,
}

impl Linear {
    /// A scale that has room for values up to this one.
    pub(super) fn up_to(most: f64) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        // The smallest round step of which five reach.
        let decade = 10_f64.powf((most / 5.0).log10().floor());
        let fits = |step: &f64| 5.0 * step >= most;
        let step = [1.0, 2.0, 5.0].map(|s| s * decade).into_iter().find(fits);
        let step = step.unwrap_or(10.0 * decade);
        Self { step, steps: (most / step).ceil() }
    }
}

impl Scale for Linear {
    fn place(&self, value: f64) -> f64 {
        value / (self.step * self.steps)
    }

    fn marks(&self) -> Vec<(f64, String)> {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let mark = |i| (f64::from(i) * self.step, format!("{:.digits$}", f64::from(i) * self.step));
        (0..=self.steps as u32).map(mark).collect()
    }
}

/// Each factor takes the same room.
pub(super) struct Log {
    low: f64,
    high: f64,
    marks: Vec<(f64, String)>,
}

impl Log {
    /// A scale for positive values, marked at powers of ten, or more closely where it has few.
    pub(super) fn over(values: &[f64], label: impl Fn(f64) -> String) -> Self {
        let mut scale = Self::with_marks(values, Vec::new());
        let decades = scale.low.log10().floor() as i32..=scale.high.log10().ceil() as i32;
        let marks = |factors: &[f64]| -> Vec<(f64, String)> {
            let values = decades
                .clone()
                .flat_map(|decade| factors.iter().map(move |factor| factor * 10_f64.powi(decade)));
            let room = scale.low..=scale.high;
            values.filter(|value| room.contains(value)).map(|value| (value, label(value))).collect()
        };
        let ways = [&[1.0][..], &[1.0, 3.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 6.0]];
        let ways = ways.map(marks);
        let closest = ways[3].clone();
        scale.marks = ways.into_iter().find(|marks| marks.len() >= 3).unwrap_or(closest);
        scale
    }

    /// A scale for positive values with marks of its own.
    pub(super) fn with_marks(values: &[f64], marks: Vec<(f64, String)>) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        // A little room on both sides, so that nothing lies on the axis.
        let room = (most / least).powf(0.04).max(1.05);
        Self { low: least / room, high: most * room, marks }
    }
}

impl Scale for Log {
    fn place(&self, value: f64) -> f64 {
        (value / self.low).ln() / (self.high / self.low).ln()
    }

    fn marks(&self) -> Vec<(f64, String)> {
        self.marks.clone()
    }
}

/// A number as it is, but for what arithmetic does to its last digits.
pub(super) fn plain(value: f64) -> String {
    format!("{}", (value * 1e6).round() / 1e6)
}

/// A number of things: `10 k`, `2.5 M`.
pub(super) fn count(value: f64) -> String {
    let (divisor, unit) = match value {
        _ if value >= 999_500.0 => (1e6, " M"),
        _ if value >= 1000.0 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let scaled = value / divisor;
    // Three digits, and no zeros behind the point.
    let digits = usize::from(scaled < 9.95 && (scaled - scaled.round()).abs() > 0.04);
    format!("{scaled:.digits$}{unit}")
}

/// A time given in milliseconds.
pub(super) fn time(milliseconds: f64) -> String {
    let (value, unit) = match milliseconds {
        _ if milliseconds >= 999.5 => (milliseconds / 1e3, "s"),
        _ if milliseconds >= 0.9995 => (milliseconds, "ms"),
        _ => (milliseconds * 1e3, "µs"),
    };
    let digits = usize::from(value < 9.95 && (value - value.round()).abs() > 0.04);
    format!("{value:.digits$} {unit}")
}
