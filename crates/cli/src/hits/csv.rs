//! Hits as comma-separated values.

use std::io::Write;

use anyhow::Context;
use hitscan::{Hit, RayF64};
use rayon::prelude::*;

use super::{Answered, HitSink};
use crate::args::Query;
use crate::number::Shortest;
use crate::output::TextOutput;
use crate::query::{Answers, PlacedMesh};

/// Rays whose rows one task writes.
const ROWS: usize = 4096;

const CLOSEST_HEADER: &str = "ray,hit,t,prim,u,v,x,y,z,nx,ny,nz,front,object\n";
/// The columns of a miss after `ray`.
const MISS: &[u8] = b",0,,,,,,,,,,,,\n";

/// Hits as comma-separated values.
#[derive(Debug)]
pub(super) struct CsvHits {
    output: TextOutput,
    /// Written with the first rows, so that a failure before them leaves stdout empty.
    header: &'static str,
}

impl CsvHits {
    pub(super) fn new(output: TextOutput, query: Query) -> Self {
        let header = match query {
            Query::Closest | Query::All => CLOSEST_HEADER,
            Query::Any => "ray,hit\n",
            Query::Count => "ray,count\n",
        };
        Self { output, header }
    }

    fn write_header(&mut self) -> anyhow::Result<()> {
        let header = std::mem::take(&mut self.header);
        self.output.write_all(header.as_bytes()).context("hits cannot be written")
    }
}

impl HitSink for CsvHits {
    fn write_chunk(&mut self, chunk: &Answered<'_>) -> anyhow::Result<()> {
        // Turning floats to text takes longer than casting rays: all cores do it.
        let rays: Vec<usize> = (0..chunk.rays.len()).collect();
        let texts: Vec<Vec<u8>> = rays
            .par_chunks(ROWS)
            .map(|rays| {
                let mut text = Vec::with_capacity(rays.len() * 64);
                rays.iter().for_each(|&ray| append_rows(&mut text, chunk, ray));
                text
            })
            .collect();
        self.write_header()?;
        for text in texts {
            self.output.write_all(&text).context("hits cannot be written")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        self.write_header()?;
        self.output.finish()
    }
}

/// Appends the rows of one ray.
fn append_rows(text: &mut Vec<u8>, chunk: &Answered<'_>, index: usize) {
    let number = chunk.first_ray + index as u64;
    let ray = &chunk.rays[index];
    match chunk.answers {
        Answers::Closest(hits) => match &hits[index] {
            Some(hit) => append_hit(text, number, ray, hit, chunk.mesh),
            None => {
                append_integer(text, number);
                text.extend_from_slice(MISS);
            }
        },
        Answers::All(all) => {
            for hit in all.of_ray(index) {
                append_hit(text, number, ray, hit, chunk.mesh);
            }
        }
        Answers::Any(hits) => append_pair(text, number, u64::from(hits[index])),
        Answers::Count(counts) => append_pair(text, number, counts[index] as u64),
    }
}

fn append_hit(text: &mut Vec<u8>, number: u64, ray: &RayF64, hit: &Hit, mesh: &PlacedMesh) {
    let detail = mesh.detail(ray, hit);
    append_integer(text, number);
    text.extend_from_slice(b",1,");
    Shortest(hit.t).append(text);
    text.push(b',');
    append_integer(text, u64::from(hit.prim));
    for weight in [hit.u, hit.v] {
        text.push(b',');
        Shortest(weight).append(text);
    }
    for coordinate in detail.point {
        text.push(b',');
        if detail.is_far {
            Shortest(coordinate).append(text);
        } else {
            // t has f32's precision: more digits would be noise.
            Shortest(coordinate as f32).append(text);
        }
    }
    for coordinate in detail.normal {
        text.push(b',');
        Shortest(coordinate).append(text);
    }
    text.extend_from_slice(if hit.front { b",1," } else { b",0," });
    append_name(text, detail.object.unwrap_or_default());
    text.push(b'\n');
}

fn append_pair(text: &mut Vec<u8>, number: u64, answer: u64) {
    append_integer(text, number);
    text.push(b',');
    append_integer(text, answer);
    text.push(b'\n');
}

fn append_integer(text: &mut Vec<u8>, integer: u64) {
    // Writing to memory does not fail.
    let _ = write!(text, "{integer}");
}

/// A name, in quotes where it would not be one field otherwise (RFC 4180).
fn append_name(text: &mut Vec<u8>, name: &str) {
    let name = name.as_bytes();
    if !name.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        text.extend_from_slice(name);
        return;
    }
    text.push(b'"');
    for &byte in name {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_needed() {
        for (name, expected) in
            [("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\"")]
        {
            let mut text = Vec::new();
            append_name(&mut text, name);
            assert_eq!(String::from_utf8_lossy(&text), expected);
        }
    }

    #[test]
    fn a_miss_has_every_column() {
        let columns = CLOSEST_HEADER.matches(',').count();
        assert_eq!(MISS.iter().filter(|&&byte| byte == b',').count(), columns);
    }
}
