//! Ambient occlusion: how much of the sky each point sees.

use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{Coherence, QueryOptions, Ray};

use super::color;
use super::ground::Ground;
use super::sampling::{Purpose, Sample};
use super::surface::{Batch, Surface, View, height_in_picture};
use super::tiles::Shader;
use crate::random::cosine_direction;

/// How far, in diagonals of the mesh, something may be and still hide the sky.
const REACH: f32 = 0.2;

/// Directions in which each sample looks at the sky.
const DIRECTIONS: u32 = 4;

/// How much of the sky each point sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ambient {
    ground: Option<Ground>,
}

impl Ambient {
    pub(crate) fn new(view: &View<'_>) -> Self {
        Self { ground: Ground::new(view) }
    }
}

impl Shader for Ambient {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let view = batch.view;
        let first = colors.len();
        let (mut rays, mut places) = (Vec::new(), Vec::new());
        for (i, ((&sample, ray), hit)) in
            batch.samples.iter().zip(batch.rays).zip(batch.hits).enumerate()
        {
            let height = height_in_picture(view, sample);
            colors.push(color::srgb(0xf2f2f0).lerp(color::srgb(0xd5d9de), height));
            let place = match hit {
                Some(hit) => Some((Surface::new(view, ray, hit), None)),
                None => self
                    .ground
                    .and_then(|ground| ground.meet(view, ray))
                    .map(|(surface, counts)| (surface, Some(counts))),
            };
            let Some((surface, counts)) = place else { continue };
            let reach = view.diagonal * REACH;
            rays.extend((0..DIRECTIONS).map(|i| {
                let sample = Sample { number: sample.number * DIRECTIONS + i, ..sample };
                let direction = cosine_direction(surface.normal, sample.pair(Purpose::Sky));
                Ray::new(surface.point, direction).with_interval(0.0, reach)
            }));
            places.push((first + i, counts));
        }
        let mut hidden = vec![false; rays.len()];
        let (options, coherence) = (&QueryOptions::DEFAULT, Coherence::Incoherent);
        view.bvh.any_hits_chunk(&rays, options, coherence, &mut hidden);
        for ((i, counts), hidden) in places.into_iter().zip(hidden.chunks(DIRECTIONS as usize)) {
            let open = hidden.iter().filter(|&&hidden| !hidden).count();
            let seen = open as f32 / DIRECTIONS as f32;
            colors[i] = match counts {
                // The floor is the background, darkened.
                Some(counts) => colors[i] * (1.0 - 0.8 * counts * (1.0 - seen)),
                None => Vec3::splat(0.02 + 0.9 * seen),
            };
        }
    }
}
