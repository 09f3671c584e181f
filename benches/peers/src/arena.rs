//! One mesh, all contestants: their rays, their repetitions, their answers compared.

use std::time::{Duration, Instant};

use anyhow::Context;
use hitscan::{BuildOptions, Bvh};
use rayon::{ThreadPool, ThreadPoolBuilder};
use rustix::time::{ClockId, clock_gettime};

use crate::args::{Casting, Clock};
use crate::engines::{self, Answer, Contestant};
use crate::meshes::Subject;
use crate::rays::{Query, Set};
use crate::report::{Row, Visits};

/// A contestant this many times slower than the fastest in its first run is not run again: it
/// cannot win, and the rest of the time is better spent on those that can.
const HOPELESS: f64 = 8.0;

/// Lets the contestants meet on one mesh.
pub fn meet(subject: &Subject, args: &Casting, load: &mut Load) -> anyhow::Result<Vec<Row>> {
    eprintln!("{}: {} triangles", subject.name, subject.mesh.triangle_count());
    let quality = hitscan::Quality::from(args.quality);
    let bvh = timed("hitscan", || Bvh::build(subject.mesh.clone(), &BuildOptions::from(quality)));
    let bvh = match args.level {
        Some(level) => bvh.with_level(level),
        None => bvh,
    };
    let mut contestants = engines::all(&subject.mesh, &bvh, args);
    let mut rows = Vec::new();
    for &set in &args.sets {
        let rays = set.rays(subject, &bvh, args.rays.get());
        if rays.is_empty() {
            eprintln!("  {}: no primary ray hits the mesh, so there are no such rays", set.name());
            continue;
        }
        for contestant in &mut contestants {
            contestant.take(&rays, set.query());
        }
        let visits = Visits::of(&bvh, &rays, set.query());
        for threads in args.threads.iter().map(|threads| threads.get()) {
            eprintln!("  {} on {threads} thread(s)", set.name());
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.context("cannot start a thread pool")?;
            let round = Round { set, threads, rays: rays.len(), visits, pool };
            rows.extend(round.run(subject, &mut contestants, args, load));
        }
    }
    Ok(rows)
}

/// Builds something and says on stderr how long it took.
pub fn timed<T>(what: &str, build: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let built = build();
    eprintln!("  {what}: built in {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
    built
}

/// One cell of the comparison: a ray set on so many threads.
struct Round {
    set: Set,
    threads: usize,
    rays: usize,
    visits: Visits,
    pool: ThreadPool,
}

impl Round {
    fn run(
        &self,
        subject: &Subject,
        contestants: &mut [Box<dyn Contestant>],
        args: &Casting,
        load: &mut Load,
    ) -> Vec<Row> {
        // The first repetition warms up, shows who is hopeless, and gives the answers.
        // Processor time decides about hope: another process must not throw anybody out.
        let first: Vec<Times> =
            contestants.iter_mut().map(|contestant| self.repetition(&mut **contestant)).collect();
        let answers: Vec<Vec<Answer>> = contestants.iter().map(|c| c.answers()).collect();
        let fastest = first.iter().map(|times| times.cpu).fold(f64::INFINITY, f64::min);
        let hopeful: Vec<bool> = first.iter().map(|times| times.cpu < HOPELESS * fastest).collect();
        let mut seconds: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
        for _ in 0..args.reps.get() {
            for (i, contestant) in contestants.iter_mut().enumerate().filter(|(i, _)| hopeful[*i]) {
                let times = self.repetition(&mut **contestant);
                load.note(times, self.threads);
                seconds[i].push(times.by(args.clock, self.threads));
            }
        }
        for (i, runs) in seconds.iter_mut().enumerate().filter(|(i, _)| !hopeful[*i]) {
            runs.push(first[i].by(args.clock, self.threads));
        }
        let mrays = |seconds: f64| self.rays as f64 / seconds / 1e6;
        contestants
            .iter()
            .enumerate()
            .map(|(i, contestant)| {
                seconds[i].sort_by(f64::total_cmp);
                Row {
                    mesh: subject.name.clone(),
                    triangles: subject.mesh.triangle_count(),
                    set: self.set.name(),
                    engine: contestant.engine(),
                    api: contestant.api(),
                    threads: self.threads,
                    mrays_median: mrays(seconds[i][seconds[i].len() / 2]),
                    mrays_best: mrays(seconds[i][0]),
                    hits: answers[i].iter().filter(|answer| answer.is_hit()).count(),
                    differ: differing(&answers[0], &answers[i], self.exact(&**contestant)),
                    ratio_to_best_peer: None,
                    visits: is_our_single(&**contestant).then_some(self.visits),
                }
            })
            .collect()
    }

    /// hitscan promises itself the same bits.
    fn exact(&self, contestant: &dyn Contestant) -> bool {
        contestant.engine() == engines::HITSCAN && self.set.query() == Query::Closest
    }

    fn repetition(&self, contestant: &mut dyn Contestant) -> Times {
        contestant.clear();
        self.pool.install(|| Times::of(|| contestant.cast()).0)
    }
}

/// Whether a contestant's walks are those that are counted.
fn is_our_single(contestant: &dyn Contestant) -> bool {
    contestant.engine() == engines::HITSCAN && contestant.api() == "single"
}

/// The seconds of one repetition: by the clock, and of all threads together.
#[derive(Clone, Copy)]
pub struct Times {
    wall: f64,
    cpu: f64,
}

impl Times {
    /// How long something takes, and what it gives.
    pub fn of<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let (start, cpu) = (Instant::now(), cpu_time());
        let done = work();
        let wall = start.elapsed().as_secs_f64();
        (Self { wall, cpu: (cpu_time() - cpu).as_secs_f64() }, done)
    }

    pub fn by(self, clock: Clock, threads: usize) -> f64 {
        match clock {
            Clock::Wall => self.wall,
            Clock::Cpu => self.cpu / threads as f64,
        }
    }
}

/// How many answers are not those of `ours`.
fn differing(ours: &[Answer], theirs: &[Answer], exact: bool) -> usize {
    let same = |a: Answer, b: Answer| {
        if exact {
            a == b
        } else {
            a.is_hit() == b.is_hit() && (!a.is_hit() || (a.t - b.t).abs() <= 1e-3 * a.t.abs())
        }
    };
    ours.iter().zip(theirs).filter(|(a, b)| !same(**a, **b)).count()
}

/// The time that all threads of this process have run.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// How busy the machine is with something else.
pub struct Load {
    /// The load average of the last minute before the run, per core.
    before: f64,
    wall: f64,
    cpu: f64,
}

impl Load {
    /// Load averages per core above this one spoil a ranking.
    const AVERAGE: f64 = 0.25;
    /// The share of the time that others may take from us.
    const STOLEN: f64 = 0.03;

    /// Looks at the machine; call it before doing anything that makes it busy.
    pub fn measure() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let average = std::fs::read_to_string("/proc/loadavg")
            .ok()
            .and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
        Self { before: average.unwrap_or(0.0) / cores as f64, wall: 0.0, cpu: 0.0 }
    }

    /// Takes note of a repetition. Only one on one thread runs all the time on an idle machine:
    /// several may wait for the last of them.
    pub fn note(&mut self, times: Times, threads: usize) {
        if threads == 1 {
            self.wall += times.wall;
            self.cpu += times.cpu;
        }
    }

    fn stolen(&self) -> f64 {
        if self.wall > 0.0 { (1.0 - self.cpu / self.wall).max(0.0) } else { 0.0 }
    }

    pub fn describe(&self) -> String {
        let (average, stolen) = (self.before, 100.0 * self.stolen());
        format!("load average {average:.2} a core before the run, {stolen:.0} % of it waiting")
    }

    /// Why figures taken now would not be worth much, if so.
    pub fn reason(&self) -> Option<String> {
        let busy = self.before > Self::AVERAGE || self.stolen() > Self::STOLEN;
        busy.then(|| format!("the machine is busy: {}", self.describe()))
    }
}
