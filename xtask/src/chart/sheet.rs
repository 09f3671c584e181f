//! The sheet that a chart's panels are laid out on, under a title and a legend.

use super::svg::{Anchor, Place, Svg, width_of};

/// Around everything.
const MARGIN: f64 = 24.0;
/// For the numbers beside the axis on the left.
const LEFT: f64 = 30.0;
/// Above a panel, for its title.
const ABOVE: f64 = 38.0;
/// Below a panel, for the numbers beside its axis.
const BELOW: f64 = 30.0;

/// Panels in rows, under a title.
pub(super) struct Sheet {
    pub(super) svg: Svg,
    title: String,
    width: f64,
    /// Where the next line goes.
    y: f64,
}

impl Sheet {
    pub(super) fn new(width: f64, title: &str, caption: &str) -> Self {
        let mut svg = Svg::default();
        svg.text("title", Anchor::Start, [MARGIN, 36.0], title);
        let mut sheet = Self { svg, title: title.to_owned(), width, y: 44.0 };
        sheet.say(caption);
        sheet
    }

    /// Small print, in as many lines as it takes.
    pub(super) fn say(&mut self, text: &str) {
        let mut line = String::new();
        for word in text.split_whitespace() {
            if width_of(&line) + width_of(word) > self.width - 2.0 * MARGIN {
                self.say_line(&std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        if !line.is_empty() {
            self.say_line(&line);
        }
    }

    fn say_line(&mut self, line: &str) {
        self.y += 17.0;
        self.svg.text("quiet", Anchor::Start, [MARGIN, self.y], line);
    }

    /// A name beside a piece of each line.
    pub(super) fn legend<'a>(&mut self, lines: impl Iterator<Item = (&'a str, String)>) {
        const SWATCH: f64 = 28.0;
        self.y += 22.0;
        let mut x = MARGIN;
        for (name, class) in lines {
            let width = SWATCH + 7.0 + width_of(name);
            if x > MARGIN && x + width > self.width - MARGIN {
                x = MARGIN;
                self.y += 19.0;
            }
            let y = self.y - 4.0;
            self.svg.line(&class, &[[x, y], [x + SWATCH, y]], "");
            self.svg.text("", Anchor::Start, [x + SWATCH + 7.0, self.y], name);
            x += width + 18.0;
        }
    }

    /// Room for a row of panels of this height: their upper left corners, and how wide they are.
    /// `right` is left free beside each.
    pub(super) fn row(&mut self, panels: usize, height: f64, right: f64) -> (Vec<Place>, f64) {
        let each = (self.width - 2.0 * MARGIN) / panels as f64;
        let top = self.y + ABOVE;
        self.y = top + height + BELOW;
        let corner = |i| [MARGIN + LEFT + each * i as f64, top];
        ((0..panels).map(corner).collect(), each - LEFT - right)
    }

    /// The whole file.
    pub(super) fn finish(mut self, below: &str) -> String {
        self.say(below);
        self.svg.finish([self.width, self.y + MARGIN - 4.0], &self.title)
    }
}
