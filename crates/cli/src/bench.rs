//! `hitscan bench`: build time, tree and speed.

use crate::args::BenchArgs;

pub(crate) fn run(_: &BenchArgs) -> anyhow::Result<()> {
    anyhow::bail!("not yet")
}
