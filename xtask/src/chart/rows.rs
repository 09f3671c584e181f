//! The arena's rows, as far as charts need them.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A contestant's speed with one ray set at one mesh.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Cast {
    pub(super) mesh: String,
    pub(super) triangles: usize,
    pub(super) set: String,
    pub(super) engine: String,
    pub(super) api: String,
    pub(super) threads: usize,
    pub(super) mrays_median: f64,
}

/// A builder's figures for one mesh.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Build {
    pub(super) mesh: String,
    pub(super) triangles: usize,
    pub(super) builder: String,
    pub(super) threads: usize,
    pub(super) ms_median: f64,
    pub(super) bytes_per_triangle: Option<f64>,
    /// Set by set.
    pub(super) mrays: Vec<(String, f64)>,
}

/// The rows of all files.
pub(super) fn read<Row: DeserializeOwned>(files: &[PathBuf]) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for file in files {
        let name = || file.display().to_string();
        let text = std::fs::read_to_string(file).with_context(name)?;
        rows.extend(serde_json::from_str::<Vec<Row>>(&text).with_context(name)?);
    }
    ensure!(!rows.is_empty(), "there are no rows");
    Ok(rows)
}

/// What is different among the items, in the order of the first of each.
pub(super) fn distinct<Item: PartialEq>(items: impl IntoIterator<Item = Item>) -> Vec<Item> {
    let mut distinct = Vec::new();
    for item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}
