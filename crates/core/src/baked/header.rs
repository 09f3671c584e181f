//! The beginning of a baked file: what it is, and how long its sections are.

use std::io::{self, Read};

use bytemuck::Zeroable;
use glam::Vec3;

use super::BakedFault;
use super::layout::Shape;
use crate::Aabb;
use crate::bvh8::{Bvh8, TreeLayout};
use crate::checksum::checksum;
use crate::mesh::TriangleMesh;

/// What every baked file begins with: no text, not changed by what mends line ends, and not cut
/// off by what stops at control characters.
pub(super) const MAGIC: [u8; 8] = *b"\x89hscan\r\n";

/// The format of the files that are written, and the only one that is read: in earlier ones nodes
/// have references of their own.
pub(super) const VERSION: u32 = 3;

/// Where sections may begin.
pub(super) const ALIGNMENT: u64 = 64;

/// The sections, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Blocks,
    Positions,
    Indices,
    Polygons,
    Runs,
    NameEnds,
    Names,
}

impl Part {
    pub(super) const ALL: [Self; 7] = [
        Self::Blocks,
        Self::Positions,
        Self::Indices,
        Self::Polygons,
        Self::Runs,
        Self::NameEnds,
        Self::Names,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Positions => "vertices",
            Self::Indices => "triangles",
            Self::Polygons => "polygons",
            Self::Runs => "parts",
            Self::NameEnds => "list of names",
            Self::Names => "names",
        }
    }
}

/// How long a section is, without what fills it up to [`ALIGNMENT`], and its checksum.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Section {
    pub(super) bytes: u64,
    pub(super) checksum: u64,
}

/// The first bytes of a baked file. Magic and version will stay where they are in every format.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    /// The place of the tree's layout among [`TreeLayout::ALL`].
    layout: u32,
    /// The whole file's length.
    file_bytes: u64,
    /// Of the mesh, as [`TriangleMesh::content_hash`] gives it.
    content_hash: u64,
    origin: [f64; 3],
    bounds: [[f32; 3]; 2],
    pub(super) nodes: u64,
    pub(super) leaves: u64,
    /// Different triangles in leaves.
    pub(super) triangles: u64,
    pub(super) sah_cost: f64,
    sections: [Section; Part::ALL.len()],
    /// Triangles in leaves, each as often as there are leaves that have it.
    pub(super) references: u64,
    unused_end: [u64; 2],
    /// Of all bytes before it.
    checksum: u64,
}

const SIZE: usize = size_of::<Header>();

const _: () = assert!(SIZE == 256);

/// Reads until the bytes are full or the reader has no more; gives how many there were.
pub(super) fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut found = 0;
    while found < bytes.len() {
        match reader.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(read) => found += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

impl Header {
    /// The header of a file of this mesh, this tree and these sections.
    pub(super) fn new(
        mesh: &TriangleMesh,
        tree: &Bvh8,
        shape: &Shape,
        sections: [Section; Part::ALL.len()],
    ) -> Self {
        let (statistics, bounds) = (tree.statistics(), tree.bounds());
        let [_, positions, indices, ..] = sections.map(|section| section.checksum);
        let mut header = Self {
            magic: MAGIC,
            version: VERSION,
            layout: tree.layout() as u32,
            content_hash: TriangleMesh::content_hash_of(mesh.origin(), positions, indices),
            origin: mesh.origin(),
            bounds: [bounds.min.to_array(), bounds.max.to_array()],
            nodes: shape.nodes as u64,
            leaves: shape.leaves as u64,
            triangles: statistics.triangles as u64,
            references: statistics.references as u64,
            sah_cost: statistics.sah_cost,
            sections,
            ..Self::zeroed()
        };
        // Nothing that is in memory is so long that its length overflows.
        header.file_bytes = header.length().unwrap_or(u64::MAX);
        header.checksum = header.own_checksum();
        header
    }

    /// Reads and checks the header.
    pub(super) fn read(mut reader: impl Read) -> Result<Self, BakedFault> {
        let mut header = Self::zeroed();
        let found = fill(&mut reader, bytemuck::bytes_of_mut(&mut header))?;
        header.checked(found)
    }

    fn checked(self, found: usize) -> Result<Self, BakedFault> {
        if found < MAGIC.len() || self.magic != MAGIC {
            return Err(BakedFault::NotBaked);
        }
        if found < SIZE {
            return Err(BakedFault::Length { found: found as u64, expected: SIZE as u64 });
        }
        if cfg!(target_endian = "big") {
            return Err(BakedFault::BigEndian);
        }
        if self.version != VERSION {
            return Err(BakedFault::Version { found: self.version });
        }
        if self.own_checksum() != self.checksum || self.length() != Some(self.file_bytes) {
            return Err(BakedFault::Damaged { part: "header" });
        }
        Ok(self)
    }

    fn own_checksum(&self) -> u64 {
        checksum(&bytemuck::bytes_of(self)[..SIZE - size_of::<u64>()])
    }

    /// Whether the file has as many bytes as it should.
    pub(super) fn fits(&self, found: u64) -> Result<(), BakedFault> {
        if found == self.file_bytes {
            return Ok(());
        }
        Err(BakedFault::Length { found, expected: self.file_bytes })
    }

    /// The box around everything.
    pub(super) fn bounds(&self, is_empty: bool) -> Result<Aabb, BakedFault> {
        let [min, max] = self.bounds.map(Vec3::from);
        let right = min.is_finite() && max.is_finite() && min.cmple(max).all();
        let bounds = Aabb { min, max };
        if is_empty && bounds == Aabb::EMPTY || !is_empty && right {
            return Ok(bounds);
        }
        Err(BakedFault::invalid(Part::Blocks, "the box around all is none"))
    }

    /// Which blocks the tree is made of.
    pub(super) fn layout(&self) -> Result<TreeLayout, BakedFault> {
        let layout = TreeLayout::ALL.get(self.layout as usize).copied();
        layout.ok_or_else(|| BakedFault::invalid(Part::Blocks, "an unknown layout"))
    }

    /// The point that positions are relative to.
    pub(super) fn origin(&self) -> Result<[f64; 3], BakedFault> {
        if self.origin.iter().all(|x| x.is_finite()) {
            return Ok(self.origin);
        }
        Err(BakedFault::invalid(Part::Positions, "their origin is not finite"))
    }

    /// How many triangles the mesh has.
    pub(super) fn mesh_triangles(&self) -> u64 {
        self.section(Part::Indices).bytes / size_of::<[u32; 3]>() as u64
    }

    /// How many vertices the mesh has.
    pub(super) fn mesh_vertices(&self) -> u64 {
        self.section(Part::Positions).bytes / size_of::<[f32; 3]>() as u64
    }

    /// How many bytes the whole file has.
    pub(super) fn file_bytes(&self) -> u64 {
        self.file_bytes
    }

    pub(super) fn content_hash(&self) -> u64 {
        self.content_hash
    }

    pub(super) fn section(&self, part: Part) -> Section {
        self.sections[part as usize]
    }

    /// Where a section begins, in bytes from the header's first.
    pub(super) fn place_of(&self, part: Part) -> Option<u64> {
        let before = &self.sections[..part as usize];
        before.iter().try_fold(SIZE as u64, |place, section| {
            place.checked_add(section.bytes)?.checked_next_multiple_of(ALIGNMENT)
        })
    }

    /// How many zeros come before a section, and where they begin; of a header that was checked.
    pub(super) fn filling_before(&self, part: Part) -> [u64; 2] {
        let Some(before) = (part as usize).checked_sub(1) else { return [0, SIZE as u64] };
        let bytes = self.sections[before].bytes;
        let filling = bytes.next_multiple_of(ALIGNMENT) - bytes;
        [filling, self.place_of(part).map_or(0, |place| place - filling)]
    }

    /// How long the file has to be: the last section is not filled up.
    fn length(&self) -> Option<u64> {
        let last = Part::ALL[Part::ALL.len() - 1];
        self.place_of(last)?.checked_add(self.section(last).bytes)
    }
}

/// Makes all checksums fit what the bytes say; sections that are not there keep theirs.
pub(super) fn reseal(bytes: &mut [u8]) {
    let Some(mut header) = bytes.get(..SIZE).map(bytemuck::pod_read_unaligned::<Header>) else {
        return;
    };
    for part in Part::ALL {
        let first = header.place_of(part).and_then(|first| usize::try_from(first).ok());
        let len = usize::try_from(header.section(part).bytes).ok();
        let range = first.zip(len).and_then(|(first, len)| Some(first..first.checked_add(len)?));
        if let Some(section) = range.and_then(|range| bytes.get(range)) {
            header.sections[part as usize].checksum = checksum(section);
        }
    }
    let [_, positions, indices, ..] = header.sections.map(|section| section.checksum);
    header.content_hash = TriangleMesh::content_hash_of(header.origin, positions, indices);
    header.file_bytes = header.length().unwrap_or(0);
    header.checksum = header.own_checksum();
    bytes[..SIZE].copy_from_slice(bytemuck::bytes_of(&header));
}
