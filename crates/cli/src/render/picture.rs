//! A picture in linear light, and its PNG file.

use std::path::Path;

use anyhow::Context;
use glam::Vec3;
use png::{BitDepth, ColorType, Compression, Encoder};
use rayon::prelude::*;

use super::color;
use crate::output::WholeFile;

/// A picture in linear light, row by row from above.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<Vec3>,
}

impl Picture {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![Vec3::ZERO; width as usize * height as usize] }
    }

    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    pub(crate) fn height(&self) -> u32 {
        self.height
    }

    /// `height` rows of pixels at a time, fewer in the last one.
    pub(crate) fn bands(
        &mut self,
        height: u32,
    ) -> impl IndexedParallelIterator<Item = &mut [Vec3]> {
        self.pixels.par_chunks_mut(self.width as usize * height as usize)
    }

    /// Lays `color` over a pixel; what lies outside the picture is left out.
    pub(crate) fn blend(&mut self, x: u32, y: u32, color: Vec3, opacity: f32) {
        if x < self.width && y < self.height {
            let pixel = &mut self.pixels[y as usize * self.width as usize + x as usize];
            *pixel = pixel.lerp(color, opacity);
        }
    }

    /// Writes the picture as sRGB.
    pub(crate) fn write_png(&self, path: &Path) -> anyhow::Result<()> {
        let bytes: Vec<u8> = self.pixels.iter().flat_map(|&pixel| color::encode(pixel)).collect();
        let mut file = WholeFile::create(path)?;
        self.encode(&mut file, &bytes)
            .with_context(|| format!("{}: cannot be written", path.display()))?;
        file.finish()
    }

    fn encode(&self, file: &mut WholeFile, bytes: &[u8]) -> Result<(), png::EncodingError> {
        let mut encoder = Encoder::new(file, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(bytes)?;
        writer.finish()
    }
}
