//! Rows, ratios and the table.

use comfy_table::{CellAlignment, Table, presets};
use hitscan::{Bvh, Cost, Ray};
use rayon::prelude::*;
use serde::Serialize;

use crate::engines::HITSCAN;
use crate::rays::Query;

/// A contestant's figures for one ray set on one mesh.
#[derive(Debug, Serialize)]
pub struct Row {
    pub mesh: String,
    pub triangles: usize,
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
    /// What hitscan's single rays visit; rays of a batch share some of it.
    pub visits: Option<Visits>,
}

impl Row {
    fn same_cell(&self, other: &Self) -> bool {
        (&self.mesh, self.set, self.threads) == (&other.mesh, other.set, other.threads)
    }
}

/// What a ray visits in hitscan's tree, on average.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Visits {
    pub nodes: f64,
    pub leaves: f64,
    /// Triangles decided exactly.
    pub exact: f64,
    /// What the nodes and leaves take in memory.
    pub bytes: f64,
}

impl Visits {
    /// Counts, in a pass of its own.
    pub fn of(bvh: &Bvh, rays: &[Ray], query: Query) -> Self {
        let cost = |ray: &Ray| match query {
            Query::Closest => bvh.closest_hit_counted(ray).1,
            Query::Any => bvh.any_hit_counted(ray).1,
        };
        let costs: Vec<Cost> = rays.par_iter().map(cost).collect();
        let a_ray = |part: &dyn Fn(&Cost) -> u64| {
            costs.iter().map(part).sum::<u64>() as f64 / rays.len() as f64
        };
        Self {
            nodes: a_ray(&|cost| cost.nodes.into()),
            leaves: a_ray(&|cost| cost.leaves.into()),
            exact: a_ray(&|cost| cost.exact.into()),
            bytes: a_ray(&|cost| cost.bytes(bvh.layout())),
        }
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

/// Prints one table for each mesh and number of threads, with a column a ray set.
pub fn print(rows: &[Row]) {
    for group in groups(rows, |row| (row.mesh.as_str(), row.threads)) {
        let head = group[0];
        println!("\n{}, {} thread(s): Mrays/s, median (best)", head.mesh, head.threads);
        println!("{}", table(&group, |row| row.set.to_owned()));
    }
    summarise(rows);
    legend();
}

/// Prints one table for each kind of mesh, ray set and number of threads, with a column a mesh.
pub fn print_growth(rows: &[Row]) {
    let kind = |row: &Row| row.mesh.split(':').next().unwrap_or_default().to_owned();
    for group in groups(rows, |row| (kind(row), row.set, row.threads)) {
        let (head, kind) = (group[0], kind(group[0]));
        println!("\n{kind}, {}, {} thread(s): Mrays/s, median (best)", head.set, head.threads);
        println!("{}", table(&group, |row| format!("{} triangles", row.triangles)));
    }
    summarise(rows);
    legend();
}

fn legend() {
    println!("× is the ratio to the best peer: of single-ray APIs for `single`, of all otherwise.");
    println!("≠ counts rays whose answer is not hitscan's.");
}

/// Rows of the same key, in the order of the first of each.
fn groups<'a, Key: PartialEq>(rows: &'a [Row], key: impl Fn(&'a Row) -> Key) -> Vec<Vec<&'a Row>> {
    let mut groups: Vec<(Key, Vec<&Row>)> = Vec::new();
    for row in rows {
        let own = key(row);
        match groups.iter_mut().find(|(key, _)| *key == own) {
            Some((_, group)) => group.push(row),
            None => groups.push((own, vec![row])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
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

/// A line a contestant, and the columns that `column` sorts its rows into.
fn table(group: &[&Row], column: impl Fn(&Row) -> String) -> Table {
    let mut columns: Vec<String> = Vec::new();
    let mut names: Vec<(&str, &str)> = Vec::new();
    for row in group {
        if !columns.contains(&column(row)) {
            columns.push(column(row));
        }
        if !names.contains(&(row.engine, row.api)) {
            names.push((row.engine, row.api));
        }
    }
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    let heads = ["engine", "api"].map(str::to_owned);
    table.set_header(heads.iter().chain(&columns));
    for name in names {
        let mut cells = vec![name.0.to_owned(), name.1.to_owned()];
        cells.extend(columns.iter().map(|own| {
            let find = |row: &&&Row| (row.engine, row.api) == name && column(row) == *own;
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
