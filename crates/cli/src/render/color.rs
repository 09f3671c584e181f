//! Colours: linear light inside, sRGB on the outside, and gradients even to the eye.

use glam::{Mat3, Vec3};

/// An sRGB colour `0xrrggbb` as linear light.
pub(crate) fn srgb(hex: u32) -> Vec3 {
    let channel = |shift: u32| decode((hex >> shift & 0xff) as f32 / 255.0);
    Vec3::new(channel(16), channel(8), channel(0))
}

/// One sRGB channel as linear light (IEC 61966-2-1).
pub(crate) fn decode(encoded: f32) -> f32 {
    if encoded <= 0.040_45 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Linear light as sRGB bytes.
pub(crate) fn encode(linear: Vec3) -> [u8; 3] {
    let channel = |x: f32| {
        let x = x.clamp(0.0, 1.0);
        let x = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
        (255.0 * x + 0.5) as u8
    };
    linear.to_array().map(channel)
}

/// Bends light above 0.6 so that it nears 1 and never clips.
pub(crate) fn soften(linear: Vec3) -> Vec3 {
    const KNEE: f32 = 0.6;
    let bend = |x: f32| {
        if x <= KNEE { x } else { 1.0 - (1.0 - KNEE) * ((KNEE - x) / (1.0 - KNEE)).exp() }
    };
    Vec3::from_array(linear.to_array().map(bend))
}

/// A colour of this lightness, chroma and hue (in turns) in `OKLab`.
pub(crate) fn from_hue(lightness: f32, chroma: f32, hue: f32) -> Vec3 {
    let (sin, cos) = (hue * std::f32::consts::TAU).sin_cos();
    from_oklab(Vec3::new(lightness, chroma * cos, chroma * sin)).max(Vec3::ZERO)
}

/// Colours from 0 to 1, mixed in `OKLab` (Björn Ottosson, 2020), where equal steps look equal.
#[derive(Clone, Debug)]
pub(crate) struct Gradient(Vec<Vec3>);

impl Gradient {
    /// From near, a warm light, to far, a deep blue.
    pub(crate) fn depth() -> Self {
        Self::new(&[0xfff3d6, 0xfbc17a, 0xe8795e, 0xa8467a, 0x5a3a86, 0x25285e])
    }

    /// From little, nearly black, to much, nearly white.
    pub(crate) fn heat() -> Self {
        Self::new(&[0x0b0a1f, 0x2d1b69, 0x7b2382, 0xcf3e63, 0xf58442, 0xfcd05c, 0xfffbe0])
    }

    fn new(colors: &[u32]) -> Self {
        Self(colors.iter().map(|&hex| to_oklab(srgb(hex))).collect())
    }

    /// The colour at `x`, which is held in [0, 1].
    pub(crate) fn at(&self, x: f32) -> Vec3 {
        let last = self.0.len() - 1;
        let x = if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) } * last as f32;
        let i = (x as usize).min(last - 1);
        from_oklab(self.0[i].lerp(self.0[i + 1], x - i as f32)).clamp(Vec3::ZERO, Vec3::ONE)
    }
}

fn to_oklab(linear: Vec3) -> Vec3 {
    let to_cones = Mat3::from_cols(
        Vec3::new(0.412_221_46, 0.211_903_5, 0.088_302_46),
        Vec3::new(0.536_332_55, 0.680_699_5, 0.281_718_85),
        Vec3::new(0.051_445_995, 0.107_396_96, 0.629_978_7),
    );
    let to_lab = Mat3::from_cols(
        Vec3::new(0.210_454_26, 1.977_998_5, 0.025_904_037),
        Vec3::new(0.793_617_8, -2.428_592_2, 0.782_771_77),
        Vec3::new(-0.004_072_047, 0.450_593_7, -0.808_675_77),
    );
    to_lab * Vec3::from_array((to_cones * linear).to_array().map(f32::cbrt))
}

fn from_oklab(lab: Vec3) -> Vec3 {
    let to_cones = Mat3::from_cols(
        Vec3::ONE,
        Vec3::new(0.396_337_78, -0.105_561_346, -0.089_484_18),
        Vec3::new(0.215_803_76, -0.063_854_17, -1.291_485_5),
    );
    let to_linear = Mat3::from_cols(
        Vec3::new(4.076_741_7, -1.268_438, -0.004_196_086),
        Vec3::new(-3.307_711_6, 2.609_757_4, -0.703_418_6),
        Vec3::new(0.230_969_94, -0.341_319_4, 1.707_614_7),
    );
    let cones = to_cones * lab;
    to_linear * (cones * cones * cones)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_survive_every_way_there_and_back() {
        for hex in [0x000000, 0xffffff, 0xff0000, 0x1289fe, 0x7f7f7f, 0x010203] {
            let linear = srgb(hex);
            let [r, g, b] = encode(from_oklab(to_oklab(linear))).map(u32::from);
            assert_eq!(r << 16 | g << 8 | b, hex, "{hex:06x}");
        }
    }

    #[test]
    fn gradients_end_in_their_colours() {
        assert_eq!(encode(Gradient::depth().at(-1.0)), [0xff, 0xf3, 0xd6]);
        assert_eq!(encode(Gradient::depth().at(2.0)), [0x25, 0x28, 0x5e]);
    }
}
