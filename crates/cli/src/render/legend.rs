//! The bar in the corner that says which colour stands for which number.

use glam::Vec3;

use super::color::{self, Gradient};
use super::font;
use super::picture::Picture;

/// How many numbers stand below the bar.
const MARKS: u32 = 5;

/// The bar in the corner that says which colour stands for which number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Legend<'a> {
    /// In lower case: the font has no other letters.
    pub(crate) title: &'static str,
    /// The numbers at the bar's ends.
    pub(crate) first: f64,
    pub(crate) last: f64,
    pub(crate) gradient: &'a Gradient,
}

impl Legend<'_> {
    /// Draws the legend into the lower left corner. Lengths below are in dots, a dot is one pixel
    /// or more; a picture that is too small goes without.
    pub(crate) fn draw(&self, picture: &mut Picture) {
        const BAR: [u32; 2] = [164, 8];
        const MARGIN: u32 = 8;
        const PADDING: u32 = 7;
        const LEFT: u32 = 12;
        let panel = [BAR[0] + 2 * LEFT, 2 * PADDING + 2 * font::HEIGHT + BAR[1] + 9];
        let dot = (picture.height() / 360).max(1);
        let fits = (panel[0] + 2 * MARGIN) * dot <= picture.width()
            && (panel[1] + 2 * MARGIN) * dot <= picture.height();
        if !fits {
            return;
        }
        let top = picture.height() / dot - MARGIN - panel[1];
        let mut pen = Pen { picture, dot, x: MARGIN, y: top };
        pen.fill([0, 0], panel, |_| color::srgb(0x101217), 0.72);
        pen.text([LEFT, PADDING], self.title);
        let bar_top = PADDING + font::HEIGHT + 4;
        pen.fill([LEFT, bar_top], BAR, |x| self.gradient.at(x), 1.0);
        for mark in 0..MARKS {
            let share = f64::from(mark) / f64::from(MARKS - 1);
            let x = LEFT + (share * f64::from(BAR[0] - 1)).round() as u32;
            pen.fill([x, bar_top + BAR[1]], [1, 2], |_| Vec3::ONE, 0.8);
            let number = self.label(share);
            let width = font::text_width(&number);
            let left = (x + 1).saturating_sub(width / 2).clamp(2, panel[0] - width - 2);
            pen.text([left, bar_top + BAR[1] + 4], &number);
        }
    }
}

impl Legend<'_> {
    /// The number at a share of the bar, with about three digits, all marks alike.
    fn label(&self, share: f64) -> String {
        let number = self.first + share * (self.last - self.first);
        let size = self.last.abs();
        let step = (self.last - self.first) / f64::from(MARKS - 1);
        if self.first.fract() == 0.0 && step.fract() == 0.0 && size < 1e5 {
            return format!("{number:.0}");
        }
        if size != 0.0 && !(1e-3..1e5).contains(&size) {
            return format!("{number:.1e}");
        }
        let decimals = match size {
            _ if size >= 100.0 => 0,
            _ if size >= 10.0 => 1,
            _ if size >= 1.0 => 2,
            _ => 3,
        };
        format!("{number:.decimals$}")
    }
}

struct Pen<'a> {
    picture: &'a mut Picture,
    dot: u32,
    x: u32,
    y: u32,
}

impl Pen<'_> {
    /// Fills a rectangle; the colour may go from left (0) to right (1).
    fn fill(
        &mut self,
        [x, y]: [u32; 2],
        [w, h]: [u32; 2],
        color: impl Fn(f32) -> Vec3,
        opacity: f32,
    ) {
        let (left, top) = ((self.x + x) * self.dot, (self.y + y) * self.dot);
        let (width, height) = (w * self.dot, h * self.dot);
        for column in 0..width {
            let color = color((column as f32 + 0.5) / width as f32);
            for row in 0..height {
                self.picture.blend(left + column, top + row, color, opacity);
            }
        }
    }

    fn text(&mut self, [x, y]: [u32; 2], text: &str) {
        for (i, letter) in text.chars().enumerate() {
            let left = x + i as u32 * (font::WIDTH + 1);
            for (column, row) in
                (0..font::WIDTH).flat_map(|c| (0..font::HEIGHT).map(move |r| (c, r)))
            {
                if font::has_dot(letter, column, row) {
                    self.fill([left + column, y + row], [1, 1], |_| Vec3::splat(0.9), 1.0);
                }
            }
        }
    }
}
