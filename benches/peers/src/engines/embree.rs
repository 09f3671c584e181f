//! Embree 4.4: single rays and packets of 16, over trees of both its better qualities.

mod setup;

use std::ops::Range;

use hitscan::TriangleMesh;

use super::{Answer, Caster, Chunked, Contestant};
use crate::arena::timed;
use crate::args::TraceArgs;
use crate::foreign::embree::{
    Active, Embree, Hit, Hit16, NONE, Quality, Ray, Ray16, RayHit, RayHit16, Scene,
};
use crate::rays::Query;

const MEDIUM: &str = "embree-medium";
const HIGH: &str = "embree-high";

/// The contestants that were asked for, or why there are none.
pub fn contestants(
    mesh: &TriangleMesh,
    args: &TraceArgs,
) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
    let mut contestants = Vec::new();
    if !args.wants(MEDIUM) && !args.wants(HIGH) {
        return Ok(contestants);
    }
    let embree = Embree::load(&setup::library()?)?;
    for (engine, quality) in [(MEDIUM, Quality::Medium), (HIGH, Quality::High)] {
        if !args.wants(engine) {
            continue;
        }
        let config = "threads=1,hugepages=1";
        let scene =
            timed(engine, || embree.scene(mesh.positions(), mesh.indices(), quality, config))?;
        contestants.push(Chunked::boxed(Single { engine, scene: scene.clone(), rays: Vec::new() }));
        for coherent in [false, true] {
            let scene = scene.clone();
            contestants.push(Chunked::boxed(Packets {
                engine,
                coherent,
                scene,
                packets: Vec::new(),
            }));
        }
    }
    Ok(contestants)
}

struct Single {
    engine: &'static str,
    scene: Scene,
    rays: Vec<Ray>,
}

impl Caster for Single {
    fn engine(&self) -> &'static str {
        self.engine
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        let own = |ray: &hitscan::Ray| Ray {
            origin: ray.origin,
            t_near: ray.t_min,
            direction: ray.direction,
            time: 0.0,
            t_far: ray.t_max,
            mask: u32::MAX,
            id: 0,
            flags: 0,
        };
        self.rays = rays.iter().map(own).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        let hit =
            Hit { normal: [0.0; 3], u: 0.0, v: 0.0, prim: 0, geometry: NONE, instance: [0; 2] };
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            let mut query = RayHit { ray: *ray, hit };
            self.scene.intersect(&mut query);
            *answer = if query.hit.geometry == NONE {
                Answer::MISS
            } else {
                Answer { t: query.ray.t_far, prim: query.hit.prim }
            };
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for (ray, answer) in self.rays[rays].iter().zip(answers) {
            let mut ray = *ray;
            self.scene.occluded(&mut ray);
            *answer = Answer::any(ray.t_far < 0.0);
        }
    }
}

struct Packets {
    engine: &'static str,
    coherent: bool,
    scene: Scene,
    packets: Vec<(Active, Ray16)>,
}

impl Packets {
    const WIDTH: usize = 16;
}

impl Caster for Packets {
    fn engine(&self) -> &'static str {
        self.engine
    }

    fn api(&self) -> &'static str {
        if self.coherent { "coherent16" } else { "packet16" }
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        self.packets = rays.chunks(Self::WIDTH).map(packet).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        // Chunks are multiples of a packet, so that only the last packet can be short.
        let packets = &self.packets[rays.start / Self::WIDTH..rays.end.div_ceil(Self::WIDTH)];
        let hit = Hit16 {
            normal: [[0.0; 16]; 3],
            u: [0.0; 16],
            v: [0.0; 16],
            prim: [0; 16],
            geometry: [NONE; 16],
            instance: [[0; 16]; 2],
        };
        let mut query = RayHit16 { ray: packets[0].1, hit };
        for ((active, ray), answers) in packets.iter().zip(answers.chunks_mut(Self::WIDTH)) {
            query.ray = *ray;
            query.hit.geometry = [NONE; 16];
            self.scene.intersect16(active, &mut query, self.coherent);
            for (lane, answer) in answers.iter_mut().enumerate() {
                *answer = if query.hit.geometry[lane] == NONE {
                    Answer::MISS
                } else {
                    Answer { t: query.ray.t_far[lane], prim: query.hit.prim[lane] }
                };
            }
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        let packets = &self.packets[rays.start / Self::WIDTH..rays.end.div_ceil(Self::WIDTH)];
        for ((active, ray), answers) in packets.iter().zip(answers.chunks_mut(Self::WIDTH)) {
            let mut ray = *ray;
            self.scene.occluded16(active, &mut ray, self.coherent);
            for (t_far, answer) in ray.t_far.iter().zip(answers) {
                *answer = Answer::any(*t_far < 0.0);
            }
        }
    }
}

/// Up to 16 rays as a packet.
fn packet(rays: &[hitscan::Ray]) -> (Active, Ray16) {
    let lane = |lane: usize| rays[lane.min(rays.len() - 1)];
    let lanes = |value: &dyn Fn(hitscan::Ray) -> f32| std::array::from_fn(|i| value(lane(i)));
    let ray = Ray16 {
        origin: std::array::from_fn(|axis| lanes(&|ray| ray.origin[axis])),
        t_near: lanes(&|ray| ray.t_min),
        direction: std::array::from_fn(|axis| lanes(&|ray| ray.direction[axis])),
        time: [0.0; 16],
        t_far: lanes(&|ray| ray.t_max),
        mask: [u32::MAX; 16],
        id: [0; 16],
        flags: [0; 16],
    };
    (Active(std::array::from_fn(|lane| if lane < rays.len() { -1 } else { 0 })), ray)
}
