//! Places for labels where they cover neither each other nor what is drawn.

use super::svg::{Anchor, Place, width_of};

/// How high a label is.
const HEIGHT: f64 = 13.0;
/// How much of it is below its place.
const DESCENT: f64 = 3.0;

/// Where labels may still go.
#[derive(Default)]
pub(super) struct Labels {
    taken: Vec<Rectangle>,
}

/// A rectangle: its upper left and lower right corner.
#[derive(Clone, Copy)]
struct Rectangle {
    low: Place,
    high: Place,
}

impl Rectangle {
    /// The area that two have in common.
    fn overlap(&self, other: &Self) -> f64 {
        let side = |axis: usize| {
            self.high[axis].min(other.high[axis]) - self.low[axis].max(other.low[axis])
        };
        side(0).max(0.0) * side(1).max(0.0)
    }
}

impl Labels {
    /// Keeps labels away from a dot.
    pub(super) fn avoid(&mut self, [x, y]: Place, radius: f64) {
        self.taken
            .push(Rectangle { low: [x - radius, y - radius], high: [x + radius, y + radius] });
    }

    /// Keeps labels away from a straight line.
    pub(super) fn avoid_line(&mut self, [from, to]: [Place; 2]) {
        let across = [to[0] - from[0], to[1] - from[1]];
        let steps = (across[0].hypot(across[1]) / 3.0).ceil().max(1.0);
        for step in 0..=steps as u32 {
            let s = f64::from(step) / steps;
            self.avoid([from[0] + s * across[0], from[1] + s * across[1]], 1.5);
        }
    }

    /// Finds a place for a label beside a dot: the first of those that cover least and are within
    /// the frame.
    pub(super) fn place(&mut self, dot: Place, text: &str, frame: [Place; 2]) -> (Anchor, Place) {
        let width = width_of(text);
        let frame = Rectangle { low: frame[0], high: frame[1] };
        let mut best: Option<(f64, Spot, Rectangle)> = None;
        for spot in spots(dot) {
            let own = spot.covered(width);
            let outside = width * HEIGHT - own.overlap(&frame);
            let covered: f64 = self.taken.iter().map(|taken| own.overlap(taken)).sum();
            let cost = covered + 3.0 * outside + 2.0 * spot.distance;
            if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                best = Some((cost, spot, own));
            }
        }
        let (_, spot, own) = best.expect("there are spots");
        self.taken.push(own);
        (spot.anchor, spot.place)
    }
}

/// Where a label may go.
struct Spot {
    anchor: Anchor,
    place: Place,
    /// How far from the dot it is, beyond what must be.
    distance: f64,
}

impl Spot {
    /// What a label of this width covers here.
    fn covered(&self, width: f64) -> Rectangle {
        let [x, y] = self.place;
        let left = match self.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Rectangle { low: [left, y + DESCENT - HEIGHT], high: [left + width, y + DESCENT] }
    }
}

/// The spots around a dot, the best ones first.
fn spots(dot: Place) -> impl Iterator<Item = Spot> {
    [0.0, 10.0, 20.0].into_iter().flat_map(move |distance| {
        [
            (Anchor::Start, 9.0, 4.0),
            (Anchor::End, -9.0, 4.0),
            (Anchor::Middle, 0.0, -10.0 - distance),
            (Anchor::Middle, 0.0, 19.0 + distance),
            (Anchor::Start, 6.0, -8.0 - distance),
            (Anchor::Start, 6.0, 17.0 + distance),
            (Anchor::End, -6.0, -8.0 - distance),
            (Anchor::End, -6.0, 17.0 + distance),
        ]
        .map(|(anchor, x, y)| Spot { anchor, place: [dot[0] + x, dot[1] + y], distance })
    })
}

/// Moves heights apart as little as can be, until each is at least `gap` from the next and none is
/// below `most`; the order stays.
///
/// Less the gaps above it, each must be no less than the one before: isotonic regression, by pooling
/// neighbours that are in the wrong order.
pub(super) fn spread(heights: &[f64], gap: f64, most: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..heights.len()).collect();
    order.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    // Pools: the sum of heights less gaps, and how many there are.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let mut pool = (heights[i] - gap * rank as f64, 1);
        while let Some(&(sum, count)) = pools.last()
            && sum / count as f64 > pool.0 / pool.1 as f64
        {
            pools.pop();
            pool = (pool.0 + sum, pool.1 + count);
        }
        pools.push(pool);
    }
    let limit = most - gap * heights.len().saturating_sub(1) as f64;
    let pooled = pools
        .iter()
        .flat_map(|&(sum, count)| std::iter::repeat_n((sum / count as f64).min(limit), count));
    let mut places = heights.to_vec();
    for (rank, (&i, height)) in order.iter().zip(pooled).enumerate() {
        places[i] = height + gap * rank as f64;
    }
    places
}
