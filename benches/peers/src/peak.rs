//! How much memory a build takes, looked at in a process of its own: nothing else that the arena
//! holds, or has freed, counts there.

use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use rayon::ThreadPoolBuilder;

use crate::args::PeakArgs;
use crate::{builders, foreign, meshes};

/// The most that a build of this builder holds at once beyond what it was given, in bytes; nothing
/// where the system does not tell.
pub fn of(mesh: &str, builder: &str, threads: usize) -> Option<usize> {
    let ask = || -> anyhow::Result<usize> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["peak", mesh, builder, &threads.to_string()]).stderr(Stdio::null());
        let output = command.output()?;
        let told = String::from_utf8_lossy(&output.stdout);
        told.trim().parse().context("the system does not tell")
    };
    ask().inspect_err(|why| eprintln!("  {builder}: memory of a build: {why:#}")).ok()
}

/// Builds once and prints the bytes.
pub fn run(args: &PeakArgs) -> anyhow::Result<()> {
    let mesh = meshes::load(&args.mesh, None)?.mesh;
    let builders = builders::all(&mesh, |name| name == args.builder);
    let Some(builder) = builders.first() else { bail!("there is no builder {}", args.builder) };
    let threads = args.threads.get();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let bytes = pool.context("cannot start a thread pool")?.install(|| {
        let work = builder.prepare(threads)?;
        // What was freed before must not serve the build unseen.
        foreign::heap::give_back();
        forget_peak()?;
        let before = resident("VmRSS:")?;
        let _built = work()?;
        anyhow::Ok(resident("VmHWM:")?.saturating_sub(before))
    })?;
    println!("{bytes}");
    Ok(())
}

/// Makes the peak what is resident now.
fn forget_peak() -> anyhow::Result<()> {
    std::fs::write("/proc/self/clear_refs", "5").context("/proc/self/clear_refs")
}

/// What is resident of this process, in bytes.
fn resident(field: &str) -> anyhow::Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status").context("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kilobytes: usize = kilobytes.with_context(|| format!("no {field}"))?.parse()?;
    Ok(1024 * kilobytes)
}
