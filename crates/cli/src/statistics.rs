//! A tree's statistics.

use hitscan::Bvh;

/// A tree's statistics.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) nodes: usize,
    pub(crate) leaves: usize,
    pub(crate) depth: usize,
    pub(crate) sah_cost: f32,
    pub(crate) bytes: usize,
    pub(crate) bytes_per_triangle: f32,
}

pub(crate) fn of(_: &Bvh) -> Statistics {
    // Placeholder until the engine tells them itself.
    Statistics::default()
}
