//! The work of each ray: nodes and leaves visited.

use glam::Vec3;
use hitscan::Ray;

use super::color::Gradient;
use super::legend::Legend;
use super::surface::{Batch, View};
use super::tiles::Shader;

/// The work of each ray.
#[derive(Clone, Debug)]
pub(crate) struct Cost {
    most: f32,
    gradient: Gradient,
}

impl Cost {
    /// Looks for the most work first.
    pub(crate) fn new(view: &View<'_>) -> Self {
        let mut work = view.probe(|ray| Some(steps(view, ray)));
        work.sort_unstable_by(f32::total_cmp);
        // A few rays that take very long would leave the rest in the dark.
        let most = work.get(work.len() * 999 / 1000).copied().unwrap_or(1.0);
        // Whole numbers at all marks of the legend.
        let most = (most / 4.0).ceil().max(1.0) * 4.0;
        Self { most, gradient: Gradient::heat() }
    }

    pub(crate) fn legend(&self) -> Legend<'_> {
        let (title, last) = ("steps a ray", f64::from(self.most));
        Legend { title, first: 0.0, last, gradient: &self.gradient }
    }
}

impl Shader for Cost {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let work = batch.rays.iter().map(|ray| steps(batch.view, ray));
        colors.extend(work.map(|work| self.gradient.at(work / self.most)));
    }
}

fn steps(view: &View<'_>, ray: &Ray) -> f32 {
    let (_, cost) = view.bvh.closest_hit_counted(ray);
    (cost.nodes + cost.leaves) as f32
}
