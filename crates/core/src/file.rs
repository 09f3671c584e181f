//! Mesh files of every format that is known, by their bytes and names.
//!
//! OBJ, STL, PLY, OFF and, with the cargo feature `gltf`, glTF and GLB. All are read by the same
//! rules: what cannot be read is an error with its place; what can be read but looks wrong is in
//! the report, and an error in strict mode; polygons of more than three corners are cut as in
//! [`crate::obj`]; coordinates are read in f64 where the format has them, and a mesh too far from
//! zero for f32 gets a local origin ([`TriangleMesh::origin`]). No count in a header is believed
//! before the bytes for it are there.
//!
//! - **STL**, text or binary: corners at the same position become one vertex. The stored normals
//!   are not used: which side is the front is told by the winding. Each `solid` is an object.
//! - **PLY**, text, little- or big-endian: the elements `vertex` (`x`, `y`, `z` of any type),
//!   `face` and `tristrips` (a list `vertex_indices` or `vertex_index`). Others are skipped.
//! - **OFF**, text, with or without the keyword, with colours, normals or texture coordinates.
//! - **glTF 2.0**: triangles, strips and fans of the default scene, placed by its nodes, as one
//!   mesh; `gltf::read_file` keeps the placements apart. Skins and morph targets stay in their
//!   rest pose.

pub(crate) mod draft;
mod error;
pub(crate) mod fault;
mod format;
pub(crate) mod words;

use std::path::Path;

pub use error::ReadError;
pub use format::MeshFormat;

use crate::mesh::{MeshReport, TriangleMesh};
use crate::obj::{self, ObjOptions};
use crate::{off, ply, stl};
use fault::{Fault, Place, Source};

/// How to read a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format, whatever the name and the bytes say; by default what the bytes say counts, and
    /// the name where they say nothing.
    pub format: Option<MeshFormat>,
    /// Whether anything that would be a warning is an error instead; `false` by default.
    pub strict: bool,
    /// How many triangles, and how many vertices, a glTF file may make; 2^28 by default. Its nodes
    /// can repeat a mesh, so that a small file may ask for any number. Files of other formats
    /// hold fewer triangles than bytes.
    pub most_triangles: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { format: None, strict: false, most_triangles: 1 << 28 }
    }
}

/// Reads a mesh file of any known format.
///
/// A glTF document may keep its data in other files, which must lie in its own folder or below.
///
/// # Errors
/// [`ReadError::Io`] if a file cannot be read, [`ReadError::UnknownFormat`] if neither name nor
/// bytes tell what it is, and else what its format's reader says, with the place.
pub fn read_file(
    path: impl AsRef<Path>,
    options: &ReadOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let path = path.as_ref();
    let bytes = read_whole(path)?;
    read(&bytes, &path.display().to_string(), path.parent(), options)
}

/// Reads a file's bytes; `name` is what errors call it, and its extension, if it has one, helps
/// to tell the format.
///
/// A glTF document that keeps its data in other files cannot be read this way.
///
/// # Errors
/// As [`read_file`].
///
/// ```
/// use hitscan_core::file::{MeshFormat, ReadError, ReadOptions, read_bytes};
/// let square = b"OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
/// let (mesh, report) = read_bytes(square, "square", &ReadOptions::default())?;
/// assert_eq!(mesh.indices(), [[0, 1, 2], [0, 2, 3]]);
/// assert_eq!(report.polygons, 1);
///
/// let error = read_bytes(b"OFF\n1 0 0\n0 zero 0\n", "no.off", &ReadOptions::default());
/// assert_eq!(error.unwrap_err().to_string(), "no.off:3:3: expected a number, found `zero`");
/// # Ok::<(), ReadError>(())
/// ```
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    read(bytes, name, None, options)
}

/// A whole file.
pub(crate) fn read_whole(path: &Path) -> Result<Vec<u8>, ReadError> {
    std::fs::read(path).map_err(|source| ReadError::Io { path: path.into(), source })
}

fn read(
    bytes: &[u8],
    name: &str,
    folder: Option<&Path>,
    options: &ReadOptions,
) -> Result<(TriangleMesh, MeshReport), ReadError> {
    let format = format_of(bytes, name, options)?;
    let source = Source { bytes, name, strict: options.strict };
    let promised = MeshFormat::of_name(name).filter(|&promised| promised != format);
    let surprise = promised
        .filter(|_| options.format.is_none())
        .map(|promised| format!("the file is {format}, although its name says {promised}"));
    if let Some(message) = surprise.as_ref().filter(|_| options.strict) {
        return Err(source.error(Fault::new(Place::Byte(0), message)));
    }
    let (mesh, mut report) = match format {
        MeshFormat::Obj => obj::read_bytes(bytes, name, ObjOptions { strict: options.strict })?,
        MeshFormat::Stl => stl::read(&source)?,
        MeshFormat::Ply => ply::read(&source)?,
        MeshFormat::Off => off::read(&source)?,
        #[cfg(feature = "gltf")]
        MeshFormat::Gltf => crate::gltf::read_baked(&source, folder, options)?,
        #[cfg(not(feature = "gltf"))]
        MeshFormat::Gltf => {
            let _ = folder;
            return Err(ReadError::NotBuilt { file: name.into(), format, feature: "gltf" });
        }
    };
    if let Some(message) = surprise {
        report.warn(0, message);
    }
    Ok((mesh, report))
}

/// What a file is: what the caller says, else what its bytes show, else what its name promises,
/// else what its bytes look like.
fn format_of(bytes: &[u8], name: &str, options: &ReadOptions) -> Result<MeshFormat, ReadError> {
    options
        .format
        .or_else(|| MeshFormat::of_first_bytes(bytes))
        .or_else(|| MeshFormat::of_name(name))
        .or_else(|| MeshFormat::of_bytes(bytes))
        .ok_or_else(|| ReadError::UnknownFormat { file: name.into() })
}
