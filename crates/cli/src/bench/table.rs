//! A mesh's measurements as tables: its trees, their speed, and what rays visit in them.

use comfy_table::{CellAlignment, Table, presets};

use super::workload::COUNT;
use super::{MODES, Row};
use crate::number::grouped;

/// The tables of one mesh, whose rows all of `rows` are.
pub(crate) fn of_mesh(rows: &[Row], simd: &str, threads: usize) -> String {
    let Some(first) = rows.first() else { return String::new() };
    format!(
        "{}: {} triangles, {simd}, {threads} threads\n\n{}\n\nMrays/s\n{}\n\n\
         A ray by itself visits\n{}\n",
        first.mesh,
        grouped(first.triangles as u64),
        trees(rows),
        speeds(rows),
        visits(rows),
    )
}

fn trees(rows: &[Row]) -> String {
    let mut table =
        new_table(["tree", "build", "nodes", "leaves", "depth", "SAH cost", "bytes/tri"]);
    for quality in qualities(rows) {
        let Some(row) = rows.iter().find(|row| row.quality == quality) else { continue };
        table.add_row([
            row.quality.to_owned(),
            row.build_ms.to_string(),
            grouped(row.nodes as u64),
            grouped(row.leaves as u64),
            row.depth.to_string(),
            format!("{:.2}", row.sah_cost),
            format!("{:.1}", row.bytes_per_triangle),
        ]);
    }
    align(&mut table, 1)
}

fn speeds(rows: &[Row]) -> String {
    let columns: Vec<_> = qualities(rows)
        .into_iter()
        .flat_map(|quality| MODES.map(|mode| (quality, mode.name())))
        .collect();
    let mut header = vec!["rays".to_owned(), "query".to_owned(), "hit".to_owned()];
    header.extend(columns.iter().map(|(quality, mode)| format!("{quality} {mode}")));
    let mut table = new_table(header);
    for kind in kinds(rows) {
        let Some(first) = kind.first() else { continue };
        let share = format!("{:.0} %", 100.0 * first.work.hit_share);
        let mut cells = vec![first.rays.to_owned(), first.query.to_owned(), share];
        cells.extend(columns.iter().map(|&(quality, mode)| {
            let row = kind.iter().find(|row| row.quality == quality && row.mode == mode);
            row.map(|row| format!("{:.2}", row.mrays_per_second)).unwrap_or_default()
        }));
        table.add_row(cells);
    }
    align(&mut table, 2)
}

fn visits(rows: &[Row]) -> String {
    let mut table = new_table(["rays", "tree", "nodes", "leaves", "bytes", "exact"]);
    for kind in kinds(rows) {
        for row in kind.iter().filter(|row| row.mode == MODES[0].name()) {
            table.add_row([
                row.rays.to_owned(),
                row.quality.to_owned(),
                format!("{:.2}", row.work.nodes_per_ray),
                format!("{:.2}", row.work.leaves_per_ray),
                format!("{:.0}", row.work.bytes_per_ray),
                format!("{:.4}", row.work.exact_per_ray),
            ]);
        }
    }
    align(&mut table, 2)
}

/// What the trees are called, in the order in which they were measured.
fn qualities(rows: &[Row]) -> Vec<&'static str> {
    let mut names: Vec<_> = rows.iter().map(|row| row.quality).collect();
    // Rows of one tree stand together.
    names.dedup();
    names
}

/// The rows of each kind of rays.
fn kinds(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut names: Vec<_> = rows.iter().map(|row| row.rays).collect();
    // Within one tree, rows of one kind stand together.
    names.dedup();
    names.truncate(COUNT);
    names.into_iter().map(|name| rows.iter().filter(|row| row.rays == name).collect()).collect()
}

fn new_table(header: impl IntoIterator<Item = impl Into<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let header: Vec<String> = header.into_iter().map(Into::into).collect();
    table.set_header(header);
    table
}

/// Names to the left, numbers to the right.
fn align(table: &mut Table, names: usize) -> String {
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if i >= names {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
