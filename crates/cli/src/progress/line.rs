//! One line that tells how far work is, in as many columns as there are.

use std::time::Duration;

use crate::number::grouped;

/// What there is to tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Line<'a> {
    pub(super) doing: &'a str,
    /// What is counted, in the plural; empty for steps of work.
    pub(super) unit: &'static str,
    /// Whether the share is told rather than the count.
    pub(super) as_share: bool,
    pub(super) done: u64,
    /// How many there are; `None` if nobody knows.
    pub(super) all: Option<u64>,
    /// What it is about just now; empty if there is no more to say.
    pub(super) step: &'a str,
    pub(super) elapsed: Duration,
}

/// A part of a line, and the columns that are kept for it, so that those after it stay in place.
type Part = (String, usize);

const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// The length of a bar between its brackets.
const BAR: std::ops::RangeInclusive<usize> = 10..=32;
/// Before this part of the work is done, it does not show how long all of it takes.
const SOON: u64 = 50;
/// Columns for `12.3 M`, for the longest time, and for the longest name of a step.
const NUMBER: usize = 6;
const TIME: usize = 6;
const STEP: usize = 20;

impl Line<'_> {
    /// The line; never wider than `width`.
    pub(super) fn text(&self, width: usize) -> String {
        let [amount, share] = [self.amount(), self.share()];
        let [rate, time, step] = [self.rate(), self.time(), self.step()];
        let forms: [(bool, &[&Option<Part>]); 7] = [
            (true, &[&amount, &rate, &time, &step]),
            (true, &[&amount, &time, &step]),
            (false, &[&amount, &time, &step]),
            (false, &[&share, &rate, &time]),
            (false, &[&share, &time]),
            (false, &[&share]),
            (false, &[]),
        ];
        let spinner = SPINNER[(self.elapsed.as_millis() / 100 % 10) as usize];
        let mut line = format!("{spinner} {}", self.doing);
        let begun = line.chars().count();
        for (has_bar, parts) in forms {
            let parts = parts.iter().copied().flatten();
            let kept: usize = parts.clone().map(|(text, kept)| kept.max(&text.len()) + 2).sum();
            let has_bar = has_bar && self.all.is_some();
            let bar = if has_bar { " []".len() + BAR.start() } else { 0 };
            let Some(room) = width.checked_sub(begun + kept + bar) else { continue };
            if has_bar {
                line.push_str(&self.bar((BAR.start() + room).min(*BAR.end())));
            }
            let texts: Vec<&str> = parts.map(|(text, _)| &text[..]).collect();
            let said: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
            return format!("{line} {}", said.join(", ")).trim_end().into();
        }
        line.chars().take(width).collect()
    }

    fn fraction(&self) -> Option<f64> {
        let all = self.all.filter(|&all| all > 0)?;
        Some((self.done as f64 / all as f64).min(1.0))
    }

    fn bar(&self, length: usize) -> String {
        let done = (self.fraction().unwrap_or(0.0) * length as f64) as usize;
        let head = if done < length { ">" } else { "" };
        format!(" [{}{head}{}]", "=".repeat(done), " ".repeat(length - done - head.len()))
    }

    fn amount(&self) -> Option<Part> {
        match (self.unit, self.all) {
            _ if self.as_share => self.share(),
            ("", None) => None,
            (unit, None) => {
                let text = format!("{} {unit}", short(self.done as f64));
                Some(part(text, NUMBER + 1 + unit.len()))
            }
            (unit, Some(all)) => {
                let text = format!("{} of {} {unit}", short(self.done as f64), short(all as f64));
                let kept = 2 * NUMBER + " of  ".len() + unit.len();
                Some(part(text.trim_end().into(), kept))
            }
        }
    }

    fn share(&self) -> Option<Part> {
        let share = self.fraction()?;
        // Not before it is over.
        Some(part(format!("{} %", (share * 100.0) as u32), "100 %".len()))
    }

    /// So far, in the middle.
    fn per_second(&self) -> Option<f64> {
        let per_second = self.done as f64 / self.elapsed.as_secs_f64();
        (self.done > 0 && per_second.is_finite()).then_some(per_second)
    }

    fn rate(&self) -> Option<Part> {
        if self.unit.is_empty() {
            return None;
        }
        // What the amount names already is not named twice.
        let unit = if self.as_share { format!(" {}", self.unit) } else { String::new() };
        let kept = NUMBER + unit.len() + "/s".len();
        let text = self.per_second().map(|per_second| format!("{}{unit}/s", short(per_second)));
        Some(part(text.unwrap_or_default(), kept))
    }

    /// The time that is left or, where nobody knows it, the time that it took.
    fn time(&self) -> Option<Part> {
        let Some(all) = self.all else {
            return self.unit.is_empty().then(|| part(seconds(self.elapsed), TIME));
        };
        let left = all.saturating_sub(self.done) as f64;
        let text = match self.per_second().filter(|_| self.done >= all / SOON) {
            Some(per_second) => {
                // To the next second, for nothing is left only when it is over.
                let left = Duration::from_secs((left / per_second).ceil() as u64);
                format!("{} left", seconds(left))
            }
            None => String::new(),
        };
        Some(part(text, TIME + " left".len()))
    }

    fn step(&self) -> Option<Part> {
        (!self.step.is_empty()).then(|| part(self.step.into(), STEP))
    }
}

fn part(text: String, kept: usize) -> Part {
    (text, kept)
}

/// Three digits and more, in six columns at most.
fn short(number: f64) -> String {
    if number < 9_999.5 {
        return grouped(number.round() as u64);
    }
    let (number, unit) = [(1e9, 'G'), (1e6, 'M'), (1e3, 'k')]
        .into_iter()
        .find(|(size, _)| number >= size * 0.999_5)
        .map_or((number, ' '), |(size, unit)| (number / size, unit));
    let decimals = if number < 9.995 { 2 } else { usize::from(number < 99.95) };
    format!("{number:.decimals$} {unit}")
}

/// A time as one whole number.
fn seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6_000 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn casting() -> Line<'static> {
        Line {
            doing: "casting",
            unit: "rays",
            done: 12_345_678,
            all: Some(50_000_000),
            elapsed: Duration::from_secs(3),
            ..Line::default()
        }
    }

    fn building() -> Line<'static> {
        Line {
            doing: "building tree",
            unit: "triangles",
            as_share: true,
            done: 2_000_000,
            all: Some(4_665_600),
            step: "moving subtrees",
            elapsed: Duration::from_secs(9),
        }
    }

    #[test]
    fn as_much_is_told_as_there_is_room_for() {
        for (width, expected) in [
            (79, "⠋ casting [=====>               ] 12.3 M of 50.0 M rays, 4.12 M/s, 10 s left"),
            (65, "⠋ casting [====>            ] 12.3 M of 50.0 M rays, 10 s left"),
            (39, "⠋ casting 24 %, 4.12 M/s, 10 s left"),
            (30, "⠋ casting 24 %, 10 s left"),
            (17, "⠋ casting 24 %"),
            (9, "⠋ casting"),
            (4, "⠋ ca"),
        ] {
            assert_eq!(casting().text(width), expected, "{width}");
        }
        for (width, expected) in [
            (
                119,
                "⠋ building tree [=============>                  ] 42 %, 222 k triangles/s, 12 s left, moving subtrees",
            ),
            (79, "⠋ building tree [========>          ] 42 %, 12 s left, moving subtrees"),
            (39, "⠋ building tree 42 %, 12 s left"),
        ] {
            assert_eq!(building().text(width), expected, "{width}");
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let counts = [0, 1, 9_999, 10_000, 999_999, 123_456_789, u64::MAX];
        for done in counts {
            for all in counts.map(Some).into_iter().chain([None]) {
                for seconds in [0, 1, 100, 1_000_000] {
                    let elapsed = Duration::from_secs(seconds);
                    for line in [
                        Line { done, all, elapsed, ..casting() },
                        Line { done, all, elapsed, ..building() },
                        Line { done, all, elapsed, unit: "", ..casting() },
                    ] {
                        for width in 0..150 {
                            let text = line.text(width);
                            assert!(text.chars().count() <= width, "{width}: {text}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_comes_after_the_bar_stays_in_place() {
        let place = |done| {
            let line = Line { done, ..casting() };
            line.text(79).chars().position(|letter| letter == ']')
        };
        assert!(place(0).is_some());
        for done in [1, 999, 123_456, 49_999_999, 50_000_000] {
            assert_eq!(place(done), place(0), "{done}");
        }
    }

    #[test]
    fn no_time_is_foretold_at_the_very_beginning() {
        let line = Line { done: 0, ..casting() };
        assert_eq!(line.text(30), "⠋ casting 0 %");
        let line = Line { done: 900_000, ..casting() };
        assert_eq!(line.text(30), "⠋ casting 1 %");
        let line = Line { all: None, done: 0, elapsed: Duration::from_secs(1), ..casting() };
        assert_eq!(line.text(79), "⠋ casting 0 rays");
    }

    #[test]
    fn work_of_unknown_length_tells_what_is_done_or_how_long_it_took() {
        let line = Line { all: None, ..casting() };
        assert_eq!(line.text(79), "⠋ casting 12.3 M rays, 4.12 M/s");
        let line = Line { unit: "", doing: "reading mesh", ..line };
        assert_eq!(line.text(79), "⠋ reading mesh 3 s");
    }

    #[test]
    fn numbers_are_short() {
        for (number, expected) in [
            (0.4, "0"),
            (9_999.0, "9,999"),
            (9_999.6, "10.0 k"),
            (99_949.0, "99.9 k"),
            (99_960.0, "100 k"),
            (999_600.0, "1.00 M"),
            (12_345_678.0, "12.3 M"),
        ] {
            assert_eq!(short(number), expected);
        }
    }
}
