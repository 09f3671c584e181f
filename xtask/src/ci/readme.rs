//! The README's two commands, taken from the README itself, and a look at what they made.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};

use crate::command::{command, line_of, run};
use crate::levels;

/// The README's test command.
pub(super) fn test() -> Result<()> {
    let [_, test] = commands()?;
    run_line(&test)
}

/// The README's first command, and a check of the hits that it wrote.
pub(super) fn cast() -> Result<()> {
    let [cast, _] = commands()?;
    let rays = file_after(&cast, "--rays")?;
    let out = file_after(&cast, "--out")?;
    let path = crate::root().join(&out);
    if path.exists() {
        std::fs::remove_file(&path).with_context(|| out.clone())?;
    }
    run_line(&cast)?;
    let rays = Table::read(&rays)?;
    let hits = Table::read(&out)?;
    check_hits(&rays, &hits).with_context(|| out.clone())
}

/// The two lines of the README's first block of shell commands.
fn commands() -> Result<[Vec<String>; 2]> {
    let text = std::fs::read_to_string(crate::root().join("README.md")).context("README.md")?;
    let mut lines = text.lines().skip_while(|line| *line != "```sh").skip(1);
    let block: Vec<Vec<String>> = lines
        .by_ref()
        .take_while(|line| *line != "```")
        .map(|line| line.split_whitespace().map(String::from).collect())
        .collect();
    let commands: [Vec<String>; 2] = block.try_into().map_err(|block: Vec<_>| {
        anyhow::anyhow!("README.md: the first ```sh block has {} lines, not 2", block.len())
    })?;
    ensure!(commands[0].starts_with(&words("cargo run --release -- cast")), "README.md: no cast");
    ensure!(commands[1].starts_with(&words("cargo test")), "README.md: no test");
    Ok(commands)
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

fn run_line(words: &[String]) -> Result<()> {
    let mut command = command(&words[0], words[1..].iter().map(String::as_str));
    if words.iter().any(|word| word == "--release") {
        levels::with_all(&mut command);
    }
    println!("$ {}", line_of(&command));
    run(&mut command)
}

fn file_after(command: &[String], flag: &str) -> Result<String> {
    let at = command.iter().position(|word| word == flag);
    let file = at.and_then(|at| command.get(at + 1));
    file.cloned().with_context(|| format!("README.md: the first command has no {flag}"))
}

/// A CSV file with a header and without quotes.
struct Table {
    columns: HashMap<String, usize>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(file: &str) -> Result<Self> {
        let path = crate::root().join(file);
        let text = std::fs::read_to_string(path).with_context(|| String::from(file))?;
        let split = |line: &str| line.split(',').map(|cell| cell.trim().into()).collect();
        let mut rows: Vec<Vec<String>> = text.lines().map(split).collect();
        ensure!(!rows.is_empty(), "{file} is empty");
        let columns = rows.remove(0).into_iter().enumerate().map(|(i, name)| (name, i)).collect();
        Ok(Self { columns, rows })
    }

    fn cell(&self, row: usize, column: &str) -> Result<&str> {
        let at = self.columns.get(column).with_context(|| format!("no column `{column}`"))?;
        let cell = self.rows[row].get(*at);
        cell.map(String::as_str).with_context(|| format!("row {}: no `{column}`", row + 1))
    }

    fn number(&self, row: usize, column: &str) -> Result<f64> {
        let cell = self.cell(row, column)?;
        cell.parse().with_context(|| format!("row {}: {column} = `{cell}`", row + 1))
    }

    fn point(&self, row: usize, columns: [&str; 3]) -> Result<[f64; 3]> {
        let [x, y, z] = columns;
        Ok([self.number(row, x)?, self.number(row, y)?, self.number(row, z)?])
    }
}

/// One row a ray, some of them hits, and each hit at `t` along its ray with a unit normal.
fn check_hits(rays: &Table, hits: &Table) -> Result<()> {
    let expected = rays.rows.len();
    ensure!(hits.rows.len() == expected, "{} rows for {expected} rays", hits.rows.len());
    let mut hit_count = 0;
    for row in 0..expected {
        ensure!(hits.number(row, "ray")? == row as f64, "row {}: not ray {row}", row + 1);
        match hits.cell(row, "hit")? {
            "0" => ensure!(hits.cell(row, "t")?.is_empty(), "row {}: a miss with a t", row + 1),
            "1" => {
                hit_count += 1;
                check_hit(rays, hits, row)?;
            }
            other => bail!("row {}: hit = `{other}`", row + 1),
        }
    }
    println!("{expected} rays, {hit_count} hits");
    ensure!(hit_count * 10 >= expected, "fewer than a tenth of the rays hit");
    Ok(())
}

fn check_hit(rays: &Table, hits: &Table, row: usize) -> Result<()> {
    let t = hits.number(row, "t")?;
    let origin = rays.point(row, ["ox", "oy", "oz"])?;
    let direction = rays.point(row, ["dx", "dy", "dz"])?;
    let point = hits.point(row, ["x", "y", "z"])?;
    let normal = hits.point(row, ["nx", "ny", "nz"])?;
    ensure!(t >= 0.0 && t.is_finite(), "row {}: t = {t}", row + 1);
    for axis in 0..3 {
        let step = t * direction[axis];
        let scale = origin[axis].abs() + step.abs();
        let off = (origin[axis] + step - point[axis]).abs();
        ensure!(off <= 1e-4 * scale + 1e-30, "row {}: the point is not at t", row + 1);
    }
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    ensure!((length - 1.0).abs() < 1e-4, "row {}: a normal of length {length}", row + 1);
    Ok(())
}
