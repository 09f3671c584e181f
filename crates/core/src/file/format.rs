//! Which format a mesh file is in, by its bytes and its name.

use std::path::Path;

use crate::{off, stl, text};

/// A format of mesh files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MeshFormat {
    /// Wavefront OBJ: [`crate::obj`].
    Obj,
    /// STL, text or binary.
    Stl,
    /// PLY, text or binary of either byte order.
    Ply,
    /// OFF, text.
    Off,
    /// glTF 2.0, as a `.gltf` document or a `.glb` container.
    Gltf,
}

impl MeshFormat {
    /// The format that a file's name promises.
    ///
    /// ```
    /// use hitscan_core::file::MeshFormat;
    /// assert_eq!(MeshFormat::of_name("Bunny.STL"), Some(MeshFormat::Stl));
    /// assert_eq!(MeshFormat::of_name("bunny.glb"), Some(MeshFormat::Gltf));
    /// assert_eq!(MeshFormat::of_name("bunny"), None);
    /// ```
    #[must_use]
    pub fn of_name(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        Some(match &extension[..] {
            "obj" => Self::Obj,
            "stl" => Self::Stl,
            "ply" => Self::Ply,
            "off" => Self::Off,
            "gltf" | "glb" => Self::Gltf,
            _ => return None,
        })
    }

    /// The format that a file's bytes show.
    ///
    /// All formats but OBJ begin in a way of their own, or have a length that their header tells
    /// (binary STL). Text with a line that begins with `v` is taken for OBJ.
    ///
    /// ```
    /// use hitscan_core::file::MeshFormat;
    /// let bytes = b"ply\nformat ascii 1.0\nend_header\n";
    /// assert_eq!(MeshFormat::of_bytes(bytes), Some(MeshFormat::Ply));
    /// ```
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::of_first_bytes(bytes).or_else(|| is_obj(bytes).then_some(Self::Obj))
    }

    /// As [`Self::of_bytes`], but only what is beyond doubt.
    pub(super) fn of_first_bytes(bytes: &[u8]) -> Option<Self> {
        let text = &bytes[text::start(bytes)..];
        // First what has a length that is right: its first bytes may be anything.
        if stl::has_binary_length(bytes) {
            Some(Self::Stl)
        } else if bytes.starts_with(b"glTF") || is_gltf_document(text) {
            Some(Self::Gltf)
        } else if matches!(text, [b'p', b'l', b'y', b'\n' | b'\r' | b' ' | b'\t', ..]) {
            Some(Self::Ply)
        } else if stl::is_text(bytes) {
            Some(Self::Stl)
        } else if off::has_keyword(text) {
            Some(Self::Off)
        } else {
            None
        }
    }
}

impl std::fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
        })
    }
}

/// How many bytes of text are looked at for what can stand anywhere near its beginning.
const LOOK: usize = 1 << 16;

/// Whether text is a JSON object that speaks of an asset, as each glTF document must.
fn is_gltf_document(text: &[u8]) -> bool {
    let inside = text.trim_ascii_start().strip_prefix(b"{");
    inside.is_some_and(|text| text.trim_ascii_start().starts_with(b"\""))
        && memchr::memmem::find(text, b"\"asset\"").is_some()
}

/// Whether this is text with a vertex of OBJ on one of its first lines.
fn is_obj(bytes: &[u8]) -> bool {
    let head = &bytes[text::start(bytes)..bytes.len().min(LOOK)];
    let mut lines = head.split(|&byte| byte == b'\n' || byte == b'\r');
    let is_vertex = |line: &[u8]| matches!(line.trim_ascii_start(), [b'v', b' ' | b'\t', ..]);
    !head.contains(&0) && lines.any(is_vertex)
}
