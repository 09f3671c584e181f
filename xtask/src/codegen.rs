//! What the compiler made of the kernels: nothing is called that should be inlined, and a fixed
//! workload takes as many instructions as it did.
//!
//! Instructions are counted by valgrind, so the figures do not depend on the machine's speed or on
//! what else it does. They do depend on the compiler: `rust-version` and these figures move
//! together.

mod symbols;
pub(crate) mod workload;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use hitscan::Level;

use crate::command::release_chores;
use workload::Cast;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Take today's counts as those to keep to
    #[arg(long)]
    bless: bool,
}

/// How far a count may be from the one that is kept, up or down.
const BAND: f64 = 0.02;

/// The levels that are counted; those this CPU lacks are left out.
const LEVELS: [&str; 2] = ["scalar", "avx2"];

/// How CI builds for release, so that it builds nothing more for this.
const SETTINGS: [(&str, &str); 1] = [("CARGO_PROFILE_RELEASE_LTO", "off")];

/// Instructions a ray, by level and cast.
type Counts = BTreeMap<String, BTreeMap<String, f64>>;

/// Looks at the symbols, then counts; fails if something was called or a count is out of its band.
pub(crate) fn run_all(args: &Args) -> Result<()> {
    let program = release_chores(&SETTINGS)?;
    symbols::check(&program)?;
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("codegen: valgrind is not here, instructions are not counted");
        return Ok(());
    }
    let counts = counted(&program)?;
    let path = crate::root().join("xtask/instructions.toml");
    if args.bless {
        let text = toml::to_string(&counts)?;
        return std::fs::write(&path, text).with_context(|| path.display().to_string());
    }
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    compare(&counts, &toml::from_str(&text).with_context(|| path.display().to_string())?)
}

/// The step of CI.
pub(crate) fn ci() -> Result<()> {
    run_all(&Args { bless: false })
}

fn counted(program: &Path) -> Result<Counts> {
    let available = Level::available();
    let mut counts = Counts::new();
    for level in LEVELS {
        if available.iter().all(|known| known.name() != level) {
            println!("codegen: no {level} here, its instructions are not counted");
            continue;
        }
        let counts = counts.entry(level.into()).or_default();
        for cast in Cast::ALL {
            counts.insert(cast.name().into(), count(program, level, cast)?);
        }
    }
    Ok(counts)
}

/// Runs the workload under valgrind; gives the instructions a ray.
fn count(program: &Path, level: &str, cast: Cast) -> Result<f64> {
    let toggle = format!("--toggle-collect=*{}*", workload::COUNTED);
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", &toggle])
        .arg(program)
        .args(["workload", level, cast.name()])
        // Threads take turns under valgrind, and those that wait for work wait busily.
        .env("RAYON_NUM_THREADS", "1")
        .output()?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the workload failed:\n{log}");
    let collected = log.lines().find_map(|line| line.split("Collected : ").nth(1));
    let collected: f64 = collected.context("valgrind told no count")?.trim().parse()?;
    let per_ray = collected / workload::RAYS as f64;
    ensure!(per_ray > 1.0, "nothing was counted: is `{}` a symbol?", workload::COUNTED);
    Ok((per_ray * 10.0).round() / 10.0)
}

fn compare(counts: &Counts, kept: &Counts) -> Result<()> {
    let mut outside = 0;
    println!("level   cast        instructions a ray, kept, ratio");
    for (level, counts) in counts {
        for (cast, count) in counts {
            let kept = kept.get(level).and_then(|kept| kept.get(cast));
            let kept = kept.with_context(|| format!("{level} {cast}: no count is kept"))?;
            let ratio = count / kept;
            let verdict = if (ratio - 1.0).abs() <= BAND { "" } else { "OUT OF BAND" };
            outside += usize::from(!verdict.is_empty());
            println!("{level:<7} {cast:<11} {count:>8.1} {kept:>8.1} {ratio:>6.3} {verdict}");
        }
    }
    if outside > 0 {
        bail!("{outside} counts are out of their band; `cargo xtask codegen --bless` takes them");
    }
    Ok(())
}
