//! A copy of the project with every mutant in it, asleep.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::table::{MUTANTS, Mutant};
use crate::command::command;

/// What says which mutant is awake, by its number.
pub(super) const VARIABLE: &str = "HITSCAN_MUTANT";

/// Where the code finds that out.
const SWITCH: &str = "crates/core/src/mutant.rs";
const LIBRARY: &str = "crates/core/src/lib.rs";

/// Copies the tracked files, as they are now, with the mutants; only what changed is written, so
/// that the copy's builds stay usable. Gives the copy's folder.
pub(super) fn make() -> Result<PathBuf> {
    let tree = crate::root().join("target/mutants/tree");
    let mut sources = sources()?;
    let library =
        sources.entry(LIBRARY).or_insert(fs::read_to_string(crate::root().join(LIBRARY))?);
    library.push_str("\npub mod mutant;\n");
    sources.insert(SWITCH, switch());
    let listing = command("git", ["ls-files", "-z"]).output().context("git is needed")?;
    ensure!(listing.status.success(), "git does not list the files");
    let tracked = String::from_utf8(listing.stdout)?;
    for name in tracked.split_terminator('\0').chain([SWITCH]) {
        let (from, to) = (crate::root().join(name), tree.join(name));
        let bytes = match sources.remove(name) {
            Some(text) => text.into_bytes(),
            None if from.is_file() => fs::read(&from)?,
            // A tracked file may have been deleted; a link to a folder is no file.
            None => continue,
        };
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(to.parent().unwrap_or(&tree))?;
            fs::write(&to, bytes)?;
        }
    }
    Ok(tree)
}

/// The files that have mutants, with them in it.
pub(super) fn sources() -> Result<BTreeMap<&'static str, String>> {
    let mut sources = BTreeMap::new();
    for (number, mutant) in MUTANTS.iter().enumerate() {
        let text = match sources.remove(mutant.file) {
            Some(text) => text,
            None => {
                let path = crate::root().join(mutant.file);
                fs::read_to_string(&path).with_context(|| path.display().to_string())?
            }
        };
        sources.insert(mutant.file, with(mutant, number, text)?);
    }
    Ok(sources)
}

/// The text of a file with one more mutant in it.
fn with(mutant: &Mutant, number: usize, mut text: String) -> Result<String> {
    let Mutant { name, file, .. } = mutant;
    let path = if file.starts_with("crates/core/") { "crate" } else { "hitscan_core" };
    for (marked, fault) in mutant.changes {
        let parts = marked.split_once('⟦').and_then(|(before, rest)| {
            let (right, after) = rest.split_once('⟧')?;
            Some((before, right, after))
        });
        let (before, right, after) = parts.with_context(|| format!("{name}: no ⟦…⟧"))?;
        let place = format!("{before}{right}{after}");
        let places = text.matches(&place).count();
        ensure!(places == 1, "{name}: `{place}` is {places} times in {file}, not once");
        let switched = format!(
            "{before}(if {path}::mutant::is_awake({number}) {{ {fault} }} else {{ {right} }}){after}"
        );
        text = text.replace(&place, &switched);
    }
    Ok(text)
}

/// The module that tells the code which mutant is awake.
fn switch() -> String {
    format!(
        "//! Which mutant is awake.

use std::sync::LazyLock;

/// Whether it is this one.
#[must_use]
#[inline]
pub fn is_awake(number: usize) -> bool {{
    static AWAKE: LazyLock<Option<usize>> =
        LazyLock::new(|| std::env::var(\"{VARIABLE}\").ok()?.parse().ok());
    *AWAKE == Some(number)
}}
"
    )
}
