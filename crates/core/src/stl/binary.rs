//! Binary STL: 80 bytes of anything, the number of triangles, and 50 bytes for each.

use super::weld::Weld;
use crate::file::ReadError;
use crate::file::draft::Draft;
use crate::file::fault::{Fault, Place, Source};
use crate::file::words::grouped;
use crate::mesh::{MeshReport, TriangleMesh};

/// Where the number of triangles stands.
const COUNT: usize = 80;
/// Where the first triangle stands.
const FIRST: usize = 84;
/// A normal, three corners, and two bytes that some programs put a colour into.
const LENGTH: usize = 50;

/// How many triangles the header promises.
fn promised(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(COUNT..)?.first_chunk()?;
    Some(u32::from_le_bytes(*count) as usize)
}

/// Whether the file is as long as its header says.
pub(super) fn has_right_length(bytes: &[u8]) -> bool {
    promised(bytes).is_some_and(|count| count * LENGTH + FIRST == bytes.len())
}

/// Reads a file.
pub(super) fn read(source: &Source<'_>) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let bytes = source.bytes;
    let mut draft = Draft::new(source.strict);
    fill(bytes, &mut draft).map_err(|fault| source.error(fault))?;
    draft.finish(source, |face| Place::Byte(FIRST + face * LENGTH), Place::Byte(bytes.len()))
}

fn fill(bytes: &[u8], draft: &mut Draft) -> Result<(), Fault> {
    let Some(count) = promised(bytes) else {
        let message = "neither text that begins with `solid` nor long enough for binary STL";
        return Err(Fault::new(Place::Byte(bytes.len()), message));
    };
    let (triangles, rest) = bytes[FIRST..].as_chunks::<LENGTH>();
    let after = (triangles.len().saturating_sub(count)) * LENGTH + rest.len();
    let Some(triangles) = triangles.get(..count) else {
        let message = format!(
            "the header says {} triangles, which take {} bytes, but only {} follow",
            grouped(count as u128),
            grouped((count * LENGTH) as u128),
            grouped((bytes.len() - FIRST) as u128),
        );
        return Err(Fault::new(Place::Byte(COUNT), message));
    };
    if after > 0 {
        draft.warnings.add(Place::Byte(bytes.len() - after), || {
            format!("{} bytes follow the last triangle", grouped(after as u128))
        })?;
    }
    let mut weld = Weld::new();
    // A closed mesh has half as many vertices as triangles.
    draft.reserve(count / 2, count);
    for (i, triangle) in triangles.iter().enumerate() {
        let (numbers, _) = triangle.as_chunks::<4>();
        let number = |i: usize| f64::from(f32::from_le_bytes(numbers[i]));
        let mut corners = [0; 3];
        for (k, corner) in corners.iter_mut().enumerate() {
            let first = 3 + 3 * k;
            let position = [number(first), number(first + 1), number(first + 2)];
            let place = || Place::Byte(FIRST + i * LENGTH + first * 4);
            *corner = weld.vertex(position, draft, place)?;
        }
        draft.face(&corners, || Place::Byte(FIRST + i * LENGTH))?;
    }
    Ok(())
}
