//! Draws a picture in tiles of 8×8 pixels, all cores at once.

use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{Coherence, QueryOptions};
use rayon::prelude::*;

use super::picture::Picture;
use super::sampling::{Purpose, Sample, tent};
use super::surface::{Batch, View};
use crate::progress::Stage;

const TILE: u32 = 8;
/// Samples of each pixel that are cast at once.
const SAMPLES: u32 = 16;

/// Gives rays their colours.
pub(crate) trait Shader: Sync {
    /// Appends the colour of each ray, in linear light.
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>);
}

/// Draws a picture with `samples` rays a pixel.
pub(crate) fn draw(view: &View<'_>, samples: u32, shader: &dyn Shader) -> Picture {
    let [width, height] = view.viewpoint.camera.size();
    let (columns, rows) = (width.div_ceil(TILE), height.div_ceil(TILE));
    let stage = Stage::tiles("drawing", u64::from(columns) * u64::from(rows));
    let mut picture = Picture::new(width, height);
    picture.bands(TILE).enumerate().for_each(|(row, pixels)| {
        let tiles: Vec<_> = (0..columns)
            .into_par_iter()
            .map(|column| {
                let tile = Tile::new(width, height, column, row as u32);
                let colors = tile.draw(view, samples, shader);
                stage.advance(1);
                (tile, colors)
            })
            .collect();
        for (tile, colors) in tiles {
            for (pixel, color) in tile.pixels().zip(colors) {
                pixels[(pixel - row as u32 * TILE * width) as usize] = color;
            }
        }
    });
    stage.done();
    picture
}

#[derive(Clone, Copy, Debug)]
struct Tile {
    width: u32,
    x: [u32; 2],
    y: [u32; 2],
}

impl Tile {
    fn new(width: u32, height: u32, column: u32, row: u32) -> Self {
        let span = |index: u32, limit: u32| [index * TILE, ((index + 1) * TILE).min(limit)];
        Self { width, x: span(column, width), y: span(row, height) }
    }

    /// The tile's pixels, as indices into the picture.
    fn pixels(self) -> impl Iterator<Item = u32> {
        let [left, right] = self.x;
        (self.y[0]..self.y[1]).flat_map(move |y| (left..right).map(move |x| y * self.width + x))
    }

    fn draw(self, view: &View<'_>, samples: u32, shader: &dyn Shader) -> Vec<Vec3> {
        let pixels: Vec<u32> = self.pixels().collect();
        let mut sums = vec![Vec3::ZERO; pixels.len()];
        let mut colors = Vec::new();
        for first in (0..samples).step_by(SAMPLES as usize) {
            let numbers = first..(first + SAMPLES).min(samples);
            // Sample by sample, so that neighbouring rays are neighbours in the picture.
            let batch: Vec<Sample> = numbers
                .flat_map(|number| pixels.iter().map(move |&pixel| Sample { pixel, number }))
                .collect();
            let rays: Vec<_> = batch
                .iter()
                .map(|sample| {
                    let [a, b] = if samples == 1 { [0.5; 2] } else { sample.pair(Purpose::Pixel) };
                    let (x, y) = (sample.pixel % self.width, sample.pixel / self.width);
                    view.viewpoint.camera.ray(x as f32 + 0.5 + tent(a), y as f32 + 0.5 + tent(b))
                })
                .collect();
            let mut hits = vec![None; rays.len()];
            let (options, coherence) = (&QueryOptions::DEFAULT, Coherence::Coherent);
            view.bvh.closest_hits_chunk(&rays, options, coherence, &mut hits);
            colors.clear();
            shader.shade(&Batch { view, samples: &batch, rays: &rays, hits: &hits }, &mut colors);
            for (i, color) in colors.iter().enumerate() {
                sums[i % pixels.len()] += *color;
            }
        }
        sums.iter().map(|sum| *sum / samples as f32).collect()
    }
}
