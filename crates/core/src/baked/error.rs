//! Why a baked tree could not be written or opened.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::header::{Part, VERSION};

/// Why a baked tree could not be written or opened, and which file it was.
#[derive(Debug)]
pub struct BakedError {
    /// The file, if there was one.
    pub file: Option<PathBuf>,
    /// What is wrong.
    pub fault: BakedFault,
}

/// Why a baked tree could not be written or opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BakedFault {
    /// It could not be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// These are bytes of something else.
    #[error("this is no baked tree")]
    NotBaked,
    /// It was baked by another version of hitscan, in a format that this one does not know.
    #[error(
        "this tree was baked by {} version of hitscan: its format is {found}, and this version \
         reads format {VERSION}; bake the mesh again{}",
        if *found < VERSION { "an earlier" } else { "a later" },
        if *found < VERSION { "" } else { ", or update hitscan" }
    )]
    Version {
        /// The number of its format.
        found: u32,
    },
    /// It is shorter or longer than it says itself.
    #[error("there are {found} bytes, and the tree has {expected}: {}", if found < expected {
        "it was cut short"
    } else {
        "something was added to it"
    })]
    Length {
        /// How many bytes there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// A checksum does not fit: bytes are not what they were when the tree was baked.
    #[error("the tree is damaged: the checksum of its {part} does not fit")]
    Damaged {
        /// Which part of the file it is, in words.
        part: &'static str,
    },
    /// The checksums fit, or were not looked at, and what the bytes say cannot be.
    #[error("this tree cannot be: {part}: {message}")]
    Invalid {
        /// Which part of the file it is, in words.
        part: &'static str,
        /// What is wrong, in words.
        message: String,
    },
    /// The tree was baked of another mesh than it is asked for.
    #[error("the tree was baked of another mesh; bake it again")]
    Stale,
    /// The bytes do not begin at a multiple of 64 bytes, so that they cannot be used where they
    /// are. They can be copied: [`super::from_bytes`].
    #[error("the tree does not begin at a multiple of 64 bytes in memory")]
    Misaligned,
    /// This machine keeps the last byte of a number first; baked trees are little-endian.
    #[error("baked trees are little-endian, and this machine is not")]
    BigEndian,
    /// The tree is too large for the memory that this machine can address.
    #[error("the tree is too large for this machine")]
    TooLarge,
}

impl BakedFault {
    pub(super) fn invalid(part: Part, message: impl Into<String>) -> Self {
        Self::Invalid { part: part.name(), message: message.into() }
    }
}

impl BakedError {
    pub(super) fn of_file(path: &Path, fault: BakedFault) -> Self {
        Self { file: Some(path.into()), fault }
    }
}

impl From<BakedFault> for BakedError {
    fn from(fault: BakedFault) -> Self {
        Self { file: None, fault }
    }
}

impl fmt::Display for BakedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for BakedError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The fault is told already; what lies below it is not.
        std::error::Error::source(&self.fault)
    }
}
