//! The names and polygons of a mesh's triangles, as a file has them.

use super::BakedFault;
use super::header::{Header, Part};
use super::source::Source;
use crate::memory::Buffer;
use crate::mesh::{self, Parts};

/// Stands for a name that is not given.
const NO_NAME: u32 = u32::MAX;

/// The runs: first triangle, object, group, material.
pub(super) fn runs(parts: &Parts) -> impl Iterator<Item = [u32; 4]> {
    parts.runs().iter().map(|run| {
        let [object, group, material] =
            [run.object, run.group, run.material].map(|name| name.unwrap_or(NO_NAME));
        [run.first_prim, object, group, material]
    })
}

/// For each name where it ends among the bytes of all names.
pub(super) fn name_ends(parts: &Parts) -> impl Iterator<Item = u64> {
    parts.names().iter().scan(0, |end, name| {
        *end += name.len() as u64;
        Some(*end)
    })
}

/// Takes the names and polygons from the sections where they are.
pub(super) fn decoded(header: &Header, source: &mut impl Source) -> Result<Parts, BakedFault> {
    let polygons = source.section(header, Part::Polygons)?;
    let runs: Buffer<[u32; 4]> = source.section(header, Part::Runs)?;
    let ends: Buffer<u64> = source.section(header, Part::NameEnds)?;
    let bytes: Buffer<u8> = source.section(header, Part::Names)?;
    let mut names = Vec::with_capacity(ends.len());
    let mut first = 0;
    for &end in ends.iter() {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        let name = bytes.get(first..end).and_then(|name| std::str::from_utf8(name).ok());
        let name = name.ok_or_else(|| BakedFault::invalid(Part::Names, "one is not text"))?;
        names.push(name.to_owned());
        first = end;
    }
    let name = |name: u32| (name != NO_NAME).then_some(name);
    let run = |&[first_prim, object, group, material]: &[u32; 4]| {
        let (object, group, material) = (name(object), name(group), name(material));
        mesh::Part { first_prim, object, group, material }
    };
    let parts = Parts::checked(runs.iter().map(run).collect(), names, polygons);
    parts.map_err(|fault| BakedFault::invalid(Part::Runs, fault))
}
