//! A mesh's measurements as two tables: its trees, and their speed.

use comfy_table::{CellAlignment, Table, presets};

use super::{MODES, QUALITIES, Row};
use crate::number::grouped;

/// The tables of one mesh, whose rows all of `rows` are.
pub(crate) fn of_mesh(rows: &[Row], simd: &str, threads: usize) -> String {
    let Some(first) = rows.first() else { return String::new() };
    format!(
        "{}: {} triangles, {simd}, {threads} threads\n\n{}\n\nMrays/s\n{}\n",
        first.mesh,
        grouped(first.triangles as u64),
        trees(rows),
        speeds(rows),
    )
}

fn trees(rows: &[Row]) -> String {
    let mut table =
        new_table(["tree", "build", "nodes", "leaves", "depth", "SAH cost", "bytes/tri"]);
    for quality in QUALITIES {
        let Some(row) = rows.iter().find(|row| row.quality == quality.name()) else { continue };
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
    let columns = QUALITIES.iter().flat_map(|q| MODES.map(|mode| (q.name(), mode.name())));
    let columns: Vec<_> = columns.collect();
    let mut header = vec!["rays".to_owned(), "query".to_owned(), "hit".to_owned()];
    header.extend(columns.iter().map(|(quality, mode)| format!("{quality} {mode}")));
    let mut table = new_table(header);
    let mut names: Vec<&str> = rows.iter().map(|row| row.rays).collect();
    // Rows of one kind of rays stand together.
    names.dedup();
    names.truncate(super::workload::COUNT);
    for name in names {
        let of_kind = || rows.iter().filter(|row| row.rays == name);
        let Some(first) = of_kind().next() else { continue };
        let share = format!("{:.0} %", 100.0 * first.hit_share);
        let mut cells = vec![name.to_owned(), first.query.to_owned(), share];
        cells.extend(columns.iter().map(|&(quality, mode)| {
            let row = of_kind().find(|row| row.quality == quality && row.mode == mode);
            row.map(|row| format!("{:.2}", row.mrays_per_second)).unwrap_or_default()
        }));
        table.add_row(cells);
    }
    align(&mut table, 2)
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
