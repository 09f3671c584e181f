//! Why a mesh file could not be read.

use std::path::PathBuf;

use super::MeshFormat;
use crate::mesh::MeshError;

/// Why a mesh file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file, or one that it refers to, could not be opened or read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Text is wrong at one place.
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
    /// Binary data are wrong at one place.
    #[error("{file}: at byte {byte}: {message}")]
    Data {
        /// The file's name as given.
        file: String,
        /// The place, in bytes from the start of the file.
        byte: usize,
        /// What is wrong, in words.
        message: String,
    },
    /// A document of nodes and meshes is wrong in one of its parts.
    #[error("{file}: {part}: {message}")]
    Document {
        /// The file's name as given.
        file: String,
        /// The part, such as `meshes[0].primitives[2].indices`.
        part: String,
        /// What is wrong, in words.
        message: String,
    },
    /// The file holds more than a mesh can.
    #[error("{file}: {source}")]
    Mesh {
        /// The file's name as given.
        file: String,
        /// What is too much.
        source: MeshError,
    },
    /// Neither the file's name nor its bytes tell what it is.
    #[error("{file}: neither its name nor its first bytes tell which kind of mesh this is")]
    UnknownFormat {
        /// The file's name as given.
        file: String,
    },
    /// The format is known, but its reader is no part of this build.
    #[error("{file}: this is {format}, which needs the cargo feature `{feature}`")]
    NotBuilt {
        /// The file's name as given.
        file: String,
        /// What the file is.
        format: MeshFormat,
        /// The feature that adds the reader.
        feature: &'static str,
    },
}
