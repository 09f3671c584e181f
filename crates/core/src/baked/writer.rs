//! Writes a mesh and its tree, section by section.

use std::io::{self, BufWriter, Write};

use bytemuck::NoUninit;

use super::BakedFault;
use super::header::{ALIGNMENT, Header, Part, Section};
use super::layout::Layout;
use super::parts;
use crate::bvh8::Bvh8;
use crate::checksum::Checksum;
use crate::mesh::TriangleMesh;

/// So many bytes are written at a time.
const AT_ONCE: usize = 1 << 16;

pub(super) fn write(
    mut writer: impl Write,
    mesh: &TriangleMesh,
    tree: &Bvh8,
) -> Result<(), BakedFault> {
    if cfg!(target_endian = "big") {
        return Err(BakedFault::BigEndian);
    }
    let layout = Layout::of(tree);
    let content = Content { mesh, layout: &layout };
    // Checksums come first in the file, so that it can be written from beginning to end.
    let mut sections = [Section { bytes: 0, checksum: 0 }; Part::ALL.len()];
    for part in Part::ALL {
        let mut sum = Sum::default();
        content.write(part, &mut sum)?;
        sections[part as usize] = Section { bytes: sum.bytes, checksum: sum.checksum.finish() };
    }
    let header = Header::new(mesh, tree, &layout.shape(), sections);
    writer.write_all(bytemuck::bytes_of(&header))?;
    for part in Part::ALL {
        let [filling, _] = header.filling_before(part);
        writer.write_all(&[0; ALIGNMENT as usize][..filling as usize])?;
        content.write(part, &mut writer)?;
    }
    Ok(writer.flush()?)
}

/// What is to be written.
struct Content<'a> {
    mesh: &'a TriangleMesh,
    layout: &'a Layout<'a>,
}

impl Content<'_> {
    fn write(&self, part: Part, writer: &mut impl Write) -> io::Result<()> {
        let parts = self.mesh.parts();
        match part {
            Part::Blocks => {
                let mut writer = BufWriter::with_capacity(AT_ONCE, writer);
                self.layout.write(|block| writer.write_all(block))?;
                writer.flush()
            }
            Part::Positions => writer.write_all(bytemuck::cast_slice(self.mesh.positions())),
            Part::Indices => writer.write_all(bytemuck::cast_slice(self.mesh.indices())),
            Part::Polygons => writer.write_all(bytemuck::cast_slice(parts.polygons())),
            Part::Runs => each(writer, parts::runs(parts)),
            Part::NameEnds => each(writer, parts::name_ends(parts)),
            Part::Names => {
                parts.names().iter().try_for_each(|name| writer.write_all(name.as_bytes()))
            }
        }
    }
}

/// Writes values, many at a time.
fn each<T: NoUninit>(writer: &mut impl Write, values: impl Iterator<Item = T>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(AT_ONCE, writer);
    for value in values {
        writer.write_all(bytemuck::bytes_of(&value))?;
    }
    writer.flush()
}

/// Sums what is written.
#[derive(Default)]
struct Sum {
    bytes: u64,
    checksum: Checksum,
}

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        self.checksum.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
