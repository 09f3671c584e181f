//! Embree 4.4: single rays and packets of the widest kind that it has here, over trees of both its
//! better qualities.

mod setup;

use std::ops::Range;

use hitscan::{Level, TriangleMesh};

use super::{Answer, Caster, Chunked, Contestant};
use crate::arena::timed;
use crate::args::Casting;
use crate::foreign::embree::{
    Active, Embree, Hit, Hits, NONE, Quality, Ray, RayHit, Rays, RaysHits, Scene,
};
use crate::rays::Query;

const MEDIUM: &str = "embree-medium";
const HIGH: &str = "embree-high";

/// The contestants that were asked for, or why there are none.
pub fn contestants(
    mesh: &TriangleMesh,
    args: &Casting,
) -> anyhow::Result<Vec<Box<dyn Contestant>>> {
    let mut contestants = Vec::new();
    if !args.wants(MEDIUM) && !args.wants(HIGH) {
        return Ok(contestants);
    }
    let embree = load()?;
    let config = format!("threads=1,hugepages=1{}", isa(args.level));
    for (engine, quality) in [(MEDIUM, Quality::Medium), (HIGH, Quality::High)] {
        if !args.wants(engine) {
            continue;
        }
        let scene =
            timed(engine, || embree.scene(mesh.positions(), mesh.indices(), quality, &config))?;
        contestants.push(single(engine, &scene));
        for coherent in [false, true] {
            let scene = scene.clone();
            contestants.push(if scene.has_packets_of_16() {
                Chunked::boxed(Packets::<16> { engine, coherent, scene, packets: Vec::new() })
            } else {
                Chunked::boxed(Packets::<8> { engine, coherent, scene, packets: Vec::new() })
            });
        }
    }
    Ok(contestants)
}

/// What holds Embree to a level, as part of its configuration; it has no scalar kernels.
fn isa(level: Option<Level>) -> String {
    let name = level.map(|level| match level.name() {
        "scalar" => "sse2",
        name => name,
    });
    name.map(|name| format!(",isa={name}")).unwrap_or_default()
}

/// One ray a call.
pub fn single(engine: &'static str, scene: &Scene) -> Box<dyn Contestant> {
    Chunked::boxed(Single { engine, scene: scene.clone(), rays: Vec::new() })
}

/// The library, loaded.
pub fn load() -> anyhow::Result<Embree> {
    Embree::load(&setup::library()?)
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

struct Packets<const N: usize> {
    engine: &'static str,
    coherent: bool,
    scene: Scene,
    packets: Vec<(Active<N>, Rays<N>)>,
}

impl<const N: usize> Packets<N> {
    /// The packets of a range of rays. Chunks are whole packets: only the last one can be short.
    fn of(&self, rays: Range<usize>) -> &[(Active<N>, Rays<N>)] {
        &self.packets[rays.start / N..rays.end.div_ceil(N)]
    }
}

impl<const N: usize> Caster for Packets<N> {
    fn engine(&self) -> &'static str {
        self.engine
    }

    fn api(&self) -> &'static str {
        match (self.coherent, N) {
            (false, 8) => "packet8",
            (false, _) => "packet16",
            (true, 8) => "coherent8",
            (true, _) => "coherent16",
        }
    }

    fn take(&mut self, rays: &[hitscan::Ray], _: Query) {
        self.packets = rays.chunks(N).map(packet).collect();
    }

    fn closest(&self, rays: Range<usize>, answers: &mut [Answer]) {
        let hits = Hits {
            normal: [[0.0; N]; 3],
            u: [0.0; N],
            v: [0.0; N],
            prim: [0; N],
            geometry: [NONE; N],
            instance: [[0; N]; 2],
        };
        for ((active, rays), answers) in self.of(rays).iter().zip(answers.chunks_mut(N)) {
            let mut query = RaysHits { rays: *rays, hits };
            self.scene.intersect_packet(active, &mut query, self.coherent);
            for (lane, answer) in answers.iter_mut().enumerate() {
                *answer = if query.hits.geometry[lane] == NONE {
                    Answer::MISS
                } else {
                    Answer { t: query.rays.t_far[lane], prim: query.hits.prim[lane] }
                };
            }
        }
    }

    fn any(&self, rays: Range<usize>, answers: &mut [Answer]) {
        for ((active, rays), answers) in self.of(rays).iter().zip(answers.chunks_mut(N)) {
            let mut rays = *rays;
            self.scene.occluded_packet(active, &mut rays, self.coherent);
            for (t_far, answer) in rays.t_far.iter().zip(answers) {
                *answer = Answer::any(*t_far < 0.0);
            }
        }
    }
}

/// Up to N rays as a packet.
fn packet<const N: usize>(rays: &[hitscan::Ray]) -> (Active<N>, Rays<N>) {
    let lanes = |value: &dyn Fn(&hitscan::Ray) -> f32| {
        std::array::from_fn(|lane| value(&rays[lane.min(rays.len() - 1)]))
    };
    let packet = Rays {
        origin: std::array::from_fn(|axis| lanes(&|ray| ray.origin[axis])),
        t_near: lanes(&|ray| ray.t_min),
        direction: std::array::from_fn(|axis| lanes(&|ray| ray.direction[axis])),
        time: [0.0; N],
        t_far: lanes(&|ray| ray.t_max),
        mask: [u32::MAX; N],
        id: [0; N],
        flags: [0; N],
    };
    (Active(std::array::from_fn(|lane| if lane < rays.len() { -1 } else { 0 })), packet)
}
