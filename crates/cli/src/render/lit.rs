//! Light and shadow: a soft lamp, a sky, and what stands in their way.

use glam::Vec3;
use hitscan::prelude::*;
use hitscan::{Coherence, QueryOptions, Ray};

use super::color;
use super::ground::Ground;
use super::sampling::{Purpose, Sample};
use super::surface::{Batch, Surface, View, height_in_picture};
use super::tiles::Shader;
use crate::random::{cosine_direction, mix, unit};
use crate::viewpoint::Viewpoint;

/// The lamp's radius at distance 1: how soft its shadows are.
const LAMP_RADIUS: f32 = 0.09;
/// How far, in diagonals of the mesh, something may be and still darken the sky.
const SKY_REACH: f32 = 0.4;

/// Light and shadow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lit {
    ground: Option<Ground>,
    /// A unit vector to the lamp.
    lamp: Vec3,
    lamp_color: Vec3,
    /// What the camera itself gives, so that rooms without a window are not black.
    headlight: f32,
    /// How bright the sky is; more in rooms, which see little of it.
    sky: f32,
    below: Vec3,
    above: Vec3,
}

impl Lit {
    pub(crate) fn new(view: &View<'_>) -> Self {
        let Viewpoint { right, world_up, .. } = view.viewpoint;
        let back = right.cross(world_up);
        let inside = view.is_inside();
        let lamp = if inside {
            world_up + right * 0.28 + back * 0.2
        } else {
            world_up * 0.85 - right * 0.62 + back * 0.5
        };
        Self {
            ground: Ground::new(view),
            lamp: lamp.normalize_or(Vec3::Y),
            lamp_color: Vec3::new(1.0, 0.93, 0.82) * if inside { 2.4 } else { 1.5 },
            headlight: if inside { 0.10 } else { 0.0 },
            sky: if inside { 1.9 } else { 1.0 },
            below: color::srgb(0xf4f1ea),
            above: color::srgb(0xb9cbdc),
        }
    }

    fn sky_color(&self, view: &View<'_>, direction: Vec3) -> Vec3 {
        let height = 0.5 + 0.5 * direction.dot(view.viewpoint.world_up);
        Vec3::new(0.22, 0.20, 0.18).lerp(Vec3::new(0.46, 0.56, 0.72), height) * self.sky
    }

    fn background(&self, view: &View<'_>, sample: Sample) -> Vec3 {
        self.below.lerp(self.above, height_in_picture(view, sample).powf(1.3))
    }

    /// A unit vector to a point of the lamp.
    fn lamp_direction(&self, sample: Sample) -> Vec3 {
        let [a, b] = sample.pair(Purpose::Lamp);
        let (sin, cos) = (b * std::f32::consts::TAU).sin_cos();
        let (x, y) = self.lamp.any_orthonormal_pair();
        let r = LAMP_RADIUS * a.sqrt();
        (self.lamp + x * (r * cos) + y * (r * sin)).normalize_or(self.lamp)
    }
}

/// What is to be lit: a point of the mesh, or of the floor below it.
#[derive(Clone, Copy, Debug)]
struct Place {
    surface: Surface,
    to_lamp: Vec3,
    to_sky: Vec3,
    kind: PlaceKind,
}

#[derive(Clone, Copy, Debug)]
enum PlaceKind {
    Mesh { albedo: Vec3, facing: f32 },
    Floor { background: Vec3, counts: f32 },
}

impl Shader for Lit {
    fn shade(&self, batch: &Batch<'_>, colors: &mut Vec<Vec3>) {
        let view = batch.view;
        let first = colors.len();
        let (mut places, mut indices) = (Vec::new(), Vec::new());
        for (i, ((&sample, ray), hit)) in
            batch.samples.iter().zip(batch.rays).zip(batch.hits).enumerate()
        {
            colors.push(self.background(view, sample));
            let (surface, kind) = match hit {
                Some(hit) => {
                    let surface = Surface::new(view, ray, hit);
                    let facing = -surface.normal.dot(Vec3::from(ray.direction));
                    (surface, PlaceKind::Mesh { albedo: albedo(view, hit.prim), facing })
                }
                None => match self.ground.and_then(|ground| ground.meet(view, ray)) {
                    Some((surface, counts)) => {
                        let background = self.background(view, sample);
                        (surface, PlaceKind::Floor { background, counts })
                    }
                    None => continue,
                },
            };
            let to_sky = cosine_direction(surface.normal, sample.pair(Purpose::Sky));
            places.push(Place { surface, to_lamp: self.lamp_direction(sample), to_sky, kind });
            indices.push(first + i);
        }
        let shadow = |place: &Place| Ray::new(place.surface.point, place.to_lamp);
        let reach = view.diagonal * SKY_REACH;
        let ambient =
            |place: &Place| Ray::new(place.surface.point, place.to_sky).with_interval(0.0, reach);
        let shadow_rays: Vec<Ray> = places.iter().map(shadow).collect();
        let ambient_rays: Vec<Ray> = places.iter().map(ambient).collect();
        let in_shadow = any_hits(view, &shadow_rays, Coherence::Coherent);
        let sky_hidden = any_hits(view, &ambient_rays, Coherence::Incoherent);
        for (i, place) in places.iter().enumerate() {
            colors[indices[i]] = self.color(view, place, in_shadow[i], sky_hidden[i]);
        }
    }
}

impl Lit {
    fn color(&self, view: &View<'_>, place: &Place, in_shadow: bool, sky_hidden: bool) -> Vec3 {
        let slope = place.surface.normal.dot(place.to_lamp).max(0.0);
        let direct = self.lamp_color * slope;
        let sky = self.sky_color(view, place.to_sky);
        let lit = if in_shadow { Vec3::ZERO } else { direct };
        match place.kind {
            PlaceKind::Mesh { albedo, facing } => {
                // Light that came by way of the mesh itself is dim and has its colour.
                let sky = if sky_hidden { sky * albedo * 0.3 } else { sky };
                color::soften(albedo * (lit + sky + self.headlight * facing))
            }
            PlaceKind::Floor { background, counts } => {
                let sky_left = if sky_hidden { Vec3::ZERO } else { sky };
                let share = (lit + sky_left) / (direct + sky);
                background * Vec3::ONE.lerp(share, 0.8 * counts)
            }
        }
    }
}

fn any_hits(view: &View<'_>, rays: &[Ray], coherence: Coherence) -> Vec<bool> {
    let mut hits = vec![false; rays.len()];
    view.bvh.any_hits_chunk(rays, &QueryOptions::DEFAULT, coherence, &mut hits);
    hits
}

/// Clay; where the mesh names materials or objects, each has a shade of its own.
fn albedo(view: &View<'_>, prim: u32) -> Vec3 {
    let names = view.bvh.mesh().parts().names_of(prim);
    let Some(name) = names.material.or(names.object).or(names.group) else {
        return color::from_hue(0.77, 0.055, 0.16);
    };
    let bits = name.bytes().fold(0, |bits, byte| mix(bits ^ u64::from(byte)));
    let lightness = 0.74 + 0.12 * unit(mix(bits));
    color::from_hue(lightness, 0.035, 0.08 + 0.18 * unit(bits))
}
