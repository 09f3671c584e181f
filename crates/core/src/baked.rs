//! Trees on disk: a mesh with its tree as one file, which opens without building.
//!
//! ```text
//! header      256 bytes: magic, version, lengths, bounds, numbers, the sections' checksums, its own
//! blocks      the tree as it is walked: the empty leaf, the root, the children of each node
//! positions, indices, polygons, runs of parts, ends of names, names
//! ```
//!
//! Every section begins at a multiple of 64 bytes, all numbers are little-endian, and in memory the
//! blocks are the bytes of the file: [`view`] walks them where they are. docs/decisions/0011 tells
//! what is checked when, and why.
//!
//! | | reads | checks |
//! |---|---|---|
//! | [`view`] | what is looked at | the header and its checksum, the structure of nodes and mesh |
//! | [`load`], [`read`], [`from_bytes`] | everything, into memory of its own | that, the leaves, and every checksum |
//! | [`Bvh8::validate`](crate::Bvh8::validate) | | that the tree is one over this mesh |
//!
//! The structure is what the walk relies on: blocks of the right kind in their place, each with
//! one parent, no deeper than the walk's stack, vertices that exist. Whatever the bytes, no walk of a
//! tree that was let in panics, leaves its memory or goes on for ever. Only what was not checked can
//! be wrong: boxes and corners that somebody changed. What a refit relies on is checked before the
//! first one: [`Bvh8::check_leaves`](crate::Bvh8::check_leaves).

mod error;
mod header;
mod layout;
mod parts;
mod source;
mod structure;
mod whole_file;
mod writer;

use std::fs::File;
use std::io::{Read, Write};
use std::ops::{Bound, RangeBounds};
use std::path::Path;
use std::sync::Arc;

pub use error::{BakedError, BakedFault};

use crate::bvh8::{Bvh8, Leaf4, Statistics};
use crate::memory::{Buffer, Line, SharedBytes};
use crate::mesh::TriangleMesh;
use header::{Header, Part};
use layout::Shape;
use source::{Source, Stream, View};
use whole_file::WholeFile;

/// What baked files are called: `bunny.hscan`.
pub const EXTENSION: &str = "hscan";

/// Whether a file that begins with these bytes is a baked tree, of whatever version.
#[must_use]
pub fn is_baked(first_bytes: &[u8]) -> bool {
    first_bytes.starts_with(&header::MAGIC)
}

/// Writes a mesh and its tree into a file, which takes its name only when it is whole: after an
/// error there is what was there before.
///
/// # Errors
/// [`BakedFault::Io`] if it cannot be written.
pub fn save(path: impl AsRef<Path>, mesh: &TriangleMesh, tree: &Bvh8) -> Result<(), BakedError> {
    let path = path.as_ref();
    let save = || {
        let mut file = WholeFile::create(path)?;
        writer::write(&mut file, mesh, tree)?;
        Ok(file.finish()?)
    };
    save().map_err(|fault| BakedError::of_file(path, fault))
}

/// Writes a mesh and its tree to anything that takes bytes: 256 bytes and more at a time, so that
/// a file needs a buffer around it.
///
/// # Errors
/// [`BakedFault::Io`] if it cannot be written.
pub fn write(writer: impl Write, mesh: &TriangleMesh, tree: &Bvh8) -> Result<(), BakedError> {
    Ok(writer::write(writer, mesh, tree)?)
}

/// Reads a file and checks every byte of it. The tree gets huge pages where the system has them,
/// so that it is walked as fast as if it had just been built.
///
/// # Errors
/// See [`BakedFault`].
pub fn load(path: impl AsRef<Path>) -> Result<(TriangleMesh, Bvh8), BakedError> {
    let path = path.as_ref();
    let load = || {
        let (header, mut rest) = open_whole(path)?;
        assemble(&header, &mut rest)
    };
    load().map_err(|fault| BakedError::of_file(path, fault))
}

/// Reads the tree that was baked of this very mesh, and leaves the file's own mesh where it is.
///
/// # Errors
/// [`BakedFault::Stale`] if it is another mesh's; else see [`BakedFault`].
pub fn load_for(path: impl AsRef<Path>, mesh: &TriangleMesh) -> Result<Bvh8, BakedError> {
    let path = path.as_ref();
    let load = || {
        let (header, mut rest) = open_whole(path)?;
        if header.content_hash() != mesh.content_hash() {
            return Err(BakedFault::Stale);
        }
        tree(&header, &mut rest)
    };
    load().map_err(|fault| BakedError::of_file(path, fault))
}

/// Reads what [`write()`] wrote, checks every byte of it, and leaves what comes after it unread. No
/// length is believed before the bytes are there.
///
/// # Errors
/// See [`BakedFault`].
pub fn read(mut reader: impl Read) -> Result<(TriangleMesh, Bvh8), BakedError> {
    let header = Header::read(&mut reader)?;
    Ok(assemble(&header, &mut Stream::new(reader, 0))?)
}

/// Copies a mesh and its tree out of bytes, which may lie anywhere, and checks every byte.
///
/// # Errors
/// See [`BakedFault`].
pub fn from_bytes(bytes: &[u8]) -> Result<(TriangleMesh, Bvh8), BakedError> {
    let mut rest = bytes;
    let header = Header::read(&mut rest)?;
    header.fits(bytes.len() as u64)?;
    Ok(assemble(&header, &mut Stream::new(rest, bytes.len() as u64))?)
}

/// A mesh and its tree where they are: in bytes that something else holds, such as a mapped file
/// or a part of one. Little is read, so that it takes milliseconds however large they are.
///
/// Flipped bits in boxes and corners are not noticed here and give wrong answers; [`from_bytes`]
/// notices every one of them.
///
/// # Errors
/// [`BakedFault::Misaligned`] if the range does not begin at a multiple of 64 bytes in memory;
/// else see [`BakedFault`].
pub fn view(
    bytes: &SharedBytes,
    range: impl RangeBounds<usize>,
) -> Result<(TriangleMesh, Bvh8), BakedError> {
    let all = (**bytes).as_ref();
    let first = match range.start_bound() {
        Bound::Included(&first) => first,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => all.len(),
    };
    // A range beyond the end is cut off there, and then too short.
    let end = end.min(all.len());
    let part = all.get(first..end).unwrap_or_default();
    let header = Header::read(part)?;
    header.fits(part.len() as u64)?;
    if part.as_ptr().align_offset(align_of::<Line>()) != 0 {
        return Err(BakedFault::Misaligned.into());
    }
    Ok(assemble(&header, &mut View::new(Arc::clone(bytes), first))?)
}

/// Makes all checksums fit what the bytes say, so that tests come past them to what is behind.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) {
    header::reseal(bytes);
}

/// A file's header, and what follows it; the file has the length that its header tells.
fn open_whole(path: &Path) -> Result<(Header, Stream<File>), BakedFault> {
    let mut file = File::open(path)?;
    let bytes = file.metadata()?.len();
    let header = Header::read(&mut file)?;
    header.fits(bytes)?;
    Ok((header, Stream::new(file, bytes)))
}

/// The mesh and the tree, section by section.
fn assemble<S: Source>(
    header: &Header,
    source: &mut S,
) -> Result<(TriangleMesh, Bvh8), BakedFault> {
    let lines = source.section(header, Part::Blocks)?;
    let positions = source.section(header, Part::Positions)?;
    let indices = source.section(header, Part::Indices)?;
    let parts = parts::decoded(header, source)?;
    let (mesh, tree) = rayon::join(
        || TriangleMesh::of_buffers(positions, indices),
        || tree_of::<S>(header, lines),
    );
    let mesh = mesh.map_err(|fault| BakedFault::invalid(Part::Indices, fault.to_string()))?;
    Ok((mesh.with_origin(header.origin()?).with_parts(parts), tree?))
}

/// The tree alone.
fn tree<S: Source>(header: &Header, source: &mut S) -> Result<Bvh8, BakedFault> {
    let lines = source.section(header, Part::Blocks)?;
    tree_of::<S>(header, lines)
}

/// The tree of these blocks, if they are one.
fn tree_of<S: Source>(header: &Header, lines: Buffer<Line>) -> Result<Bvh8, BakedFault> {
    let layout = header.layout()?;
    let shape = Shape::new(layout, header.nodes, header.leaves, lines.len())?;
    let triangles = header.mesh_triangles();
    let structure = structure::check_nodes(&lines, &shape)?;
    let most = shape.leaves as u64 * Leaf4::LANES as u64;
    if header.references > most || header.triangles > header.references.min(triangles) {
        return Err(BakedFault::invalid(Part::Blocks, "wrong number of triangles"));
    }
    if S::READS_ALL {
        let named = structure::Named { triangles, vertices: header.mesh_vertices() };
        structure::check_leaves(&lines, layout, &structure, named, header.references)?;
    }
    let mut statistics = Statistics {
        nodes: shape.nodes,
        leaves: shape.leaves,
        triangles: header.triangles as usize,
        references: header.references as usize,
        depth: structure.depth,
        sah_cost: header.sah_cost,
        ..Statistics::default()
    };
    statistics.count_bytes(lines.len(), layout);
    let bounds = header.bounds(shape.nodes + shape.leaves == 0)?;
    Ok(Bvh8::of_blocks(lines, layout, shape.root(), bounds, statistics))
}
