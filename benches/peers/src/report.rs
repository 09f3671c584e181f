//! Rows, ratios and the table.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::engines::HITSCAN;

/// A contestant's figures for one ray set on one mesh.
#[derive(Debug, Serialize)]
pub struct Row {
    pub mesh: String,
    pub set: &'static str,
    pub engine: &'static str,
    pub api: &'static str,
    pub threads: usize,
    pub mrays_median: f64,
    pub mrays_best: f64,
    pub hits: usize,
    /// Rays that hit where hitscan's single call misses or the other way, or at another distance.
    pub differ: usize,
    /// Medians: a single-ray API over the best single-ray API of a peer, any other over the best
    /// API of any kind. Nothing where the machine was too busy to rank.
    pub ratio_to_best_peer: Option<f64>,
}

impl Row {
    fn same_cell(&self, other: &Self) -> bool {
        (&self.mesh, self.set, self.threads) == (&other.mesh, other.set, other.threads)
    }
}

/// Fills in the ratios, or leaves them out where the figures do not deserve it.
pub fn rank(rows: &mut [Row], ranked: bool) {
    let ratio = |row: &Row| {
        let peers = rows.iter().filter(|peer| peer.engine != HITSCAN && peer.same_cell(row));
        let peers = peers.filter(|peer| row.api != "single" || peer.api == "single");
        let best = peers.map(|peer| peer.mrays_median).reduce(f64::max)?;
        ranked.then_some(row.mrays_median / best)
    };
    let ratios: Vec<Option<f64>> = rows.iter().map(ratio).collect();
    for (row, ratio) in rows.iter_mut().zip(ratios) {
        row.ratio_to_best_peer = ratio;
    }
}

/// Prints one table for each mesh and number of threads.
pub fn print(rows: &[Row]) {
    let first_of = |row: &&Row| {
        let same = |other: &Row| other.mesh == row.mesh && other.threads == row.threads;
        rows.iter().find(|other| same(other)).is_some_and(|other| std::ptr::eq(other, *row))
    };
    for head in rows.iter().filter(first_of) {
        let group: Vec<&Row> = rows
            .iter()
            .filter(|row| row.mesh == head.mesh && row.threads == head.threads)
            .collect();
        println!("\n{}, {} thread(s): Mrays/s, median (best)", head.mesh, head.threads);
        println!("{}", table(&group));
    }
    summarise(rows);
    println!("× is the ratio to the best peer: of single-ray APIs for `single`, of all otherwise.");
    println!("≠ counts rays whose answer is not hitscan's.");
}

/// Prints how hitscan's ratios come out over all meshes, set by set.
fn summarise(rows: &[Row]) {
    let mut ours: Vec<(&str, &str, usize)> = Vec::new();
    for row in rows.iter().filter(|row| row.engine == HITSCAN) {
        if !ours.contains(&(row.api, row.set, row.threads)) {
            ours.push((row.api, row.set, row.threads));
        }
    }
    ours.sort_by_key(|&(api, _, threads)| (threads, std::cmp::Reverse(api)));
    println!();
    for (api, set, threads) in ours {
        let same = |row: &&Row| {
            (row.engine, row.api, row.set, row.threads) == (HITSCAN, api, set, threads)
        };
        let ratios: Vec<(f64, &str)> = rows
            .iter()
            .filter(same)
            .filter_map(|row| Some((row.ratio_to_best_peer?, row.mesh.as_str())))
            .collect();
        let Some((worst, mesh)) = ratios.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0)) else {
            continue;
        };
        let logarithms = ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>();
        let mean = (logarithms / ratios.len() as f64).exp();
        println!(
            "hitscan {api:6} {set:4} {threads} thread(s): {mean:.2}× on average, \
             {worst:.2}× at worst ({mesh})"
        );
    }
}

fn table(group: &[&Row]) -> Table {
    let mut sets: Vec<&str> = Vec::new();
    let mut names: Vec<(&str, &str)> = Vec::new();
    for row in group {
        if !sets.contains(&row.set) {
            sets.push(row.set);
        }
        if !names.contains(&(row.engine, row.api)) {
            names.push((row.engine, row.api));
        }
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header([&["engine", "api"], &sets[..]].concat());
    for (engine, api) in names {
        let mut cells = vec![engine.to_owned(), api.to_owned()];
        cells.extend(sets.iter().map(|set| {
            let find = |row: &&&Row| (row.set, row.engine, row.api) == (*set, engine, api);
            group.iter().find(find).map_or_else(String::new, |row| cell(row))
        }));
        table.add_row(cells);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn cell(row: &Row) -> String {
    let mut text = format!("{:.2} ({:.2})", row.mrays_median, row.mrays_best);
    if let Some(ratio) = row.ratio_to_best_peer {
        text += &format!(" {ratio:.2}×");
    }
    if row.differ > 0 {
        text += &format!(" ≠{}", row.differ);
    }
    text
}
