//! The Wavefront OBJ reader.

use std::path::{Path, PathBuf};

use crate::mesh::{MeshReport, TriangleMesh};

/// How to read an OBJ file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjOptions {
    /// Whether anything that would be a warning is an error instead; `false` by default.
    pub strict: bool,
}

/// Why an OBJ file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjError {
    /// The file could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text is wrong at one place.
    #[error("{file}:{line}:{column}: {message}")]
    Syntax {
        /// The file's name as given.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        /// What is wrong, in words.
        message: String,
    },
}

/// Reads a file.
///
/// # Errors
/// [`ObjError::Io`] if the file cannot be read, [`ObjError::Syntax`] at the first place where it
/// is not OBJ.
pub fn read_file(
    path: impl AsRef<Path>,
    options: ObjOptions,
) -> Result<(TriangleMesh, MeshReport), ObjError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| ObjError::Io { path: path.into(), source })?;
    read_bytes(&bytes, &path.display().to_string(), options)
}

/// Reads a file's bytes; `name` is what errors call it.
///
/// # Errors
/// [`ObjError::Syntax`] at the first place where the text is not OBJ.
pub fn read_bytes(
    bytes: &[u8],
    name: &str,
    options: ObjOptions,
) -> Result<(TriangleMesh, MeshReport), ObjError> {
    let _ = (name, options);
    // Placeholder until the real reader lands: triangles of plain `v` and `f` lines only.
    let text = String::from_utf8_lossy(bytes);
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let xyz: Vec<f32> = words.take(3).filter_map(|w| w.parse().ok()).collect();
                positions.extend(<[f32; 3]>::try_from(xyz).ok());
            }
            Some("f") => {
                let corner = |w: &str| w.split('/').next().and_then(|w| w.parse::<u32>().ok());
                let corners: Vec<u32> = words.filter_map(corner).map(|i| i - 1).collect();
                for i in 2..corners.len() {
                    indices.push([corners[0], corners[i - 1], corners[i]]);
                }
            }
            _ => {}
        }
    }
    let report =
        MeshReport { vertices: positions.len(), triangles: indices.len(), ..MeshReport::default() };
    let mesh = TriangleMesh::new(positions, indices).map_err(|e| ObjError::Syntax {
        file: name.into(),
        line: 0,
        column: 0,
        message: e.to_string(),
    })?;
    Ok((mesh, report))
}
