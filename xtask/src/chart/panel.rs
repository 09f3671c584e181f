//! One of a chart's pictures: a frame with two axes.

use super::scale::Scale;
use super::svg::{Anchor, Place, Svg};

/// A frame with two axes.
pub(super) struct Panel<'a> {
    /// The upper left corner of what the axes enclose.
    pub(super) corner: Place,
    /// How large that is.
    pub(super) size: [f64; 2],
    pub(super) x: &'a dyn Scale,
    pub(super) y: &'a dyn Scale,
}

impl Panel<'_> {
    /// Where a pair of values lies.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> Place {
        let [left, top] = self.corner;
        let [width, height] = self.size;
        [left + width * self.x.place(x), top + height * (1.0 - self.y.place(y))]
    }

    /// The frame, below what is drawn into it.
    pub(super) fn draw(&self, svg: &mut Svg, title: &str) {
        let [left, top] = self.corner;
        let [right, bottom] = [left + self.size[0], top + self.size[1]];
        svg.text("head", Anchor::Start, [left, top - 12.0], title);
        for (value, label) in self.y.marks() {
            let y = bottom - self.size[1] * self.y.place(value);
            svg.line("grid", &[[left, y], [right, y]], "");
            svg.text("quiet", Anchor::End, [left - 7.0, y + 4.0], &label);
        }
        svg.line("axis", &[[left, bottom], [right, bottom]], "");
        for (value, label) in self.x.marks() {
            let x = left + self.size[0] * self.x.place(value);
            svg.line("axis", &[[x, bottom], [x, bottom + 4.0]], "");
            svg.text("quiet", Anchor::Middle, [x, bottom + 18.0], &label);
        }
    }
}
