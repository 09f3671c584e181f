//! Hits as one structured NumPy array.

use std::io::{Seek, SeekFrom, Write};

use anyhow::Context;
use hitscan::{Hit, RayF64};
use rayon::prelude::*;

use super::{Answered, HitSink};
use crate::args::Query;
use crate::output::WholeFile;
use crate::query::{Answers, PlacedMesh};

/// Rays whose records one task writes.
const ROWS: usize = 4096;
/// The header's length: a multiple of 64, as the format wants it, with room for any count.
const HEADER: usize = 384;
/// `prim` where nothing is hit.
const NO_PRIM: u32 = u32::MAX;

const ANY_FIELDS: &str = "('hit', '|u1')";
const COUNT_FIELDS: &str = "('count', '<u4')";
const CLOSEST_FIELDS: &str = "('t', '<f4'), ('prim', '<u4'), ('u', '<f4'), ('v', '<f4'), \
     ('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('nx', '<f4'), ('ny', '<f4'), ('nz', '<f4'), \
     ('front', '|u1')";

/// Hits as one structured NumPy array. How many there are is known only at the end, so the header
/// is written twice.
#[derive(Debug)]
pub(super) struct NpyHits {
    output: WholeFile,
    query: Query,
    records: u64,
}

impl NpyHits {
    pub(super) fn new(output: WholeFile, query: Query) -> anyhow::Result<Self> {
        let mut hits = Self { output, query, records: 0 };
        hits.write_header()?;
        Ok(hits)
    }

    fn write_header(&mut self) -> anyhow::Result<()> {
        let fields = match self.query {
            Query::Closest => CLOSEST_FIELDS.to_owned(),
            Query::All => format!("('ray', '<u8'), {CLOSEST_FIELDS}"),
            Query::Any => ANY_FIELDS.to_owned(),
            Query::Count => COUNT_FIELDS.to_owned(),
        };
        let records = self.records;
        let dictionary =
            format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': ({records},), }}");
        let mut header = b"\x93NUMPY\x01\x00".to_vec();
        header.extend_from_slice(&((HEADER - header.len() - 2) as u16).to_le_bytes());
        header.extend_from_slice(dictionary.as_bytes());
        header.resize(HEADER - 1, b' ');
        header.push(b'\n');
        self.output.write_all(&header).context("hits cannot be written")
    }
}

impl HitSink for NpyHits {
    fn write_chunk(&mut self, chunk: &Answered<'_>) -> anyhow::Result<()> {
        let rays: Vec<usize> = (0..chunk.rays.len()).collect();
        let records: Vec<Vec<u8>> = rays
            .par_chunks(ROWS)
            .map(|rays| {
                let mut bytes = Vec::with_capacity(rays.len() * 64);
                rays.iter().for_each(|&ray| append_records(&mut bytes, chunk, ray));
                bytes
            })
            .collect();
        for bytes in records {
            self.output.write_all(&bytes).context("hits cannot be written")?;
        }
        self.records += match chunk.answers {
            Answers::All(all) => all.hits.len() as u64,
            _ => chunk.rays.len() as u64,
        };
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        self.output.seek(SeekFrom::Start(0)).context("hits cannot be written")?;
        self.write_header()?;
        self.output.finish()
    }
}

/// Appends the records of one ray.
fn append_records(bytes: &mut Vec<u8>, chunk: &Answered<'_>, index: usize) {
    let ray = &chunk.rays[index];
    match chunk.answers {
        Answers::Closest(hits) => append_hit(bytes, ray, hits[index].as_ref(), chunk.mesh),
        Answers::All(all) => {
            for hit in all.of_ray(index) {
                bytes.extend_from_slice(&(chunk.first_ray + index as u64).to_le_bytes());
                append_hit(bytes, ray, Some(hit), chunk.mesh);
            }
        }
        Answers::Any(hits) => bytes.push(u8::from(hits[index])),
        // A mesh has fewer triangles than u32 has numbers.
        Answers::Count(counts) => bytes.extend_from_slice(&(counts[index] as u32).to_le_bytes()),
    }
}

fn append_hit(bytes: &mut Vec<u8>, ray: &RayF64, hit: Option<&Hit>, mesh: &PlacedMesh) {
    let (t, prim) = hit.map_or((f32::INFINITY, NO_PRIM), |hit| (hit.t, hit.prim));
    let (u, v) = hit.map_or((f32::NAN, f32::NAN), |hit| (hit.u, hit.v));
    let (point, normal) = hit.map_or(([f64::NAN; 3], [f32::NAN; 3]), |hit| {
        let detail = mesh.detail(ray, hit);
        (detail.point, detail.normal)
    });
    bytes.extend_from_slice(&t.to_le_bytes());
    bytes.extend_from_slice(&prim.to_le_bytes());
    bytes.extend([u, v].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(point.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(normal.iter().flat_map(|x| x.to_le_bytes()));
    bytes.push(u8::from(hit.is_some_and(|hit| hit.front)));
}
